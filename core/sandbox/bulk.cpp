#include <fmt/format.h>

#include <set>

#include "core/sandbox/faults.hpp"
#include "core/sandbox/handlers.hpp"
#include "core/sandbox/write.hpp"

namespace pacenote::sandbox {
namespace {

/// An item that a fault wants to fail; nothing is written.
Written refused(const BulkAction& action, int status) {
  const ErrorText text = injected_error(status);
  Written out;
  out.status = status;
  out.id = action.id.empty() ? "0" : action.id;
  out.name = action.index;
  out.error_type = text.type;
  out.error_reason = text.reason;
  return out;
}

}  // namespace

Answer bulk(State& state, const Call& call) {
  const ParsedBulk& parsed = call.bulk->parsed;
  if (parsed.mistake) return error_answer(400, parsed.mistake->type, parsed.mistake->reason);
  if (auto refusal = refuse_refresh(call)) return *refusal;
  const std::string pipeline = call.asked.param("pipeline", "");
  std::string items;
  items.reserve(parsed.actions.size() * 200);
  std::set<Index*> touched;
  std::size_t number = 0;
  Target target;
  bool errors = false;
  for (const BulkAction& action : parsed.actions) {
    const std::string& own = action.pipeline.empty() ? pipeline : action.pipeline;
    const bool injected = number++ < call.asked.items_failed;
    const Written written = injected ? refused(action, call.asked.items_status)
                                     : write(state, action, call.bulk->text, own, target, call.now);
    errors = errors || !written.error_type.empty();
    if (written.index != nullptr) touched.insert(written.index);
    items += items.empty() ? "{\"" : ",{\"";
    items += to_string(action.op);
    items += "\":";
    append_item(items, state, written, true);
    items += '}';
  }
  ++state.nodes[state.next_number % state.nodes.size()].bulks;
  for (Index* index : touched) {
    if (wants_refresh(call)) refresh(*index, call.now);
    housekeeping(*index, call.now);
  }
  Answer answer;
  answer.body = fmt::format(R"({{"took":{},{}"errors":{},"items":[)", call.took_ms(),
                            !pipeline.empty() ? R"("ingest_took":0,)" : "", errors);
  answer.body += items;
  answer.body += "]}";
  return answer;
}

}  // namespace pacenote::sandbox
