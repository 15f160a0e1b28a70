// What every device does: ask the cluster, look into an answer that may lack any key, hand over a figure.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "core/json.hpp"
#include "telemetry/device.hpp"

namespace pacenote::telemetry {

/// GET. None where the answer is no success: the device then returns, its sampler has seen the answer.
/// Json::exception for a success that is no JSON. `target` outlives the call.
Async<std::optional<Json>> ask(Probe& probe, std::string_view target);

using Path = std::initializer_list<std::string_view>;

/// What lies at the end of a path of keys; null where any of them is missing.
const Json* find(const Json& from, Path path);
/// An object at the end of a path; an empty one where there is none. Valid as long as `from`.
const Json& object(const Json& from, Path path);
std::optional<double> number(const Json& from, Path path);
std::string text(const Json& from, Path path);  ///< empty where there is no text

/// Adds a metric taken now. A missing value is skipped.
void put(Probe& probe, std::string name, std::optional<double> value, std::string unit, std::string node = {},
         Json fields = Json());
/// Adds a document taken now.
void put_document(Probe& probe, std::string name, std::string node, Json fields);

}  // namespace pacenote::telemetry
