#include "store/writer.hpp"

#include <sqlite3.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/store_file.hpp"

namespace pacenote::writer_test {

using namespace std::chrono_literals;
using Catch::Contains;
using store::Store;
using store::Writer;
using store::WriterReport;
using test::some_samples;

const Instant kEpoch(2h);
constexpr std::size_t kPlenty = std::size_t{1} << 30;

/// Notes from the writer's thread, which the test waits for.
class Heard final : public Notes {
 public:
  void info(const std::string&) override {}
  void warning(const std::string& text) override {
    const std::lock_guard lock(mutex_);
    texts_.push_back(text);
  }
  std::vector<std::string> warnings() const {
    const std::lock_guard lock(mutex_);
    return texts_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> texts_;
};

/// A store with a race "a", and what a writer needs.
struct Desk {
  Desk() {
    RaceRecord race;
    race.id = "a";
    store.create_race(race);
  }
  test::StoreFile file;
  Store store{file.path(), 0ms};
  Names names;
  Heard notes;
};

/// The write lock, held by somebody else.
class Lock {
 public:
  explicit Lock(const std::filesystem::path& file) {
    REQUIRE(sqlite3_open(file.c_str(), &handle_) == SQLITE_OK);
    REQUIRE(sqlite3_exec(handle_, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr) == SQLITE_OK);
  }
  ~Lock() { release(); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  void release() { sqlite3_close(std::exchange(handle_, nullptr)); }

 private:
  sqlite3* handle_ = nullptr;
};

template <class Condition>
void wait_until(const Condition& condition) {
  while (!condition()) std::this_thread::yield();
}

TEST_CASE("what several threads add is stored, each thread's in its order", "[writer]") {
  Desk desk;
  Writer writer(desk.store, "a", kEpoch, desk.names, desk.notes);
  std::vector<std::thread> threads;
  for (std::uint32_t k = 0; k < 4; ++k) {
    threads.emplace_back([&desk, &writer, k] {
      for (std::int64_t i = 0; i < 50; ++i) {
        auto samples = some_samples(300, kEpoch, desk.names, static_cast<TaskIndex>(k));
        for (Sample& sample : samples) sample.took_ms = i;
        writer.add(std::move(samples));
        writer.add(Metric{"m", 1.0, "", kEpoch, "", "", Json()});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  writer.add(std::vector<Sample>());
  const WriterReport report = writer.close();
  CHECK(report.samples_taken == 60'000);
  CHECK(report.samples_stored == 60'000);
  CHECK(report.metrics_stored == 200);
  CHECK(report.samples_dropped == 0);
  CHECK(report.error.empty());
  CHECK(desk.notes.warnings().empty());
  CHECK(desk.store.metrics("a", kEpoch).size() == 200);
  for (std::uint32_t k = 0; k < 4; ++k) {
    const auto back = desk.store.samples("a", static_cast<TaskIndex>(k), kEpoch, desk.names);
    CHECK(back.size() == 15'000);
    CHECK(std::ranges::is_sorted(back, {}, &Sample::took_ms));
  }
}

TEST_CASE("posted work sees all that was added before it", "[writer]") {
  Desk desk;
  Writer writer(desk.store, "a", kEpoch, desk.names, desk.notes);
  std::uint64_t seen = 0, later = 0;
  writer.add(some_samples(40'000, kEpoch, desk.names));
  writer.add(Metric{"m", 1.0, "", kEpoch, "", "", Json()});
  writer.post([&](Store& store) { seen = store.sample_count("a") + store.metrics("a", kEpoch).size(); });
  writer.add(some_samples(10, kEpoch, desk.names));
  writer.post([&](Store& store) { later = store.sample_count("a"); });
  CHECK(writer.close().samples_stored == 40'010);
  CHECK(seen == 40'001);
  CHECK(later == 40'010);
}

TEST_CASE("samples reach the file while the race goes on", "[writer]") {
  Desk desk;
  Writer writer(desk.store, "a", kEpoch, desk.names, desk.notes);
  writer.add(some_samples(3, kEpoch, desk.names));
  Store reader(desk.file.path());
  wait_until([&] { return reader.sample_count("a") > 0; });
  CHECK(reader.sample_count("a") == 3);
}

TEST_CASE("a locked file is said once, waited for, and nothing is lost", "[writer]") {
  Desk desk;
  Writer writer(desk.store, "a", kEpoch, desk.names, desk.notes, kPlenty, 2ms);
  Lock lock(desk.file.path());
  std::atomic<bool> done = false;
  writer.add(some_samples(100, kEpoch, desk.names));
  writer.post([&](Store&) { done = true; });
  wait_until([&] { return desk.notes.warnings().size() == 1; });
  CHECK_FALSE(done);
  writer.add(some_samples(100, kEpoch, desk.names));
  lock.release();
  wait_until([&] { return done.load(); });
  const WriterReport report = writer.close();
  CHECK(report.samples_stored == 200);
  CHECK(report.error.empty());
  REQUIRE(desk.notes.warnings().size() == 2);
  CHECK_THAT(desk.notes.warnings()[0], Contains("locked") && Contains(desk.file.path().string()));
  CHECK_THAT(desk.notes.warnings()[1], Contains("nothing was lost"));
  CHECK(desk.store.sample_count("a") == 200);
}

TEST_CASE("work that fails is tried again", "[writer]") {
  Desk desk;
  Writer writer(desk.store, "a", kEpoch, desk.names, desk.notes, kPlenty, 1ms);
  int tries = 0;
  writer.post([&](Store&) {
    if (++tries < 3) throw UserError("not yet", "");
  });
  writer.add(some_samples(5, kEpoch, desk.names));
  CHECK(writer.close().samples_stored == 5);
  CHECK(tries == 3);
  CHECK(desk.notes.warnings().size() == 2);
}

TEST_CASE("beyond its memory the writer drops and counts", "[writer]") {
  Desk desk;
  const std::size_t room = 250 * sizeof(Sample);
  Writer writer(desk.store, "a", kEpoch, desk.names, desk.notes, room, 1ms);
  std::atomic<bool> held = false, release = false;
  writer.post([&](Store&) {
    held = true;
    wait_until([&] { return release.load(); });
  });
  wait_until([&] { return held.load(); });
  for (int i = 0; i < 5; ++i) writer.add(some_samples(100, kEpoch, desk.names));
  release = true;
  const WriterReport report = writer.close();
  CHECK(report.samples_taken == 500);
  CHECK(report.samples_stored == 200);
  CHECK(report.samples_dropped == 300);
  CHECK_FALSE(report.error.empty());
}

TEST_CASE("closing gives up after its patience, says why, and counts what is lost", "[writer]") {
  Desk desk;
  Writer writer(desk.store, "a", kEpoch, desk.names, desk.notes, kPlenty, 2ms);
  const Lock lock(desk.file.path());
  writer.add(some_samples(70, kEpoch, desk.names));
  const WriterReport report = writer.close(20ms);
  CHECK(report.samples_taken == 70);
  CHECK(report.samples_stored == 0);
  CHECK(report.samples_dropped == 70);
  CHECK_THAT(report.error, Contains("locked"));
  writer.add(some_samples(1, kEpoch, desk.names));
  CHECK(writer.close().samples_dropped == 71);
}

sqlite3* last_opened = nullptr;  // by anybody in this process
int note_opened(sqlite3* handle, char**, const sqlite3_api_routines*) {
  last_opened = handle;
  return SQLITE_OK;
}

void limit_pages(sqlite3* handle, const char* pragma) {
  REQUIRE(sqlite3_exec(handle, pragma, nullptr, nullptr, nullptr) == SQLITE_OK);
}

TEST_CASE("a full disk is said once, and writing goes on when there is room", "[writer]") {
  const auto hook = reinterpret_cast<void (*)()>(note_opened);
  sqlite3_auto_extension(hook);
  Desk desk;
  sqlite3_cancel_auto_extension(hook);
  limit_pages(last_opened, "PRAGMA max_page_count = 1");  // that is: as many as there are
  Writer writer(desk.store, "a", kEpoch, desk.names, desk.notes, kPlenty, 2ms);
  std::atomic<bool> done = false;
  writer.add(some_samples(30'000, kEpoch, desk.names));
  writer.post([&](Store&) { done = true; });
  wait_until([&] { return desk.notes.warnings().size() == 1; });
  CHECK_FALSE(done);
  limit_pages(last_opened, "PRAGMA max_page_count = 1000000");
  wait_until([&] { return done.load(); });
  const WriterReport report = writer.close();
  CHECK(report.samples_stored == 30'000);
  CHECK(report.error.empty());
  REQUIRE(desk.notes.warnings().size() == 2);
  CHECK_THAT(desk.notes.warnings()[0], Contains("full"));
  CHECK(desk.store.sample_count("a") == 30'000);
}

}  // namespace pacenote::writer_test
