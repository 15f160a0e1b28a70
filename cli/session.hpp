// A few requests outside the load, one after the other, on the calling thread.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <memory>
#include <optional>

#include "core/asio_clock.hpp"
#include "core/transport_pool.hpp"

namespace pacenote::cli {

class Session {
 public:
  /// `cluster` is copied. UserError where a certificate cannot be read.
  explicit Session(const Cluster& cluster)
      : clock_(context_), pool_(context_, cluster), transport_(pool_.make()) {}
  Transport& transport() { return *transport_; }
  Clock& clock() { return clock_; }

  /// Runs the work to its end; rethrows what it throws.
  template <class T>
  T run(Async<T> work) {
    std::optional<T> result;
    std::exception_ptr error;
    boost::asio::co_spawn(context_, std::move(work), [&](const std::exception_ptr& e, T value) {
      error = e;
      if (!e) result.emplace(std::move(value));
    });
    context_.restart();
    while (!result && !error) context_.run_one();
    if (error) std::rethrow_exception(error);
    return std::move(*result);
  }

  /// The work under way ends with failed requests and short sleeps. Any thread.
  void interrupt() {
    boost::asio::post(context_, [this] {
      pool_.interrupt();
      clock_.interrupt();
    });
  }

 private:
  boost::asio::io_context context_;
  AsioClock clock_;
  TransportPool pool_;
  std::unique_ptr<Transport> transport_;
};

}  // namespace pacenote::cli
