// Creates and deletes data streams. Elasticsearch: "Create data stream API", "Delete data stream API".
#include <fmt/format.h>

#include "core/operations/deletion.hpp"
#include "core/operations/planned.hpp"
#include "core/operations/source.hpp"
#include "core/operations/targets.hpp"

namespace pacenote {
namespace {

std::vector<std::string> stream_names(const Fields& params, const Track& track) {
  const std::vector<std::string> named = params.list("data-stream");
  if (track.data_streams.empty() && named.empty())
    params.fail("data-stream", "is missing, and the track declares no data streams");
  if (track.data_streams.empty()) return named;
  std::vector<std::string> names;
  for (const DataStream& stream : track.data_streams)
    if (selected(named, stream.name)) names.push_back(stream.name);
  return names;
}

std::unique_ptr<ParamSource> data_streams_source(const Operation& operation, const Track& track, Share) {
  Json params = operation.params;
  params["data-streams"] = stream_names(Fields(operation.params, operation.name), track);
  return constant_source(std::move(params), request_options(operation));
}

class DeleteDataStream final : public Runner {
 public:
  explicit DeleteDataStream(const Operation& operation) : operation_(operation.name) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    params.mandatory("data-streams");
    const bool look = params.flag("only-if-exists").value_or(true);
    const std::string query = query_of(params.object("request-params"), true);
    const std::vector<std::string> names = params.list("data-streams");
    Steps steps(bench, call);
    double deleted = 0;
    for (const std::string& name : names) {
      if (steps.failed()) break;
      std::string exists = look ? path_of({name}) : "";
      std::string path = fmt::format("/_data_stream{}", path_of({name}));
      const bool done = co_await delete_one(steps, std::move(exists), std::move(path), query);
      deleted += done ? 1 : 0;
    }
    co_return steps.weighing(deleted);
  }

 private:
  std::string operation_;
};

std::unique_ptr<Runner> data_streams_create(const Operation& operation) {
  return put_each(operation, "data-streams", "/_data_stream");
}

std::unique_ptr<Runner> data_streams_delete(const Operation& operation) {
  return std::make_unique<DeleteDataStream>(operation);
}

std::vector<Destroys> data_streams_destroys(const Operation& operation, const Track& track) {
  if (!operation.param_source.empty()) return destroys_anything(Destroys::Kind::data_stream);
  return destroys_each(Destroys::Kind::data_stream,
                       stream_names(Fields(operation.params, operation.name), track));
}

const Registered<OperationType> create_data_stream_type{
    "create-data-stream",
    {"Creates the track's data streams, or `data-stream`.", true, true, data_streams_create,
     data_streams_source, nullptr, nullptr}};
const Registered<OperationType> delete_data_stream_type{
    "delete-data-stream",
    {"Deletes the track's data streams, or `data-stream`, if they exist.", true, true, data_streams_delete,
     data_streams_source, data_streams_destroys, nullptr}};

}  // namespace
}  // namespace pacenote
