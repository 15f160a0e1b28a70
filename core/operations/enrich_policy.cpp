// Enrich policies, made and executed. Elasticsearch: "Enrich APIs".
#include <fmt/format.h>

#include "core/operations/planned.hpp"
#include "core/operations/steps.hpp"

namespace pacenote {
namespace {

class EnrichPolicy final : public Runner {
 public:
  explicit EnrichPolicy(const Operation& operation) : operation_(operation.name) {}

  /// All policies pass each stage before the next begins, as in Rally, which runs a stage's requests at once.
  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    params.mandatory("policies");
    const Json policies = params.object("policies");
    const bool first_delete = params.flag("delete").value_or(true);
    Steps steps(bench, call);
    for (const auto& [name, body] : policies.items()) {
      if (first_delete) {
        std::string gone_path = policy_path(name);
        const Response gone = co_await steps.send(Method::del, std::move(gone_path));
        if (!steps.accept(gone, {404})) co_return std::move(steps.outcome());
      }
      std::string path = policy_path(name), text = to_text(body);
      const Response made = co_await steps.send(Method::put, std::move(path), std::move(text));
      if (!steps.accept(made)) co_return std::move(steps.outcome());
    }
    const Response refreshed = co_await steps.send(Method::post, "/_all/_refresh");
    if (!steps.accept(refreshed)) co_return std::move(steps.outcome());
    for (const auto& [name, body] : policies.items()) {
      std::string path = policy_path(name) + "/_execute?wait_for_completion=true";
      const Response done = co_await steps.send(Method::put, std::move(path));
      if (!steps.accept(done)) break;
    }
    co_return steps.weighing(static_cast<double>(policies.size()));
  }

 private:
  static std::string policy_path(const std::string& name) {
    return fmt::format("/_enrich/policy/{}", url_encode(name));
  }
  std::string operation_;
};

std::unique_ptr<Runner> enrich_runner(const Operation& operation) {
  return std::make_unique<EnrichPolicy>(operation);
}

std::vector<Destroys> enrich_destroys(const Operation& operation, const Track&) {
  const Fields params(operation.params, operation.name);
  std::vector<Destroys> out;
  if (params.flag("delete").value_or(true))
    for (const auto& [name, body] : params.object("policies").items())
      out.push_back({Destroys::Kind::enrich_policy, name});
  return out;
}

const Registered<OperationType> enrich_policy_type{
    "enrich-policy",
    {"Makes enrich policies anew and executes them.", true, true, enrich_runner, constant_params,
     enrich_destroys, nullptr}};

}  // namespace
}  // namespace pacenote
