// Single documents: get, index, create, delete.
#include <fmt/format.h>

#include "core/sandbox/handlers.hpp"
#include "core/sandbox/json_check.hpp"
#include "core/sandbox/write.hpp"

namespace pacenote::sandbox {
namespace {

Answer single(State& state, const Call& call, BulkAction action) {
  if (auto refusal = refuse_refresh(call)) return *refusal;
  action.index = call.at("index");
  action.id = call.at("id");
  action.routing = call.asked.param("routing", "");
  const auto text = std::make_shared<const std::string>(call.asked.body);
  action.source = *text;
  Target target;
  const Written written = write(state, action, text, call.asked.param("pipeline", ""), target, call.now);
  if (!written.error_type.empty())
    return error_answer(written.status, written.error_type, written.error_reason,
                        written.error_extra.is_null() ? Json::object() : written.error_extra);
  if (wants_refresh(call)) refresh(*written.index, call.now);
  Answer answer;
  answer.status = written.status;
  append_item(answer.body, state, written, false);
  return answer;
}

Json identity(const State& state, const std::string& index, const std::string& id) {
  Json out = {{"_index", index}};
  if (state.flavor == Flavor::elasticsearch_7) out["_type"] = "_doc";
  out["_id"] = id;
  return out;
}

}  // namespace

Answer get_document(State& state, const Call& call) {
  std::vector<std::string> names;
  Answer answer;
  if (!resolve(state, call, names, answer)) return answer;
  if (names.size() != 1) return index_not_found(call.at("index"));
  Index& index = state.indices.at(names.front());
  const std::string id = call.at("id");
  ++index.shards[index.shard_of(call.asked.param("routing", id))].gets;
  const Document* document = index.kept.find(id);
  const bool only_source = call.asked.segments[1] == "_source";
  if (document == nullptr && only_source)
    return error_answer(404, "resource_not_found_exception",
                        fmt::format("Document not found [{}]/[_doc]/[{}]", index.name, id));
  Json out = identity(state, index.name, id);
  if (document == nullptr) {
    out["found"] = false;
    return json_answer(out, 404);
  }
  if (only_source) return json_answer(document->json());
  out.update({{"_version", document->version},
              {"_seq_no", document->sequence},
              {"_primary_term", 1},
              {"found", true}});
  Answer found = json_answer(out);
  found.body.pop_back();  // the source goes out byte for byte as it came
  found.body += fmt::format(R"(,"_source":{}}})", document->source);
  return found;
}

Answer put_document(State& state, const Call& call) {
  if (call.asked.body.empty()) return error_answer(400, "parse_exception", "request body is required");
  BulkAction action;
  action.valid = is_json_object(call.asked.body);
  const bool create = call.asked.segments[1] == "_create" || call.asked.param("op_type", "index") == "create";
  if (create) action.op = Op::create;
  return single(state, call, std::move(action));
}

Answer delete_document(State& state, const Call& call) {
  BulkAction action;
  action.op = Op::del;
  return single(state, call, std::move(action));
}

}  // namespace pacenote::sandbox
