#include "core/sandbox/aggregations.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace pacenote::sandbox {
namespace {

using Hits = std::vector<Hit>;

std::vector<const Json*> values(const Hit& hit, const Json& parameters) {
  std::string field = parameters.value("field", "");
  if (field.ends_with(".keyword")) field.resize(field.size() - 8);
  std::vector<const Json*> out;
  values_at(hit.document->json(), field, out);
  return out;
}

struct Metrics {
  std::uint64_t count = 0;
  double sum = 0, least = INFINITY, most = -INFINITY;
  std::set<std::string> distinct;
};

Metrics measure(const Hits& hits, const Json& parameters) {
  Metrics m;
  for (const Hit& hit : hits)
    for (const Json* value : values(hit, parameters)) {
      ++m.count;
      m.distinct.insert(to_text(*value));
      if (!value->is_number()) continue;
      const double x = value->get<double>();
      m.sum += x;
      m.least = std::min(m.least, x);
      m.most = std::max(m.most, x);
    }
  return m;
}

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(); }

/// None: the kind is no metric.
std::optional<Json> metric(const std::string& kind, const Json& parameters, const Hits& hits) {
  const Metrics m = measure(hits, parameters);
  const double mean = m.count == 0 ? NAN : m.sum / static_cast<double>(m.count);
  if (kind == "avg") return Json{{"value", number(mean)}};
  if (kind == "sum") return Json{{"value", m.sum}};
  if (kind == "min") return Json{{"value", number(m.least)}};
  if (kind == "max") return Json{{"value", number(m.most)}};
  if (kind == "value_count") return Json{{"value", m.count}};
  if (kind == "cardinality") return Json{{"value", m.distinct.size()}};
  if (kind == "stats")
    return Json{{"count", m.count},
                {"min", number(m.least)},
                {"max", number(m.most)},
                {"avg", number(mean)},
                {"sum", m.sum}};
  return std::nullopt;
}

bool run_all(const Json& wanted, const Hits& hits, Json& out, Answer& refusal);

using Buckets = std::map<Json, Hits>;

/// "1h", "day", "30s" → milliseconds; 0: not understood.
double interval_ms(const Json& parameters) {
  for (const char* key : {"fixed_interval", "calendar_interval", "interval"}) {
    if (!parameters.contains(key)) continue;
    const Json& value = parameters[key];
    if (value.is_number()) return value.get<double>();
    const std::string text = value.get<std::string>();
    for (const auto& [name, ms] :
         {std::pair("second", 1e3), std::pair("minute", 6e4), std::pair("hour", 3.6e6),
          std::pair("day", 8.64e7), std::pair("week", 6.048e8), std::pair("month", 2.592e9)})
      if (text == name) return ms;
    if (const auto time = parse_time(text)) return seconds(*time) * 1e3;
  }
  return 0;
}

/// Milliseconds since 1970 of a number, or of a text such as 1998-06-10T00:00:00Z; none: no date.
std::optional<double> epoch_ms(const Json& value) {
  if (value.is_number()) return value.get<double>() < 1e11 ? value.get<double>() * 1e3 : value.get<double>();
  if (!value.is_string()) return std::nullopt;
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  const int read = std::sscanf(value.get_ref<const std::string&>().c_str(), "%d-%d-%d%*[T ]%d:%d:%d", &year,
                               &month, &day, &hour, &minute, &second);
  if (read < 3) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  const double days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  return ((days * 24 + hour) * 60 + minute) * 6e4 + second * 1e3;
}

bool fill_buckets(const std::string& kind, const Json& parameters, const Hits& hits, Buckets& out) {
  const double width = kind == "terms" ? 1 : interval_ms(parameters);
  if (width <= 0) return false;
  for (const Hit& hit : hits)
    for (const Json* value : values(hit, parameters)) {
      if (kind == "terms") {
        out[*value].push_back(hit);
        continue;
      }
      const std::optional<double> at =
          kind == "histogram" && value->is_number() ? value->get<double>() : epoch_ms(*value);
      if (at) out[Json(std::floor(*at / width) * width)].push_back(hit);
    }
  return true;
}

bool bucketed(const std::string& kind, const Json& parameters, const Json& inner, const Hits& hits, Json& out,
              Answer& refusal) {
  Buckets buckets;
  if (!fill_buckets(kind, parameters, hits, buckets)) {
    refusal =
        error_answer(400, "illegal_argument_exception", fmt::format("[{}] needs an interval above 0", kind));
    return false;
  }
  std::vector<std::pair<Json, const Hits*>> sorted;
  for (const auto& [key, members] : buckets) sorted.emplace_back(key, &members);
  if (kind == "terms")
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second->size() > b.second->size(); });
  const std::size_t most = kind == "terms" ? parameters.value("size", std::size_t{10}) : sorted.size();
  std::uint64_t others = 0;
  Json list = Json::array();
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i >= most) {
      others += sorted[i].second->size();
      continue;
    }
    Json key = sorted[i].first;
    if (kind == "date_histogram") key = static_cast<std::int64_t>(key.get<double>());
    Json bucket = {{"key", key}, {"doc_count", sorted[i].second->size()}};
    if (!run_all(inner, *sorted[i].second, bucket, refusal)) return false;
    list.push_back(bucket);
  }
  if (kind == "terms") out = {{"doc_count_error_upper_bound", 0}, {"sum_other_doc_count", others}};
  out["buckets"] = list;
  return true;
}

bool filtered(const Json& query, const Json& inner, const Hits& hits, Json& out, Answer& refusal) {
  Query compiled;
  if (!compile_query(query, compiled, refusal)) return false;
  Hits members;
  for (const Hit& hit : hits)
    if (compiled.matches(*hit.document)) members.push_back(hit);
  out = {{"doc_count", members.size()}};
  return run_all(inner, members, out, refusal);
}

bool run_one(const std::string& name, const Json& wanted, const Hits& hits, Json& out, Answer& refusal) {
  const Json inner = wanted.value("aggs", wanted.value("aggregations", Json::object()));
  for (const auto& [kind, parameters] : wanted.items()) {
    if (kind == "aggs" || kind == "aggregations" || kind == "meta") continue;
    if (kind == "terms" || kind == "histogram" || kind == "date_histogram")
      return bucketed(kind, parameters, inner, hits, out, refusal);
    if (kind == "filter") return filtered(parameters, inner, hits, out, refusal);
    if (const auto value = metric(kind, parameters, hits)) {
      out = *value;
      return true;
    }
    refusal = error_answer(400, "parsing_exception", fmt::format("Unknown aggregation type [{}]", kind),
                           {{"line", 1}, {"col", 1}});
    return false;
  }
  refusal =
      error_answer(400, "parsing_exception", fmt::format("Missing definition for aggregation [{}]", name),
                   {{"line", 1}, {"col", 1}});
  return false;
}

bool run_all(const Json& wanted, const Hits& hits, Json& out, Answer& refusal) {
  for (const auto& [name, one] : wanted.items()) {
    out[name] = Json::object();
    if (!one.is_object() || !run_one(name, one, hits, out[name], refusal)) return false;
  }
  return true;
}

}  // namespace

bool aggregate(const Json& body, const Found& found, std::string& out, Answer& refusal) {
  const Json wanted = body.value("aggs", body.value("aggregations", Json::object()));
  if (wanted.empty()) return true;
  Json results = Json::object();
  if (!run_all(wanted, found.hits, results, refusal)) {
    if (refusal.status == 200)
      refusal = error_answer(400, "parsing_exception", "an aggregation must be an object",
                             {{"line", 1}, {"col", 1}});
    return false;
  }
  out = fmt::format(R"(,"aggregations":{})", to_text(results));
  return true;
}

}  // namespace pacenote::sandbox
