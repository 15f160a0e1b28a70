// Policies for the life of indices. Elasticsearch: "Index lifecycle management APIs".
#include <fmt/format.h>

#include "core/operations/planned.hpp"

namespace pacenote {
namespace {

std::string policy_target(const Fields& params) {
  Json query = Json::object();
  const Json& given = params.object("request-params");
  for (const char* key : {"error_trace", "filter_path", "master_timeout", "timeout"})  // as Rally passes on
    if (given.contains(key)) query[key] = given.at(key);
  return fmt::format("/_ilm/policy/{}{}", url_encode(params.mandatory_text("policy-name")),
                     query_of(query, true));
}

Plan create_policy_plan(const Fields& params) {
  params.mandatory("body");
  const Json body = {{"policy", Fields(params.object("body"), params.operation()).mandatory("policy")}};
  return {Method::put, policy_target(params), to_text(body), Media::json};
}

Plan delete_policy_plan(const Fields& params) {
  Plan out{Method::del, policy_target(params), "", Media::none};
  out.also_good = {404};
  return out;
}

template <Planner plan>
std::unique_ptr<Runner> policy_runner(const Operation& operation) {
  return planned_runner(operation, plan);
}

std::vector<Destroys> policy_destroys(const Operation& operation, const Track&) {
  const auto name = Fields(operation.params, operation.name).text("policy-name");
  if (!name) return {};
  return {{Destroys::Kind::lifecycle_policy, *name}};
}

const Registered<OperationType> create_policy_type{
    "create-ilm-policy",
    {"Creates a policy for the life of indices.", true, true, policy_runner<create_policy_plan>,
     constant_params, nullptr, nullptr}};
const Registered<OperationType> delete_policy_type{
    "delete-ilm-policy",
    {"Deletes a policy for the life of indices, if it exists.", true, true, policy_runner<delete_policy_plan>,
     constant_params, policy_destroys, nullptr}};

}  // namespace
}  // namespace pacenote
