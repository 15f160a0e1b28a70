#include "core/names.hpp"

#include "tests/support/catch.hpp"

namespace pacenote::names_test {

using pacenote::NameId;
using pacenote::Names;

TEST_CASE("a text has one id, and no text has none", "[names]") {
  Names names;
  const NameId docs = names.id("docs"), ops = names.id("ops");
  CHECK(names.id("docs") == docs);
  CHECK(docs != ops);
  CHECK(names.id("") == NameId::none);
  CHECK(names.text(ops) == "ops");
  CHECK(names.text(NameId::none).empty());
  CHECK(names.text(static_cast<NameId>(99)).empty());
  CHECK(names.size() == 3);
  CHECK(names.since(1) == std::vector<std::string>{"docs", "ops"});
  CHECK(names.since(2) == std::vector<std::string>{"ops"});
}

TEST_CASE("beyond the limit all further texts are one", "[names]") {
  Names names(3);
  const NameId first = names.id("error 1");
  names.id("error 2");
  const NameId other = names.id("error 3");
  CHECK(names.id("error 4") == other);
  CHECK(names.text(other) == "(other)");
  CHECK(names.id("error 1") == first);
  CHECK(names.size() == 4);
}

}  // namespace pacenote::names_test
