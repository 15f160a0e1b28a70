#include "core/transport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "core/text.hpp"

namespace pacenote {
namespace {

constexpr std::array<std::string_view, 5> kMethods{"GET", "HEAD", "POST", "PUT", "DELETE"};

}  // namespace

std::string_view to_string(Method method) { return kMethods[static_cast<std::size_t>(method)]; }

std::optional<Method> method_from(std::string_view name) {
  for (std::size_t i = 0; i < kMethods.size(); ++i)
    if (same_ignoring_case(name, kMethods[i])) return static_cast<Method>(i);
  return std::nullopt;
}

std::string_view Response::header(std::string_view name) const {
  std::string_view rest = head;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && same_ignoring_case(line.substr(0, colon), name))
      return trimmed(line.substr(colon + 1));
  }
  return {};
}

std::string url_encode(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isalnum(u) != 0 || std::string_view("-._~,*").find(c) != std::string_view::npos)
      out += c;
    else
      out += fmt::format("%{:02X}", u);
  }
  return out;
}

}  // namespace pacenote
