// A race from one store into another, blocks as they are.
#include <fmt/format.h>

#include "store/impl.hpp"
#include "store/process.hpp"
#include "store/race_row.hpp"

namespace pacenote::store {
namespace {

void copy_names(Database& from, std::int64_t old_number, Database& to, std::int64_t number) {
  Query rows(from, "SELECT id, text FROM name WHERE race = ?", old_number);
  while (rows.step())
    Query(to, "INSERT INTO name(race, id, text) VALUES(?, ?, ?)", number, rows.integer(0), rows.text(1))
        .run();
}

void copy_blocks(Database& from, std::int64_t old_number, Database& to, std::int64_t number) {
  Query rows(from, "SELECT task, samples, block FROM sample_block WHERE race = ? ORDER BY number",
             old_number);
  while (rows.step())
    Query(to, "INSERT INTO sample_block(race, task, samples, block) VALUES(?, ?, ?, ?)", number,
          rows.integer(0), rows.integer(1), Blob{rows.blob(2)})
        .run();
}

void copy_metrics(Database& from, std::int64_t old_number, Database& to, std::int64_t number) {
  Query rows(from,
             "SELECT at_ns, name, value, unit, node, task, fields FROM metric WHERE race = ? ORDER BY number",
             old_number);
  while (rows.step()) {
    const std::optional<double> value = rows.null(2) ? std::nullopt : std::optional(rows.real(2));
    const std::optional<std::string> fields = rows.null(6) ? std::nullopt : std::optional(rows.text(6));
    Query(to,
          "INSERT INTO metric(race, at_ns, name, value, unit, node, task, fields) VALUES(?, ?, ?, ?, ?, ?, "
          "?, ?)",
          number, rows.integer(0), rows.text(1), value, rows.text(3), rows.text(4), rows.text(5), fields)
        .run();
  }
}

void copy_results(Database& from, std::int64_t old_number, Database& to, std::int64_t number) {
  Query rows(from, "SELECT json FROM results WHERE race = ?", old_number);
  if (rows.step()) Query(to, "INSERT INTO results(race, json) VALUES(?, ?)", number, rows.text(0)).run();
}

}  // namespace

bool Store::copy_race(Store& from, const std::string& id) {
  const RaceRecord race = from.race(id);
  if (race.state == RaceState::running)
    throw UserError(fmt::format("race {} is still running", race.id), "Stop it, or wait until it is done.");
  Database& source = from.impl_->database;
  Database& target = impl_->database;
  Transaction transaction(target);
  if (Query(target, "SELECT 1 FROM race WHERE id = ?", race.id).step()) return false;
  insert_race(target, race);
  const std::int64_t old_number = from.impl_->number(race.id), number = impl_->number(race.id);
  copy_results(source, old_number, target, number);
  copy_names(source, old_number, target, number);
  copy_blocks(source, old_number, target, number);
  copy_metrics(source, old_number, target, number);
  transaction.commit();
  return true;
}

}  // namespace pacenote::store
