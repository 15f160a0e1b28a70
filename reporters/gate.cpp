#include "reporters/gate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/error.hpp"
#include "core/glob.hpp"
#include "core/suggest.hpp"
#include "core/text.hpp"

namespace pacenote::reporters {
namespace {

[[noreturn]] void bad(const std::string& text, std::size_t at, const std::string& what, std::string hint) {
  if (hint.empty())
    hint = "for example: error_rate>0, p99 service_time>250ms, search-*: throughput drop>5% significant";
  throw UserError(fmt::format("--fail-on \"{}\", column {}: {}", text, at + 1, what), std::move(hint),
                  ExitCode::usage);
}

struct Spelling {
  std::string_view text;
  Gate::Operator value;
};
constexpr Spelling kOperators[] = {{">=", Gate::Operator::at_least}, {"<=", Gate::Operator::at_most},
                                   {"==", Gate::Operator::equal},    {"!=", Gate::Operator::unequal},
                                   {">", Gate::Operator::above},     {"<", Gate::Operator::below}};

struct ChangeWord {
  std::string_view word;
  Gate::Of of;
};
constexpr ChangeWord kChanges[] = {
    {"drop", Gate::Of::drop}, {"rise", Gate::Of::rise}, {"change", Gate::Of::change}};

struct UnitWord {
  std::string_view word;
  Dimension of;
  double factor;
};
constexpr UnitWord kUnits[] = {{"us", Dimension::ms, 1e-3},
                               {"ms", Dimension::ms, 1},
                               {"s", Dimension::ms, 1e3},
                               {"m", Dimension::ms, 6e4},
                               {"min", Dimension::ms, 6e4},
                               {"%", Dimension::ratio, 0.01},
                               {"b", Dimension::bytes, 1},
                               {"kb", Dimension::bytes, 1024.},
                               {"mb", Dimension::bytes, 1048576.},
                               {"gb", Dimension::bytes, 1073741824.},
                               {"tb", Dimension::bytes, 1099511627776.},
                               {"", Dimension::count, 1},
                               {"", Dimension::rate, 1},
                               {"/s", Dimension::rate, 1},
                               {"docs/s", Dimension::rate, 1},
                               {"ops/s", Dimension::rate, 1},
                               {"pages/s", Dimension::rate, 1}};

std::string units_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::ms:
      return "write us, ms, s or min after the number";
    case Dimension::ratio:
      return "write % after the number";
    case Dimension::rate:
      return "write nothing or /s after the number";
    case Dimension::bytes:
      return "write B, kB, MB, GB or TB (of 1024) after the number";
    case Dimension::count:
      break;
  }
  return "write nothing after the number";
}

/// "5%" in the dimension; zero needs no unit.
double limit_from(const std::string& text, std::size_t at, std::string_view word, Dimension dimension) {
  double number = 0;
  const char* const end = word.data() + word.size();
  const auto [read_to, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc() || !std::isfinite(number))
    bad(text, at, fmt::format("a number is expected, not [{}]", word), "");
  const std::string unit =
      lower_case(trimmed(std::string_view(read_to, static_cast<std::size_t>(end - read_to))));
  if (unit.empty() && number == 0) return 0;
  for (const UnitWord& known : kUnits) {
    if (known.of == dimension && known.word == unit) return number * known.factor;
  }
  bad(text, at, fmt::format("[{}] is no limit for this metric", word), units_of(dimension));
}

/// The metric's words, the change's word taken off.
std::string_view take_change(std::string_view words, Gate::Of& of) {
  for (const ChangeWord& change : kChanges) {
    if (!words.ends_with(change.word)) continue;
    const std::string_view rest = words.substr(0, words.size() - change.word.size());
    if (rest.empty() || (rest.back() != ' ' && rest.back() != '\t')) continue;
    of = change.of;
    return trimmed(rest);
  }
  return words;
}

Quantity quantity_from(const std::string& text, std::size_t at, std::string_view words) {
  if (words.empty()) bad(text, at, "a metric is missing", "");
  try {
    return Quantity::parse(words);
  } catch (const UserError& error) {
    bad(text, at, error.what(), error.hint());
  }
}

/// What no race can reach, or none can miss, is a slip of the pen.
void check_reachable(const Gate& gate, std::size_t at) {
  if (gate.needs_baseline()) return;
  if (gate.limit < 0) bad(gate.text, at, fmt::format("{} is never below zero", gate.quantity.name()), "");
  if (gate.quantity.dimension() == Dimension::ratio && gate.limit > 1)
    bad(gate.text, at, fmt::format("{} is never above 100 %", gate.quantity.name()), "");
}

}  // namespace

Gate gate_from(const std::string& text) {
  const auto last = text.find_last_of("<>=!");
  if (last == std::string::npos) bad(text, text.size(), "a comparison is missing", "");
  std::size_t begin = last;
  if (begin > 0 && text.find_first_of("<>=!", begin - 1) == begin - 1) --begin;
  const std::string_view spelled = std::string_view(text).substr(begin, last + 1 - begin);
  const auto known = std::ranges::find(kOperators, spelled, &Spelling::text);
  if (known == std::end(kOperators))
    bad(text, begin, fmt::format("[{}] compares nothing", spelled), "known: >, >=, <, <=, ==, !=");

  const std::string_view left = std::string_view(text).substr(0, begin);
  const auto colon = left.rfind(':');
  const std::size_t metric_at = colon == std::string_view::npos ? 0 : colon + 1;
  Gate::Of of = Gate::Of::value;
  const std::string_view words = take_change(trimmed(left.substr(metric_at)), of);
  Gate gate{.text = text, .quantity = quantity_from(text, metric_at, words)};
  gate.of = of;
  gate.compare = known->value;
  if (colon != std::string_view::npos) {
    gate.tasks = trimmed(left.substr(0, colon));
    gate.names_tasks = gate.tasks != "*";
    if (gate.tasks.empty()) bad(text, 0, "a task's name is missing before the colon", "");
    if (gate.names_tasks && gate.quantity.of_whole_cluster())
      bad(text, 0, fmt::format("[{}] is a figure of the whole cluster, not of a task", gate.quantity.name()),
          "leave out the task and its colon");
  }
  std::string_view right = trimmed(std::string_view(text).substr(last + 1));
  constexpr std::string_view kSignificant = "significant";
  if (right.ends_with(kSignificant)) {
    if (!gate.needs_baseline())
      bad(text, text.rfind(kSignificant), "only a change can be significant",
          "write drop, rise or change before it");
    gate.significant = true;
    right = trimmed(right.substr(0, right.size() - kSignificant.size()));
  }
  gate.limit =
      limit_from(text, last + 1, right, gate.needs_baseline() ? Dimension::ratio : gate.quantity.dimension());
  check_reachable(gate, last + 1);
  return gate;
}

void check_before_race(const std::vector<Gate>& gates, const std::vector<std::string>& tasks) {
  for (const Gate& gate : gates) {
    if (gate.needs_baseline())
      bad(gate.text, 0, "a change needs something to compare with",
          "use it with `pacenote compare --baseline=… --contender=… --fail-on=…`");
    const auto fits = [&](const std::string& task) { return matches_glob(gate.tasks, task); };
    if (gate.names_tasks && std::ranges::none_of(tasks, fits))
      bad(gate.text, 0, fmt::format("no task of the challenge fits [{}]", gate.tasks),
          fmt::format("its tasks, nearest first: {}", fmt::join(nearest_first(gate.tasks, tasks), ", ")));
  }
}

}  // namespace pacenote::reporters
