// What stands between the connections and the node: credentials, faults, counts, null answers.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "core/sandbox/faults.hpp"
#include "core/sandbox/http.hpp"
#include "core/sandbox/node.hpp"

namespace pacenote::sandbox {

/// Any thread.
class Front {
 public:
  /// UserError where a fault does not parse.
  explicit Front(const Options& options, std::function<Instant()> now, WallTime started);
  /// Counts the request and says what shall happen to it.
  Effect meet(std::string_view method, std::string_view path, Instant now);
  /// With --null: the whole HTTP answer to a bulk or a search; empty: ask answer().
  const std::string& null_answer(std::string_view path) const;
  /// None: the credentials are right.
  std::optional<Answer> refuse_credentials(std::string_view authorization, std::string_view target) const;
  /// Of the node, or of the sandbox's own pages below /_sandbox.
  Answer answer(const Asked& asked, const Waited& waited);
  /// An error as the product would write it.
  Answer injected(const Effect& effect) const;
  Node& node() { return node_; }

 private:
  Answer own_page(const Asked& asked);
  Answer counts(const std::string& pattern);
  Answer replace_faults(const Asked& asked);
  void brand(Answer& answer) const;

  Options options_;
  std::function<Instant()> now_;
  Node node_;
  FaultPlan faults_;
  std::string credentials_, null_bulk_, null_search_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> counts_;  ///< by path and method
};

}  // namespace pacenote::sandbox
