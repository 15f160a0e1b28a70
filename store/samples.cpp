#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "core/sample_block.hpp"
#include "store/impl.hpp"

namespace pacenote::store {
namespace {

bool test_and_set(std::vector<bool>& set, std::size_t i) {
  if (i < set.size() && set[i]) return true;
  if (i >= set.size()) set.resize(i + 1);
  set[i] = true;
  return false;
}

/// Texts that these samples are the first to use. `known` is updated.
void add_names(Database& database, std::int64_t race, std::vector<bool>& known, const Names& names,
               std::span<const Sample> samples) {
  if (known.empty()) known.push_back(true);  // none
  Sample last;
  for (const Sample& sample : samples) {
    if (sample.unit == last.unit && sample.error == last.error && sample.meta == last.meta) continue;
    last = sample;
    for (const NameId id : {sample.unit, sample.error, sample.meta}) {
      if (test_and_set(known, static_cast<std::size_t>(id))) continue;
      const std::string_view text = names.text(id);
      Query(database, "INSERT OR IGNORE INTO name(race, id, text) VALUES(?, ?, ?)", race, id, text).run();
      Query there(database, "SELECT text FROM name WHERE race = ? AND id = ?", race, id);
      const bool same = there.step() && there.text(0) == text;
      assert(same && "one race, one Names");
    }
  }
}

/// All of one task.
void add_blocks(Database& database, std::int64_t race, Instant epoch, std::span<const Sample> samples) {
  const std::size_t blocks = (samples.size() + kBlockSamples - 1) / kBlockSamples;
  std::string bytes;
  for (std::size_t i = 0; i < blocks; ++i) {  // of about the same size
    const std::size_t first = samples.size() * i / blocks, last = samples.size() * (i + 1) / blocks;
    bytes.clear();
    encode_samples(samples.subspan(first, last - first), epoch, bytes);
    Query(database, "INSERT INTO sample_block(race, task, samples, block) VALUES(?, ?, ?, ?)", race,
          samples[first].task, last - first, Blob{bytes})
        .run();
  }
}

void add_blocks_by_task(Database& database, std::int64_t race, Instant epoch,
                        const std::vector<Sample>& samples) {
  const auto same_task = [&](const Sample& sample) { return sample.task == samples.front().task; };
  if (std::ranges::all_of(samples, same_task)) return add_blocks(database, race, epoch, samples);
  std::map<TaskIndex, std::vector<Sample>> by_task;
  for (const Sample& sample : samples) by_task[sample.task].push_back(sample);
  for (const auto& [task, of_task] : by_task) add_blocks(database, race, epoch, of_task);
}

/// Ids as stored to ids of the reader's Names; a text is interned when a sample first refers to it.
class StoredNames {
 public:
  StoredNames(Database& database, std::int64_t race, Names& names) : names_(names) {
    Query query(database, "SELECT id, text FROM name WHERE race = ?", race);
    while (query.step()) texts_[static_cast<NameId>(query.integer(0))].text = query.text(1);
  }
  /// False if there is no such text.
  bool translate(NameId& id) {
    if (id == NameId::none) return true;
    if (id != last_) {
      const auto it = texts_.find(id);
      if (it == texts_.end()) return false;
      if (it->second.id == NameId::none) it->second.id = names_.id(it->second.text);
      last_ = id;
      last_translated_ = it->second.id;
    }
    id = last_translated_;
    return true;
  }

 private:
  struct Text {
    std::string text;
    NameId id = NameId::none;
  };
  Names& names_;
  std::map<NameId, Text> texts_;
  NameId last_ = NameId::none, last_translated_ = NameId::none;
};

bool translate(StoredNames& names, std::span<Sample> samples) {
  bool good = true;
  for (const auto field : {&Sample::unit, &Sample::error, &Sample::meta}) {
    for (Sample& sample : samples) good = names.translate(sample.*field) && good;
  }
  return good;
}

}  // namespace

void Store::add_samples(const std::string& race, Instant epoch, const std::vector<Sample>& samples,
                        const Names& names) {
  if (samples.empty()) return;
  Database& database = impl_->database;
  const std::int64_t number = impl_->number(race);
  std::vector<bool> known = impl_->named[number];
  Transaction transaction(database);
  add_names(database, number, known, names, samples);
  add_blocks_by_task(database, number, epoch, samples);
  transaction.commit();
  impl_->named[number] = std::move(known);
}

void Store::each_samples(const std::string& race, std::optional<TaskIndex> task, Instant epoch, Names& names,
                         const std::function<void(std::span<const Sample>)>& use) const {
  Database& database = impl_->database;
  const std::int64_t number = impl_->number(race);
  StoredNames stored(database, number, names);
  const char* const sql =  // in the order of the index: sorting would hold all blocks
      task ? "SELECT number, samples, block FROM sample_block WHERE race = ? AND task = ? ORDER BY number"
           : "SELECT number, samples, block FROM sample_block WHERE race = ? ORDER BY task, number";
  std::optional<Query> query;
  task ? query.emplace(database, sql, number, *task) : query.emplace(database, sql, number);
  SampleReader reader;
  while (query->step()) {
    const std::optional<std::span<Sample>> block = reader.read(query->blob(2), epoch);
    if (!block || !translate(stored, *block) ||
        static_cast<std::int64_t>(block->size()) != query->integer(1)) {
      database.damaged(fmt::format("block {} of the samples of race {}", query->integer(0), race));
    }
    use(*block);
  }
}

std::vector<Sample> Store::samples(const std::string& race, std::optional<TaskIndex> task, Instant epoch,
                                   Names& names) const {
  std::vector<Sample> all;
  all.reserve(static_cast<std::size_t>(sample_count(race, task)));
  each_samples(race, task, epoch, names,
               [&](std::span<const Sample> block) { all.insert(all.end(), block.begin(), block.end()); });
  return all;
}

std::uint64_t Store::sample_count(const std::string& race, std::optional<TaskIndex> task) const {
  Query query(impl_->database,
              "SELECT coalesce(sum(samples), 0) FROM sample_block WHERE race = ?1"
              " AND (?2 IS NULL OR task = ?2)",
              impl_->number(race), task);
  query.step();
  return static_cast<std::uint64_t>(query.integer(0));
}

void Store::add_metrics(const std::string& race, Instant epoch, const std::vector<Metric>& metrics) {
  Database& database = impl_->database;
  const std::int64_t number = impl_->number(race);
  Transaction transaction(database);
  for (const Metric& metric : metrics) {
    const std::optional<std::string> fields =
        metric.fields.is_null() ? std::nullopt : std::optional(to_text(metric.fields));
    Query(database,
          "INSERT INTO metric(race, at_ns, name, value, unit, node, task, fields) VALUES(?, ?, ?, ?, ?, ?, "
          "?, ?)",
          number, (metric.at - epoch).count(), metric.name, metric.value, metric.unit, metric.node,
          metric.task, fields)
        .run();
  }
  transaction.commit();
}

std::vector<Metric> Store::metrics(const std::string& race, Instant epoch) const {
  Query query(
      impl_->database,
      "SELECT at_ns, name, value, unit, node, task, fields FROM metric WHERE race = ? ORDER BY number",
      impl_->number(race));
  std::vector<Metric> metrics;
  while (query.step()) {
    Metric metric;
    metric.at = epoch + Duration(query.integer(0));
    metric.name = query.text(1);
    if (!query.null(2)) metric.value = query.real(2);
    metric.unit = query.text(3);
    metric.node = query.text(4);
    metric.task = query.text(5);
    if (!query.null(6))
      metric.fields = impl_->database.json(query.text(6), fmt::format("metrics of race {}", race));
    metrics.push_back(std::move(metric));
  }
  return metrics;
}

}  // namespace pacenote::store
