// An SQL query, page by page. Elasticsearch: "SQL search API".
#include <fmt/format.h>

#include "core/operations/planned.hpp"
#include "core/operations/steps.hpp"

namespace pacenote {
namespace {

class Sql final : public Runner {
 public:
  explicit Sql(const Operation& operation) : operation_(operation.name) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    const std::uint64_t wanted = check_sql(params);
    Steps steps(bench, call);
    std::string body = to_text(params.object("body"));
    const std::string target = "/_sql" + query_of(params.object("request-params"), true);
    for (std::uint64_t page = 1; page <= wanted && !steps.stopped(); ++page) {
      const Response response = co_await steps.send(Method::post, target, std::move(body));
      if (!steps.accept(response) || page == wanted) break;
      const Json answer = parse_json(response.body);
      const Json cursor = answer.is_object() ? answer.value("cursor", Json()) : Json();
      if (!cursor.is_string()) {
        steps.fail("condition", fmt::format("the result has {} pages, not {}", page, wanted));
        break;
      }
      const Json next = {{"cursor", cursor}};
      body = to_text(next);
    }
    co_return steps.weighing(static_cast<double>(wanted));
  }

  /// Pages. UserError for a mistake.
  static std::uint64_t check_sql(const Fields& params) {
    params.mandatory("body");
    Fields(params.object("body"), params.operation()).mandatory_text("query");
    return params.count("pages").value_or(1);
  }

 private:
  std::string operation_;
};

std::unique_ptr<Runner> sql_runner(const Operation& operation) { return std::make_unique<Sql>(operation); }

const Registered<OperationType> sql_type{
    "sql", {"Runs an SQL query, page by page.", false, false, sql_runner, constant_params, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
