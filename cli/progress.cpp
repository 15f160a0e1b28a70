#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace pacenote::cli {
namespace {

constexpr std::size_t kFigures = 42;  ///< columns for what stands behind the name

std::string rate_text(double rate, const char* unit) {
  if (rate < 10) return fmt::format("{:.1f} {}/s", rate, unit);
  return fmt::format("{} {}/s", grouped(static_cast<std::uint64_t>(std::llround(rate))), unit);
}

}  // namespace

std::string clipped(const std::string& text, std::size_t width) {
  if (text.size() <= width) return text;
  std::size_t keep = width < 3 ? 0 : width - 3;
  while (keep > 0 && (static_cast<unsigned char>(text[keep]) & 0xC0U) == 0x80U) --keep;
  return text.substr(0, keep) + "...";
}

double Meter::rate(Instant now) {
  amounts_.emplace_back(now, task_.progress->amount.load());
  if (amounts_.size() > 5) amounts_.pop_front();
  const auto& [since, before] = amounts_.front();
  const double span = seconds(now - since);
  return span > 0 ? (amounts_.back().second - before) / span : 0;
}

std::string Meter::line(Instant now, std::size_t width) {
  return text(task_.progress->fraction.load(), rate(now), width);
}

std::string Meter::short_line(Instant now) {
  const double fraction = task_.progress->fraction.load();
  std::string out = task_.name;
  if (fraction >= 0) out += fmt::format(" {:.0f}%", std::floor(std::min(fraction, 1.0) * 100));
  if (const double r = rate(now); r > 0) out += ' ' + rate_text(r, task_.progress->unit.load());
  return out;
}

std::string Meter::last_line(Instant now, std::size_t width, bool completed) const {
  const Instant last = task_.progress->last.load();  // others of the same element may have gone on
  const double span = seconds((last > begun_ ? last : now) - begun_);
  const double rate = span > 0 ? task_.progress->amount.load() / span : 0;
  return text(completed ? 1 : task_.progress->fraction.load(), rate, width);
}

std::string Meter::text(double fraction, double rate, std::size_t width) const {
  const std::size_t column = std::clamp<std::size_t>(width, kFigures + 12, kFigures + 60) - kFigures;
  std::string out = fmt::format("{:<{}} ", clipped(task_.name, column), column);
  if (fraction >= 0)  // rounded down: 100 % is said only of what has ended
    out += fmt::format("[{:3.0f}% done]", std::floor(std::min(fraction, 1.0) * 100));
  else
    out += fmt::format("[{} requests]", grouped(task_.progress->requests.load()));
  if (rate > 0) out += "  " + rate_text(rate, task_.progress->unit.load());
  if (const std::uint64_t failed = task_.progress->failed.load(); failed > 0)
    out += fmt::format("  {} failed", grouped(failed));
  return clipped(out, width);
}

}  // namespace pacenote::cli
