#include "core/operations/errors.hpp"

#include "tests/support/catch.hpp"

namespace pacenote::errors_test {

TEST_CASE("an error is its type and reason", "[errors]") {
  CHECK(error_text(R"({"error":{"type":"t","reason":"r"},"status":404})") == "t: r");
  CHECK(error_text(R"({"error":{"type":"t"}})") == "t");
  CHECK(error_text(R"({"error":"plain"})") == "plain");
}

TEST_CASE("the root cause is said where it is another", "[errors]") {
  CHECK(
      error_text(R"({"error":{"root_cause":[{"type":"c","reason":"no field"}],"type":"t","reason":"r"}})") ==
      "t: r, caused by c: no field");
  CHECK(error_text(R"({"error":{"root_cause":[{"type":"t","reason":"r"}],"type":"t","reason":"r"}})") ==
        "t: r");
}

TEST_CASE("bodies that are no error objects are cut to a line", "[errors]") {
  CHECK(error_text("oops\r\nmore") == "oops");
  CHECK(error_text("") == "empty answer");
  CHECK(error_text(std::string(1000, 'x')).size() == 303);
  CHECK(error_text("{\"took\":1}") == "{\"took\":1}");
}

TEST_CASE("parts that change from request to request are left out", "[errors]") {
  CHECK(error_text("resource_already_exists_exception", "index [x/Tq0oJ2YlTwuu9TtVbLuCdQ] already exists") ==
        "resource_already_exists_exception: index [x] already exists");
  CHECK(error_text("index_not_found_exception", "no such index [logs-20240101]") ==
        "index_not_found_exception: no such index [logs-20240101]");
  CHECK(error_text("es_rejected_execution_exception", "rejected execution of x$1@7f3a on [queued = 200]") ==
        "es_rejected_execution_exception: rejected execution of x$N on [queued = N]");
}

}  // namespace pacenote::errors_test
