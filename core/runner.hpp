// How a request is made: one Runner per operation type, one object per client and task.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/async.hpp"
#include "core/clock.hpp"
#include "core/json.hpp"
#include "core/names.hpp"
#include "core/notes.hpp"
#include "core/params.hpp"
#include "core/registry.hpp"
#include "core/stop.hpp"
#include "core/track.hpp"
#include "core/transport.hpp"

namespace pacenote {

/// One part of a composite, which is measured by itself.
struct Leaf {
  std::string operation, type;
  Instant begin, end;
  Json meta;
};

/// What became of one call (rally driver.py:2150-2287, behaviour B.1 and C.6).
struct Outcome {
  bool ok = true;
  Weight weight;                        ///< 0 ops for a request that failed on the wire or by its status
  int status = 0;                       ///< of the answer, or the worst of a bulk's items; 0: no answer
  std::string error_type;               ///< "transport", "api", "bulk", …; empty where ok
  std::string error;                    ///< Rally's error-description; empty where ok
  std::optional<std::int64_t> took_ms;  ///< the server's own word
  std::uint64_t items_ok = 0, items_failed = 0;  ///< documents of a bulk
  std::optional<double> throughput;              ///< runner-supplied, in weight.unit per second
  Json meta;  ///< further request meta; null: none. Interned per distinct text, so keep it small
  std::vector<Leaf> leaves;  ///< of a composite, in the order in which they ended
  bool fatal = false;  ///< a mistake in the track (missing parameter): the race ends whatever --on-error says
};

/// What a runner works with. All members outlive the run.
struct Bench {
  Transport& cluster;
  Clock& clock;
  const Stop& stop;
  Notes& notes;
  std::string_view task;   ///< the task's name, for notes
  Json* shared = nullptr;  ///< in a composite: what its parts leave for one another; see shared_ids.hpp
};

class Runner {
 public:
  virtual ~Runner() = default;
  /// Never throws for what the cluster does. A UserError thrown here ends the race (a mistake in the track).
  virtual Async<Outcome> run(Bench& bench, const Call& call) = 0;
  /// [0, 1]; 1 ends the task. None: the runner does not know.
  virtual std::optional<double> progress() const { return std::nullopt; }
};

/// What an operation would destroy, for the guard. `name` may be a comma list or hold wildcards.
struct Destroys {
  enum class Kind : std::uint8_t {
    index,
    data_stream,
    legacy_template,
    composable_template,
    component_template,
    pipeline,
    lifecycle_policy,
    enrich_policy,
    transform,
    ml_job,
    ml_datafeed,
    snapshot_repository
  };
  Kind kind;
  std::string name;
};

/// One file in core/operations registers one of these. `help` is one sentence for `list operations`.
struct OperationType {
  std::string_view help;
  bool admin = false;    ///< hidden from the report unless it had errors
  bool retried = false;  ///< obeys retries, retry-until-success, … (behaviour B.1, column R)
  std::unique_ptr<Runner> (*runner)(const Operation&) = nullptr;
  /// UserError for a mistake in the operation.
  std::unique_ptr<ParamSource> (*params)(const Operation&, const Track&, Share) = nullptr;
  std::vector<Destroys> (*destroys)(const Operation&, const Track&) = nullptr;
  /// Names of indices it would create, which the store then knows as ours.
  std::vector<std::string> (*creates)(const Operation&, const Track&) = nullptr;
};

/// The source of every type that needs no other: the operation object unchanged, endlessly, with its
/// request-timeout, headers, opaque-id and ignore as options (behaviour B.1, "Generic params").
std::unique_ptr<ParamSource> constant_params(const Operation&, const Track&, Share);

/// Options that an operation object asks of its requests. UserError for a value of the wrong type.
RequestOptions request_options(const Operation& operation);

/// The Outcome of a single plain request: ok by status or `ignore`, else weight 0 and Rally's error meta.
Outcome outcome_of(const Response& response, const RequestOptions& options);

}  // namespace pacenote
