// The real Clock: coroutines that sleep on an io_context.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>

#include "core/clock.hpp"

namespace pacenote {

/// Time on one io_context. All on that context's thread, interrupt() too.
class AsioClock final : public Clock {
 public:
  explicit AsioClock(boost::asio::io_context& context);
  ~AsioClock() override;
  Instant now() const override { return std::chrono::steady_clock::now(); }
  Async<void> sleep_until(Instant when) override;
  void interrupt();  ///< all who sleep now return early

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pacenote
