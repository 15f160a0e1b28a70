// A file that is not there until it is whole.
#pragma once

#include <filesystem>
#include <string>

#include "core/error.hpp"

namespace pacenote::tracks {

/// For what a full disk or a folder of others makes of writing `file`.
UserError cannot_be_written(const std::filesystem::path& file, const std::string& reason);

/// A name beside `target` to write to, removed if it is never kept. What killed processes left of the same
/// target is removed at the start: a draft that somebody writes is locked (flock).
class Draft {
 public:
  explicit Draft(std::filesystem::path target);
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  const std::filesystem::path& path() const { return path_; }
  void keep() const;  ///< gives it the target's name. UserError if that fails

 private:
  std::filesystem::path target_, path_;
  int descriptor_ = -1;
};

}  // namespace pacenote::tracks
