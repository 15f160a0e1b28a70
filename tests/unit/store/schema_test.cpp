#include "store/schema.hpp"

#include <fstream>

#include "store/store.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/store_file.hpp"

namespace pacenote::store::schema_test {

using Catch::Contains;
using test::raw_sql;
using test::StoreFile;

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("an older file is brought up to date step by step, once", "[schema]") {
  const StoreFile file;
  const std::vector<std::string> steps = {"CREATE TABLE a(x)", "INSERT INTO a VALUES(1); CREATE TABLE b(y)",
                                          "INSERT INTO b SELECT x + 1 FROM a"};
  {
    Database first(file.path(), Duration::zero());
    migrate(first, std::span(steps).first(1));
    CHECK(first.integer("PRAGMA user_version") == 1);
    first.execute("INSERT INTO a VALUES(10)");
  }
  for (int again = 0; again < 2; ++again) {
    Database now(file.path(), Duration::zero());
    migrate(now, steps);
    CHECK(now.integer("PRAGMA user_version") == 3);
    CHECK(now.integer("SELECT sum(y) FROM b") == 13);
  }
}

TEST_CASE("a step that fails leaves the file as it was", "[schema]") {
  const StoreFile file;
  Database database(file.path(), Duration::zero());
  migrate(database, std::vector<std::string>{"CREATE TABLE a(x)"});
  const std::vector<std::string> steps = {"CREATE TABLE a(x)", "CREATE TABLE b(y)", "nonsense"};
  CHECK_THROWS_AS(migrate(database, steps), UserError);
  CHECK(database.integer("PRAGMA user_version") == 1);
  CHECK(database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'b'") == 0);
}

TEST_CASE("a file of a newer version is named and left alone", "[schema]") {
  const StoreFile file;
  { Store made(file.path()); }
  raw_sql(file.path(), "PRAGMA user_version = 7");
  CHECK_THROWS_WITH(Store(file.path()), Contains(file.path().string()) && Contains("version 7"));
}

TEST_CASE("what is no store is named and left alone", "[schema]") {
  const StoreFile file;
  SECTION("a database of something else") {
    raw_sql(file.path(), "CREATE TABLE bookmarks(url)");
    const std::string before = content(file.path());
    CHECK_THROWS_WITH(Store(file.path()), Contains(file.path().string()) && Contains("not a store"));
    CHECK(content(file.path()) == before);
  }
  SECTION("no database") {
    std::ofstream(file.path()) << "Dear diary, this is not a database at all, whatever its name may say.";
    CHECK_THROWS_WITH(Store(file.path()), Contains(file.path().string()) && Contains("not a store"));
  }
  SECTION("a folder") {
    std::filesystem::create_directory(file.path());
    CHECK_THROWS_WITH(Store(file.path()), Contains(file.path().string()));
  }
  SECTION("below a file") {
    std::ofstream(file.path()) << "x";
    try {
      Store store(file.path() / "sub" / "races.db");
      FAIL("opened");
    } catch (const UserError& error) {
      CHECK_THAT(error.what(), Contains((file.path() / "sub" / "races.db").string()));
      CHECK_THAT(error.hint(), Contains("--store"));
    }
  }
}

}  // namespace pacenote::store::schema_test
