#include "tracks/problems.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pacenote::tracks {
namespace {

constexpr std::size_t kProblemsShown = 12;

}  // namespace

void Problems::add(const UserError& error) {
  const auto same = [&](const UserError& other) { return std::string(other.what()) == error.what(); };
  if (std::none_of(errors_.begin(), errors_.end(), same)) errors_.push_back(error);
}

void Problems::raise() const {
  if (errors_.empty()) return;
  if (errors_.size() == 1) throw UserError(errors_.front());
  std::string text;
  for (std::size_t i = 0; i < std::min(errors_.size(), kProblemsShown); ++i) {
    const UserError& error = errors_[i];
    text += fmt::format("{}{}", i == 0 ? "" : "\n", error.what());
    if (error.hint() != kTrackHint) text += fmt::format(" ({})", error.hint());
  }
  const std::size_t more = errors_.size() - std::min(errors_.size(), kProblemsShown);
  throw UserError(text, more == 0 ? fmt::format("{} mistakes", errors_.size())
                                  : fmt::format("{} mistakes, {} of them not shown", errors_.size(), more));
}

}  // namespace pacenote::tracks
