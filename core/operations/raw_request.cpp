// Any request that has no operation type of its own.
#include <fmt/format.h>

#include <cstdio>

#include "core/operations/planned.hpp"
#include "core/text.hpp"

namespace pacenote {
namespace {

Method method_of(const Fields& params) {
  const auto method = method_from(params.text("method", "GET"));
  if (!method) params.fail("method", "is no HTTP method we know", "GET, HEAD, POST, PUT or DELETE");
  return *method;
}

/// The author encodes the path; only what may not stand in a request line at all is encoded here.
std::string legal(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= ' ' || byte >= 0x7F || std::string_view("\"<>\\^`{|}#").find(c) != std::string_view::npos)
      out += fmt::format("%{:02X}", byte);
    else
      out += c;
  }
  return out;
}

std::string raw_request_target(const Fields& params) {
  std::string target = legal(params.mandatory_text("path"));
  if (target.empty() || target.front() != '/')
    params.fail("path", fmt::format("must begin with /, is {}", target));
  std::string query = query_of(params.object("request-params"), false);
  if (!query.empty() && target.find('?') != std::string::npos) query.front() = '&';
  return target + query;
}

Media media_of(const Fields& params, const Json& body) {
  for (const auto& [name, value] : params.object("headers").items())
    if (same_ignoring_case(name, "content-type") && value.is_string())
      return value.get<std::string>().find("ndjson") == std::string::npos ? Media::json : Media::ndjson;
  return body.is_array() ? Media::ndjson : Media::json;
}

Plan raw_request_plan(const Fields& params) {
  Plan out{method_of(params), raw_request_target(params), "", Media::none};
  if (const Json* body = params.find("body")) {
    out.body = body_text(*body);
    out.media = media_of(params, *body);
  }
  return out;
}

/// The path's segments, decoded, without the query.
std::vector<std::string> segments(std::string_view path) {
  std::vector<std::string> out;
  path = path.substr(0, path.find('?'));
  for (std::size_t i = 0; i < path.size(); ++i) {
    unsigned code = 0;
    if (path[i] == '/') {
      if (out.empty() || !out.back().empty()) out.emplace_back();
    } else if (path[i] == '%' && i + 2 < path.size() &&
               std::sscanf(std::string(path.substr(i + 1, 2)).c_str(), "%2x", &code) == 1) {
      out.back() += static_cast<char>(code);
      i += 2;
    } else {
      out.back() += path[i];
    }
  }
  if (!out.empty() && out.back().empty()) out.pop_back();
  return out;
}

std::vector<Destroys> raw_request_destroys(const Operation& operation, const Track&) {
  const Fields params(operation.params, operation.name);
  if (!params.text("path")) return {};  // a plug-in's source knows it, or the runner will complain
  const Method method = method_of(params);
  const std::vector<std::string> path = segments(raw_request_target(params));
  if (path.empty()) return {};
  if (method == Method::post && path.back() == "_delete_by_query")
    return {{Destroys::Kind::index, path.size() > 1 ? path.front() : "_all"}};
  if (method != Method::del) return {};
  if (path.size() == 1 && (path[0].front() != '_' || path[0] == "_all"))
    return {{Destroys::Kind::index, path[0]}};
  if (path.size() < 2) return {};
  if (path[0] == "_data_stream") return {{Destroys::Kind::data_stream, path[1]}};
  if (path[0] == "_template") return {{Destroys::Kind::legacy_template, path[1]}};
  if (path[0] == "_index_template") return {{Destroys::Kind::composable_template, path[1]}};
  if (path[0] == "_component_template") return {{Destroys::Kind::component_template, path[1]}};
  return {};
}

std::unique_ptr<Runner> raw_request_runner(const Operation& operation) {
  return planned_runner(operation, raw_request_plan);
}

const Registered<OperationType> raw_request_type{
    "raw-request",
    {"Sends any request: `path`, `method`, `body`.", false, false, raw_request_runner, constant_params,
     raw_request_destroys, nullptr}};

}  // namespace
}  // namespace pacenote
