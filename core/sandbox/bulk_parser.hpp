// A bulk body read into its actions, without any index at hand.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sandbox/server.hpp"

namespace pacenote::sandbox {

enum class Op : std::uint8_t { index, create, update, del };
std::string_view to_string(Op op);

/// Views of the body.
struct BulkAction {
  Op op = Op::index;
  bool valid = true;                         ///< the document is one JSON object
  std::string index, id, routing, pipeline;  ///< id empty: to be made
  std::string_view source;                   ///< empty for a delete
};

/// Why the whole request is refused with 400.
struct BulkMistake {
  std::string type, reason;
};

struct ParsedBulk {
  std::vector<BulkAction> actions;
  std::optional<BulkMistake> mistake;
};

/// `default_index` is the one in the path, or empty. The result's views live as long as `body`.
ParsedBulk parse_bulk(std::string_view body, std::string_view default_index, Flavor flavor);

}  // namespace pacenote::sandbox
