#include "tracks/draft.hpp"

#include <fstream>

#include "tests/support/catch.hpp"
#include "tests/support/store_file.hpp"

namespace pacenote::draft_test {

namespace fs = std::filesystem;
using tracks::Draft;

void write(const fs::path& file) { std::ofstream(file) << "x"; }

TEST_CASE("a draft has its target's name only once it is kept", "[draft]") {
  const test::StoreFile place;
  const fs::path target = place.path();
  {
    const Draft draft(target);
    write(draft.path());
    CHECK_FALSE(fs::exists(target));
  }
  CHECK(fs::is_empty(target.parent_path()));
  {
    const Draft draft(target);
    write(draft.path());
    draft.keep();
  }
  CHECK(fs::exists(target));
  CHECK(std::distance(fs::directory_iterator(target.parent_path()), {}) == 1);
}

TEST_CASE("what killed processes left is removed, what others write is not", "[draft]") {
  const test::StoreFile place;
  const fs::path target = place.path();
  const fs::path left = target.string() + ".tmp-99999999";
  write(left);
  write(target.string() + "x.tmp-1");  // of another target
  const Draft one(target);
  write(one.path());
  CHECK_FALSE(fs::exists(left));
  const Draft two(target);  // as by another process: the lock is the open file's
  CHECK(fs::exists(one.path()));
  CHECK(fs::exists(target.string() + "x.tmp-1"));
}

}  // namespace pacenote::draft_test
