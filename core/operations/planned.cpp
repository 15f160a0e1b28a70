#include "core/operations/planned.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace pacenote {
namespace {

std::string value_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return to_text(value);
  std::vector<std::string> parts;
  for (const Json& item : value) parts.push_back(value_text(item));
  return fmt::format("{}", fmt::join(parts, ","));
}

/// Nothing was there, which is no failure.
Outcome absent_of(const Response& response) {
  Outcome absent;
  absent.status = response.status;
  return absent;
}

class Planned final : public Runner {
 public:
  Planned(const Operation& operation, Planner planner) : plans_(operation, planner) {}
  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Plan& plan = plans_.plan(call);
    const Request request = request_of(plan);
    const Response response = co_await bench.cluster.send(request);
    if (request.method == Method::head && response.status == 404) co_return absent_of(response);
    const std::vector<int>& good = plan.also_good;
    if (std::find(good.begin(), good.end(), response.status) != good.end()) co_return absent_of(response);
    co_return outcome_of(response, call.options);
  }

 private:
  PlanCache plans_;
};

}  // namespace

const Plan& PlanCache::plan(const Call& call) {
  if (!planned_ || !constant_) {
    plan_ = planner_(Fields(*call.params, operation_));
    planned_ = true;
  }
  return plan_;
}

Request request_of(const Plan& plan) { return {plan.method, plan.target, plan.body, plan.media}; }

std::unique_ptr<Runner> planned_runner(const Operation& operation, Planner planner) {
  return std::make_unique<Planned>(operation, planner);
}

std::string query_of(const Json& params, bool sorted) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& [key, value] : params.items())
    if (!value.is_null() && key != "ignore")
      pairs.emplace_back(url_encode(key), url_encode(value_text(value)));
  if (sorted) std::sort(pairs.begin(), pairs.end());
  std::string out;
  for (const auto& [key, value] : pairs) out += fmt::format("{}{}={}", out.empty() ? '?' : '&', key, value);
  return out;
}

std::string path_of(const std::vector<std::string>& names) {
  return fmt::format("/{}", url_encode(fmt::format("{}", fmt::join(names, ","))));
}

std::string body_text(const Json& body) {
  if (body.is_string()) return body.get<std::string>();
  if (!body.is_array()) return to_text(body);
  std::string out;
  for (const Json& line : body) {
    out += body_text(line);
    out += '\n';
  }
  return out;
}

}  // namespace pacenote
