// Which indices this race made: the next race may delete them without asking.
#pragma once

#include <string>
#include <vector>

#include "cli/session.hpp"
#include "core/race.hpp"
#include "core/track.hpp"
#include "store/writer.hpp"

namespace pacenote::cli {

class Creations {
 public:
  /// References outlive this; `session` is used on the race's thread only.
  Creations(Session& session, const Track& track, std::string cluster_uuid, store::Writer& writer)
      : session_(session), track_(track), cluster_uuid_(std::move(cluster_uuid)), writer_(writer) {}
  /// Asks the cluster for the UUIDs of what these tasks created and has them stored at once, so that they are
  /// known however the race ends. Sends nothing where none of them creates.
  void note(const std::vector<RunningTask>& tasks);

 private:
  Session& session_;
  const Track& track_;
  std::string cluster_uuid_;
  store::Writer& writer_;
};

}  // namespace pacenote::cli
