// Deletes indices. Elasticsearch: "Delete index API".
#include <fmt/format.h>

#include "core/operations/deletion.hpp"
#include "core/operations/planned.hpp"
#include "core/operations/source.hpp"
#include "core/operations/targets.hpp"

namespace pacenote {
namespace {

std::vector<std::string> index_names(const Fields& params, const Track& track) {
  std::vector<std::string> names = params.list("index");
  if (names.empty())
    for (const Index& index : track.indices) names.push_back(index.name);
  if (names.empty()) params.fail("index", "is missing, and the track declares no indices");
  return names;
}

class DeleteIndex final : public Runner {
 public:
  explicit DeleteIndex(const Operation& operation) : operation_(operation.name) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    params.mandatory("indices");
    const bool look = params.flag("only-if-exists").value_or(true);
    const std::string query = query_of(params.object("request-params"), true);
    const std::vector<std::string> names = params.list("indices");
    Steps steps(bench, call);
    DestructiveSetting setting(steps);
    if (!params.flag("restricted").value_or(false)) co_await setting.off();
    double deleted = 0;
    for (const std::string& name : names) {
      if (steps.failed()) break;
      std::string path = path_of({name});
      std::string exists = look ? path : "";
      const bool done = co_await delete_one(steps, std::move(exists), std::move(path), query);
      deleted += done ? 1 : 0;
    }
    co_await setting.restore();
    co_return steps.weighing(deleted);
  }

 private:
  std::string operation_;
};

std::unique_ptr<Runner> delete_index_runner(const Operation& operation) {
  return std::make_unique<DeleteIndex>(operation);
}

std::unique_ptr<ParamSource> delete_index_source(const Operation& operation, const Track& track, Share) {
  Json params = operation.params;
  params["indices"] = index_names(Fields(operation.params, operation.name), track);
  if (track.restricted) params["restricted"] = true;
  return constant_source(std::move(params), request_options(operation));
}

std::vector<Destroys> delete_index_destroys(const Operation& operation, const Track& track) {
  if (!operation.param_source.empty()) return destroys_anything(Destroys::Kind::index);
  return destroys_each(Destroys::Kind::index, index_names(Fields(operation.params, operation.name), track));
}

const Registered<OperationType> delete_index_type{
    "delete-index",
    {"Deletes `index`, or the track's indices, if they exist.", true, true, delete_index_runner,
     delete_index_source, delete_index_destroys, nullptr}};

}  // namespace
}  // namespace pacenote
