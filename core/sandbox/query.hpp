// Elasticsearch's query language, the part of it that the sandbox can evaluate on the documents it keeps.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/sandbox/handler.hpp"

namespace pacenote::sandbox {

using Predicate = std::function<bool(const Document&)>;

struct Query {
  Predicate matches;
  bool all = false;  ///< match_all: the number of hits is known without looking
};

/// False: `refusal` is the product's answer to a query that it (or the sandbox) does not know.
bool compile_query(const Json& query, Query& out, Answer& refusal);

/// "a b:c AND d" is not understood, "name:b", "*" and plain words are.
bool compile_query_string(const std::string& text, Query& out, Answer& refusal);

/// Every value at the dotted path, through objects and arrays; "a.b" is also found as the key "a.b".
void values_at(const Json& document, std::string_view path, std::vector<const Json*>& out);

}  // namespace pacenote::sandbox
