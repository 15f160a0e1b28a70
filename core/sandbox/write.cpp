#include "core/sandbox/write.hpp"

#include <fmt/format.h>

namespace pacenote::sandbox {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

void fail(Written& written, int status, std::string type, std::string reason) {
  written.status = status;
  written.error_type = std::move(type);
  written.error_reason = std::move(reason);
}

void malformed_document(Written& written, Flavor flavor) {
  const bool newer = flavor == Flavor::elasticsearch_8;  // the type was renamed in 8.9
  fail(written, 400, newer ? "document_parsing_exception" : "mapper_parsing_exception",
       newer ? "[1:1] failed to parse" : "failed to parse");
  written.error_extra = {{"caused_by",
                          {{"type", newer ? "x_content_parse_exception" : "json_parse_exception"},
                           {"reason", "the document is not one JSON object"}}}};
}

void conflict(Written& written, const Index& index, std::uint32_t shard, std::uint64_t version) {
  fail(written, 409, "version_conflict_engine_exception",
       fmt::format("[{}]: version conflict, document already exists (current version [{}])", written.id,
                   version));
  written.error_extra = {{"index_uuid", index.uuid}, {"shard", std::to_string(shard)}, {"index", index.name}};
}

/// The shard's counters for one document of `bytes`.
void count_indexed(State& state, const Index& index, std::uint32_t number, Shard& shard,
                   std::uint64_t bytes) {
  ++shard.index_total;
  shard.index_time += microseconds(15) + nanoseconds(12 * bytes);
  ++shard.buffered_docs;
  shard.buffered_bytes += bytes;
  ++shard.translog_operations;
  shard.translog_bytes += bytes + 60;
  for (std::size_t copy = 0; copy <= state.assigned_replicas(index); ++copy)
    state.nodes[state.node_of(index, number, copy)].bytes_in += bytes;
}

/// Of the live document with that id; null: there is none. Ids that the index made itself are only known as
/// long as their documents are kept.
std::uint32_t* version_of(Index& index, const std::string& id) {
  const std::uint64_t hash = std::hash<std::string>()(id);
  if (const auto it = index.versions.find(hash); it != index.versions.end()) return &it->second;
  const Document* document = index.kept.find(id);
  if (document == nullptr) return nullptr;
  return &index.versions.emplace(hash, static_cast<std::uint32_t>(document->version)).first->second;
}

struct Writing {
  State& state;
  const BulkAction& action;
  const std::shared_ptr<const std::string>& owner;
  Index& index;
  std::uint32_t number;  ///< of the shard
  Shard& shard;
  std::uint32_t* version;  ///< of the document that is there; null: none
};

void put(Writing& w, Written& written, std::string_view source, std::shared_ptr<const std::string> owner) {
  written.sequence = w.shard.operations++;
  written.version = w.version == nullptr ? 1 : ++*w.version;
  written.result = w.version == nullptr ? "created" : "updated";
  written.status = w.version == nullptr ? 201 : 200;
  if (w.version != nullptr) ++w.shard.buffered_deletes;
  if (w.version == nullptr && !w.action.id.empty())
    w.index.versions.emplace(std::hash<std::string>()(written.id), 1);
  count_indexed(w.state, w.index, w.number, w.shard, source.size());
  Document document;
  document.id = written.id;
  document.owner = std::move(owner);
  document.source = source;
  document.version = written.version;
  document.sequence = written.sequence;
  document.shard = w.number;
  w.index.kept.put(std::move(document));
}

void remove(Writing& w, Written& written) {
  written.sequence = w.shard.operations++;
  written.version = w.version == nullptr ? 1 : *w.version + 1;
  written.result = w.version == nullptr ? "not_found" : "deleted";
  written.status = w.version == nullptr ? 404 : 200;
  ++w.shard.delete_total;
  w.shard.delete_time += microseconds(10);
  if (w.version == nullptr) return;
  ++w.shard.buffered_deletes;
  ++w.shard.translog_operations;
  w.shard.translog_bytes += 60;
  w.index.versions.erase(std::hash<std::string>()(written.id));
  w.index.kept.remove(written.id);
}

/// Partial documents and upserts; no scripts.
void update(Writing& w, Written& written) {
  const Json request = parse_json(w.action.source);
  if (request.contains("script"))
    return fail(written, 400, "illegal_argument_exception", "script_lang not supported [painless]");
  const Json part = request.value("doc", Json::object());
  Json whole = part;
  if (w.version == nullptr) {
    if (request.contains("upsert"))
      whole = request["upsert"];
    else if (!request.value("doc_as_upsert", false))
      return fail(written, 404, "document_missing_exception",
                  fmt::format("[{}]: document missing", written.id));
  } else if (const Document* there = w.index.kept.find(written.id)) {
    whole = there->json();
    whole.merge_patch(part);
    if (whole == there->json()) {
      written.result = "noop";
      written.version = *w.version;
      written.sequence = there->sequence;
      return;
    }
  }
  auto text = std::make_shared<const std::string>(to_text(whole));
  put(w, written, *text, text);
}

void append_quoted(std::string& out, std::string_view text) {
  const bool plain = std::none_of(text.begin(), text.end(), [](char c) {
    return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
  });
  if (!plain) {
    out += to_text(text);
    return;
  }
  out += '"';
  out += text;
  out += '"';
}

void run_pipeline(State& state, const std::string& pipeline, Written& written, std::uint64_t bytes) {
  if (pipeline.empty() || pipeline == "_none") return;
  if (!state.pipelines.contains(pipeline))
    return fail(written, 400, "illegal_argument_exception",
                fmt::format("pipeline with id [{}] does not exist", pipeline));
  IngestCounters& counters = state.ingest[pipeline];  // documents are counted, their processors are not run
  ++counters.count;
  counters.time += microseconds(2) + nanoseconds(bytes);
}

}  // namespace

Written write(State& state, const BulkAction& action, const std::shared_ptr<const std::string>& owner,
              const std::string& pipeline, Target& last, Instant now) {
  Written written;
  written.id = action.id;
  if (last.index != nullptr && last.name == action.index && last.op == action.op) {
    written.index = last.index;
    written.name = last.index->name;
  } else {
    written.index = writable_index(state, action, written, now);
    last = {action.index, action.op, written.index};
  }
  if (written.index == nullptr) return written;
  if (written.id.empty()) written.id = make_document_id(state.next_number++);
  Index& index = *written.index;
  const std::uint32_t number = index.shard_of(action.routing.empty() ? written.id : action.routing);
  std::uint32_t* const version = action.id.empty() ? nullptr : version_of(index, action.id);
  Writing w{state, action, owner, index, number, index.shards[number], version};
  run_pipeline(state, pipeline.empty() ? index.default_pipeline : pipeline, written, action.source.size());
  if (!written.error_type.empty()) return written;
  if (!action.valid) {
    malformed_document(written, state.flavor);
    ++w.shard.index_failed;
  } else if (action.op == Op::del) {
    remove(w, written);
  } else if (action.op == Op::update) {
    update(w, written);
  } else if (action.op == Op::create && version != nullptr) {
    conflict(written, index, number, *version);
  } else {
    put(w, written, action.source, owner);
  }
  return written;
}

void append_item(std::string& out, const State& state, const Written& written, bool with_status) {
  out += "{\"_index\":";
  append_quoted(out, written.name);
  if (state.flavor == Flavor::elasticsearch_7) out += R"(,"_type":"_doc")";
  out += ",\"_id\":";
  if (written.id.empty())
    out += "null";
  else
    append_quoted(out, written.id);
  if (!written.error_type.empty()) {
    Json error = {{"type", written.error_type}, {"reason", written.error_reason}};
    if (!written.error_extra.is_null()) error.update(written.error_extra);
    out += fmt::format(R"(,"status":{},"error":{}}})", written.status, to_text(error));
    return;
  }
  const std::uint32_t copies = written.result == "noop" ? 0 : 1;
  fmt::format_to(std::back_inserter(out),
                 R"(,"_version":{},"result":"{}","_shards":{{"total":{},"successful":{},"failed":0}},)"
                 R"("_seq_no":{},"_primary_term":1)",
                 written.version, written.result, copies * (1 + written.index->replicas),
                 copies * (1 + state.assigned_replicas(*written.index)), written.sequence);
  if (with_status) fmt::format_to(std::back_inserter(out), R"(,"status":{})", written.status);
  out += '}';
}

std::optional<Answer> refuse_refresh(const Call& call) {
  const std::string value = call.asked.param("refresh", "false");
  if (value.empty() || value == "true" || value == "false" || value == "wait_for") return std::nullopt;
  return error_answer(400, "illegal_argument_exception",
                      fmt::format("Unknown value for refresh: [{}].", value));
}

bool wants_refresh(const Call& call) { return call.asked.param("refresh", "false") != "false"; }

}  // namespace pacenote::sandbox
