// Operations of several requests: the first that fails is what became of the operation.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "core/runner.hpp"

namespace pacenote {

/// One call's requests. `bench` and `call` outlive it.
class Steps {
 public:
  Steps(Bench& bench, const Call& call) : bench_(bench), call_(call) {}

  /// The answer's views are valid until the next send.
  Async<Response> send(Method method, std::string target, std::string body = {});

  /// A GET that may take a minute even where the call's time-out is shorter: for questions beside a request
  /// that a short time-out cuts off on purpose.
  Async<Response> ask(std::string target);

  /// Whether the answer is good, by its status, the call's `ignore` or the statuses of `also`; if not and
  /// nothing failed before, outcome() is made of it.
  bool accept(const Response& response, std::initializer_list<int> also = {});

  /// Fails with our own words instead, unless something failed before.
  void fail(std::string error_type, std::string error);

  bool failed() const { return !outcome_.ok; }
  bool stopped() const { return bench_.stop.requested(); }
  Outcome& outcome() { return outcome_; }
  /// As it is, or with this weight where nothing failed.
  Outcome weighing(double amount);

 private:
  Bench& bench_;
  const Call& call_;
  Outcome outcome_;
};

/// PUTs each of the call's parameter `key`, a list of names or of [name, body] (rally's runners take it so),
/// below `path` ("" or "/_template"). Worth as many ops.
std::unique_ptr<Runner> put_each(const Operation& operation, std::string_view key, std::string_view path);

}  // namespace pacenote
