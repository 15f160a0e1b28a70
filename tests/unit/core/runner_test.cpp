#include "core/runner.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::runner_test {

RequestOptions options_of(const Json& params) { return request_options({"op", "refresh", params, ""}); }

Response answer(int status, std::string_view body) {
  Response out;
  out.status = status;
  out.body = body;
  return out;
}

TEST_CASE("an operation's options hold for its requests", "[runner]") {
  const RequestOptions options = options_of({{"request-timeout", 0.5},
                                             {"headers", {{"h", "v"}, {"n", 1}, {"gone", nullptr}}},
                                             {"opaque-id", "o"},
                                             {"ignore", 404},
                                             {"request-params", {{"ignore", {400, 409}}}},
                                             {"response-compression-enabled", false}});
  CHECK(options.timeout == std::chrono::milliseconds(500));
  CHECK(options.headers == Headers{{"h", "v"}, {"n", "1"}, {"Accept-Encoding", "identity"}});
  CHECK(options.opaque_id == "o");
  CHECK(options.ignore == std::vector<int>{404, 400, 409});
}

TEST_CASE("an operation without options has none", "[runner]") {
  const RequestOptions options = options_of({{"request-timeout", nullptr}, {"headers", nullptr}});
  CHECK_FALSE(options.timeout);
  CHECK(options.headers.empty());
  CHECK_FALSE(options_of({{"request-timeout", 0}}).timeout);
}

TEST_CASE("options of the wrong type name operation and parameter", "[runner]") {
  CHECK_THROWS_WITH(options_of({{"request-timeout", "60"}}),
                    "operation [op]: parameter [request-timeout] must be a number, is \"60\"");
  CHECK_THROWS_AS(options_of({{"request-timeout", -1}}), UserError);
  CHECK_THROWS_AS(options_of({{"headers", "h: v"}}), UserError);
  CHECK_THROWS_AS(options_of({{"headers", {{"h", "v\r\nevil: 1"}}}}), UserError);
  CHECK_THROWS_AS(options_of({{"opaque-id", "a\nb"}}), UserError);
  CHECK_THROWS_AS(options_of({{"ignore", "404"}}), UserError);
}

TEST_CASE("the constant source hands over the same for ever", "[runner]") {
  const auto source =
      constant_params({"op", "refresh", {{"a", 1}, {"opaque-id", "o"}}, ""}, Track(), Share());
  Call call;
  for (int i = 0; i < 3; ++i) {
    call.options = RequestOptions();
    CHECK(source->next(call) == Supply::ready);
    CHECK((*call.params)["a"] == 1);
    CHECK(call.options.opaque_id == "o");
  }
}

TEST_CASE("a good or ignored status is worth one operation", "[runner]") {
  RequestOptions options;
  options.ignore = {404};
  for (const int status : {200, 201, 404}) {
    const Outcome outcome = outcome_of(answer(status, ""), options);
    CHECK(outcome.ok);
    CHECK(outcome.weight.amount == 1);
    CHECK(outcome.status == status);
  }
}

TEST_CASE("a refusal is worth nothing and says why", "[runner]") {
  const Outcome outcome = outcome_of(answer(429, R"({"error":{"type":"t","reason":"r"}})"), RequestOptions());
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.weight.amount == 0);
  CHECK(outcome.error_type == "api");
  CHECK(outcome.error == "t: r");
  CHECK(outcome.status == 429);
}

TEST_CASE("no answer is a transport error", "[runner]") {
  Response none;
  none.failure = Failure::connection;
  none.error = "connection refused";
  CHECK(outcome_of(none, RequestOptions()).error == "connection refused");
  none.failure = Failure::timeout;
  const Outcome outcome = outcome_of(none, RequestOptions());
  CHECK(outcome.error_type == "transport");
  CHECK(outcome.error == "no answer within the time-out");
}

}  // namespace pacenote::runner_test
