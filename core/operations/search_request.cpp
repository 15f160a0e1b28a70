#include "core/operations/search_request.hpp"

#include <fmt/format.h>

#include "core/operations/planned.hpp"
#include "core/operations/targets.hpp"

namespace pacenote {

Json search_query(const Fields& params) {
  Json query = params.object("request-params");
  if (const auto cache = params.flag("cache")) query["request_cache"] = *cache;
  return query;
}

std::string search_path(const Fields& params) {
  const std::vector<std::string> names = named_targets(params);
  return fmt::format("{}/_search", names.empty() ? "" : path_of(names));
}

Json search_body(const Fields& params) { return params.object("body"); }

Json search_params(const Operation& operation, const Track& track) {
  const Fields params(operation.params, operation.name);
  if (params.find("type") != nullptr)
    params.fail("type", "is no longer supported", "remove it: document types are gone");
  if (params.find("assertions") != nullptr && params.find("pages") == nullptr &&
      !params.flag("detailed-results").value_or(false))
    params.fail("detailed-results", "must be true where there are assertions",
                "without it the answer is not looked at");
  Json out = operation.params;
  if (track.restricted && params.find("cache") == nullptr) out["cache"] = false;  // as Rally there
  if (!named_targets(params).empty()) return out;
  std::string name = default_target(track);
  if (name.empty())
    params.fail("index", "is missing, and the track does not declare exactly one index or data stream");
  out["index"] = std::move(name);
  return out;
}

std::optional<std::uint64_t> pages_of(const Fields& params) {
  const Json& pages = params.mandatory("pages");
  if (pages == "all") return std::nullopt;
  const std::optional<std::uint64_t> count = pages.is_number_integer() ? params.count("pages") : std::nullopt;
  if (!count || *count == 0)
    params.fail("pages", fmt::format("must be a number of pages or \"all\", is {}", to_text(pages)));
  return count;
}

}  // namespace pacenote
