// A cluster that answers as it was told, and remembers what it was asked.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "core/transport.hpp"
#include "tests/support/fake_clock.hpp"

namespace pacenote::test {

struct Asked {
  std::string method, target, body;
  Media media;
  RequestOptions options;
};

struct Reply {
  int status = 200;
  std::string body;
  std::string head;
  Failure failure = Failure::none;
  Duration takes = std::chrono::milliseconds(1);
};

/// Answers from `script` in order, then with `otherwise`. With fail_at = n the n-th request (0-based) gets no
/// answer.
class ScriptedTransport final : public Transport {
 public:
  explicit ScriptedTransport(FakeClock& clock) : clock_(clock) {}
  Async<Response> send(const Request& request) override {
    std::string body(request.body);
    if (request.slice != nullptr) request.slice->read(body);
    asked.push_back({std::string(to_string(request.method)), request.target, std::move(body), request.media,
                     request.options});
    current_ = answer ? answer(asked.back()) : otherwise;
    if (!answer && !script.empty()) {
      current_ = script.front();
      script.pop_front();
    }
    if (asked.size() == fail_at + 1) current_ = Reply{0, "", "", Failure::connection, current_.takes};
    Response response;
    response.sent = clock_.now();
    clock_.advance(current_.takes);
    response.first_byte = response.received = clock_.now();
    response.bytes_out = asked.back().body.size();
    response.failure = current_.failure;
    if (current_.failure == Failure::none) {
      response.status = current_.status;
      response.body = current_.body;
      response.head = current_.head;
      response.bytes_in = current_.body.size();
    } else {
      response.error = "connection refused";
    }
    co_return response;
  }
  std::deque<Reply> script;
  Reply otherwise{200, "{}", "", Failure::none, std::chrono::milliseconds(1)};
  std::function<Reply(const Asked&)> answer;  ///< if set, decides alone
  std::size_t fail_at = static_cast<std::size_t>(-2);
  std::vector<Asked> asked;

 private:
  FakeClock& clock_;
  Reply current_;
};

}  // namespace pacenote::test
