// Waits until snapshots are made and shards are recovered, and tells how fast that went. Elasticsearch:
// "Get snapshot status API", "Index recovery API".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/operations/condition.hpp"
#include "core/operations/planned.hpp"
#include "core/operations/steps.hpp"
#include "core/retry.hpp"

namespace pacenote {
namespace {

std::uint64_t count_at(const Json& answer, std::string_view path) {
  return static_cast<std::uint64_t>(std::max(0.0, number_at(answer, path)));
}

/// Bytes moved between two wall-clock times of the cluster, in milliseconds.
struct Transfer {
  std::uint64_t bytes = 0, start_ms = 0, stop_ms = 0;
  void give(Outcome& outcome) const {
    outcome.weight = {static_cast<double>(bytes), "byte"};
    outcome.meta["start_time_millis"] = start_ms;
    outcome.meta["stop_time_millis"] = stop_ms;
    if (stop_ms > start_ms)  // else it took less than the cluster's clock can tell
      outcome.throughput = static_cast<double>(bytes) / (static_cast<double>(stop_ms - start_ms) / 1000);
  }
};

/// Polls until `look` says that there is something, or fails, or the task is stopped. True: there is.
class Poll {
 public:
  Poll(Bench& bench, const Fields& params)
      : bench_(bench),
        waiting_(bench.clock),
        period_(params.seconds("completion-recheck-wait-period").value_or(std::chrono::seconds(1))) {}
  /// False: the task was stopped.
  Async<bool> pause(std::string why) {
    waiting_.say(bench_, why);
    const Instant next = bench_.clock.now() + period_;
    co_await bench_.clock.sleep_until(next);
    co_return !bench_.stop.requested();
  }

 private:
  Bench& bench_;
  Waiting waiting_;
  Duration period_;
};

/// Null: some shard is not done yet.
std::optional<Transfer> recovered(const Json& answer) {
  std::optional<Transfer> out;
  for (const auto& [name, index] : answer.items()) {
    const Json shards = list_at(index, "shards");
    for (const Json& shard : shards) {
      if (text_at(shard, "stage") != "DONE") return std::nullopt;
      const std::uint64_t start = count_at(shard, "start_time_in_millis");
      if (!out) out = Transfer{0, start, 0};
      out->bytes += count_at(shard, "index.size.recovered_in_bytes");
      out->start_ms = std::min(out->start_ms, start);
      out->stop_ms = std::max(out->stop_ms, count_at(shard, "stop_time_in_millis"));
    }
  }
  return out;
}

class WaitForRecovery final : public Runner {
 public:
  explicit WaitForRecovery(const Operation& operation) : operation_(operation.name) {}
  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    params.mandatory("index");
    const std::string target = fmt::format("{}/_recovery", path_of(params.list("index")));
    Steps steps(bench, call);
    Poll poll(bench, params);
    for (;;) {
      const Response response = co_await steps.send(Method::get, target);
      if (!steps.accept(response)) break;
      const Json answer = parse_json(response.body);
      if (const auto done = recovered(answer.is_object() ? answer : Json::object())) {
        done->give(steps.outcome());
        break;
      }
      std::string why = "shards are recovering";
      const bool on = co_await poll.pause(std::move(why));
      if (on) continue;
      steps.fail("condition", "shards are still recovering");
      break;
    }
    co_return std::move(steps.outcome());
  }

 private:
  std::string operation_;
};

/// The first snapshot of an answer; an empty object: none.
Json first_snapshot(std::string_view body) {
  const Json list = list_at(parse_json(body), "snapshots");
  return !list.empty() && list.front().is_object() ? list.front() : Json::object();
}

bool lists_snapshot(std::string_view body, const std::string& name) {
  const Json list = list_at(parse_json(body), "snapshots");
  return std::any_of(list.begin(), list.end(),
                     [&](const Json& one) { return text_at(one, "snapshot") == name; });
}

class WaitForSnapshot final : public Runner {
 public:
  explicit WaitForSnapshot(const Operation& operation) : operation_(operation.name) {}
  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    const std::string name = params.mandatory_text("snapshot");
    const std::string repository =
        fmt::format("/_snapshot/{}", url_encode(params.mandatory_text("repository")));
    const std::string current = repository + "/_current?verbose=false";
    const std::string status =
        fmt::format("{}/{}/_status?ignore_unavailable=true", repository, url_encode(name));
    Steps steps(bench, call);
    Poll poll(bench, params);
    for (;;) {
      const Response running = co_await steps.send(Method::get, current);
      if (!steps.accept(running)) break;
      if (!lists_snapshot(running.body, name)) {
        const Response response = co_await steps.send(Method::get, status);
        if (!steps.accept(response) || ended(steps, first_snapshot(response.body))) break;
      }
      std::string why = fmt::format("snapshot {} is being made", name);
      const bool on = co_await poll.pause(std::move(why));
      if (on) continue;
      steps.fail("condition", fmt::format("snapshot {} is still being made", name));
      break;
    }
    co_return std::move(steps.outcome());
  }

 private:
  /// Whether nothing is left to wait for.
  static bool ended(Steps& steps, const Json& snapshot) {
    const std::string state = text_at(snapshot, "state");
    if (state == "FAILED") steps.fail("condition", "the snapshot failed");
    if (state != "SUCCESS") return state == "FAILED";
    const Json stats = value_at(snapshot, "stats");
    const std::uint64_t start = count_at(stats, "start_time_in_millis");
    const std::uint64_t took = count_at(stats, "time_in_millis");
    Outcome& outcome = steps.outcome();
    Transfer{count_at(stats, "total.size_in_bytes"), start, start + took}.give(outcome);
    outcome.meta["duration"] = took;
    outcome.meta["file_count"] = count_at(stats, "total.file_count");
    return true;
  }

  std::string operation_;
};

/// Elasticsearch from 8.3 on counts snapshots without naming their indices.
bool may_leave_out_names(std::string_view body) {
  const Json version = value_at(parse_json(body), "version");
  if (text_at(version, "build_flavor") == "serverless") return true;
  const std::string text = text_at(version, "number");
  int major = 0, minor = 0;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, major);
  if (first.ptr != end) std::from_chars(first.ptr + 1, end, minor);
  return text_at(version, "distribution") != "opensearch" && (major > 8 || (major == 8 && minor >= 3));
}

class WaitForAllSnapshots final : public Runner {
 public:
  explicit WaitForAllSnapshots(const Operation& operation) : operation_(operation.name) {}
  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    std::string target =
        fmt::format("/_snapshot/{}/_current", url_encode(params.mandatory_text("repository")));
    Steps steps(bench, call);
    Poll poll(bench, params);
    const Response root = co_await steps.send(Method::get, "/");
    if (!steps.accept(root)) co_return std::move(steps.outcome());
    target += may_leave_out_names(root.body) ? "?index_names=false&verbose=false" : "?verbose=false";
    for (;;) {
      const Response response = co_await steps.send(Method::get, target);
      if (!steps.accept(response)) break;
      const Json answer = parse_json(response.body);
      const std::uint64_t left = count_at(answer, "total");
      if (left == 0) break;
      std::string why = fmt::format("{} snapshots are being made", left);
      const bool on = co_await poll.pause(std::move(why));
      if (on) continue;
      steps.fail("condition", fmt::format("{} snapshots are still being made", left));
      break;
    }
    co_return std::move(steps.outcome());
  }

 private:
  std::string operation_;
};

template <class Wait>
std::unique_ptr<Runner> transfer_runner(const Operation& operation) {
  return std::make_unique<Wait>(operation);
}

const Registered<OperationType> wait_for_recovery_type{
    "wait-for-recovery",
    {"Waits until shards are recovered.", false, true, transfer_runner<WaitForRecovery>, constant_params,
     nullptr, nullptr}};
const Registered<OperationType> wait_for_snapshot_type{
    "wait-for-snapshot-create",
    {"Waits until a snapshot is made.", false, true, transfer_runner<WaitForSnapshot>, constant_params,
     nullptr, nullptr}};
const Registered<OperationType> wait_for_snapshots_type{
    "wait-for-current-snapshots-create",
    {"Waits until no snapshot is being made.", false, true, transfer_runner<WaitForAllSnapshots>,
     constant_params, nullptr, nullptr}};

}  // namespace
}  // namespace pacenote
