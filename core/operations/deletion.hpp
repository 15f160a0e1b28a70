// What the types that delete have in common.
#pragma once

#include <string>

#include "core/json.hpp"
#include "core/operations/steps.hpp"

namespace pacenote {

/// Lets an engine delete by wildcard for a while: it asks for the setting action.destructive_requires_name,
/// turns it off and later puts back what it was (rally runner.py, behaviour B.7).
class DestructiveSetting {
 public:
  explicit DestructiveSetting(Steps& steps) : steps_(steps) {}
  Async<bool> off();  ///< false: failed, as the steps know
  bool is_off() const { return off_; }
  /// Does nothing unless off() was asked for; otherwise also after a failure.
  Async<void> restore();

 private:
  Async<bool> put(Json value);
  Steps& steps_;
  bool off_ = false;
  Json before_;  ///< null: it was not set
};

/// Deletes `path` + `query`. `look`: the path whose HEAD says whether there is anything to delete; empty:
/// deletes without a look, and finding nothing is no failure. True if a DELETE was sent and worked.
Async<bool> delete_one(Steps& steps, std::string look, std::string path, std::string query);

}  // namespace pacenote
