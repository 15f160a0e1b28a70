// A store whose file, folder or disk takes no changes is read all the same.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "core/error.hpp"
#include "store/database.hpp"
#include "store/store.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/store_file.hpp"

namespace pacenote::read_only_test {

using Catch::Contains;
using std::filesystem::perms;
using store::Store;
using test::StoreFile;

constexpr uid_t kNobody = 65534;

RaceRecord race_of(const std::string& id) {
  RaceRecord race;
  race.id = id;
  return race;
}

/// What `work` returns in a process of its own, whose limits and user may change.
std::string in_child(const std::function<std::string()>& work) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::string said;
    try {
      said = work();
    } catch (const UserError& error) {
      said = error.what();
    }
    if (::write(ends[1], said.data(), said.size()) < 0) ::_exit(2);
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string out(4096, '\0');
  out.resize(static_cast<std::size_t>(std::max<ssize_t>(::read(ends[0], out.data(), out.size()), 0)));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return out;
}

/// No file may grow: what a full disk looks like to SQLite.
void fill_disk() {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_FSIZE, &none);
}

void lose_rights() {
  if (::geteuid() == 0 && ::seteuid(kNobody) != 0) ::_exit(3);
}

std::string found(const StoreFile& file) { return Store(file.path()).race("a").id; }

std::string changed(const StoreFile& file) {
  Store store(file.path());
  store.create_race(race_of("b"));
  return "changed";
}

TEST_CASE("a store on a full disk is read, and says so when it is to change", "[store]") {
  const StoreFile file;
  SECTION("closed well") { Store(file.path()).create_race(race_of("a")); }
  SECTION("left with a log by a process that was killed") {
    const pid_t child = ::fork();
    if (child == 0) {
      Store store(file.path());
      store.create_race(race_of("a"));
      ::kill(::getpid(), SIGKILL);
    }
    ::waitpid(child, nullptr, 0);
    std::filesystem::remove(file.path().string() + "-shm");
    REQUIRE(std::filesystem::file_size(file.path().string() + "-wal") > 0);
  }
  const auto on_full_disk = [&file](std::string (*work)(const StoreFile&)) {
    return in_child([&] {
      fill_disk();
      return work(file);
    });
  };
  CHECK(on_full_disk(found) == "a");
  CHECK_THAT(on_full_disk(changed), Contains("can only be read"));
  CHECK(changed(file) == "changed");  // nothing was spoiled
}

TEST_CASE("to open a store changes nothing in it", "[store]") {
  const StoreFile file;
  { Store(file.path()).create_race(race_of("a")); }
  store::Database watcher(file.path(), std::chrono::seconds(1));
  const auto version = watcher.integer("PRAGMA data_version");
  CHECK(found(file) == "a");
  CHECK(watcher.integer("PRAGMA data_version") == version);
  CHECK(changed(file) == "changed");
  CHECK(watcher.integer("PRAGMA data_version") != version);
}

TEST_CASE("a store in a folder of others is read, and says so when it is to change", "[store]") {
  const StoreFile file;
  { Store(file.path()).create_race(race_of("a")); }
  constexpr perms kReadAll = perms::owner_read | perms::group_read | perms::others_read;
  std::filesystem::permissions(file.path().parent_path(),
                               kReadAll | perms::owner_exec | perms::group_exec | perms::others_exec);
  std::filesystem::permissions(file.path(), kReadAll);
  const auto as_other = [&file](std::string (*work)(const StoreFile&)) {
    return in_child([&] {
      lose_rights();
      return work(file);
    });
  };
  CHECK(as_other(found) == "a");
  CHECK_THAT(as_other(changed), Contains("can only be read"));
  std::filesystem::permissions(file.path().parent_path(), perms::owner_all,
                               std::filesystem::perm_options::add);
  std::filesystem::permissions(file.path(), perms::owner_write, std::filesystem::perm_options::add);
  test::raw_sql(file.path(), "PRAGMA user_version = 1; PRAGMA wal_checkpoint(TRUNCATE)");
  std::filesystem::permissions(file.path().parent_path(), perms::owner_write,
                               std::filesystem::perm_options::remove);
  std::filesystem::permissions(file.path(), perms::owner_write, std::filesystem::perm_options::remove);
  CHECK_THAT(as_other(found), Contains("has version 1") && Contains("can only be read"));
  std::filesystem::permissions(file.path().parent_path(), perms::owner_all);
}

TEST_CASE("the file's name may hold what a URI gives a meaning", "[store]") {
  const StoreFile file;
  const auto odd = file.path().parent_path() / "a?b#c%20d.db";
  { Store(odd).create_race(race_of("a")); }
  CHECK(std::filesystem::exists(odd));
  CHECK(Store(odd).race("a").id == "a");
}

}  // namespace pacenote::read_only_test
