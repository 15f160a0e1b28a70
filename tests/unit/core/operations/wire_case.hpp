// One case of ../shared/rally/vectors/wire: what Rally's own runner sent and made of the answers.
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/retry.hpp"
#include "core/runner.hpp"
#include "tests/unit/core/operations/fixture.hpp"

namespace pacenote::test {

inline Json at_path(Json value, std::string path) {
  for (std::size_t dot; !path.empty(); path = dot == std::string::npos ? "" : path.substr(dot + 1)) {
    dot = path.find('.');
    value = Json(value.at(path.substr(0, dot)));
  }
  return value;
}

inline std::vector<Template> templates_in(const Json& spec, const char* key, const Json& files) {
  std::vector<Template> out;
  for (const Json& item : spec.value(key, Json::array())) {
    Template made{item.at("name"), item.value("index-pattern", ""), Json::object(),
                  item.value("delete-matching-indices", true)};
    made.body = at_path(files.at(item.at("template").get<std::string>()), item.value("template-path", ""));
    out.push_back(std::move(made));
  }
  return out;
}

/// A track of the vectors' header.
inline Track wire_track(const Json& described) {
  const Json& spec = described.at("spec");
  const Json& files = described.at("files");
  Track track;
  for (const Json& index : spec.value("indices", Json::array())) {
    const Json body = index.contains("body") ? files.at(index["body"].get<std::string>()) : Json::object();
    track.indices.push_back({index.at("name"), body});
  }
  for (const Json& stream : spec.value("data-streams", Json::array()))
    track.data_streams.push_back({stream.at("name")});
  track.templates = templates_in(spec, "templates", files);
  track.composable_templates = templates_in(spec, "composable-templates", files);
  track.component_templates = templates_in(spec, "component-templates", files);
  return track;
}

/// What was done, in the words of the vectors; one entry a request or sleep.
struct Trace {
  std::vector<Json> events;
  Json result;  ///< or {"error": true}
};

inline std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

inline std::string decoded(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size();
    out += escape ? static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16)) : text[i];
    i += escape ? 2 : 0;
  }
  return out;
}

/// A request as compared: headers that only the transport makes are left out, targets are decoded.
inline Json comparable(const Asked& asked) {
  const std::size_t mark = asked.target.find('?');
  Json out = {{"method", asked.method}, {"path", decoded(asked.target.substr(0, mark))}};
  if (mark != std::string::npos) out["query"] = decoded(asked.target.substr(mark + 1));
  const bool writes = asked.method == "POST" || asked.method == "PUT";
  std::string type = asked.media == Media::json ? "application/json" : "application/x-ndjson";
  if (asked.media == Media::none) type = writes ? "application/octet-stream" : "";
  if (asked.options.timeout && seconds(*asked.options.timeout) != 60)
    out["client_timeout_s"] = seconds(*asked.options.timeout);
  for (const auto& [name, value] : asked.options.headers) {
    if (lower(name) == "content-type")
      type = value;
    else
      out["headers"][lower(name)] = value;
  }
  if (!asked.options.opaque_id.empty()) out["headers"]["x-opaque-id"] = asked.options.opaque_id;
  if (!type.empty()) out["content_type"] = type;
  const Json body = parse_json(asked.body);
  if (!asked.body.empty() && body.is_discarded()) out["body_text"] = asked.body;
  if (!asked.body.empty() && !body.is_discarded()) out["body"] = body;
  return out;
}

inline Json comparable(const Json& expected) {
  if (expected.contains("sleep_s")) return Json{{"sleep_s", expected["sleep_s"].get<double>()}};
  Json out;
  for (const char* key :
       {"method", "path", "query", "client_timeout_s", "headers", "content_type", "body", "body_text"})
    if (expected.contains(key)) out[key] = expected[key];
  for (const char* key : {"path", "query"})
    if (out.contains(key)) out[key] = decoded(out[key]);
  if (out.contains("body_text") && Json::accept(out["body_text"].get<std::string>())) {
    out["body"] = parse_json_strictly(out["body_text"].get<std::string>());
    out.erase("body_text");
  }
  return out;
}

inline Reply reply_of(const Json& expected) {
  Reply reply;
  reply.status = expected.at("status");
  if (expected.contains("response")) reply.body = to_text(expected["response"]);
  if (expected.contains("response_text")) reply.body = expected["response_text"];
  const double delay = expected.value("response_delay_s", 0.0);
  const double limit = expected.value("client_timeout_s", 60.0);
  if (delay > limit) reply.failure = Failure::timeout;
  if (delay > 0) reply.takes = from_seconds(std::min(delay, limit));
  return reply;
}

/// A composite's parts as Rally lists them, without their times.
inline Json timings(const Outcome& outcome, const Json& expected) {
  Json out = Json::array();
  for (const Leaf& leaf : outcome.leaves) {
    Json timing = {{"operation", leaf.operation.empty() ? Json() : Json(leaf.operation)},
                   {"operation-type", leaf.type}};
    for (const char* key : {"absolute_time", "request_start", "request_end", "service_time"})
      timing[key] = "<time>";
    Json entry = leaf.meta;
    entry["dependent_timing"] = timing;
    // Rally has the server's time among the details only; here it is always kept.
    if (out.size() < expected.size() && !expected[out.size()].contains("took")) entry.erase("took");
    out.push_back(entry);
  }
  return out;
}

/// The sample's own fields put back among the meta, as Rally keeps them.
inline Json result_of(const Outcome& outcome, const Json& expected_meta) {
  Json meta = outcome.meta.is_null() ? Json::object() : outcome.meta;
  meta["success"] = outcome.ok;
  if (outcome.took_ms && expected_meta.contains("took")) meta["took"] = *outcome.took_ms;
  if (outcome.throughput && expected_meta.contains("throughput")) meta["throughput"] = *outcome.throughput;
  if (outcome.ok && expected_meta.contains("dependent_timing"))
    meta["dependent_timing"] = timings(outcome, expected_meta["dependent_timing"]);
  if (!outcome.ok) {
    meta["error-type"] = outcome.error_type;
    meta["error-description"] = outcome.error;
    if (outcome.status != 0) meta["http-status"] = outcome.status;
  }
  return {{"weight", outcome.weight.amount}, {"unit", outcome.weight.unit}, {"meta", meta}};
}

/// Runs cases: one source and one runner for all the calls of a case.
class WireCase {
 public:
  WireCase(const Json& described, const Json& track) : case_(described), track_(wire_track(track)) {
    track_.restricted = case_.value("serverless", Json()) == true;
    params_ = case_.contains("operation") ? case_["operation"] : case_.at("runner_params");
    operation_.type = params_.value("operation-type", "");
    operation_.name = operation_.type;
    if (!case_.value("assertions", false)) params_.erase("assertions");
    operation_.params = params_;
  }

  Trace run(const Json& call) {
    Trace trace;
    FakeClock clock;
    ScriptedTransport cluster(clock);
    std::deque<Reply> replies;
    for (const Json& entry : call.value("requests", Json::array()))
      if (!entry.contains("sleep_s")) replies.push_back(reply_of(entry));
    std::size_t slept = 0;
    const auto note_sleeps = [&] {
      for (; slept < clock.sleeps().size(); ++slept)
        trace.events.push_back({{"sleep_s", seconds(clock.sleeps()[slept])}});
    };
    cluster.answer = [&](const Asked& asked) {
      note_sleeps();
      trace.events.push_back(comparable(asked));
      if (replies.empty()) return Reply{418, "", "", Failure::none, Duration(0)};
      Reply reply = replies.front();
      replies.pop_front();
      return reply;
    };
    try {
      const Json meta = call.contains("result") ? call["result"].at("meta") : Json::object();
      const Outcome outcome = once(cluster, clock);
      trace.result = outcome.fatal ? Json{{"error", true}} : result_of(outcome, meta);
    } catch (const UserError&) {
      trace.result = {{"error", true}};
    }
    note_sleeps();
    return trace;
  }

 private:
  Outcome once(Transport& cluster, Clock& clock) {
    if (!runner_) {
      if (case_.contains("operation"))
        source_ = Registry<OperationType>::get("type", operation_.type).params(operation_, track_, Share());
      runner_ = make_runner(operation_);
    }
    if (source_) source_->next(call_);
    if (!source_) call_.params = &params_;
    WithOptions with_options(cluster, call_.options);
    Bench bench{with_options, clock, stop_, notes_, "wire"};
    return test::run(runner_->run(bench, call_));
  }

  const Json& case_;
  Track track_;
  Json params_;
  Operation operation_;
  std::unique_ptr<ParamSource> source_;
  std::unique_ptr<Runner> runner_;
  Call call_;
  Stop stop_;
  KeptNotes notes_;
};

}  // namespace pacenote::test
