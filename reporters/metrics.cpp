#include "reporters/metrics.hpp"

namespace pacenote::reporters {

Table metrics_table(const std::vector<Metric>& metrics, Instant epoch) {
  Table table;
  table.header = {"relative_s", "metric", "value", "unit", "node", "task", "fields"};
  for (const Metric& metric : metrics) {
    const double seconds = static_cast<double>((metric.at - epoch).count()) / 1e9;
    table.rows.push_back({number(seconds), Cell(metric.name), metric.value ? number(*metric.value) : Cell(),
                          Cell(metric.unit), Cell(metric.node), Cell(metric.task),
                          metric.fields.is_null() ? Cell() : Cell(Structure{metric.fields})});
  }
  return table;
}

}  // namespace pacenote::reporters
