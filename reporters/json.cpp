// A report as JSON: one object a row under the table's own column names, numbers as numbers.
#include "core/json.hpp"

#include "reporters/numbers.hpp"
#include "reporters/table.hpp"

namespace pacenote::reporters {
namespace {

struct ToJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(const std::string& text) const { return text; }
  Json operator()(const Structure& structure) const { return structure.value; }
  Json operator()(const Mark&) const { return nullptr; }
  Json operator()(std::int64_t whole) const { return whole; }
  Json operator()(const Real& real) const {
    return real.value;  // for programs: all digits
  }
};

Json rows_of(const Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json object = Json::object();
    Tone change = Tone::none;
    for (std::size_t i = 0; i < row.size(); ++i) {
      object[table.header[i]] = std::visit(ToJson(), row[i].value);
      if (row[i].tone > change) change = row[i].tone;
    }
    if (change == Tone::better || change == Tone::worse)
      object["Change"] = change == Tone::better ? "better" : "worse";
    rows.push_back(std::move(object));
  }
  return rows;
}

std::string json(const Table& table, const FormatOptions&) {
  Json out = {{"rows", rows_of(table)}, {"warnings", table.notes}};
  if (!table.head.empty()) out["head"] = table.head;
  for (const Table& next : table.more)
    out["more"].push_back({{"title", next.title}, {"rows", rows_of(next)}});
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

const Registered<Format> json_format{"json", {"one object a row, and the warnings", true, json}};

}  // namespace
}  // namespace pacenote::reporters
