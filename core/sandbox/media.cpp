#include "core/sandbox/media.hpp"

#include <fmt/format.h>

#include <cctype>

#include "core/sandbox/handler.hpp"
#include "core/text.hpp"

namespace pacenote::sandbox {
namespace {

struct Media {
  std::string type;    ///< lower case, without parameters
  int compatible = 0;  ///< the version in compatible-with; 0: none
};

Media parse_media(std::string_view text) {
  std::string clean;
  for (const char c : text)
    if (c != ' ') clean += c;
  clean = lower_case(clean);
  Media out;
  const std::size_t end = std::min(clean.find(';'), clean.size());
  out.type = clean.substr(0, end);
  constexpr std::string_view kKey = "compatible-with=";
  if (const std::size_t at = clean.find(kKey); at != std::string::npos)
    out.compatible = std::atoi(clean.c_str() + at + kKey.size());
  return out;
}

constexpr std::string_view kVendor = "application/vnd.elasticsearch+";

bool plain_known(const std::string& type) {
  return type == "application/json" || type == "application/x-ndjson" || type == "application/yaml" ||
         type == "application/cbor" || type == "application/smile";
}

bool vendor_known(const std::string& type) {
  return type == fmt::format("{}json", kVendor) || type == fmt::format("{}x-ndjson", kVendor);
}

int major(Flavor flavor) { return flavor == Flavor::elasticsearch_8 ? 8 : 7; }

Answer unsupported(const std::string& content_type) {
  return json_answer(
      {{"error", fmt::format("Content-Type header [{}] is not supported", content_type)}, {"status", 406}},
      406);
}

/// As Elasticsearch says it to a client of another major version.
Answer wrong_version(std::string_view header, const std::string& value, int version, Flavor flavor) {
  const int own = major(flavor);
  const std::string reason = fmt::format("{} version must be either version {} or {}, but found {}. {}={}",
                                         header, own, own - 1, version, header, value);
  return error_answer(400, "media_type_header_exception",
                      fmt::format("Invalid media-type value on headers [{}]", header),
                      {{"caused_by", {{"type", "status_exception"}, {"reason", reason}}}});
}

/// The refusal of one header that names a media type.
std::optional<Answer> refuse_version(std::string_view header, const std::string& value, Flavor flavor) {
  const Media media = parse_media(value);
  if (flavor == Flavor::opensearch_2 || media.compatible == 0) return std::nullopt;
  if (media.compatible == major(flavor) || media.compatible == major(flavor) - 1) return std::nullopt;
  return wrong_version(header, value, media.compatible, flavor);
}

}  // namespace

std::optional<Answer> refuse_media(const Asked& asked, Flavor flavor) {
  const Media accept = parse_media(asked.accept);
  const bool vendor = accept.type.starts_with(kVendor);
  if (vendor && (flavor == Flavor::opensearch_2 || !vendor_known(accept.type)))
    return json_answer(
        {{"error", fmt::format("Accept header [{}] is not supported", asked.accept)}, {"status", 406}}, 406);
  if (auto refusal = refuse_version("Accept", asked.accept, flavor)) return refusal;
  if (asked.body.empty()) return std::nullopt;
  if (asked.content_type.empty())
    return json_answer({{"error", "Content-Type header is missing"}, {"status", 406}}, 406);
  const Media content = parse_media(asked.content_type);
  if (content.type.starts_with(kVendor)) {
    if (flavor == Flavor::opensearch_2 || !vendor_known(content.type)) return unsupported(asked.content_type);
    return refuse_version("Content-Type", asked.content_type, flavor);
  }
  if (!plain_known(content.type)) return unsupported(asked.content_type);
  return std::nullopt;
}

std::string answer_media(const Asked& asked, Flavor flavor) {
  const Media accept = parse_media(asked.accept);
  if (accept.type == fmt::format("{}json", kVendor) && flavor != Flavor::opensearch_2)
    return fmt::format("{}json;compatible-with={}", kVendor, accept.compatible);
  return flavor == Flavor::elasticsearch_8 ? "application/json" : "application/json; charset=UTF-8";
}

}  // namespace pacenote::sandbox
