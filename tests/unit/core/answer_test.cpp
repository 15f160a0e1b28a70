#include "core/answer.hpp"

#include <cstring>

#include "tests/support/catch.hpp"

namespace pacenote::answer_test {

/// Feeds the bytes in pieces of `step`, as a socket would; returns where it ended.
Answer::State feed(ReadBuffer& buffer, Answer& answer, std::string_view bytes, std::size_t step) {
  Answer::State state = Answer::State::more;
  for (std::size_t at = 0; at < bytes.size() && state == Answer::State::more; at += step) {
    const std::string_view piece = bytes.substr(at, step);
    buffer.reserve(buffer.size() + piece.size());
    std::memcpy(buffer.room(), piece.data(), piece.size());
    buffer.commit(piece.size());
    state = answer.parse();
  }
  return state;
}

TEST_CASE("an answer is read the same however its bytes are cut", "[answer]") {
  const std::string body = "{\"took\":3,\"errors\":false}";
  const std::string sized = "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 25\r\n\r\n" + body;
  const std::string chunked =
      "HTTP/1.1 200 OK\r\ntransfer-encoding: "
      "chunked\r\n\r\n5\r\n{\"too\r\n14\r\nk\":3,\"errors\":false}\r\n0\r\n\r\n";
  const std::string continued = "HTTP/1.1 100 Continue\r\n\r\n" + sized;
  for (const std::string& bytes : {sized, chunked, continued}) {
    for (std::size_t step = 1; step <= bytes.size(); ++step) {
      INFO(bytes << " in pieces of " << step);
      ReadBuffer buffer;
      Answer answer(buffer, false);
      REQUIRE(feed(buffer, answer, bytes, step) == Answer::State::done);
      CHECK(answer.status() == 200);
      CHECK(answer.body() == body);
      CHECK(answer.keep_alive());
      CHECK_FALSE(answer.compressed());
    }
  }
}

TEST_CASE("what is skipped of a body counts as received", "[answer]") {
  ReadBuffer buffer;
  Answer answer(buffer, false);
  CHECK_FALSE(answer.may_skip());
  const std::string bytes = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc";
  REQUIRE(feed(buffer, answer, bytes, 1000) == Answer::State::more);
  CHECK(answer.may_skip());
  CHECK(answer.wanted() == 997);
  answer.skipped(996);
  CHECK(answer.wanted() == 1);
  CHECK(answer.parse() == Answer::State::more);
  CHECK(answer.end_of_stream() == Answer::State::broken);
  answer.skipped(1);
  CHECK(answer.parse() == Answer::State::done);
  CHECK(answer.body() == "abc");
  CHECK(answer.keep_alive());
}

TEST_CASE("answers with an error, a packed or a chunked body are kept whole", "[answer]") {
  for (const char* bytes :
       {"HTTP/1.1 500 No\r\nContent-Length: 1000\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1000\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab", "HTTP/1.1 200 OK\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"}) {
    ReadBuffer buffer;
    Answer answer(buffer, false);
    feed(buffer, answer, bytes, 1000);
    CHECK_FALSE(answer.may_skip());
  }
}

TEST_CASE("an answer without a length ends where the server closes", "[answer]") {
  ReadBuffer buffer;
  Answer answer(buffer, false);
  CHECK(feed(buffer, answer, "HTTP/1.0 200 OK\r\n\r\nabc", 7) == Answer::State::more);
  CHECK(answer.end_of_stream() == Answer::State::done);
  CHECK(answer.body() == "abc");
  CHECK_FALSE(answer.keep_alive());
}

TEST_CASE("the answer to HEAD has no body, whatever length it names", "[answer]") {
  ReadBuffer buffer;
  Answer answer(buffer, true);
  CHECK(feed(buffer, answer, "HTTP/1.1 200 OK\r\ncontent-length: 520\r\n\r\n", 64) == Answer::State::done);
  CHECK(answer.body().empty());
  CHECK(answer.keep_alive());
}

TEST_CASE("what is not HTTP, cut short or too large is said so", "[answer]") {
  const auto broken = [](std::string_view bytes) {
    ReadBuffer buffer;
    Answer answer(buffer, false);
    Answer::State state = feed(buffer, answer, bytes, 1000);
    if (state == Answer::State::more) state = answer.end_of_stream();
    CHECK(state == Answer::State::broken);
    return answer.error();
  };
  CHECK(broken("SSH-2.0-OpenSSH_9.2\r\n").find("not HTTP") != std::string::npos);
  CHECK(broken(std::string("\x15\x03\x01\x00\x02\x02\x46", 7)).find("TLS") != std::string::npos);
  CHECK(broken("HTTP/1.1 200 OK\r\nContent-").find("head") != std::string::npos);
  CHECK(broken("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc").find("body") != std::string::npos);
  CHECK(broken("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n").find("broken") !=
        std::string::npos);
  CHECK(broken("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n").find("256 MB") != std::string::npos);
  CHECK(broken("HTTP/1.1 200 OK\r\nX: " + std::string(70'000, 'x')).find("head") != std::string::npos);
}

}  // namespace pacenote::answer_test
