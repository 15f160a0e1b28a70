// Opens and closes points in time, within a composite. Elasticsearch: "Point in time API"; OpenSearch: "Point
// in Time API", whose types are OpenSearch Benchmark's.
#include <fmt/format.h>

#include "core/operations/planned.hpp"
#include "core/operations/shared_ids.hpp"
#include "core/operations/steps.hpp"

namespace pacenote {
namespace {

struct PointApi {
  const char* open;   ///< behind the index
  const char* close;  ///< the path of the DELETE
  bool list;          ///< closing takes a list of ids
};
constexpr PointApi kElasticsearch{"/_pit", "/_pit", false};
constexpr PointApi kOpenSearch{"/_search/point_in_time", "/_search/point_in_time", true};

class OpenPoint final : public Runner {
 public:
  OpenPoint(const Operation& operation, const PointApi& api) : operation_(operation.name), api_(api) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    const std::string name = params.mandatory_text("name");
    params.mandatory("index");
    Json query = params.object("request-params");
    query["keep_alive"] = params.text("keep-alive", "1m");
    std::string target =
        fmt::format("{}{}{}", path_of(params.list("index")), api_.open, query_of(query, true));
    Steps steps(bench, call);
    const Response response = co_await steps.send(Method::post, std::move(target));
    if (steps.accept(response)) {
      const Json answer = parse_json(response.body);
      const Json id = answer.is_object() ? answer.value(api_.list ? "pit_id" : "id", Json()) : Json();
      if (id.is_string())
        leave_id(bench, params, name, id.get<std::string>());
      else
        steps.fail("condition", "the answer names no point in time");
    }
    co_return std::move(steps.outcome());
  }

 private:
  std::string operation_;
  const PointApi& api_;
};

class ClosePoint final : public Runner {
 public:
  ClosePoint(const Operation& operation, const PointApi& api) : operation_(operation.name), api_(api) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    constexpr std::string_view kFrom = "with-point-in-time-from";
    const Fields params(*call.params, operation_);
    std::string target = api_.close, body;
    if (api_.list && params.find(kFrom) == nullptr) {
      target += "/_all";  // as OpenSearch Benchmark: all that there are
    } else {
      const std::string id = id_left_by(bench, params, kFrom, params.mandatory_text(kFrom));
      const Json ids = api_.list ? Json({{"pit_id", Json::array({id})}}) : Json({{"id", id}});
      body = to_text(ids);
    }
    Steps steps(bench, call);
    target += query_of(params.object("request-params"), true);
    const Response response = co_await steps.send(Method::del, std::move(target), std::move(body));
    steps.accept(response);
    co_return std::move(steps.outcome());
  }

 private:
  std::string operation_;
  const PointApi& api_;
};

Plan list_points_plan(const Fields&) { return {Method::get, "/_search/point_in_time/_all", "", Media::none}; }

template <class Step, const PointApi& api>
std::unique_ptr<Runner> point_runner(const Operation& operation) {
  return std::make_unique<Step>(operation, api);
}

std::unique_ptr<Runner> list_points_runner(const Operation& operation) {
  return planned_runner(operation, list_points_plan);
}

constexpr std::string_view kOpens = "Opens a point in time; only in a composite.";
constexpr std::string_view kCloses = "Closes a point in time.";
const Registered<OperationType> open_point_type{
    "open-point-in-time",
    {kOpens, false, false, point_runner<OpenPoint, kElasticsearch>, constant_params, nullptr, nullptr}};
const Registered<OperationType> close_point_type{
    "close-point-in-time",
    {kCloses, false, false, point_runner<ClosePoint, kElasticsearch>, constant_params, nullptr, nullptr}};
const Registered<OperationType> create_point_type{
    "create-point-in-time",
    {kOpens, false, false, point_runner<OpenPoint, kOpenSearch>, constant_params, nullptr, nullptr}};
const Registered<OperationType> delete_point_type{
    "delete-point-in-time",
    {kCloses, false, false, point_runner<ClosePoint, kOpenSearch>, constant_params, nullptr, nullptr}};
const Registered<OperationType> list_points_type{"list-all-point-in-time",
                                                 {"Lists OpenSearch's points in time.", false, false,
                                                  list_points_runner, constant_params, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
