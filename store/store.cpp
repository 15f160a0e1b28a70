#include "store/store.hpp"

#include <fmt/format.h>

#include <cassert>
#include <utility>

#include "store/impl.hpp"
#include "store/process.hpp"
#include "store/race_row.hpp"
#include "store/schema.hpp"

namespace pacenote::store {
namespace {

bool has_tags(const Json& tags, const Json& wanted) {
  for (const auto& [key, value] : wanted.items()) {
    const auto it = tags.find(key);
    if (it == tags.end() || *it != value) return false;
  }
  return true;
}

void refuse_if_running(Database& database, const std::string& race) {
  Query query(database, "SELECT process FROM race WHERE id = ? AND state = 'running'", race);
  if (!query.step()) return;
  const std::string process = query.text(0);
  if (process == this_process() || !lives(process)) return;
  throw UserError(
      fmt::format("race {} is still running in process {}", race, process.substr(0, process.find(' '))),
      "Stop it, or wait until it is done.");
}

std::int64_t milliseconds(WallTime time) { return time.time_since_epoch().count(); }

}  // namespace

Store::Impl::Impl(const std::filesystem::path& file, Duration patience, const std::atomic<bool>* hurried)
    : database(file, patience, hurried) {
  migrate(database);
}

std::int64_t Store::Impl::number(const std::string& race) {
  if (const auto it = numbers.find(race); it != numbers.end()) return it->second;
  Query query(database, "SELECT number FROM race WHERE id = ?", race);
  if (!query.step()) unknown(race);
  return numbers[race] = query.integer(0);
}

void Store::Impl::unknown(const std::string& race) const {
  throw UserError(fmt::format("no race {} in the store {}", race, database.file().string()),
                  "`pacenote list races` shows those that are there.");
}

Store::Store(const std::filesystem::path& file, Duration patience, const std::atomic<bool>* hurried)
    : impl_(std::make_unique<Impl>(file, patience, hurried)) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;

void Store::create_race(const RaceRecord& race) {
  Transaction transaction(impl_->database);
  if (Query(impl_->database, "SELECT 1 FROM race WHERE id = ?", race.id).step()) {
    throw UserError(
        fmt::format("race {} is already in the store {}", race.id, impl_->database.file().string()),
        "Choose another --race-id, or leave it out.");
  }
  insert_race(impl_->database, race);
  transaction.commit();
}

void Store::update_race(const RaceRecord& race) {
  if (!store::update_race(impl_->database, race)) impl_->unknown(race.id);
}

void Store::save_results(const std::string& race, const Results& results) {
  Query(impl_->database, "INSERT OR REPLACE INTO results(race, json) VALUES(?, ?)", impl_->number(race),
        to_text(to_json(results)))
      .run();
}

Results Store::results(const std::string& race) const {
  Query query(impl_->database, "SELECT json FROM results WHERE race = ?", impl_->number(race));
  if (!query.step()) return {};
  const std::string what = fmt::format("results of race {}", race);
  try {
    return results_from_json(impl_->database.json(query.text(0), what));
  } catch (const Json::exception&) {
    impl_->database.damaged(what);
  }
}

std::vector<RaceRecord> Store::races(const RaceFilter& filter) const {
  const auto select = [](const char* columns) {
    return fmt::format(
        "SELECT {} FROM race WHERE started_ms >= ? AND started_ms < ? AND (?3 = '' OR track = ?3)"
        " AND (?4 = '' OR challenge = ?4) ORDER BY started_ms DESC, number DESC",
        columns);
  };
  static const std::string whole = select(kRaceColumns), brief = select(kBriefRaceColumns);
  Query query(impl_->database, (filter.brief ? brief : whole).c_str(),
              milliseconds(filter.from.value_or(WallTime::min())),
              milliseconds(filter.to.value_or(WallTime::max())), filter.track, filter.challenge);
  std::vector<RaceRecord> races;
  RaceRows rows(impl_->database);
  const bool any_tags = filter.user_tags.empty();
  while (races.size() < filter.limit && query.step()) {
    if (!any_tags) {
      const Json tags = impl_->database.json(query.text(static_cast<int>(RaceColumn::user_tags)),
                                             query.text(static_cast<int>(RaceColumn::id)));
      if (!has_tags(tags, filter.user_tags)) continue;
    }
    races.push_back(rows.race(query));
  }
  return races;
}

RaceRecord Store::race(const std::string& id_or_prefix) const {
  static const std::string sql = fmt::format(
      "SELECT {} FROM race WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id = ?1 DESC, started_ms DESC LIMIT "
      "2",
      kRaceColumns);
  Query query(impl_->database, sql.c_str(), id_or_prefix);
  if (id_or_prefix.empty() || !query.step()) impl_->unknown(fmt::format("\"{}\"", id_or_prefix));
  RaceRecord race = RaceRows(impl_->database).race(query);
  if (race.id != id_or_prefix && query.step()) {
    throw UserError(fmt::format("several races begin with {}, among them {} and {}", id_or_prefix, race.id,
                                query.text(static_cast<int>(RaceColumn::id))),
                    "Give more of the id.");
  }
  return race;
}

void Store::remove_race(const std::string& id) {
  refuse_if_running(impl_->database, id);
  const std::int64_t number = impl_->number(id);
  if (Query(impl_->database, "DELETE FROM race WHERE number = ?", number).run() == 0) impl_->unknown(id);
  impl_->numbers.erase(id);
  impl_->named.erase(number);
  try {
    impl_->database.execute("PRAGMA incremental_vacuum");
  } catch (const Locked&) {
    // The race is gone all the same; the next one that is removed gives back this one's space, too.
  }
}

void Store::note_created(const std::string& cluster_uuid, const std::string& index,
                         const std::string& index_uuid) {
  Query(impl_->database, "INSERT OR REPLACE INTO created_index(cluster, uuid, name) VALUES(?, ?, ?)",
        cluster_uuid, index_uuid, index)
      .run();
}

bool Store::created_here(const std::string& cluster_uuid, const std::string& index_uuid) const {
  return Query(impl_->database, "SELECT 1 FROM created_index WHERE cluster = ? AND uuid = ?", cluster_uuid,
               index_uuid)
      .step();
}

}  // namespace pacenote::store
