#include "core/sandbox/asked.hpp"

namespace pacenote::sandbox {
namespace {

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string url_decode(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0) {
      out += static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2]));
      i += 2;
    } else {
      out += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

std::vector<std::string> path_segments(std::string_view path) {
  std::vector<std::string> out;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) out.push_back(url_decode(path.substr(0, end), false));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> query_params(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> out;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view part = query.substr(0, end);
    const std::size_t equals = std::min(part.find('='), part.size());
    if (!part.empty())
      out.emplace_back(url_decode(part.substr(0, equals), true),
                       url_decode(part.substr(std::min(equals + 1, part.size())), true));
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return out;
}

Asked asked(std::string_view method, std::string_view target, std::string_view body) {
  Asked out;
  out.method = method;
  out.target = target;
  const std::size_t question = std::min(target.find('?'), target.size());
  out.path = target.substr(0, question);
  out.segments = path_segments(out.path);
  out.query = query_params(target.substr(std::min(question + 1, target.size())));
  out.body = body;
  if (!body.empty()) out.content_type = "application/json";
  return out;
}

}  // namespace pacenote::sandbox
