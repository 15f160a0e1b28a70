// Asks how the cluster is, or waits until it is well. Elasticsearch: "Cluster health API".
//
// A server-side wait is cut into pieces of at most 5 seconds, so that the person watching sees what is waited
// for; together the pieces wait as long as the one request would have.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/operations/planned.hpp"
#include "core/operations/source.hpp"
#include "core/operations/steps.hpp"
#include "core/operations/targets.hpp"
#include "core/retry.hpp"

namespace pacenote {
namespace {

constexpr Duration kServerWait = std::chrono::seconds(30);  // Elasticsearch's default of `timeout`
constexpr Duration kPiece = std::chrono::seconds(5);
constexpr Duration kPause = std::chrono::milliseconds(500);  // between answers that came at once
constexpr double kHealthPatience = 600;                      // s, of retry-until-success

int rank(std::string_view status) {
  if (status == "green") return 3;
  if (status == "yellow") return 2;
  return status == "red" ? 1 : 0;
}

std::string counted(std::uint64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

/// A time as Elasticsearch writes them: "30s", "500ms", "1m". None: we do not know what it means.
std::optional<Duration> time_value(const Json& value) {
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  std::uint32_t n = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), n);
  if (parsed.ec != std::errc()) return std::nullopt;
  const std::string_view unit(parsed.ptr, static_cast<std::size_t>(text.data() + text.size() - parsed.ptr));
  if (unit == "ms") return std::chrono::milliseconds(n);
  if (unit == "s") return std::chrono::seconds(n);
  if (unit == "m") return std::chrono::minutes(n);
  return std::nullopt;
}

struct Wish {
  std::string status;  ///< empty: any
  bool no_relocation = false;
};

struct Health {
  std::string status;
  std::uint64_t relocating = 0, unassigned = 0, others = 0;  ///< shards; others: active or on their way
  bool timed_out = false;
};

Wish wish_of(const Fields& request_params) {
  Wish out;
  out.status = request_params.text("wait_for_status", "");
  out.no_relocation = request_params.flag("wait_for_no_relocating_shards").value_or(false);
  return out;
}

std::uint64_t count_in(const Json& answer, const char* key) {
  const auto it = answer.find(key);
  return it != answer.end() && it->is_number_unsigned() ? it->get<std::uint64_t>() : 0;
}

std::optional<Health> health_in(std::string_view body) {
  const Json answer = parse_json(body);
  if (!answer.is_object() || !answer.contains("status") || !answer["status"].is_string()) return std::nullopt;
  Health out;
  out.status = answer["status"].get<std::string>();
  out.relocating = count_in(answer, "relocating_shards");
  out.unassigned = count_in(answer, "unassigned_shards");
  out.others = count_in(answer, "active_shards") + count_in(answer, "initializing_shards");
  const auto timed_out = answer.find("timed_out");
  out.timed_out = timed_out != answer.end() && *timed_out == true;
  return out;
}

/// Why it is not as wished; empty: it is.
std::string unmet(const Wish& wish, const Health& health) {
  if (rank(health.status) < rank(wish.status)) {
    // What the server says of an index that is not there, as after a create-index that was refused.
    if (health.status == "red" && health.unassigned + health.relocating + health.others == 0)
      return fmt::format("wanted {}, is red without any shard: does the index exist?", wish.status);
    const std::string more =
        health.unassigned == 0 ? "" : fmt::format(", {}", counted(health.unassigned, "unassigned shard"));
    return fmt::format("wanted {}, is {}{}", wish.status, health.status, more);
  }
  if (wish.no_relocation && health.relocating > 0)
    return fmt::format("{}, but {} {} relocating", health.status, counted(health.relocating, "shard"),
                       health.relocating == 1 ? "is" : "are");
  return health.timed_out ? fmt::format("{}, but not all that was waited for", health.status) : "";
}

Outcome judged(const Response& response, const RequestOptions& options, const Wish& wish) {
  Outcome out = outcome_of(response, options);
  const auto health = health_in(response.body);
  if (!health && response.ok()) {
    out.ok = false;
    out.error_type = "condition";
    out.error = "the answer does not tell the cluster's health";
  }
  if (!health || (!out.ok && response.status != 408)) return out;
  const std::string why = unmet(wish, *health);
  out.meta = {{"cluster-status", health->status}, {"relocating-shards", health->relocating}};
  if (out.ok && !why.empty()) out.error_type = "condition";
  out.ok = out.ok && why.empty();
  if (!out.ok) out.error = why.empty() ? "timed out" : why;
  return out;
}

/// How one wait is spread over requests.
struct Pieces {
  Duration total{}, each{};  ///< zero: one request as the track has it
};

Pieces pieces_of(const Json& request_params, const RequestOptions& options) {
  const auto waits = [&] {
    for (const auto& [key, value] : request_params.items())
      if (key.rfind("wait_for_", 0) == 0) return true;
    return false;
  };
  if (!waits()) return {};
  const auto given = request_params.find("timeout");
  const auto server = given == request_params.end() ? kServerWait : time_value(*given).value_or(Duration(0));
  Pieces out;
  out.total = options.timeout ? std::min(server, *options.timeout) : server;
  out.each = std::min(out.total, kPiece);
  if (options.timeout) out.each = std::min(out.each, *options.timeout / 2);  // the answer must come in time
  return out;
}

std::string cluster_health_target(const Fields& params, const Pieces& pieces) {
  const auto names = params.list("index");
  Json query = params.object("request-params");
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(pieces.each).count();
  if (ms > 0) query["timeout"] = ms % 1000 == 0 ? fmt::format("{}s", ms / 1000) : fmt::format("{}ms", ms);
  return fmt::format("/_cluster/health{}{}", names.empty() ? "" : path_of(names), query_of(query, true));
}

class ClusterHealth final : public Runner {
 public:
  explicit ClusterHealth(const Operation& operation) : operation_(operation.name) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    const Json& request_params = params.object("request-params");
    const Wish wish = wish_of(Fields(request_params, operation_));
    const Pieces pieces = pieces_of(request_params, call.options);
    const bool repeated =
        params.flag("retry-until-success").value_or(false);  // by the wrapper, which also says so
    const Request request(Method::get, cluster_health_target(params, pieces));
    Waiting waiting(bench.clock);
    for (;;) {
      const Instant begin = bench.clock.now();
      const Response response = co_await bench.cluster.send(request);
      Outcome outcome = judged(response, call.options, wish);
      const auto health = health_in(response.body);
      const bool again = !outcome.ok && health && health->timed_out && !repeated;
      if (!again || waiting.elapsed() >= pieces.total || bench.stop.requested()) co_return outcome;
      waiting.say(bench, outcome.error);
      const Instant next = begin + kPause;
      if (bench.clock.now() < next) co_await bench.clock.sleep_until(next);
    }
  }

 private:
  std::string operation_;
};

std::unique_ptr<Runner> cluster_health_runner(const Operation& operation) {
  return std::make_unique<ClusterHealth>(operation);
}

/// Rally retries for ever; here at least 10 minutes, or as long as `retry-timeout` says.
std::unique_ptr<ParamSource> cluster_health_source(const Operation& operation, const Track&, Share) {
  const Fields fields(operation.params, operation.name);
  wish_of(Fields(fields.object("request-params"), operation.name));
  Json params = operation.params;
  const auto timeout = fields.seconds("request-timeout").value_or(Duration(0));
  if (fields.find("retry-timeout") == nullptr)
    params["retry-timeout"] = std::max(kHealthPatience, seconds(timeout));
  return constant_source(std::move(params), request_options(operation));
}

const Registered<OperationType> cluster_health_type{
    "cluster-health",
    {"Asks for the cluster's health, or waits for it.", true, true, cluster_health_runner,
     cluster_health_source, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
