// What comes in and what goes out, without sockets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/units.hpp"

namespace pacenote::sandbox {

struct Asked {
  std::string method;                                      ///< upper case
  std::string target;                                      ///< as sent
  std::string path;                                        ///< the part before '?', still percent-encoded
  std::vector<std::string> segments;                       ///< of the path, decoded
  std::vector<std::pair<std::string, std::string>> query;  ///< decoded
  std::string body;                                        ///< without transfer and content encoding
  std::string content_type, accept, accept_encoding, authorization;

  std::size_t items_failed = 0;  ///< an injected fault: so many of a bulk's first items are refused
  int items_status = 400;        ///< with this

  /// Value of a query parameter; null if absent, empty for a bare name.
  const std::string* param(std::string_view name) const {
    const auto it = std::find_if(query.begin(), query.end(), [&](const auto& p) { return p.first == name; });
    return it == query.end() ? nullptr : &it->second;
  }
  std::string param(std::string_view name, std::string_view otherwise) const {
    const std::string* value = param(name);
    return value == nullptr ? std::string(otherwise) : *value;
  }
  /// As the products read booleans: present and not "false".
  bool flag(std::string_view name, bool otherwise = false) const {
    const std::string* value = param(name);
    return value == nullptr ? otherwise : *value != "false";
  }
};

struct Answer {
  int status = 200;
  std::string body;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;
  Duration again{};          ///< > 0: not decided yet; ask the same again after this time
  std::uint64_t ticket = 0;  ///< then to be handed back
};

/// How long since the same request was asked first, and the ticket it got.
struct Waited {
  Duration time{};
  std::uint64_t ticket = 0;
};

/// "/a%20b/_search" → {"a b", "_search"}; empty segments are left out.
std::vector<std::string> path_segments(std::string_view path);
std::vector<std::pair<std::string, std::string>> query_params(std::string_view query);
std::string url_decode(std::string_view text, bool plus_is_space);

/// Method and target split into the fields of an Asked; no body, no headers.
Asked asked(std::string_view method, std::string_view target, std::string_view body = {});

}  // namespace pacenote::sandbox
