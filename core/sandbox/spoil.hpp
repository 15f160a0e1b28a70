// Answers as a fault wants them: without end, packed beyond measure, in small pieces.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/async.hpp"
#include "core/sandbox/asked.hpp"
#include "core/sandbox/faults.hpp"

namespace pacenote::sandbox {

/// False when the client is gone.
using Write = std::function<Async<bool>(std::string_view)>;
using Pause = std::function<Async<void>(Duration)>;

/// What not_http, huge_head and huge_body send instead of an answer, until the client has enough. False:
/// `kind` is none of them.
Async<bool> write_instead(FaultKind kind, const Write& write);

/// A tenth every 5 ms. False when the client is gone.
Async<bool> trickle(std::string_view text, const Write& write, const Pause& pause);

/// A gzip body that unpacks to more than a client of ours takes.
Answer gzip_bomb();

}  // namespace pacenote::sandbox
