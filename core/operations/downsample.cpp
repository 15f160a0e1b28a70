// A time series index in coarser steps. Elasticsearch: "Downsample index API".
#include <fmt/format.h>

#include "core/operations/planned.hpp"
#include "core/operations/source.hpp"
#include "core/operations/targets.hpp"

namespace pacenote {
namespace {

std::string downsample_target(const Fields& params) {
  return params.text("target-index", fmt::format("{}-{}", params.mandatory_text("source-index"),
                                                 params.text("fixed-interval", "1h")));
}

Plan downsample_plan(const Fields& params) {
  Json body = {{"fixed_interval", params.text("fixed-interval", "1h")}};
  if (const auto method = params.text("sampling-method")) body["sampling_method"] = *method;
  return {
      Method::post,
      fmt::format("/{}/_downsample/{}{}", url_encode(params.mandatory_text("source-index")),
                  url_encode(downsample_target(params)), query_of(params.object("request-params"), false)),
      to_text(body), Media::json};
}

Json downsample_params(const Operation& operation, const Track& track) {
  Json out = operation.params;
  const std::string source = default_target(track);
  if (Fields(out, operation.name).find("source-index") == nullptr && !source.empty())
    out["source-index"] = source;
  return out;
}

std::unique_ptr<ParamSource> downsample_source(const Operation& operation, const Track& track, Share) {
  Json constant = downsample_params(operation, track);
  downsample_plan(Fields(constant, operation.name));  // finds mistakes before the race
  return constant_source(std::move(constant), request_options(operation));
}

std::unique_ptr<Runner> downsample_runner(const Operation& operation) {
  return planned_runner(operation, downsample_plan);
}

std::vector<std::string> downsample_creates(const Operation& operation, const Track& track) {
  const Json params = downsample_params(operation, track);
  return {downsample_target(Fields(params, operation.name))};
}

const Registered<OperationType> downsample_type{
    "downsample",
    {"Makes an index of a time series in coarser steps.", false, false, downsample_runner, downsample_source,
     nullptr, downsample_creates}};

}  // namespace
}  // namespace pacenote
