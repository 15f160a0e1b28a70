#include "core/sandbox/front.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/request_head.hpp"
#include "core/sandbox/handler.hpp"

namespace pacenote::sandbox {
namespace {

constexpr std::size_t kCountedPaths = 100'000;

std::vector<Fault> parse_all(const std::vector<std::string>& specs) {
  std::vector<Fault> out;
  for (const std::string& spec : specs) out.push_back(parse_fault(spec));
  return out;
}

std::string null_bulk_body(const Options& options) {
  std::string items;
  const std::uint32_t number = options.full_items ? options.null_bulk_items : 1;
  for (std::uint32_t i = 0; i < number; ++i)
    items += fmt::format(
        R"({}{{"index":{{"_index":"null","_id":"{}","_version":1,"result":"created",)"
        R"("_shards":{{"total":1,"successful":1,"failed":0}},"_seq_no":{},"_primary_term":1,"status":201}}}})",
        i == 0 ? "" : ",", make_document_id(i), i);
  return fmt::format(R"({{"took":0,"errors":false,"items":[{}]}})", items);
}

constexpr std::string_view kNullSearch =
    R"({"took":0,"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},)"
    R"("hits":{"total":{"value":0,"relation":"eq"},"max_score":null,"hits":[]}})";

}  // namespace

Front::Front(const Options& options, std::function<Instant()> now, WallTime started)
    : options_(options),
      now_(now),
      node_(options, now, started),
      faults_(parse_all(options.faults), now()),
      credentials_(options.user.empty() ? "" : basic_credentials(options.user, options.password)) {
  if (!options.null) return;
  Answer answer;
  answer.body = null_bulk_body(options);
  brand(answer);
  null_bulk_ = to_http(answer, true, false);
  answer.body = kNullSearch;
  null_search_ = to_http(answer, true, false);
}

void Front::brand(Answer& answer) const {
  if (options_.as != Flavor::opensearch_2) answer.headers.emplace_back("X-elastic-product", "Elasticsearch");
  answer.headers.emplace_back("X-Pacenote-Sandbox", "1");
}

Effect Front::meet(std::string_view method, std::string_view path, Instant now) {
  if (path.starts_with("/_sandbox/")) return {};
  {
    const std::lock_guard lock(mutex_);
    std::pair<std::string, std::string> key(path, method);
    if (counts_.size() < kCountedPaths || counts_.contains(key)) ++counts_[std::move(key)];
  }
  return faults_.next(method, path, now);
}

const std::string& Front::null_answer(std::string_view path) const {
  static const std::string none;
  if (!options_.null) return none;
  if (path.ends_with("/_bulk")) return null_bulk_;
  return path.ends_with("/_search") ? null_search_ : none;
}

std::optional<Answer> Front::refuse_credentials(std::string_view authorization,
                                                std::string_view target) const {
  if (credentials_.empty() || authorization == credentials_) return std::nullopt;
  Answer out;
  if (options_.as == Flavor::opensearch_2) {
    out.status = 401;
    out.body = "Unauthorized";
    out.content_type = "text/plain; charset=UTF-8";
    out.headers.emplace_back("WWW-Authenticate", "Basic realm=\"OpenSearch Security\"");
  } else {
    const std::string challenge = "Basic realm=\"security\", charset=\"UTF-8\"";
    const Json header = {{"WWW-Authenticate", Json::array({challenge})}};
    out = error_answer(
        401, "security_exception",
        fmt::format("{} for REST request [{}]",
                    authorization.empty() ? "missing authentication credentials" : "unable to authenticate",
                    target),
        {{"header", header}});
    out.headers.emplace_back("WWW-Authenticate", challenge);
  }
  brand(out);
  return out;
}

Answer Front::answer(const Asked& asked, const Waited& waited) {
  if (!asked.segments.empty() && asked.segments.front() == "_sandbox") {
    Answer out = own_page(asked);
    brand(out);
    return out;
  }
  return node_.handle(asked, waited);
}

Answer Front::injected(const Effect& effect) const {
  Answer out;
  const ErrorText text = injected_error(effect.status);
  if (effect.status >= 400) out = error_answer(effect.status, text.type, text.reason);
  out.status = effect.status;
  if (effect.body) out.body = *effect.body;
  brand(out);
  return out;
}

Answer Front::own_page(const Asked& asked) {
  const std::string what = asked.segments.size() == 2 ? asked.segments[1] : "";
  if (what == "requests" && asked.method == "GET") return counts(asked.param("path", "*"));
  if (what == "faults" && asked.method == "PUT") return replace_faults(asked);
  if (what == "reset" && asked.method == "POST") {
    faults_.replace(parse_all(options_.faults), now_());
    const std::lock_guard lock(mutex_);
    counts_.clear();
    return acknowledged();
  }
  return json_answer(
      {{"error", "GET /_sandbox/requests?path=GLOB, PUT /_sandbox/faults, POST /_sandbox/reset"}}, 400);
}

Answer Front::counts(const std::string& pattern) {
  Json list = Json::array();
  std::uint64_t total = 0;
  const std::lock_guard lock(mutex_);
  for (const auto& [key, count] : counts_) {
    if (!wildcard_match(pattern, key.first)) continue;
    total += count;
    list.push_back({{"method", key.second}, {"path", key.first}, {"count", count}});
  }
  return json_answer({{"total", total}, {"requests", list}});
}

/// The body is a JSON array of specs; they take the place of all faults.
Answer Front::replace_faults(const Asked& asked) {
  const Json specs = parse_json(asked.body);
  if (!specs.is_array() ||
      !std::all_of(specs.begin(), specs.end(), [](const Json& s) { return s.is_string(); }))
    return json_answer({{"error", "the body must be a JSON array of fault specs"}}, 400);
  try {
    faults_.replace(parse_all(specs.get<std::vector<std::string>>()), now_());
  } catch (const UserError& error) {
    return json_answer({{"error", error.what()}, {"hint", error.hint()}}, 400);
  }
  return acknowledged();
}

}  // namespace pacenote::sandbox
