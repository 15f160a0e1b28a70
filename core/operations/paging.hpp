// Operations that read a result page by page: what they add up, and the scroll that `search` may turn into.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/json.hpp"
#include "core/runner.hpp"

namespace pacenote {

/// The pages of one call.
class Pages {
 public:
  /// Takes the head of one page's answer (answer_head).
  void add(const Json& head);
  std::uint64_t count() const { return pages_; }
  std::uint64_t hits() const { return hits_; }  ///< in all, as the last page says
  /// As Rally returns it: pages as weight and meta, hits, timed_out of any, took of all.
  Outcome outcome() const;

 private:
  std::uint64_t pages_ = 0, hits_ = 0;
  std::int64_t took_ms_ = 0;
  bool timed_out_ = false;
  Json relation_ = "eq";
};

/// Of `scroll-search`, and of a `search` with `pages`.
std::unique_ptr<Runner> scroll_runner(const Operation& operation);
std::unique_ptr<ParamSource> scroll_source(const Operation& operation, const Track& track, Share share);

}  // namespace pacenote
