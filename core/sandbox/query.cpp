#include "core/sandbox/query.hpp"

#include <fmt/format.h>

#include <cctype>
#include <set>

#include "core/text.hpp"

namespace pacenote::sandbox {
namespace {

bool compile_list(const Json& list, std::vector<Query>& out, Answer& refusal) {
  const Json all = list.is_array() ? list : Json::array({list});
  for (const Json& one : all) {
    out.emplace_back();
    if (!compile_query(one, out.back(), refusal)) return false;
  }
  return true;
}

/// Words as the standard analyzer finds them, roughly: runs of letters and digits, lower case.
std::set<std::string> words(const std::string& text) {
  std::set<std::string> out;
  std::string word;
  for (const char c : fmt::format("{} ", text)) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<signed char>(c) < 0) {
      word += c;
    } else if (!word.empty()) {
      out.insert(lower_case(std::move(word)));
      word.clear();
    }
  }
  return out;
}

/// `path` without a last ".keyword" or ".raw": sub-fields hold the same value.
std::string base_field(const std::string& path) {
  for (const std::string_view sub : {".keyword", ".raw"})
    if (path.ends_with(sub)) return path.substr(0, path.size() - sub.size());
  return path;
}

template <class Test>
Predicate any_value(const std::string& path, Test test) {
  return [field = base_field(path), test](const Document& document) {
    std::vector<const Json*> values;
    values_at(document.json(), field, values);
    return std::any_of(values.begin(), values.end(), [&](const Json* value) { return test(*value); });
  };
}

bool equal(const Json& value, const Json& wanted) {
  return value == wanted || plain_text(value) == plain_text(wanted);
}

/// One field's parameters: {"field": "x"} or {"field": {"value": "x"}}.
bool field_and_value(const Json& query, std::string_view key, std::string& field, Json& value) {
  for (const auto& [name, inner] : query.items()) {
    if (name == "boost" || name == "_name") continue;
    field = name;
    value = inner.is_object() ? inner.value(std::string(key), Json()) : inner;
  }
  return !field.empty() && !value.is_null();
}

Predicate term(const std::string& field, const Json& wanted) {
  return any_value(field, [wanted](const Json& value) {
    return equal(value, wanted) || (value.is_string() && wanted.is_string() &&
                                    words(value.get<std::string>()).contains(wanted.get<std::string>()));
  });
}

Predicate match(const std::string& field, const Json& wanted, bool every) {
  return any_value(field, [wanted, every, terms = words(plain_text(wanted))](const Json& value) {
    if (!value.is_string()) return equal(value, wanted);
    const std::set<std::string> there = words(value.get<std::string>());
    const auto found = [&](const std::string& word) { return there.contains(word); };
    return every ? std::all_of(terms.begin(), terms.end(), found)
                 : std::any_of(terms.begin(), terms.end(), found);
  });
}

/// Numbers as numbers, everything else as text (dates in ISO form compare as text).
int compare(const Json& a, const Json& b) {
  if (a.is_number() && b.is_number()) {
    const double x = a.get<double>(), y = b.get<double>();
    return x < y ? -1 : x > y ? 1 : 0;
  }
  return plain_text(a).compare(plain_text(b));
}

Predicate range(const std::string& field, const Json& limits) {
  return any_value(field, [limits](const Json& value) {
    for (const auto& [name, limit] : limits.items()) {
      if (name == "format" || name == "boost" || name == "time_zone" || name == "relation" || limit.is_null())
        continue;
      const int order = compare(value, limit);
      if ((name == "gte" || name == "from") && order < 0) return false;
      if (name == "gt" && order <= 0) return false;
      if ((name == "lte" || name == "to") && order > 0) return false;
      if (name == "lt" && order >= 0) return false;
    }
    return true;
  });
}

bool compile_bool(const Json& query, Query& out, Answer& refusal) {
  std::vector<Query> must, should, must_not;
  for (const auto& [name, inner] : query.items()) {
    const bool known = name == "must" || name == "filter" || name == "should" || name == "must_not" ||
                       name == "minimum_should_match" || name == "boost" || name == "_name";
    if (!known) {
      refusal =
          error_answer(400, "parsing_exception", fmt::format("[bool] query does not support [{}]", name));
      return false;
    }
    if (name == "must" || name == "filter") {
      if (!compile_list(inner, must, refusal)) return false;
    } else if (name == "should") {
      if (!compile_list(inner, should, refusal)) return false;
    } else if (name == "must_not" && !compile_list(inner, must_not, refusal)) {
      return false;
    }
  }
  const Json least = query.value("minimum_should_match", Json(must.empty() && !should.empty() ? 1 : 0));
  const std::int64_t needed =
      least.is_number() ? least.get<std::int64_t>() : std::atoll(plain_text(least).c_str());
  out.all = should.empty() && must_not.empty() &&
            std::all_of(must.begin(), must.end(), [](const Query& q) { return q.all; });
  out.matches = [must, should, must_not, needed](const Document& d) {
    const auto fits = [&](const Query& q) { return q.matches(d); };
    return std::all_of(must.begin(), must.end(), fits) &&
           std::none_of(must_not.begin(), must_not.end(), fits) &&
           std::count_if(should.begin(), should.end(), fits) >= needed;
  };
  return true;
}

bool malformed(Answer& refusal, std::string_view name) {
  refusal = error_answer(400, "parsing_exception",
                         fmt::format("[{}] query malformed, no field or value given", name),
                         {{"line", 1}, {"col", 1}});
  return false;
}

bool unknown_query(Answer& refusal, const std::string& name) {
  const std::string reason = fmt::format("unknown query [{}]", name);
  refusal = error_answer(400, "parsing_exception", reason,
                         {{"line", 1},
                          {"col", 1},
                          {"caused_by",
                           {{"type", "named_object_not_found_exception"},
                            {"reason", fmt::format("[1:1] unknown field [{}]", name)}}}});
  return false;
}

/// Queries on one field.
bool compile_leaf(const std::string& name, const Json& inner, Query& out, Answer& refusal) {
  std::string field;
  Json value;
  const bool phrase = name == "match_phrase";
  if (name == "match" || phrase) {
    if (!field_and_value(inner, "query", field, value)) return malformed(refusal, name);
    const Json options = inner.value(field, Json());
    out.matches =
        match(field, value, phrase || (options.is_object() && options.value("operator", "or") == "and"));
    return true;
  }
  if (name == "range") {
    if (!inner.is_object() || inner.empty()) return malformed(refusal, name);
    out.matches = range(inner.begin().key(), inner.begin().value());
    return true;
  }
  if (!field_and_value(inner, "value", field, value)) return malformed(refusal, name);
  if (name == "term") {
    out.matches = term(field, value);
  } else if (name == "prefix") {
    out.matches = any_value(
        field, [start = plain_text(value)](const Json& v) { return plain_text(v).starts_with(start); });
  } else if (name == "wildcard") {
    out.matches =
        any_value(field, [p = plain_text(value)](const Json& v) { return wildcard_match(p, plain_text(v)); });
  } else {  // terms
    if (!value.is_array()) return malformed(refusal, name);
    out.matches = any_value(field, [value](const Json& v) {
      return std::any_of(value.begin(), value.end(), [&](const Json& wanted) { return equal(v, wanted); });
    });
  }
  return true;
}

}  // namespace

void values_at(const Json& document, std::string_view path, std::vector<const Json*>& out) {
  if (document.is_array()) {
    for (const Json& element : document) values_at(element, path, out);
    return;
  }
  if (path.empty()) {
    if (!document.is_null() && !document.is_object()) out.push_back(&document);
    return;
  }
  if (!document.is_object()) return;
  for (const auto& [key, value] : document.items()) {
    if (!path.starts_with(key)) continue;
    if (path.size() == key.size())
      values_at(value, {}, out);
    else if (path[key.size()] == '.')
      values_at(value, path.substr(key.size() + 1), out);
  }
}

bool compile_query(const Json& query, Query& out, Answer& refusal) {
  if (!query.is_object() || query.empty()) {
    refusal = error_answer(400, "illegal_argument_exception", "query malformed, empty clause found");
    return false;
  }
  const std::string& name = query.begin().key();
  const Json& inner = query.begin().value();
  if (name == "match_all" || name == "match_none") {
    out.all = name == "match_all";
    out.matches = [all = out.all](const Document&) { return all; };
    return true;
  }
  if (name == "bool") return compile_bool(inner, out, refusal);
  if (name == "constant_score") return compile_query(inner.value("filter", Json::object()), out, refusal);
  if (name == "ids") {
    const Json ids = inner.value("values", Json::array());
    out.matches = [ids](const Document& d) {
      return std::find(ids.begin(), ids.end(), Json(d.id)) != ids.end();
    };
    return true;
  }
  if (name == "exists") {
    out.matches = any_value(inner.value("field", ""), [](const Json&) { return true; });
    return true;
  }
  if (name == "query_string" || name == "simple_query_string")
    return compile_query_string(inner.value("query", "*"), out, refusal);
  for (const std::string_view leaf :
       {"match", "match_phrase", "range", "term", "terms", "prefix", "wildcard"})
    if (name == leaf) return compile_leaf(name, inner, out, refusal);
  return unknown_query(refusal, name);
}

bool compile_query_string(const std::string& text, Query& out, Answer& refusal) {
  if (text == "*" || text == "*:*") return compile_query({{"match_all", Json::object()}}, out, refusal);
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    out.matches = [wanted = words(text)](const Document& d) {
      const std::set<std::string> there = words(std::string(d.source));
      return std::any_of(wanted.begin(), wanted.end(),
                         [&](const std::string& w) { return there.contains(w); });
    };
    return true;
  }
  const std::string value = text.substr(colon + 1);
  if (value == "*") return compile_query({{"exists", {{"field", text.substr(0, colon)}}}}, out, refusal);
  const Json pair = {{text.substr(0, colon), value}};
  const Json query = {{"match", pair}};
  return compile_query(query, out, refusal);
}

}  // namespace pacenote::sandbox
