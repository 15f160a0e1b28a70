#include "cli/error_groups.hpp"

#include <fmt/format.h>

#include "tests/support/catch.hpp"

namespace pacenote::cli::error_groups_test {

Outcome failure(int status, std::string text) {
  Outcome out;
  out.ok = false;
  out.status = status;
  out.error_type = status == 0 ? "transport" : "api";
  out.error = std::move(text);
  return out;
}

TEST_CASE("the first error of a kind is shown, the others are counted", "[error_groups]") {
  ErrorGroups groups;
  CHECK(groups.add("q", failure(500, "boom 1")) == "q: api 500: boom 1");
  for (int i = 2; i <= 200; ++i) CHECK_FALSE(groups.add("q", failure(500, fmt::format("boom {}", i))));
  CHECK(groups.add("q", failure(503, "boom 1")) == "q: api 503: boom 1");
  CHECK(groups.add("p", failure(0, "connection refused")) == "p: transport: connection refused");
  CHECK(groups.take_counts() == std::vector<std::string>{"q: 200 times api 500: boom 1"});
  CHECK(groups.take_counts().empty());
  CHECK(groups.add("q", failure(500, "boom 1")));
}

TEST_CASE("case O1: failed documents are counted beside the requests they were in", "[error_groups]") {
  ErrorGroups groups;
  Outcome outcome = failure(400, "mapper_parsing_exception");
  outcome.items_failed = 10;
  for (int i = 0; i < 40; ++i) groups.add("idx", outcome);
  CHECK(groups.take_counts() ==
        std::vector<std::string>{"idx: 40 times (400 documents) api 400: mapper_parsing_exception"});
}

TEST_CASE("beyond twenty kinds all others are one", "[error_groups]") {
  ErrorGroups groups;
  int shown = 0;
  for (char c = 'a'; c <= 'z'; ++c)
    if (groups.add("q", failure(400, std::string(1, c)))) ++shown;
  CHECK(shown == 21);
  CHECK(groups.take_counts() == std::vector<std::string>{"all tasks: 6 times more kinds of errors"});
}

TEST_CASE("what a server writes cannot reach the terminal's controls", "[error_groups]") {
  ErrorGroups groups;
  const auto line = groups.add("q", failure(400, "a\n\x1b[2Jb" + std::string(5000, 'x')));
  REQUIRE(line);
  CHECK(line->find("a  [2Jb") != std::string::npos);
  CHECK(line->size() < 300);
}

}  // namespace pacenote::cli::error_groups_test
