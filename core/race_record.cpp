#include "core/race_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.hpp"

namespace pacenote {
namespace {

constexpr std::array<std::string_view, 4> kRaceStates = {"running", "finished", "interrupted", "failed"};

}  // namespace

std::string_view to_string(RaceState state) { return kRaceStates.at(static_cast<std::size_t>(state)); }

RaceState race_state_from(std::string_view text) {
  for (std::size_t i = 0; i < kRaceStates.size(); ++i) {
    if (kRaceStates[i] == text) return static_cast<RaceState>(i);
  }
  throw UserError(fmt::format("\"{}\" is no state of a race", text),
                  "States are running, finished, interrupted and failed.");
}

std::string basic_timestamp(WallTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

bool is_race_id(std::string_view text) {
  const auto plain = [](unsigned char c) {
    return c > ' ' && c != 0x7f &&
           std::string_view(",:[]{}\"'/\\").find(static_cast<char>(c)) == std::string_view::npos;
  };
  return !text.empty() && text.size() <= kLongestRaceId && std::all_of(text.begin(), text.end(), plain);
}

}  // namespace pacenote
