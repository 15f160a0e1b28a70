#include "tracks/filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "core/suggest.hpp"
#include "tracks/rally_types.hpp"

namespace pacenote::tracks {
namespace {

constexpr std::uint64_t test_documents = 1000;

struct Filter {
  enum class By : std::uint8_t { name, type, tag } by;
  std::string value;
  bool matches(const Task& task) const {
    if (by == By::name) return task.name == value;
    if (by == By::type) return task.operation.type == value;
    return std::find(task.tags.begin(), task.tags.end(), value) != task.tags.end();
  }
};

Filter read_filter(const std::string& item) {
  const std::size_t colon = item.find(':');
  if (colon == std::string::npos) return {Filter::By::name, item};
  const std::string kind = item.substr(0, colon), value = item.substr(colon + 1);
  if (value.find(':') == std::string::npos) {
    if (kind == "type") return {Filter::By::type, value};
    if (kind == "tag") return {Filter::By::tag, value};
  }
  throw UserError(fmt::format("task filter [{}] cannot be read", item), "NAME, type:TYPE or tag:TAG");
}

std::vector<std::string> known(const Challenge& challenge, Filter::By by) {
  std::vector<std::string> out;
  for (const Parallel& step : challenge.schedule) {
    for (const Task& task : step.tasks) {
      if (by == Filter::By::name) out.push_back(task.name);
      if (by == Filter::By::type) out.push_back(task.operation.type);
      if (by == Filter::By::tag) out.insert(out.end(), task.tags.begin(), task.tags.end());
    }
  }
  if (by != Filter::By::name) std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool any_matches(const std::vector<Filter>& filters, const Task& task) {
  return std::any_of(filters.begin(), filters.end(),
                     [&](const Filter& filter) { return filter.matches(task); });
}

std::vector<Filter> read_filters(const Challenge& challenge, const std::vector<std::string>& items) {
  std::vector<Filter> out;
  for (const std::string& item : items) {
    out.push_back(read_filter(item));
    bool matched = false;
    for (const Parallel& step : challenge.schedule)
      for (const Task& task : step.tasks) matched = matched || out.back().matches(task);
    if (!matched)
      throw UserError(fmt::format("task filter [{}] matches no task of challenge [{}]", item, challenge.name),
                      suggestion(out.back().value, known(challenge, out.back().by)));
  }
  return out;
}

/// "dir/x.json" and "x.json.bz2" become "dir/x-1k.json" and "x-1k.json.bz2".
std::string shortened(const std::string& file) {
  const std::filesystem::path path(file);
  return (path.parent_path() / fmt::format("{}-1k{}", path.stem().string(), path.extension().string()))
      .string();
}

void shorten(Documents& documents) {
  if (documents.count <= test_documents) return;
  const std::string ending =
      documents.archive.empty() ? std::string() : documents.archive.substr(documents.file.size());
  documents.file = shortened(documents.file);
  if (!documents.archive.empty()) documents.archive = documents.file + ending;
  documents.count = test_documents;
  documents.compressed_bytes.reset();
  documents.uncompressed_bytes.reset();
}

/// Of an operation, and of those that a composite holds.
void erase_assertions(Json& params) {
  if (!params.is_object()) return;
  params.erase("assertions");
  for (const char* key : {"requests", "stream"})
    if (const auto list = params.find(key); list != params.end() && list->is_array())
      for (Json& part : *list) erase_assertions(part);
}

void shorten(Task& task) {
  const auto at_most = [](auto& value, auto limit) {
    if (value && *value > limit) value = limit;
  };
  at_most(task.limits.warmup_iterations, std::uint64_t{task.clients});
  at_most(task.limits.iterations, std::uint64_t{task.clients});
  at_most(task.limits.warmup, Duration::zero());
  at_most(task.limits.period, Duration(std::chrono::seconds(10)));
  if (task.target) task.target->per_second = static_cast<double>(std::numeric_limits<std::int64_t>::max());
}

}  // namespace

void filter_tasks(Challenge& challenge, const std::vector<std::string>& include,
                  const std::vector<std::string>& exclude) {
  if (include.empty() && exclude.empty()) return;
  if (!include.empty() && !exclude.empty())
    throw UserError("--include-tasks and --exclude-tasks exclude each other", "give one of them");
  const bool keep = !include.empty();
  const std::vector<Filter> filters = read_filters(challenge, keep ? include : exclude);
  for (Parallel& step : challenge.schedule)
    std::erase_if(step.tasks, [&](const Task& task) { return any_matches(filters, task) != keep; });
  std::erase_if(challenge.schedule, [](const Parallel& step) { return step.tasks.empty(); });
  if (challenge.schedule.empty())
    throw UserError(fmt::format("the task filters leave nothing of challenge [{}]", challenge.name),
                    "drop --include-tasks or --exclude-tasks, or let them name fewer tasks");
}

std::vector<std::string> filter_serverless(Challenge& challenge, bool is_operator) {
  std::vector<std::string> gone;
  const auto runs = [&](const Task& task) {
    for (const Json* said : {&task.params, &task.operation.params})
      if (const Json value = said->value("run-on-serverless", Json()); value.is_boolean())
        return value == Json(true);
    const auto allowed = rally_type(task.operation.type);
    if (task.operation.type == "raw-request" || task.operation.type == "composite" || !allowed) return true;
    return *allowed == Serverless::everybody || (is_operator && *allowed == Serverless::operators);
  };
  std::erase_if(challenge.schedule, [&](const Parallel& step) {
    const bool drop = step.tasks.size() == 1 && !step.clients && !runs(step.tasks.front());
    if (drop) gone.push_back(step.tasks.front().name);
    return drop;
  });
  if (challenge.schedule.empty())
    throw UserError(fmt::format("nothing of challenge [{}] can run on serverless", challenge.name),
                    "pick a challenge with tasks that are marked run-on-serverless");
  return gone;
}

void drop_assertions(Challenge& challenge) {
  for (Parallel& step : challenge.schedule)
    for (Task& task : step.tasks) erase_assertions(task.operation.params);
}

void apply_test_mode(Track& track) {
  for (Corpus& corpus : track.corpora)
    for (Documents& documents : corpus.documents) shorten(documents);
  for (Challenge& challenge : track.challenges)
    for (Parallel& step : challenge.schedule)
      for (Task& task : step.tasks) shorten(task);
}

}  // namespace pacenote::tracks
