#include "tracks/generator.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cstdio>
#include <memory>
#include <string_view>
#include <system_error>

#include "core/error.hpp"
#include "core/random.hpp"
#include "core/suggest.hpp"
#include "tracks/draft.hpp"

namespace pacenote::tracks {
namespace {

/// Integers only: no two machines differ.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  std::uint64_t next() { return random_.next(); }
  /// In [0, 2^bits), each octave equally likely: value v has a chance of about 1/v, as in Zipf's law.
  std::uint64_t rank(std::uint64_t bits) {
    const std::uint64_t octave = std::uint64_t{1} << next() % bits;
    return octave - 1 + next() % octave;
  }

 private:
  Random random_;
};

void put(std::string& out, std::uint64_t number) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out.append(digits.data(), static_cast<std::size_t>(end.ptr - digits.data()));
}

constexpr std::array<std::string_view, 12> sections = {"articles", "products", "images",  "api/v2/items",
                                                       "search",   "account",  "styles",  "news/archive",
                                                       "cart",     "docs",     "scripts", "download/files"};
constexpr std::array<std::string_view, 12> endings = {".html", "",      ".jpg", "",      "",    "/settings",
                                                      ".css",  ".html", "",     ".html", ".js", ".tar.gz"};

/// An entry of a web server's access log: few pages and clients make most of the requests, time goes on by
/// two seconds per three requests, so that a million documents span about a week.
class AccessLog {
 public:
  explicit AccessLog(std::uint64_t seed) : random_(seed) {}
  void append(std::string& out) {
    const std::uint64_t page = random_.rank(14), client = random_.rank(16), dice = random_.next();
    time_ += dice % 3 == 0 ? 0 : 1;
    out += R"({"@timestamp":)";
    put(out, time_);
    out += R"(,"clientip":")";
    put_client(out, client);
    out += R"(","request":")";
    put_request(out, page, dice >> 8U);
    const std::uint64_t status = status_of(dice >> 32U);
    out += R"( HTTP/1.1","status":)";
    put(out, status);
    out += R"(,"size":)";
    put(out, status == 304 || status == 204 ? 0 : 200 + stirred(page) % 50'000 + (dice >> 56U));
    out += "}\n";
  }

 private:
  /// Private addresses only: no real machine is named.
  static void put_client(std::string& out, std::uint64_t client) {
    const std::uint64_t bits = stirred(client + 1);
    out += "10.";
    put(out, bits & 255U);
    out += '.';
    put(out, bits >> 8U & 255U);
    out += '.';
    put(out, bits >> 16U & 255U);
  }
  static void put_request(std::string& out, std::uint64_t page, std::uint64_t dice) {
    const std::uint64_t bits = stirred(page), section = bits % sections.size();
    out += dice % 24 == 0 ? "POST /" : "GET /";
    out += sections[section];
    out += '/';
    put(out, page);
    out += '-';
    put(out, bits >> 40U);
    out += endings[section];
  }
  static std::uint64_t status_of(std::uint64_t dice) {
    const std::uint64_t of_1000 = dice % 1000;
    if (of_1000 < 855) return 200;
    if (of_1000 < 960) return 304;
    if (of_1000 < 985) return 404;
    if (of_1000 < 992) return 302;
    if (of_1000 < 996) return 204;
    return of_1000 < 999 ? 500 : 403;
  }

  Dice random_;
  std::uint64_t time_ = 1'735'689'600;  // 2025-01-01T00:00:00Z
};

std::string text_of(const Json& json) { return json.is_string() ? json.get<std::string>() : to_text(json); }

AccessLog maker(const Json& spec) {
  const std::string name = spec.is_object() ? text_of(spec.value("name", Json())) : text_of(spec);
  if (name != "access-log")
    throw UserError(fmt::format("unknown document generator [{}]", name), suggestion(name, {"access-log"}));
  const Json seed = spec.is_object() ? spec.value("seed", Json(1)) : Json(1);
  if (!seed.is_number_integer())
    throw UserError(
        fmt::format("the seed of a document generator must be an integer; found {}", to_text(seed)),
        "give a whole number");
  return AccessLog(seed.get<std::uint64_t>());
}

struct CloseCorpus {
  void operator()(std::FILE* f) const { std::fclose(f); }
};

}  // namespace

void generate(const Json& spec, std::uint64_t count, const std::filesystem::path& target,
              const GenerateProgress& progress) {
  AccessLog log = maker(spec);
  std::unique_ptr<std::FILE, CloseCorpus> out(std::fopen(target.c_str(), "wb"));
  const auto failed = [&] { throw cannot_be_written(target, std::generic_category().message(errno)); };
  if (!out) failed();
  constexpr std::size_t block = 1 << 20;
  std::string buffer;
  buffer.reserve(block + 1024);
  for (std::uint64_t n = 0; n < count; ++n) {
    log.append(buffer);
    if (buffer.size() < block && n + 1 < count) continue;
    if (std::fwrite(buffer.data(), 1, buffer.size(), out.get()) != buffer.size()) failed();
    buffer.clear();
    progress(n + 1);
  }
  if (std::fclose(out.release()) != 0) failed();
}

std::string generated_text(const Json& spec, std::uint64_t count) {
  AccessLog log = maker(spec);
  std::string out;
  for (std::uint64_t n = 0; n < count; ++n) log.append(out);
  return out;
}

}  // namespace pacenote::tracks
