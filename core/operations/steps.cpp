#include "core/operations/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/operations/planned.hpp"

namespace pacenote {
namespace {

constexpr Duration kPatience = std::chrono::seconds(60);  // as the client options' default

class PutEach final : public Runner {
 public:
  PutEach(const Operation& operation, std::string_view key, std::string_view path)
      : operation_(operation.name), key_(key), path_(path) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    const std::string query = query_of(params.object("request-params"), true);
    Steps steps(bench, call);
    double done = 0;
    for (const Json& item : params.mandatory(key_)) {
      const auto [name, body] = parts(params, item);
      std::string target = fmt::format("{}/{}{}", path_, url_encode(name), query);
      const Response response = co_await steps.send(Method::put, std::move(target), body);
      if (!steps.accept(response)) break;
      ++done;
    }
    co_return steps.weighing(done);
  }

 private:
  std::pair<std::string, std::string> parts(const Fields& params, const Json& item) const {
    if (item.is_string()) return {item.get<std::string>(), ""};
    if (!item.is_array() || item.size() != 2 || !item[0].is_string())
      params.fail(key_, "must be a list of names or of [name, body]");
    const bool bare = item[1].is_null() || (item[1].is_object() && item[1].empty());
    return {item[0].get<std::string>(), bare ? "" : body_text(item[1])};
  }

  std::string operation_, key_, path_;
};

}  // namespace

Async<Response> Steps::send(Method method, std::string target, std::string body) {
  const Request request(method, std::move(target), body);
  const Response response = co_await bench_.cluster.send(request);
  co_return response;
}

Async<Response> Steps::ask(std::string target) {
  Request request(Method::get, std::move(target));
  if (call_.options.timeout) request.options.timeout = std::max(*call_.options.timeout, kPatience);
  const Response response = co_await bench_.cluster.send(request);
  co_return response;
}

bool Steps::accept(const Response& response, std::initializer_list<int> also) {
  if (std::find(also.begin(), also.end(), response.status) != also.end()) return true;
  Outcome judged = outcome_of(response, call_.options);
  const bool good = judged.ok;
  if (outcome_.ok) outcome_ = std::move(judged);
  return good;
}

void Steps::fail(std::string error_type, std::string error) {
  if (!outcome_.ok) return;
  outcome_.ok = false;
  outcome_.weight.amount = 0;
  outcome_.error_type = std::move(error_type);
  outcome_.error = std::move(error);
}

Outcome Steps::weighing(double amount) {
  if (outcome_.ok) outcome_.weight.amount = amount;
  return std::move(outcome_);
}

std::unique_ptr<Runner> put_each(const Operation& operation, std::string_view key, std::string_view path) {
  return std::make_unique<PutEach>(operation, key, path);
}

}  // namespace pacenote
