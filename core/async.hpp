// The one coroutine type. g++ 12 miscompiles aggregates and capturing lambdas inside a co_await expression:
// await named variables only.
#pragma once

#include <boost/asio/awaitable.hpp>

namespace pacenote {

template <class T>
using Async = boost::asio::awaitable<T>;

}  // namespace pacenote
