// Runs a coroutine to its end on the calling thread, for tests without network.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>

#include "core/async.hpp"

namespace pacenote::test {

/// The coroutine's result; rethrows what it throws. It must not wait for anything outside its own context.
template <class T>
T run(Async<T> work) {
  boost::asio::io_context context;
  std::optional<T> result;
  std::exception_ptr error;
  boost::asio::co_spawn(context, std::move(work), [&](std::exception_ptr e, T value) {
    error = e;
    if (!e) result.emplace(std::move(value));
  });
  context.run();
  if (error) std::rethrow_exception(error);
  return std::move(*result);
}

inline void run(Async<void> work) {
  boost::asio::io_context context;
  std::exception_ptr error;
  boost::asio::co_spawn(context, std::move(work), [&](std::exception_ptr e) { error = e; });
  context.run();
  if (error) std::rethrow_exception(error);
}

}  // namespace pacenote::test
