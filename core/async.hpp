// The one coroutine type. g++ 12 miscompiles aggregates and capturing lambdas inside a co_await expression:
// await named variables only.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>

namespace pacenote {

/// Everything runs on an io_context and says so in its type: Asio's erased executor costs 2 us a request.
using Executor = boost::asio::io_context::executor_type;

template <class T>
using Async = boost::asio::awaitable<T, Executor>;

/// Completion token: `const auto [error, ...] = co_await x.async_...(kTuple)`.
inline constexpr auto kTuple = boost::asio::as_tuple(boost::asio::use_awaitable_t<Executor>());

using Timer =
    boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                      boost::asio::wait_traits<std::chrono::steady_clock>, Executor>;

}  // namespace pacenote
