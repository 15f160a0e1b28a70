// Anomaly detection jobs and their datafeeds. Elasticsearch: "Machine learning anomaly detection APIs". Where
// the cluster does not know a path (400), that of Elasticsearch 6 is tried, as Rally does.
#include <fmt/format.h>

#include "core/operations/planned.hpp"
#include "core/operations/steps.hpp"

namespace pacenote {
namespace {

constexpr std::string_view kFeeds = "datafeeds", kJobs = "anomaly_detectors";

/// The plan's target stands below "/_ml" or "/_xpack/ml".
class MachineLearning final : public Runner {
 public:
  MachineLearning(const Operation& operation, Planner planner) : plans_(operation, planner) {}
  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Plan& plan = plans_.plan(call);
    Steps steps(bench, call);
    std::string target = "/_ml" + plan.target;
    Response response = co_await steps.send(plan.method, target, plan.body);
    if (response.status == 400) {
      target = "/_xpack/ml" + plan.target;
      response = co_await steps.send(plan.method, target, plan.body);
    }
    const bool gone = plan.method == Method::del && response.status == 404;
    if (!gone) steps.accept(response);
    co_return std::move(steps.outcome());
  }

 private:
  PlanCache plans_;
};

std::string feed_path(const Fields& params) {
  return fmt::format("/{}/{}", kFeeds, url_encode(params.mandatory_text("datafeed-id")));
}

std::string job_path(const Fields& params) {
  return fmt::format("/{}/{}", kJobs, url_encode(params.mandatory_text("job-id")));
}

Plan put_plan(const Fields& params, std::string path) {
  params.mandatory("body");
  return {Method::put, path + query_of(params.object("request-params"), true), to_text(params.object("body")),
          Media::json};
}

Plan force_delete_plan(const Fields& params, std::string path) {
  Json query = params.object("request-params");
  query["force"] = params.flag("force").value_or(false);
  return {Method::del, path + query_of(query, true), "", Media::none};
}

/// `force` and `timeout` in the body.
Plan end_plan(const Fields& params, std::string path) {
  Json body = {{"force", params.flag("force").value_or(false)}};
  if (const auto timeout = params.text("timeout")) body["timeout"] = *timeout;
  return {Method::post, path + query_of(params.object("request-params"), true), to_text(body), Media::json};
}

Plan create_feed_plan(const Fields& params) { return put_plan(params, feed_path(params)); }
Plan delete_feed_plan(const Fields& params) { return force_delete_plan(params, feed_path(params)); }
Plan stop_feed_plan(const Fields& params) { return end_plan(params, feed_path(params) + "/_stop"); }
Plan create_job_plan(const Fields& params) { return put_plan(params, job_path(params)); }
Plan delete_job_plan(const Fields& params) { return force_delete_plan(params, job_path(params)); }
Plan close_job_plan(const Fields& params) { return end_plan(params, job_path(params) + "/_close"); }

Plan open_job_plan(const Fields& params) {
  return {Method::post,
          fmt::format("{}/_open{}", job_path(params), query_of(params.object("request-params"), true)), "",
          Media::none};
}

Plan start_feed_plan(const Fields& params) {
  Json body = params.object("body");
  for (const char* key : {"end", "start", "timeout"})
    if (const Json* value = params.find(key)) body[key] = *value;
  return {Method::post,
          fmt::format("{}/_start{}", feed_path(params), query_of(params.object("request-params"), true)),
          body.empty() ? "" : to_text(body), Media::json};
}

template <Planner plan>
std::unique_ptr<Runner> learning_runner(const Operation& operation) {
  return std::make_unique<MachineLearning>(operation, plan);
}

std::vector<Destroys> feed_destroys(const Operation& operation, const Track&) {
  const auto id = Fields(operation.params, operation.name).text("datafeed-id");
  if (!id) return {};
  return {{Destroys::Kind::ml_datafeed, *id}};
}

std::vector<Destroys> job_destroys(const Operation& operation, const Track&) {
  const auto id = Fields(operation.params, operation.name).text("job-id");
  if (!id) return {};
  return {{Destroys::Kind::ml_job, *id}};
}

const Registered<OperationType> create_feed_type{
    "create-ml-datafeed",
    {"Creates a datafeed.", true, true, learning_runner<create_feed_plan>, constant_params, nullptr,
     nullptr}};
const Registered<OperationType> delete_feed_type{
    "delete-ml-datafeed",
    {"Deletes a datafeed, if it exists.", true, true, learning_runner<delete_feed_plan>, constant_params,
     feed_destroys, nullptr}};
const Registered<OperationType> start_feed_type{
    "start-ml-datafeed",
    {"Starts a datafeed.", true, true, learning_runner<start_feed_plan>, constant_params, nullptr, nullptr}};
const Registered<OperationType> stop_feed_type{
    "stop-ml-datafeed",
    {"Stops a datafeed.", true, true, learning_runner<stop_feed_plan>, constant_params, nullptr, nullptr}};
const Registered<OperationType> create_job_type{
    "create-ml-job",
    {"Creates an anomaly detection job.", true, true, learning_runner<create_job_plan>, constant_params,
     nullptr, nullptr}};
const Registered<OperationType> delete_job_type{
    "delete-ml-job",
    {"Deletes an anomaly detection job, if it exists.", true, true, learning_runner<delete_job_plan>,
     constant_params, job_destroys, nullptr}};
const Registered<OperationType> open_job_type{
    "open-ml-job",
    {"Opens an anomaly detection job.", true, true, learning_runner<open_job_plan>, constant_params, nullptr,
     nullptr}};
const Registered<OperationType> close_job_type{
    "close-ml-job",
    {"Closes an anomaly detection job.", true, true, learning_runner<close_job_plan>, constant_params,
     nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
