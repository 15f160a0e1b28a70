// What is worth a line at the end of a race.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "core/notes.hpp"

namespace pacenote::cli {

/// Warnings are kept for the report, and shown.
class Warnings final : public Notes {
 public:
  explicit Warnings(Console& console) : console_(console) {}
  void info(const std::string& text) override { console_.info(text); }
  void warning(const std::string& text) override {
    console_.warning(text);
    const std::lock_guard lock(mutex_);
    texts_.push_back(text);
  }
  std::vector<std::string> texts() {
    const std::lock_guard lock(mutex_);
    return texts_;
  }

 private:
  Console& console_;
  std::mutex mutex_;
  std::vector<std::string> texts_;
};

}  // namespace pacenote::cli
