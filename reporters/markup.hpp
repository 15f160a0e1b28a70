// What HTML and XML write in place of a character.
#pragma once

#include <string_view>

namespace pacenote::reporters {

/// The entity for `&`, `<`, `>` and `"`; empty for all others.
constexpr std::string_view markup_entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return {};
  }
}

}  // namespace pacenote::reporters
