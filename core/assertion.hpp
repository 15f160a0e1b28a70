// What a track demands of its answers (rally runner.py AssertingRunner, behaviour B.1).
#pragma once

#include <memory>

#include "core/runner.hpp"

namespace pacenote {

/// The runner itself where the operation has no `assertions`. Else one whose successful outcomes are held
/// against them: each names a property (a dotted path into the request's meta, or weight, unit, took,
/// success), a condition (>, >=, <, <=, ==) and a value. One that is not met makes the request a failure that
/// ends the race. UserError for assertions that cannot be read.
std::unique_ptr<Runner> asserting(std::unique_ptr<Runner> inner, const Operation& operation);

}  // namespace pacenote
