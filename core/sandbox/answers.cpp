#include <fmt/format.h>

#include "core/random.hpp"
#include "core/sandbox/handler.hpp"

namespace pacenote::sandbox {

Answer json_answer(const Json& body, int status) {
  Answer answer;
  answer.status = status;
  answer.body = to_text(body);
  return answer;
}

Answer acknowledged() { return json_answer({{"acknowledged", true}}); }

Answer error_answer(int status, std::string_view type, std::string_view reason, const Json& extra) {
  Json cause = {{"type", type}, {"reason", reason}};
  cause.update(extra);
  Json root = cause;
  root.erase("caused_by");
  Json error = {{"root_cause", Json::array({root})}};
  error.update(cause);
  return json_answer({{"error", error}, {"status", status}}, status);
}

Answer index_not_found(std::string_view name, bool expression) {
  return error_answer(404, "index_not_found_exception", fmt::format("no such index [{}]", name),
                      {{"resource.type", expression ? "index_expression" : "index_or_alias"},
                       {"resource.id", name},
                       {"index_uuid", "_na_"},
                       {"index", name}});
}

Json shards_header(std::uint64_t total, std::uint64_t successful) {
  return {{"total", total}, {"successful", successful}, {"failed", 0}};
}

bool json_body(const Call& call, Json& body, Answer& answer) {
  body = Json::object();
  if (call.asked.body.empty()) return true;
  Json parsed = parse_json(call.asked.body);
  if (parsed.is_discarded()) {
    answer = error_answer(400, "parse_exception", "Failed to parse content to map");
    return false;
  }
  if (!parsed.is_object()) {
    answer = error_answer(400, "parsing_exception", "Expected [START_OBJECT]", {{"line", 1}, {"col", 1}});
    return false;
  }
  body = std::move(parsed);
  return true;
}

std::string plain_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : to_text(value);
}

std::string make_uuid(std::uint64_t number) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  Random random(number * 0x9E3779B97F4A7C15U + 0x2545F4914F6CDD1DU);
  for (int i = 0; i < 22; ++i)  // no index or node name begins with - or _
    out += kLetters[random.next() % (i == 0 ? 52U : 64U)];
  return out;
}

std::string make_document_id(std::uint64_t number) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out(20, 'A');
  for (std::size_t i = 0; i < 10; ++i, number /= 64) out[9 - i] = kLetters[number % 64];
  return out.replace(10, 10, "sandboxPNT");
}

}  // namespace pacenote::sandbox
