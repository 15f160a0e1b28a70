#include "core/runner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/operations/errors.hpp"
#include "core/operations/fields.hpp"
#include "core/operations/source.hpp"

namespace pacenote {
namespace {

class ConstantSource final : public ParamSource {
 public:
  ConstantSource(Json params, RequestOptions options)
      : params_(std::move(params)), options_(std::move(options)) {}
  Supply next(Call& call) override {
    call.params = &params_;
    call.options = options_;
    return Supply::ready;
  }

 private:
  Json params_;
  RequestOptions options_;
};

Headers headers_of(const Fields& fields) {
  Headers out;
  for (const auto& [name, value] : fields.object("headers").items()) {
    if (value.is_null()) continue;
    out.emplace_back(name, value.is_string() ? value.get<std::string>() : to_text(value));
    const std::string& text = out.back().second;
    if (name.find_first_of("\r\n: ") != std::string::npos || text.find_first_of("\r\n") != std::string::npos)
      fields.fail("headers", "holds a header that is not one line of text");
  }
  return out;
}

std::vector<int> statuses(const Fields& fields) {
  const Json* value = fields.find("ignore");
  if (value == nullptr) return {};
  std::vector<int> out;
  const Json list = value->is_array() ? *value : Json::array({*value});
  for (const Json& item : list) {
    if (!item.is_number_integer()) fields.fail("ignore", "must be an HTTP status or a list of them");
    out.push_back(item.get<int>());
  }
  return out;
}

}  // namespace

std::unique_ptr<ParamSource> constant_source(Json params, RequestOptions options) {
  return std::make_unique<ConstantSource>(std::move(params), std::move(options));
}

std::unique_ptr<ParamSource> constant_params(const Operation& operation, const Track&, Share) {
  return constant_source(operation.params, request_options(operation));
}

RequestOptions request_options(const Operation& operation) {
  const Fields fields(operation.params, operation.name);
  RequestOptions out;
  out.timeout = fields.seconds("request-timeout");
  if (out.timeout == Duration(0)) out.timeout.reset();  // as in Rally: no time-out of its own
  out.headers = headers_of(fields);
  if (!fields.flag("response-compression-enabled").value_or(true))
    out.headers.emplace_back("Accept-Encoding", "identity");
  out.opaque_id = fields.text("opaque-id", "");
  if (out.opaque_id.find_first_of("\r\n") != std::string::npos)
    fields.fail("opaque-id", "must be one line of text");
  out.ignore = statuses(fields);
  for (const int status : statuses(Fields(fields.object("request-params"), operation.name)))
    out.ignore.push_back(status);
  return out;
}

Outcome outcome_of(const Response& response, const RequestOptions& options) {
  Outcome out;
  out.status = response.status;
  const auto& ignore = options.ignore;
  if (response.ok() || std::find(ignore.begin(), ignore.end(), response.status) != ignore.end()) return out;
  out.ok = false;
  out.weight.amount = 0;
  if (response.status == 0) {
    out.error_type = "transport";
    out.error = response.failure == Failure::timeout ? "no answer within the time-out" : response.error;
  } else {
    out.error_type = "api";
    out.error = error_text(response.body);
  }
  return out;
}

}  // namespace pacenote
