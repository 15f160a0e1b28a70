// A track as plain values: what tracks/ loads and everything else reads. Rally's words (behaviour A.5).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "core/units.hpp"

namespace pacenote {

struct Operation {
  std::string name;
  std::string type;              ///< a name in Registry<OperationType>
  Json params = Json::object();  ///< the whole operation object, name and operation-type included
  std::string param_source;      ///< empty: the type's own
};

/// When a task ends; counts are per client. None set: rally driver.py:2478 decides by source and runner.
struct Limits {
  std::optional<std::uint64_t> warmup_iterations, iterations;
  std::optional<Duration> warmup, period, ramp_up;
};

/// Over all clients of the task together, per second.
struct TargetThroughput {
  double per_second = 0;
  std::string unit = "ops";  ///< without "/s"
};

struct Task {
  std::string name;
  Operation operation;
  std::uint32_t clients = 1;
  Limits limits;
  std::optional<TargetThroughput> target;  ///< none: unthrottled
  std::string schedule = "deterministic";  ///< a name in Registry<ScheduleType>
  bool completes_parent = false;           ///< `completed-by` names it
  bool any_completes_parent = false;       ///< `completed-by: any`
  bool include_in_reporting = true;
  bool errors_non_fatal = false;  ///< ignore-response-error-level: non-fatal
  std::vector<std::string> tags;
  Json meta = Json::object();
  Json params = Json::object();  ///< the whole task object, for scheduler-specific keys
};

/// What runs between two join points: one task, or several of a `parallel`.
struct Parallel {
  std::vector<Task> tasks;
  std::optional<std::uint32_t> clients;  ///< as written on `parallel`; none: the sum over the tasks
  std::uint32_t client_slots() const {
    std::uint32_t sum = 0;
    for (const Task& task : tasks) sum += task.clients;
    return clients.value_or(sum);
  }
};

struct Challenge {
  std::string name, description, user_info;
  bool is_default = false;
  bool auto_generated = false;  ///< from a bare `schedule`: has no name of its own in reports
  Json meta = Json::object();
  Json parameters = Json::object();
  std::vector<Parallel> schedule;
};

struct Index {
  std::string name;
  Json body = Json::object();  ///< empty: created without a body
};

struct DataStream {
  std::string name;
};

struct Template {
  std::string name, pattern;
  Json body = Json::object();
  bool delete_matching_indices = true;
};

/// One corpus file. `path` is set once tracks::prepare has the uncompressed file on disk.
struct Documents {
  std::string file;     ///< uncompressed name
  std::string archive;  ///< empty: the source is not packed
  std::string base_url;
  std::uint64_t count = 0;  ///< documents, not lines
  std::optional<std::uint64_t> compressed_bytes, uncompressed_bytes;
  bool includes_action_and_meta_data = false;
  std::string target_index, target_data_stream;  ///< both empty where the action lines are in the file
  Json generator;  ///< null, or what makes this file (pacenote's own key `generator`)
  Json meta = Json::object();
  std::filesystem::path path;
  std::filesystem::path line_table;  ///< for core/line_table; may be empty, or of a file that is not there
};

struct Corpus {
  std::string name;
  std::vector<Documents> documents;
  Json meta = Json::object();
};

struct Track {
  std::string name, description;
  std::filesystem::path directory;  ///< where track.json is
  bool bundled = false;             ///< ships with pacenote
  bool restricted = false;  ///< read for a serverless cluster that others operate, where some APIs are closed
  Json meta = Json::object();
  Json params = Json::object();  ///< as given by --track-params
  std::vector<Index> indices;
  std::vector<DataStream> data_streams;
  std::vector<Template> templates, composable_templates, component_templates;
  std::vector<Corpus> corpora;
  std::vector<Challenge> challenges;
};

}  // namespace pacenote
