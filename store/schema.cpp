#include "store/schema.hpp"

#include <fmt/format.h>

#include <array>
#include <thread>

namespace pacenote::store {
namespace {

constexpr std::int64_t kApplication = 0x70636e74;  // "pcnt"; `file` and `PRAGMA application_id` show it

// Times: started_ms since 1970, instants in nanoseconds since the race's epoch. What a listing does not show
// lies in tables of its own.
const std::array<std::string, 3> kSteps = {R"sql(
CREATE TABLE race(
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  started_ms INTEGER NOT NULL,
  seconds REAL NOT NULL,
  state TEXT NOT NULL,
  process TEXT NOT NULL,
  pipeline TEXT NOT NULL,
  track TEXT NOT NULL,
  challenge TEXT NOT NULL,
  car TEXT NOT NULL,
  challenge_auto_generated INTEGER NOT NULL,
  version TEXT NOT NULL,
  failure TEXT NOT NULL,
  user_tags TEXT NOT NULL,
  track_params TEXT NOT NULL,
  cluster TEXT NOT NULL,
  warnings TEXT NOT NULL,
  settings TEXT NOT NULL);
CREATE INDEX race_started ON race(started_ms);
CREATE TABLE results(
  race INTEGER PRIMARY KEY REFERENCES race ON DELETE CASCADE,
  json TEXT NOT NULL);
CREATE TABLE name(
  race INTEGER NOT NULL REFERENCES race ON DELETE CASCADE,
  id INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY(race, id)) WITHOUT ROWID;
CREATE TABLE sample_block(
  number INTEGER PRIMARY KEY,
  race INTEGER NOT NULL REFERENCES race ON DELETE CASCADE,
  task INTEGER NOT NULL,
  samples INTEGER NOT NULL,
  block BLOB NOT NULL);
CREATE INDEX sample_block_race ON sample_block(race, task);
CREATE TABLE metric(
  number INTEGER PRIMARY KEY,
  race INTEGER NOT NULL REFERENCES race ON DELETE CASCADE,
  at_ns INTEGER NOT NULL,
  name TEXT NOT NULL,
  value REAL,
  unit TEXT NOT NULL,
  node TEXT NOT NULL,
  task TEXT NOT NULL,
  fields TEXT);
CREATE INDEX metric_race ON metric(race);
CREATE TABLE created_index(
  cluster TEXT NOT NULL,
  uuid TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY(cluster, uuid)) WITHOUT ROWID;
)sql",
                                           R"sql(
ALTER TABLE race ADD COLUMN annotations TEXT NOT NULL DEFAULT '[]';
)sql",
                                           R"sql(
ALTER TABLE race ADD COLUMN track_revision TEXT NOT NULL DEFAULT '';
)sql"};

std::size_t version_of(Database& database) {
  return static_cast<std::size_t>(database.integer("PRAGMA user_version"));
}

void check_identity(Database& database, std::size_t newest) {
  // In this order: who makes the file at the same time commits tables and identity together.
  const bool empty = database.integer("SELECT count(*) FROM sqlite_schema") == 0;
  const std::int64_t application = database.integer("PRAGMA application_id");
  if (application != kApplication && !(application == 0 && empty)) {
    throw UserError(fmt::format("{} is a database, but not a store of pacenote", database.file().string()),
                    "Name another file with --store.");
  }
  if (const std::size_t version = version_of(database); version > newest) {
    throw UserError(fmt::format("the store {} has version {}; this pacenote knows versions up to {}",
                                database.file().string(), version, newest),
                    "Use the pacenote that wrote it, or name another file with --store.");
  }
}

/// A store that cannot be changed cannot be upgraded.
void check_readable(Database& database, std::size_t newest) {
  check_identity(database, newest);
  if (const std::size_t version = version_of(database); version < newest) {
    throw UserError(
        fmt::format("the store {} has version {} and cannot be brought to {}: it can only be read",
                    database.file().string(), version, newest),
        "Make it writable, or name a copy of it with --store.");
  }
}

void upgrade(Database& database, std::span<const std::string> steps) {
  if (version_of(database) == steps.size()) return;
  Transaction transaction(database);
  for (std::size_t version = version_of(database); version < steps.size(); ++version) {
    database.execute(steps[version]);
  }
  database.execute(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication, steps.size()));
  transaction.commit();
}

}  // namespace

std::span<const std::string> schema_steps() { return kSteps; }

void migrate(Database& database, std::span<const std::string> steps) {
  if (database.read_only()) return check_readable(database, steps.size());
  const auto deadline = std::chrono::steady_clock::now() + database.patience();
  for (;;) {
    try {
      check_identity(database, steps.size());
      // Blobs in few pages, and space given back when a race is deleted. Not on a file that has tables: the
      // second would write to it each time, which a full disk does not take, although all can be read.
      if (version_of(database) == 0)
        database.execute("PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL");
      database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
      upgrade(database, steps);
      return;
    } catch (const Locked&) {
      // SQLite does not wait when two processes turn the same new file to WAL.
      if (std::chrono::steady_clock::now() >= deadline || !database.waits(0)) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
}

}  // namespace pacenote::store
