// One document written: what the index counts, and what the product answers.
#pragma once

#include <string>

#include "core/sandbox/handler.hpp"

namespace pacenote::sandbox {

struct Written {
  int status = 200;
  std::string id;
  std::string_view
      result;  ///< "created", "updated", "deleted", "noop", "not_found"; empty where error is set
  std::uint64_t version = 1, sequence = 0;
  Index* index = nullptr;  ///< null where it could not be made
  std::string name;        ///< of the index, as answered
  std::string error_type, error_reason;
  Json error_extra;  ///< null: nothing more to say
};

/// Where the write before went: most bulks have one target, and nothing changes it within a bulk.
struct Target {
  std::string name;
  Op op = Op::index;
  Index* index = nullptr;
};

/// `owner` is the text that the action's source is part of.
Written write(State& state, const BulkAction& action, const std::shared_ptr<const std::string>& owner,
              const std::string& pipeline, Target& last, Instant now);

/// The target of a write, made if it is missing and may be. Null: `written` says why not.
Index* writable_index(State& state, const BulkAction& action, Written& written, Instant now);

/// {"_index": …, "_id": …, …}: one item of a bulk, or the answer to a single write (without "status").
void append_item(std::string& out, const State& state, const Written& written, bool with_status);

/// Obeys ?refresh=true|wait_for. The refusal of any other value.
std::optional<Answer> refuse_refresh(const Call& call);
bool wants_refresh(const Call& call);

}  // namespace pacenote::sandbox
