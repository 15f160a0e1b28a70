// Operations that are one request, decided by their parameters alone.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/operations/fields.hpp"
#include "core/runner.hpp"

namespace pacenote {

/// A request as text, made once and sent often.
struct Plan {
  Method method = Method::get;
  std::string target, body;
  Media media = Media::json;
  bool detailed = false;         ///< the answer is to be read, not only its status
  std::vector<int> also_good{};  ///< statuses that are no failure either
};

/// Makes a plan of one call's parameters. UserError for a mistake in them.
using Planner = Plan (*)(const Fields& params);

/// Keeps the plan of an operation whose parameters never change; makes it anew for each call of a custom
/// parameter source.
class PlanCache {
 public:
  PlanCache(const Operation& operation, Planner planner)
      : planner_(planner), operation_(operation.name), constant_(operation.param_source.empty()) {}
  /// Valid until the next call.
  const Plan& plan(const Call& call);

 private:
  Planner planner_;
  std::string operation_;
  bool constant_, planned_ = false;
  Plan plan_;
};

/// The plan as a request; a view of the plan's body. The engine adds the call's options.
Request request_of(const Plan& plan);

/// Sends the plan and judges it by its status; a HEAD that finds nothing is no error.
std::unique_ptr<Runner> planned_runner(const Operation& operation, Planner planner);

/// "?a=1&b=x,y" of an object, or "". Booleans as true and false, lists with commas, nulls and `ignore` left
/// out. `sorted`: by key, as Elasticsearch's typed clients send them; else in the order written.
std::string query_of(const Json& params, bool sorted);

/// "/" and the names with commas, percent-encoded.
std::string path_of(const std::vector<std::string>& names);

/// The text of a `body` parameter: objects as JSON, strings as they are, lists as one JSON text a line.
std::string body_text(const Json& body);

}  // namespace pacenote
