// One SQLite file that holds every race: settings, raw samples, metrics, results.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/names.hpp"
#include "core/race_record.hpp"
#include "core/results.hpp"
#include "core/sample.hpp"

namespace pacenote::store {

/// Which races a listing shows, newest first.
struct RaceFilter {
  std::size_t limit = 10;
  std::string track, challenge;
  Json user_tags = Json::object();   ///< all of them must match
  std::optional<WallTime> from, to;  ///< [from, to)
  bool brief = false;                ///< without track parameters, settings, warnings and annotations: faster
};

/// An open store. One thread at a time; several processes may have the same file open (WAL, busy time-out).
/// Every function throws UserError for a file that cannot be opened, read or written, naming it.
class Store {
 public:
  /// Opens or makes the file and its folder, migrating an older schema. ":memory:" is a store of its own.
  /// `patience`: how long a file that another process has locked is waited for; not at all once `hurried`,
  /// which may be null and outlives the store, is set.
  explicit Store(const std::filesystem::path& file, Duration patience = std::chrono::seconds(5),
                 const std::atomic<bool>* hurried = nullptr);
  ~Store();
  Store(Store&&) noexcept;

  void create_race(const RaceRecord& race);  ///< UserError where the id is taken
  void update_race(const RaceRecord& race);  ///< state, seconds, cluster, warnings, failure, settings
  /// `epoch` is what sample instants are stored relative to. `names` texts are saved as far as samples use
  /// them: all samples of one race come with one Names.
  void add_samples(const std::string& race, Instant epoch, const std::vector<Sample>& samples,
                   const Names& names);
  void add_metrics(const std::string& race, Instant epoch, const std::vector<Metric>& metrics);
  void save_results(const std::string& race, const Results& results);  ///< replaces what was there

  /// Newest first. Here and in race(): one that is `running` in the file but whose process is gone (killed,
  /// or on another machine) is `interrupted`.
  std::vector<RaceRecord> races(const RaceFilter& filter) const;
  /// By whole id or a prefix of one; UserError if none or several match.
  RaceRecord race(const std::string& id_or_prefix) const;
  Results results(const std::string& race) const;  ///< without tasks where none were saved
  /// Samples of one task (all tasks if none), by task, in order of storing. Instants count from
  /// `epoch`; the texts they refer to are added to `names`, and their ids are those of `names`.
  std::vector<Sample> samples(const std::string& race, std::optional<TaskIndex> task, Instant epoch,
                              Names& names) const;
  /// The same, some thousands at a time, so that a long race need not fit into memory. `use` may not call the
  /// store.
  void each_samples(const std::string& race, std::optional<TaskIndex> task, Instant epoch, Names& names,
                    const std::function<void(std::span<const Sample>)>& use) const;
  std::uint64_t sample_count(const std::string& race, std::optional<TaskIndex> task = std::nullopt) const;
  std::vector<Metric> metrics(const std::string& race, Instant epoch) const;
  /// The race with all that belongs to it from another open store, in one transaction. False if it is here
  /// already. UserError while it runs.
  bool copy_race(Store& from, const std::string& id);
  void remove_race(const std::string& id);  ///< by whole id; with all that belongs to it

  /// Indices that races made, for the guard: known by cluster and index UUID.
  void note_created(const std::string& cluster_uuid, const std::string& index, const std::string& index_uuid);
  bool created_here(const std::string& cluster_uuid, const std::string& index_uuid) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// $PACENOTE_STORE, else $XDG_DATA_HOME/pacenote/races.db, else ~/.local/share/pacenote/races.db.
std::filesystem::path default_file();

}  // namespace pacenote::store
