#include "core/operations/answer_head.hpp"

#include <charconv>
#include <string>
#include <utility>
#include <vector>

namespace pacenote {
namespace {

/// Builds the document as it comes and refuses to go on at hits.hits.
class HeadBuilder {
 public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  bool null() { return put(Json()); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(number_integer_t value) { return put(value); }
  bool number_unsigned(number_unsigned_t value) { return put(value); }
  bool number_float(number_float_t value, const string_t&) { return put(value); }
  bool string(string_t& value) { return put(std::move(value)); }
  bool binary(binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return !at_hits() && open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(string_t& value) {
    keys_.back() = std::move(value);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) { return false; }

  Json take() { return root_.is_object() ? std::move(root_) : Json::object(); }

 private:
  bool at_hits() const { return keys_.size() == 2 && keys_[0] == "hits" && keys_[1] == "hits"; }

  Json& place(Json value) {
    if (open_.empty()) return root_ = std::move(value);
    Json& parent = *open_.back();
    if (parent.is_array()) return parent.emplace_back(std::move(value));
    return parent[keys_.back()] = std::move(value);
  }
  bool put(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json value) {
    open_.push_back(&place(std::move(value)));  // a parent does not grow while a child is open
    keys_.emplace_back();
    return true;
  }
  bool close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  Json root_;
  std::vector<Json*> open_;
  std::vector<std::string> keys_;  ///< one for each open value
};

/// Rally's clusters list names its members inside.
Json clusters_of(const Json& said) {
  Json out = Json::object();
  for (const char* key : {"total", "successful", "skipped", "running", "partial", "failed"})
    out[key] = said.value(key, Json(0));
  out["details"] = Json::array();
  const Json details = said.value("details", Json());
  for (const auto& [name, cluster] : details.items()) {
    Json entry = {{"name", name}};
    if (cluster.is_object()) entry.update(cluster);
    out["details"].push_back(std::move(entry));
  }
  return out;
}

Json member(const Json& object, const char* key) {
  const auto it = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && it != object.end() ? *it : Json();
}

}  // namespace

Json answer_head(std::string_view body) {
  HeadBuilder builder;
  Json::sax_parse(body, &builder);
  return builder.take();
}

std::optional<std::int64_t> took_in(std::string_view body) {
  constexpr std::string_view kKey = "\"took\":";
  const std::size_t at = body.substr(0, 100).find(kKey);
  if (at == std::string_view::npos) return std::nullopt;
  std::int64_t took = 0;
  const char* first = body.data() + at + kKey.size();
  const char* const end = body.data() + body.size();
  const auto parsed = std::from_chars(first, end, took);
  return parsed.ec == std::errc() && parsed.ptr != end ? std::optional(took) : std::nullopt;
}

void add_details(Outcome& outcome, std::string_view body) {
  const Json head = answer_head(body);
  const Json total = member(member(head, "hits"), "total");
  const Json shards = member(head, "_shards");
  const Json timed_out = member(head, "timed_out");
  Json& meta = outcome.meta;
  meta["hits"] = total.is_object() ? total.value("value", Json(0)) : total.is_number() ? total : Json(0);
  meta["hits_relation"] = total.is_object() ? total.value("relation", Json("eq")) : Json("eq");
  meta["timed_out"] = timed_out.is_boolean() && timed_out.get<bool>();
  for (const char* key : {"total", "successful", "skipped", "failed"}) {
    const Json value = member(shards, key);
    meta["shards"][key] = value.is_number() ? value : Json(0);
  }
  if (const Json phases = member(head, "num_reduce_phases"); !phases.is_null())
    meta["num_reduce_phases"] = phases;
  if (const Json clusters = member(head, "_clusters"); clusters.is_object())
    meta["clusters"] = clusters_of(clusters);
}

}  // namespace pacenote
