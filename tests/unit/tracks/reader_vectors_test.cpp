// Rally's own loader against ours: ../shared/rally/vectors/tracks and the target-throughput vectors.
#include <fmt/format.h>

#include <iostream>

#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"
#include "tests/unit/tracks/support.hpp"
#include "tracks/host.hpp"
#include "tracks/loader.hpp"
#include "tracks/reader.hpp"

namespace pacenote::tracks::reader_vectors_test {

/// Cases in which we mean to differ, each with its reason.
const std::map<std::string, std::string> differing = {
    {"task-keys",
     "a throughput that cannot be read is refused when the track is loaded, not when the task runs"},
    {"filter-include-none-match", "a filter that matches nothing is refused"},
    {"filter-custom-type", "a filter that matches nothing is refused"},
    {"filter-exclude-whole-parallel", "a parallel element left without tasks goes"},
    {"serverless-public", "`run-on-serverless` of a task counts, as Rally documents it"},
    {"serverless-operator", "`run-on-serverless` of a task counts, as Rally documents it"},
};

/// As the vectors do: null, empty and false entries are left out.
void put(Json& object, const char* key, const Json& value) {
  if (value.is_null() || value == Json(false) || value == Json("") || value == Json(0)) return;
  if (value.is_structured() && value.empty()) return;
  object[key] = value;
}

Json seconds_of(const std::optional<Duration>& period) {
  return period ? Json(std::chrono::duration_cast<std::chrono::seconds>(*period).count()) : Json();
}

Json count_of(const std::optional<std::uint64_t>& count) { return count ? Json(*count) : Json(); }

Json model_of(const Task& task) {
  Json out = {
      {"name", task.name}, {"operation", task.operation.name}, {"operation_type", task.operation.type}};
  put(out, "params", task.operation.params);
  put(out, "param_source", task.operation.param_source);
  out["clients"] = task.clients;
  put(out, "tags", task.tags);
  put(out, "meta", task.meta);
  put(out, "operation_meta", task.operation.params.value("meta", Json()));
  put(out, "warmup_iterations", count_of(task.limits.warmup_iterations));
  put(out, "iterations", count_of(task.limits.iterations));
  put(out, "warmup_time_period", seconds_of(task.limits.warmup));
  put(out, "time_period", seconds_of(task.limits.period));
  put(out, "ramp_up_time_period", seconds_of(task.limits.ramp_up));
  put(out, "schedule", task.schedule == "deterministic" ? "" : task.schedule);
  if (task.target) out["target_throughput"] = {task.target->per_second, task.target->unit + "/s"};
  put(out, "completes_parent", task.completes_parent);
  put(out, "any_completes_parent", task.any_completes_parent);
  put(out, "ignore_response_error_level", task.errors_non_fatal ? "non-fatal" : "");
  out["include_in_reporting"] = task.include_in_reporting;
  return out;
}

Json model_of(const Challenge& challenge, bool selected) {
  Json out = {{"name", challenge.name},
              {"default", challenge.is_default},
              {"selected", selected},
              {"auto_generated", challenge.auto_generated}};
  put(out, "description", challenge.description);
  put(out, "user_info", challenge.user_info);
  put(out, "meta", challenge.meta);
  Json parameters = challenge.parameters;
  for (auto& [key, value] : parameters.items())
    if (value.is_array()) std::sort(value.begin(), value.end());
  put(out, "parameters", parameters);
  out["schedule"] = Json::array();
  for (const Parallel& step : challenge.schedule) {
    Json tasks = Json::array();
    for (const Task& task : step.tasks) tasks.push_back(model_of(task));
    const Json parallel = {{"parallel", {{"clients", step.client_slots()}, {"tasks", tasks}}}};
    out["schedule"].push_back(tasks.size() > 1 || step.clients ? parallel : tasks[0]);
  }
  return out;
}

Json model_of(const Corpus& corpus) {
  Json out = {{"name", corpus.name}, {"meta", corpus.meta}, {"documents", Json::array()}};
  for (const Documents& documents : corpus.documents) {
    Json one = {{"file", documents.file}, {"action_and_meta_data", documents.includes_action_and_meta_data}};
    put(one, "archive", documents.archive);
    put(one, "base_url", documents.base_url);
    one["count"] = documents.count;
    put(one, "compressed_bytes", count_of(documents.compressed_bytes));
    put(one, "uncompressed_bytes", count_of(documents.uncompressed_bytes));
    put(one, "target_index", documents.target_index);
    put(one, "target_data_stream", documents.target_data_stream);
    put(one, "meta", documents.meta);
    out["documents"].push_back(one);
  }
  return out;
}

Json model_of(const std::vector<Template>& templates, bool component) {
  Json out = Json::array();
  for (const Template& one : templates) {
    Json item = {{"name", one.name}, {"content", one.body}};
    if (!component) item["pattern"] = one.pattern;
    if (!component) item["delete_matching_indices"] = one.delete_matching_indices;
    out.push_back(item);
  }
  return out;
}

Json model_of(const Loaded& loaded) {
  Json out = {{"description", loaded.track.description}};
  put(out, "meta", loaded.track.meta);
  Json indices = Json::array(), streams = Json::array(), corpora = Json::array();
  for (const Index& index : loaded.track.indices)
    indices.push_back({{"name", index.name}, {"body", index.body}});
  for (const DataStream& stream : loaded.track.data_streams) streams.push_back(stream.name);
  for (const Corpus& corpus : loaded.track.corpora) corpora.push_back(model_of(corpus));
  put(out, "indices", indices);
  put(out, "data_streams", streams);
  put(out, "corpora", corpora);
  put(out, "templates", model_of(loaded.track.templates, false));
  put(out, "composable_templates", model_of(loaded.track.composable_templates, false));
  put(out, "component_templates", model_of(loaded.track.component_templates, true));
  for (const Challenge& challenge : loaded.track.challenges)
    out["challenges"].push_back(model_of(challenge, challenge.name == loaded.challenge.name));
  return out;
}

/// A parallel element of one task is that task, for our values; dependencies are not among them.
nlohmann::json expected_of(const Json& vector) {
  Json out = vector;
  out.erase("dependencies");
  for (Json& challenge : out["challenges"]) {
    for (Json& step : challenge["schedule"]) {
      if (!step.contains("parallel") || step["parallel"]["tasks"].size() != 1) continue;
      if (step["parallel"]["clients"] != step["parallel"]["tasks"][0]["clients"]) continue;
      const Json only = step["parallel"]["tasks"][0];
      step = only;
    }
  }
  return nlohmann::json::parse(out.dump());  // which compares without regard to the order of keys
}

std::string text_of(const Json& file) { return file.is_string() ? file.get<std::string>() : file.dump(); }

LoadOptions options_of(const Json& vector, const test::Folder& folder) {
  LoadOptions out;
  folder.write("track.json", text_of(vector["track"]));
  const Json files = vector.value("files", Json::object());
  for (const auto& [name, file] : files.items()) folder.write(name, text_of(file));
  out.track_path = folder.path();
  out.params = vector.value("params", Json::object());
  out.challenge = vector.value("challenge", std::string());
  out.ignore_unused_params = vector.value("ignore_unused_params", false);
  out.include_tasks = vector.value("include_tasks", std::vector<std::string>());
  out.exclude_tasks = vector.value("exclude_tasks", std::vector<std::string>());
  out.test_mode = vector.value("test_mode", false);
  out.build_flavor = vector.value("flavor", std::string("default"));
  const std::string serverless = vector.value("serverless", std::string());
  if (!serverless.empty()) out.build_flavor = "serverless";
  out.serverless_operator = serverless == "operator";
  return out;
}

/// Empty where we agree with the vector.
std::string difference(const Json& vector, SideCar& side_car) {
  const test::Folder folder;
  LoadOptions options = options_of(vector, folder);
  options.side_car = &side_car;
  Loaded loaded;
  const std::string error = test::refusal([&] { loaded = read(options); });
  const std::string mark = "the rendered text is in ";
  if (const std::size_t at = error.find(mark); at != std::string::npos)
    std::filesystem::remove(error.substr(at + mark.size(), error.find(';', at) - at - mark.size()));
  if (vector.contains("error"))
    return error.empty() ? fmt::format("accepted, but Rally raises {}", vector["error"].get<std::string>())
                         : "";
  if (!error.empty()) return error;
  const nlohmann::json ours = nlohmann::json::parse(model_of(loaded).dump()),
                       theirs = expected_of(vector["model"]);
  return ours == theirs ? "" : nlohmann::json::diff(theirs, ours).dump();
}

bool python_is_missing() {
  const std::string why = test::refusal([] { SideCar("").start(); });
  if (!why.empty()) std::cout << "SKIPPED: " << why << "\n";
  return !why.empty();
}

TEST_CASE("tracks become what Rally's loader makes of them", "[reader_vectors][sidecar]") {
  const auto path = test::shared("rally/vectors/tracks/tracks.json");
  if (!path || python_is_missing()) return;
  const test::FakeParts<OperationType> types(test::rally_types());
  std::size_t pass = 0, listed = 0;
  SideCar side_car("");
  const Json file = test::read_json(*path);
  for (const Json& vector : file["cases"]) {
    const std::string id = vector["id"].get<std::string>(), what = difference(vector, side_car);
    if (what.empty()) {
      ++pass;
    } else if (differing.contains(id)) {
      ++listed;
    } else {
      FAIL_CHECK(id << ": " << what);
    }
  }
  std::cout << fmt::format("vectors tracks: {} pass, {} listed differences\n", pass, listed);
}

TEST_CASE("templates render as in Rally's environment", "[reader_vectors][sidecar]") {
  const auto path = test::shared("rally/vectors/tracks/jinja.json");
  if (!path || python_is_missing()) return;
  SideCar side_car("");
  std::size_t pass = 0;
  const Json file = test::read_json(*path);
  for (const Json& vector : file["cases"]) {
    const Json request = {{"folder", ""},
                          {"files", {{"t", vector["template"]}}},
                          {"file", "t"},
                          {"params", vector["params"]},
                          {"build_flavor", "default"},
                          {"serverless_operator", false},
                          {"now", nullptr},
                          {"full", true}};
    const Json answer = side_car.ask(request);
    INFO(vector["id"] << ": " << answer.dump());
    const bool agree = vector.contains("error") ? answer.contains("error")
                                                : answer.value("text", Json()) == vector["rendered"];
    CHECK(agree);
    pass += agree ? 1 : 0;
  }
  std::cout << fmt::format("vectors jinja: {} pass, 0 listed differences\n", pass);
}

TEST_CASE("target throughputs are read as by Rally", "[reader_vectors]") {
  const auto path = test::shared("rally/vectors/schedule/target-throughput.json");
  if (!path) return;
  std::size_t pass = 0;
  const Json file = test::read_json(*path);
  for (const Json& vector : file["cases"]) {
    std::optional<TargetThroughput> target;
    const std::string error = test::refusal([&] { target = target_of(vector, "here"); });
    INFO(vector.dump() << " " << error);
    bool agree = error.empty() != vector.contains("error");
    if (error.empty() && !vector.contains("error")) {
      agree = target.has_value() != vector["result"].is_null();
      if (target && agree)
        agree = target->per_second == vector["result"]["value"] &&
                target->unit + "/s" == vector["result"]["unit"];
    }
    CHECK(agree);
    pass += agree ? 1 : 0;
  }
  std::cout << fmt::format("vectors target-throughput: {} pass, 0 listed differences\n", pass);
}

}  // namespace pacenote::tracks::reader_vectors_test
