// What telemetry told, as a table: what `export --what=metrics` writes.
#pragma once

#include <vector>

#include "core/sample.hpp"
#include "reporters/table.hpp"

namespace pacenote::reporters {

/// One row a metric, in the order given; seconds count from `epoch`, further fields are JSON.
Table metrics_table(const std::vector<Metric>& metrics, Instant epoch);

}  // namespace pacenote::reporters
