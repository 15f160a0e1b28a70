#include "reporters/cluster_quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "core/text.hpp"
#include "reporters/figures.hpp"

namespace pacenote::reporters {
namespace {

/// "Total Young Gen GC time" -> "young gc time", "Cumulative merge time of primary shards" -> "merge time".
std::string short_name(const std::string& figure) {
  std::string text = lower_case(figure);
  for (const std::string_view end : {" of primary shards", " across primary shards"})
    if (text.ends_with(end)) text.resize(text.size() - end.size());
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; in >> word;)
    if (word != "total" && word != "cumulative" && word != "gen") words.push_back(word);
  return fmt::format("{}", fmt::join(words, " "));
}

std::string blank_for_bar(std::string_view text) {
  std::string out = lower_case(text);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

}  // namespace

const std::vector<ClusterQuantity>& cluster_quantities() {
  static const std::vector<ClusterQuantity> all = [] {
    std::vector<ClusterQuantity> out;
    for (const Figure& figure : cluster_figures(Json::object(), Use::summary))
      out.push_back({short_name(figure.name), figure.name, figure.unit, figure.scale});
    return out;
  }();
  return all;
}

const ClusterQuantity* cluster_quantity(std::string_view text) {
  const std::string name = blank_for_bar(text);
  for (const ClusterQuantity& quantity : cluster_quantities())
    if (quantity.name == name || lower_case(quantity.figure) == name) return &quantity;
  return nullptr;
}

std::optional<double> value_of(const ClusterQuantity& quantity, const Json& cluster) {
  for (const Figure& figure : cluster_figures(cluster, Use::summary))
    if (figure.name == quantity.figure && figure.value) return as_double(*figure.value);
  return std::nullopt;
}

}  // namespace pacenote::reporters
