// A race as the store and reports know it: everything but its samples.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/cluster.hpp"
#include "core/json.hpp"
#include "core/units.hpp"

namespace pacenote {

enum class RaceState : std::uint8_t { running, finished, interrupted, failed };
std::string_view to_string(RaceState state);
RaceState race_state_from(std::string_view text);

/// Commas and colons choose races in `compare`, brackets are JSON.
bool is_race_id(std::string_view text);
inline constexpr std::size_t kLongestRaceId = 200;
inline constexpr const char* kRaceIdHint =
    "at most 200 characters are needed, without blanks, commas, colons, slashes, quotes and brackets";

struct RaceRecord {
  std::string id;  ///< uuid4, or --race-id
  WallTime started{};
  double seconds = 0;  ///< so far, or in all
  RaceState state = RaceState::running;
  std::string pipeline = "benchmark-only";
  std::string track, challenge, car = "external";
  bool challenge_auto_generated = false;
  std::string track_revision;          ///< the commit of --track-repository; empty: of no repository
  Json track_params = Json::object();  ///< parameters whose name starts with secret_ hidden
  Json user_tags = Json::object();
  Json settings = Json::object();  ///< the whole command line as values, secrets left out
  ClusterInfo cluster;
  std::vector<std::string> warnings;     ///< as shown under the table and on the console
  std::vector<std::string> annotations;  ///< what people noted of it later, each with its day before it
  std::string failure;                   ///< why state is failed
  std::string version;                   ///< pacenote's
};

/// Rally's race-timestamp form: 20261130T093920Z.
std::string basic_timestamp(WallTime time);

}  // namespace pacenote
