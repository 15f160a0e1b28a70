// All that is wrong with a track at once: an author should not need one run for each mistake.
#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/json.hpp"

namespace pacenote::tracks {

/// Where the mistake speaks for itself.
inline constexpr const char* kTrackHint =
    "the format is described at esrally.readthedocs.io, Track Reference";

class Problems {
 public:
  /// Does `act` and keeps what it throws: a UserError, or a value of a type that neither the schema nor a
  /// rule foresaw (`where` is its file and JSON path).
  template <class Act>
  void attempt(const std::string& where, const Act& act) {
    try {
      act();
    } catch (const UserError& error) {
      add(error);
    } catch (const Json::exception& error) {
      add(UserError(where + ": " + error.what(), kTrackHint));
    }
  }
  void add(const UserError& error);
  bool none() const { return errors_.empty(); }
  /// Throws the only one as it is, several as one UserError with a line for each; returns where there is
  /// none.
  void raise() const;

 private:
  std::vector<UserError> errors_;
};

}  // namespace pacenote::tracks
