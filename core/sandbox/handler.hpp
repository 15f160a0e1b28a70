// What the handlers of requests share.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/sandbox/asked.hpp"
#include "core/sandbox/bulk_parser.hpp"
#include "core/sandbox/state.hpp"

namespace pacenote::sandbox {

/// A bulk's body and what it says, read before the state is locked.
struct BulkBody {
  std::shared_ptr<const std::string> text;
  ParsedBulk parsed;
};

struct Call {
  const Asked& asked;
  std::map<std::string, std::string, std::less<>> path;  ///< values of {names} in the route
  Instant now;
  Waited waited;
  const std::function<Instant()>& clock;
  const BulkBody* bulk = nullptr;  ///< of routes that read one
  std::int64_t took_ms() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(clock() - now).count();
  }
  std::string at(std::string_view name) const {
    const auto it = path.find(name);
    return it == path.end() ? std::string() : it->second;
  }
};

using Handler = Answer (*)(State& state, const Call& call);

struct Route {
  std::string_view methods;  ///< "GET,POST"
  std::string_view path;     ///< "/{index}/_search"
  Handler handler;
  bool reads_bulk = false;
};

/// Everything the sandbox knows.
const std::vector<Route>& routes();

Answer json_answer(const Json& body, int status = 200);
Answer acknowledged();
/// {"error": {"root_cause": […], "type": …, "reason": …, …extra}, "status": …}
Answer error_answer(int status, std::string_view type, std::string_view reason,
                    const Json& extra = Json::object());
Answer index_not_found(std::string_view name, bool expression = false);
/// {"total": n, "successful": n, "failed": 0}
Json shards_header(std::uint64_t total, std::uint64_t successful);

/// How often a request that waits for something looks again.
constexpr Duration kAskAgain = std::chrono::milliseconds(20);

/// The request's body as JSON; an empty one is `{}`. False: `answer` says what is wrong.
bool json_body(const Call& call, Json& body, Answer& answer);

/// Names that an index expression means: names, aliases, data streams, wildcards, _all, lists.
struct Resolved {
  std::vector<std::string> names;  ///< of indices, each once
  std::string missing;             ///< the first name that means nothing; empty: all is well
};
Resolved resolve(const State& state, std::string_view expression);
/// The same, with the product's answer to what is missing (unless ignore_unavailable). False: use `answer`.
bool resolve(const State& state, const Call& call, std::vector<std::string>& names, Answer& answer);
/// The parts that are not empty.
std::vector<std::string> split(std::string_view text, char separator = ',');
/// A text as it is, anything else as JSON.
std::string plain_text(const Json& value);
bool wildcard_match(std::string_view pattern, std::string_view text);
bool is_wildcard(std::string_view expression);

/// {"index": {"a": 1}} and {"index.a": 1} → {"index.a": "1"}: leaves become texts, as the products keep them.
Json flat_settings(const Json& settings);
Json nested_settings(const Json& flat);
/// As flat_settings, with the leading "index." left out.
Json index_settings(const Json& settings);
/// The refusal, if one of these (from index_settings) is unknown or out of range.
std::optional<Answer> refuse_settings(const Json& settings);

std::string_view version_number(Flavor flavor);
std::string_view build_hash(Flavor flavor);
/// One section of a node's statistics; `indices` are those of the shards it holds.
Json node_section(const State& state, std::size_t number, const std::string& section, const Json& indices,
                  Instant now);
/// "green", "yellow" or "red".
std::string_view index_health(const State& state, const Index& index);
/// Rows of texts as JSON (format=json) or as columns; `h=a,b` chooses them.
Answer cat_answer(const Call& call, const Json& rows);

/// The composable template with the highest priority that fits; empty: none.
std::string matching_template(const State& state, const std::string& name);
/// Makes an index as create-index would, templates applied. The name is not taken yet.
Index& make_index(State& state, const std::string& name, const Json& body, Instant now);
/// The same for a data stream with its first backing index; `chosen` is its template.
DataStream& make_data_stream(State& state, const std::string& name, const std::string& chosen, Instant now);

}  // namespace pacenote::sandbox
