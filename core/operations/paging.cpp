#include "core/operations/paging.hpp"

namespace pacenote {

void Pages::add(const Json& head) {
  ++pages_;
  const Json hits = head.value("hits", Json::object());
  const Json total = hits.is_object() ? hits.value("total", Json(0)) : Json(0);
  const Json value = total.is_object() ? total.value("value", Json(0)) : total;
  hits_ = value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
  if (total.is_object()) relation_ = total.value("relation", Json("eq"));
  const Json took = head.value("took", Json(0));
  if (took.is_number_integer()) took_ms_ += took.get<std::int64_t>();
  timed_out_ = timed_out_ || head.value("timed_out", Json()) == true;
}

Outcome Pages::outcome() const {
  Outcome out;
  out.weight = {static_cast<double>(pages_), "pages"};
  out.took_ms = took_ms_;
  out.meta = {{"pages", pages_}, {"hits", hits_}, {"hits_relation", relation_}, {"timed_out", timed_out_}};
  return out;
}

}  // namespace pacenote
