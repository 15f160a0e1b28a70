#include "telemetry/sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pacenote::telemetry {
namespace {

constexpr std::array<const char*, 6> kFailures{"no answer", "timeout",  "connection",
                                               "TLS",       "not HTTP", "interrupted"};

/// Statuses that the same request will get again.
bool lasting(int status) {
  constexpr std::array<int, 5> statuses{400, 403, 404, 405, 410};
  return std::find(statuses.begin(), statuses.end(), status) != statuses.end();
}

}  // namespace

struct Sampler::Verdict {
  Trouble trouble = Trouble::none;
  std::string why;
};

/// The device's transport: remembers the first answer that was no success.
class Sampler::Watched final : public Transport {
 public:
  explicit Watched(Transport& inner) : inner_(inner) {}
  Async<Response> send(const Request& request) override {
    Response reply = co_await inner_.send(request);
    if (!reply.ok() && verdict.trouble == Trouble::none) judge(reply);
    co_return reply;
  }
  Verdict verdict;

 private:
  void judge(const Response& reply) {
    verdict.trouble = lasting(reply.status) ? Trouble::lasting : Trouble::passing;
    verdict.why = reply.status != 0 ? fmt::format("{}", reply.status)
                                    : kFailures[static_cast<std::size_t>(reply.failure)];
    if (reply.failure == Failure::interrupted) verdict.trouble = Trouble::interrupted;
    if (reply.body.find("not available in serverless") != std::string_view::npos) {
      verdict.trouble = Trouble::lasting;
      verdict.why = "not available in serverless mode";
    }
  }

  Transport& inner_;
};

Sampler::Sampler(std::string name, std::unique_ptr<TelemetryDevice> device)
    : name_(std::move(name)), device_(std::move(device)) {}

Async<Sampler::Verdict> Sampler::poll(Probe& probe, When when) {
  Watched watched(probe.cluster);
  Probe inner{watched, probe.metrics, probe.clock, probe.notes, probe.auth};
  try {
    co_await device_->poll(inner, when);
  } catch (const Json::exception&) {
    watched.verdict = Verdict{Trouble::passing, "unreadable answer"};
  }
  co_return watched.verdict;
}

void Sampler::switch_off(Notes& notes, const std::string& why) {
  off_ = true;
  notes.warning(fmt::format("{}: switched off, the cluster does not offer it ({})", name_, why));
}

Async<void> Sampler::once(Probe& probe, When when) {
  if (off_) co_return;
  const Verdict verdict = co_await poll(probe, when);
  if (verdict.trouble == Trouble::lasting)
    switch_off(probe.notes, verdict.why);
  else if (verdict.trouble == Trouble::interrupted)
    probe.notes.warning(fmt::format("{}: no figures from the {}, the cluster took too long", name_,
                                    when == When::start ? "start" : "end"));
  else if (verdict.trouble == Trouble::passing)
    probe.notes.warning(fmt::format("{}: no figures from the {} ({})", name_,
                                    when == When::start ? "start" : "end", verdict.why));
}

/// `passed`: due times that went by while the poll was under way.
void Sampler::count(const Verdict& verdict, std::uint64_t passed, Notes& notes) {
  if (verdict.trouble == Trouble::none) {
    ++taken_;
  } else if (verdict.trouble == Trouble::interrupted) {
    if (passed == 0) return;  // the race ended before the answer was late
    ++missing_;
  } else {
    if (reasons_.empty() && verdict.trouble == Trouble::passing)
      notes.info(fmt::format("{}: a sample is missing ({}); it goes on", name_, verdict.why));
    ++missing_;
    reasons_.insert(verdict.why);
  }
  missing_ += passed;
  if (passed > 0) reasons_.insert("slow answers");
}

Async<void> Sampler::until(Probe& probe, const Stop& stop) {
  const std::optional<Duration> every = device_->interval();
  if (!every) co_return;
  Instant due = probe.clock.now() + *every;
  while (!stop.requested() && !off_) {
    co_await probe.clock.sleep_until(due);
    if (stop.requested()) co_return;
    const Verdict verdict = co_await poll(probe, When::interval);
    const auto passed = std::max<Duration::rep>((probe.clock.now() - due) / *every, 0);
    count(verdict, static_cast<std::uint64_t>(passed), probe.notes);
    if (verdict.trouble == Trouble::interrupted) co_return;
    if (verdict.trouble == Trouble::lasting) switch_off(probe.notes, verdict.why);
    due += *every * (passed + 1);
  }
}

void Sampler::sum_up(Notes& notes) const {
  if (missing_ == 0 || (off_ && taken_ == 0)) return;
  notes.warning(fmt::format("{}: {} of {} samples missing ({})", name_, missing_, taken_ + missing_,
                            fmt::join(reasons_, ", ")));
}

}  // namespace pacenote::telemetry
