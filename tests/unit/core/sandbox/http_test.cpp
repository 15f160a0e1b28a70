#include "core/sandbox/http.hpp"

#include "tests/support/catch.hpp"

namespace pacenote::sandbox::http_test {

TEST_CASE("a request's head is read", "[http]") {
  const std::string text =
      "POST /a%20b/_bulk?refresh=true&x HTTP/1.1\r\nHost: x\r\nCONTENT-LENGTH: "
      "12\r\nContent-Type:application/json \r\n"
      "Expect: 100-continue\r\nAccept-Encoding: gzip, deflate\r\n";
  const auto head = parse_head(text);
  REQUIRE(head);
  CHECK(head->method == "POST");
  CHECK(head->content_length == 12);
  CHECK(head->content_type == "application/json");
  CHECK(head->expects_continue);
  CHECK(head->keep_alive);
  CHECK(head->accept_encoding == "gzip, deflate");
  const Asked request = asked(head->method, head->target);
  CHECK(request.segments == std::vector<std::string>{"a b", "_bulk"});
  CHECK(request.flag("refresh"));
  CHECK(request.param("x", "none").empty());
  CHECK(request.param("y", "none") == "none");
}

TEST_CASE("what is not HTTP is no head", "[http]") {
  CHECK_FALSE(parse_head("hello\r\n"));
  CHECK_FALSE(parse_head("GET / HTTP/3.0\r\n"));
  CHECK_FALSE(parse_head("GET  HTTP/1.1\r\n"));
  CHECK_FALSE(parse_head("GET / HTTP/1.1\r\nContent-Length: 1x\r\n"));
}

TEST_CASE("connections close where HTTP says so", "[http]") {
  CHECK_FALSE(parse_head("GET / HTTP/1.1\r\nConnection: close\r\n")->keep_alive);
  CHECK_FALSE(parse_head("GET / HTTP/1.0\r\n")->keep_alive);
  CHECK(parse_head("GET / HTTP/1.0\r\nConnection: keep-alive\r\n")->keep_alive);
}

TEST_CASE("chunks are put together however they are cut", "[http]") {
  const std::string text =
      "4\r\nWiki\r\n6;x=y\r\npedia \r\nE\r\nin \r\n\r\nchunks.\r\n0\r\nTrailer: a\r\n\r\nNEXT";
  const auto step = GENERATE(1U, 2U, 3U, 7U, 100U);
  ChunkReader reader;
  std::string body, pending;
  std::size_t used = 0;
  for (std::size_t i = 0; i < text.size() && !reader.done(); i += step) {
    pending += text.substr(i, step);
    const std::size_t taken = reader.take(pending, body);
    pending.erase(0, taken);
    used += taken;
  }
  CHECK(reader.done());
  CHECK(body == "Wikipedia in \r\n\r\nchunks.");
  CHECK(used == text.size() - 4);
}

TEST_CASE("chunks that are none are noticed", "[http]") {
  ChunkReader reader;
  std::string body;
  reader.take("zz\r\n", body);
  CHECK(reader.broken());
}

TEST_CASE("the answer to HEAD tells the length and has no body", "[http]") {
  Answer answer;
  answer.body = "{}";
  CHECK(to_http(answer, true, true) ==
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n");
  CHECK(to_http(answer, false, false).ends_with("connection: close\r\ncontent-length: 2\r\n\r\n{}"));
}

}  // namespace pacenote::sandbox::http_test
