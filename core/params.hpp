// What a request is made of, and where that comes from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/async.hpp"
#include "core/json.hpp"
#include "core/track.hpp"
#include "core/transport.hpp"
#include "core/units.hpp"

namespace pacenote {

/// The material of one request. One per client, filled again and again, so that its buffers are reused.
struct Call {
  const Json* params = nullptr;    ///< the operation's parameters; valid until the client's next call
  std::string body;                ///< for sources that make bodies (bulk); empty otherwise
  std::optional<FileSlice> slice;  ///< a body that lies in a file; `body` is then of no meaning
  std::uint64_t documents = 0;     ///< in the body
  std::string index;               ///< target of the body's documents, for meta
  RequestOptions options;          ///< applied to every request of the call
};

/// Which clients draw from one source: [first, last] of `total`. All of them are on one driver thread, as
/// Rally's clients of one worker share a source (behaviour B.3).
struct Share {
  std::uint32_t first = 0, last = 0, total = 1;
};

enum class Supply : std::uint8_t {
  ready,      ///< the call is filled
  exhausted,  ///< no more; the task ends for this client
  later,      ///< none ready now: await refill(), then ask again
};

/// What is sent. Shared by the clients of one task on one driver thread; never touched by two threads.
class ParamSource {
 public:
  virtual ~ParamSource() = default;
  virtual Supply next(Call& call) = 0;
  /// Only for sources that answer `later`.
  virtual Async<void> refill() { co_return; }
  /// [0, 1] of what this source has to give; none: endless.
  virtual std::optional<double> progress() const { return std::nullopt; }
};

}  // namespace pacenote
