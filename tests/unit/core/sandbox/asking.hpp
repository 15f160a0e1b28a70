// A sandbox node on a clock that only the test moves.
#pragma once

#include <string>

#include "core/json.hpp"
#include "core/sandbox/node.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::test {

struct Said {
  int status;
  std::string text;
  Json json;
  std::string content_type;
};

class AskedNode {
 public:
  explicit AskedNode(sandbox::Flavor flavor = sandbox::Flavor::elasticsearch_8, std::uint32_t nodes = 2)
      : node_(
            options(flavor, nodes), [this] { return time_; },
            WallTime(std::chrono::milliseconds(1'700'000'000'000))) {}

  /// Waits as a connection would, on the test's clock.
  Said ask(const std::string& method, const std::string& target, const std::string& body = {},
           const std::string& content_type = "application/json") {
    sandbox::Asked request = sandbox::asked(method, target, body);
    request.content_type = body.empty() ? "" : content_type;
    return ask(request);
  }
  Said ask(const sandbox::Asked& request) {
    const Instant begin = time_;
    sandbox::Waited waited;
    sandbox::Answer answer = node_.handle(request, waited);
    while (answer.again.count() > 0) {
      time_ += answer.again;
      waited = {time_ - begin, answer.ticket};
      answer = node_.handle(request, waited);
    }
    waited_ = time_ - begin;
    return {answer.status, answer.body, parse_json(answer.body), answer.content_type};
  }
  Said bulk(const std::string& target, const std::string& body) {
    return ask("POST", target, body, "application/x-ndjson");
  }
  void pass(Duration time) { time_ += time; }
  Duration waited() const { return waited_; }
  sandbox::Node& node() { return node_; }

 private:
  static sandbox::Options options(sandbox::Flavor flavor, std::uint32_t nodes) {
    sandbox::Options out;
    out.as = flavor;
    out.data_nodes = nodes;
    return out;
  }

  Instant time_ = Instant(std::chrono::hours(1));
  Duration waited_{};
  sandbox::Node node_;
};

/// `count` index actions without ids, each with a small document.
inline std::string plain_bulk(std::size_t count, const std::string& index = "logs") {
  std::string out;
  for (std::size_t i = 0; i < count; ++i)
    out += R"({"index":{"_index":")" + index + "\"}}\n{\"n\":" + std::to_string(i) + ",\"name\":\"a b\"}\n";
  return out;
}

}  // namespace pacenote::test
