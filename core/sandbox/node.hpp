// The sandbox's cluster as a function from request to answer. No sockets, no threads of its own.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "core/sandbox/asked.hpp"
#include "core/sandbox/server.hpp"
#include "core/units.hpp"

namespace pacenote::sandbox {

struct State;

/// Any thread.
class Node {
 public:
  /// `now` must be callable from every thread that calls handle. `started` is the wall time now() begins
  /// with.
  Node(const Options& options, std::function<Instant()> now, WallTime started);
  ~Node();
  /// `waited`: see Answer::again.
  Answer handle(const Asked& asked, const Waited& waited = {});
  void listens_on(std::uint16_t port);

 private:
  Answer route(const Asked& asked, const Waited& waited);

  Options options_;
  std::function<Instant()> now_;
  std::mutex mutex_;
  std::unique_ptr<State> state_;
};

}  // namespace pacenote::sandbox
