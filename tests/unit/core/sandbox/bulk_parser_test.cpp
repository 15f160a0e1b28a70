#include "core/sandbox/bulk_parser.hpp"

#include "core/sandbox/json_check.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::sandbox::bulk_parser_test {

ParsedBulk parse(std::string_view body, Flavor flavor = Flavor::elasticsearch_8,
                 std::string_view index = "i") {
  return parse_bulk(body, index, flavor);
}

TEST_CASE("actions are read as they are usually written and as JSON allows", "[bulk_parser]") {
  const auto body =
      GENERATE(as<std::string>(), "{\"index\":{\"_index\":\"x\",\"_id\":\"7\"}}\n{\"a\":1}\n",
               "{\"index\": {\"_index\": \"x\", \"_id\": \"7\"}}\n{\"a\":1}\n",
               "{\"index\":{\"_id\":7,\"_index\":\"x\",\"version_type\":\"internal\"}}\r\n{\"a\":1}\r\n",
               "\n{\"index\":{\"_index\":\"\\u0078\",\"_id\":\"7\"}}\n{\"a\":1}\n");
  const ParsedBulk parsed = parse(body);
  REQUIRE_FALSE(parsed.mistake);
  REQUIRE(parsed.actions.size() == 1);
  CHECK(parsed.actions[0].index == "x");
  CHECK(parsed.actions[0].id == "7");
  CHECK(parsed.actions[0].valid);
}

TEST_CASE("the index of the path is the default", "[bulk_parser]") {
  const std::string body =
      "{\"index\":{}}\n{\"a\":1}\n{\"delete\":{\"_id\":\"1\"}}\n{\"create\":{\"_index\":\"y\"}}\n{}\n";
  const ParsedBulk parsed = parse(body);
  REQUIRE(parsed.actions.size() == 3);
  CHECK(parsed.actions[0].index == "i");
  CHECK(parsed.actions[1].op == Op::del);
  CHECK(parsed.actions[2].index == "y");
  CHECK(parsed.actions[2].op == Op::create);
}

TEST_CASE("a bulk that cannot be read is refused with the product's words", "[bulk_parser]") {
  struct Case {
    std::string body, type, reason;
  };
  const auto c = GENERATE(values<Case>({
      {"", "parse_exception", "request body is required"},
      {"{\"index\":{}}\n{\"a\":1}", "illegal_argument_exception",
       "The bulk request must be terminated by a newline [\\n]"},
      {"\"x\"\n", "illegal_argument_exception",
       "Malformed action/metadata line [1], expected START_OBJECT but found [VALUE_STRING]"},
      {"{\"index\":{}}\n{}\n{\"nonsense\":{}}\n{}\n", "illegal_argument_exception",
       "Malformed action/metadata line [3], expected field [create], [delete], [index] or [update] but found "
       "[nonsense]"},
      {"{\"index\":{\"_colour\":\"x\"}}\n{}\n", "illegal_argument_exception",
       "Action/metadata line [1] contains an unknown parameter [_colour]"},
      {"{\"update\":{}}\n{}\n", "action_request_validation_exception",
       "Validation Failed: 1: id is missing;"},
      {"{\"index\":{\n{}\n", "x_content_parse_exception", "Unexpected character in action/metadata line [1]"},
  }));
  const ParsedBulk parsed = parse(c.body);
  REQUIRE(parsed.mistake);
  CHECK(parsed.mistake->type == c.type);
  CHECK(parsed.mistake->reason == c.reason);
}

TEST_CASE("an action without an index is refused", "[bulk_parser]") {
  const ParsedBulk parsed = parse("{\"index\":{}}\n{}\n", Flavor::elasticsearch_8, "");
  REQUIRE(parsed.mistake);
  CHECK(parsed.mistake->reason == "Validation Failed: 1: index is missing;");
}

TEST_CASE("Elasticsearch 7 passes over unknown actions", "[bulk_parser]") {
  const std::string body = "{\"nonsense\":{}}\n{}\n{\"index\":{}}\n{}\n";
  const ParsedBulk parsed = parse(body, Flavor::elasticsearch_7);
  REQUIRE_FALSE(parsed.mistake);
  CHECK(parsed.actions.size() == 1);
}

TEST_CASE("a broken document spoils only its own item", "[bulk_parser]") {
  const std::string body = "{\"index\":{}}\n{\"a\":}\n{\"index\":{}}\n{\"a\":1}\n";
  const ParsedBulk parsed = parse(body);
  REQUIRE(parsed.actions.size() == 2);
  CHECK_FALSE(parsed.actions[0].valid);
  CHECK(parsed.actions[1].valid);
}

TEST_CASE("only whole JSON objects are documents", "[json_check]") {
  const auto good =
      GENERATE(as<std::string>(), "{}", " { } ", R"({"a":[1,-2.5e+3,0.1,true,false,null,"\n\u00e4"]})",
               "{\"a\":\"\xc3\xa4\"}", R"({"a":{"b":{"c":[[],{}]}}})", "{\"a\":1}\r");
  CHECK(is_json_object(good));
  const auto bad = GENERATE(as<std::string>(), "", "[]", "1", "{", R"({"a"})", R"({"a":1,})", R"({"a":01})",
                            R"({"a":"b)", R"({"a":tru})", R"({"a":1}x)", R"({"a":"\x"})", "{\"a\":\"\t\"}",
                            "{\"a\":\"\xff\"}", R"({a:1})", R"({"a":1}{"b":2})", R"({"a":-})", R"({"a":1.})");
  CHECK_FALSE(is_json_object(bad));
}

}  // namespace pacenote::sandbox::bulk_parser_test
