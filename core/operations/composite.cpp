// Several operations as one (rally docs "composite"): its parts run one after the other, each measured by
// itself, and leave ids for one another. What is a stream of its own runs beside others in Rally; here that
// needs connections which a client does not have yet, so that such a composite is refused.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/measured.hpp"
#include "core/operations/condition.hpp"
#include "core/operations/fields.hpp"
#include "core/operations/source.hpp"
#include "core/retry.hpp"

namespace pacenote {
namespace {

constexpr std::array<std::string_view, 14> kParts = {"close-point-in-time", "composite",
                                                     "composite-agg",       "create-point-in-time",
                                                     "delete-async-search", "delete-point-in-time",
                                                     "field-caps",          "get-async-search",
                                                     "open-point-in-time",  "paginated-search",
                                                     "raw-request",         "search",
                                                     "submit-async-search", "sleep"};

/// The parts in the order in which they run, streams unfolded. UserError for what cannot be a part.
void collect_parts(const Fields& composite, const Json& items, bool serial, std::vector<Operation>& out) {
  if (!items.is_array()) composite.fail("requests", "must be a list of operations and streams");
  bool after_stream = false;
  for (const Json& item : items) {
    if (item.is_object() && item.contains("stream")) {
      if (after_stream && !serial)
        composite.fail("requests",
                       "holds streams that are to run at the same time, which is not supported yet",
                       "max-connections: 1 lets them run one after the other");
      collect_parts(composite, item["stream"], serial, out);
      after_stream = true;
      continue;
    }
    after_stream = false;
    const std::string type = text_at(item, "operation-type");
    if (std::find(kParts.begin(), kParts.end(), type) == kParts.end())
      composite.fail("requests", type.empty() ? "holds an item that is neither a stream nor an operation"
                                              : fmt::format("holds a [{}], which cannot be a part", type));
    out.push_back({text_at(item, "name"), type, item, ""});
  }
}

std::vector<Operation> parts_of(const Json& params, const std::string& operation) {
  const Fields fields(params, operation);
  std::vector<Operation> out;
  const bool serial = fields.count("max-connections").value_or(0) == 1;
  collect_parts(fields, fields.mandatory("requests"), serial, out);
  return out;
}

class Composite final : public Runner {
 public:
  explicit Composite(const Operation& operation) : operation_(operation.name) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    if (made_of_ != call.params) make(*call.params);
    Json shared = Json::object();
    Bench inner = bench;
    if (inner.shared == nullptr) inner.shared = &shared;
    Outcome out;
    for (const std::unique_ptr<Part>& part : parts_) {
      Outcome one = co_await part->run(inner);
      for (Leaf& leaf : one.leaves) out.leaves.push_back(std::move(leaf));
      if (!one.ok) {
        one.leaves = std::move(out.leaves);
        one.weight = {0, "ops"};
        co_return one;
      }
      if (bench.stop.requested()) break;
    }
    co_return out;
  }

 private:
  /// One operation with what it is asked with.
  class Part {
   public:
    explicit Part(Operation operation) : operation_(std::move(operation)), runner_(make_runner(operation_)) {
      call_.params = &operation_.params;
      call_.options = request_options(operation_);
    }

    Async<Outcome> run(Bench bench) {
      const Instant begin = bench.clock.now();
      Measured cluster(bench.cluster, call_.options);
      Bench measured{cluster, bench.clock, bench.stop, bench.notes, bench.task, bench.shared};
      Outcome out = co_await runner_->run(measured, call_);
      if (operation_.type == "composite") co_return out;  // its parts stand for it
      const Instant end = bench.clock.now();
      Leaf leaf{operation_.name, operation_.type, cluster.used() ? cluster.sent : begin,
                cluster.used() ? cluster.received : end, out.meta};
      if (out.took_ms) leaf.meta["took"] = *out.took_ms;
      leaf.meta["success"] = out.ok;
      out.leaves.push_back(std::move(leaf));
      co_return out;
    }

   private:
    Operation operation_;
    std::unique_ptr<Runner> runner_;
    Call call_;
  };

  void make(const Json& params) {
    parts_.clear();
    for (Operation& part : parts_of(params, operation_))
      parts_.push_back(std::make_unique<Part>(std::move(part)));
    made_of_ = &params;
  }

  std::string operation_;
  std::vector<std::unique_ptr<Part>> parts_;
  const Json* made_of_ = nullptr;
};

std::unique_ptr<Runner> composite_runner(const Operation& operation) {
  return std::make_unique<Composite>(operation);
}

std::unique_ptr<ParamSource> composite_source(const Operation& operation, const Track& track, Share share) {
  parts_of(operation.params, operation.name);  // finds mistakes before the race
  return constant_params(operation, track, share);
}

std::vector<Destroys> composite_destroys(const Operation& operation, const Track& track) {
  std::vector<Destroys> out;
  if (!operation.param_source.empty()) return out;
  for (const Operation& part : parts_of(operation.params, operation.name)) {
    const OperationType* type = Registry<OperationType>::find(part.type);
    if (type == nullptr || type->destroys == nullptr) continue;
    for (Destroys& target : type->destroys(part, track)) out.push_back(std::move(target));
  }
  return out;
}

const Registered<OperationType> composite_type{
    "composite",
    {"Runs several operations as one, in order.", false, false, composite_runner, composite_source,
     composite_destroys, nullptr}};

}  // namespace
}  // namespace pacenote
