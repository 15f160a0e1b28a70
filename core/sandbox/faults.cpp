#include "core/sandbox/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/error.hpp"
#include "core/sandbox/handler.hpp"
#include "core/suggest.hpp"

namespace pacenote::sandbox {
namespace {

/// Kinds that a word alone names.
constexpr std::array<std::pair<const char*, FaultKind>, 12> kWords{{{"reset", FaultKind::reset},
                                                                    {"hang", FaultKind::hang},
                                                                    {"not-http", FaultKind::not_http},
                                                                    {"truncate", FaultKind::truncate},
                                                                    {"huge-head", FaultKind::huge_head},
                                                                    {"huge-body", FaultKind::huge_body},
                                                                    {"gzip-bomb", FaultKind::gzip_bomb},
                                                                    {"half-close", FaultKind::half_close},
                                                                    {"interim", FaultKind::interim},
                                                                    {"chunked", FaultKind::chunked},
                                                                    {"trickle", FaultKind::trickle},
                                                                    {"slow-read", FaultKind::slow_read}}};

std::string words() {
  std::string out;
  for (const auto& [word, kind] : kWords) out += fmt::format(", {}", word);
  return out;
}

std::vector<std::string> keys() {
  std::vector<std::string> out{"path",  "method",       "nth",          "from",  "to",
                               "every", "after",        "for",          "since", "status",
                               "delay", "items-failed", "items-status", "hold",  "body"};
  for (const auto& [word, kind] : kWords) out.emplace_back(word);
  return out;
}

[[noreturn]] void refuse(const std::string& spec, const std::string& why, const std::string& hint) {
  throw UserError(fmt::format("fault [{}]: {}", spec, why), hint);
}

std::uint64_t number(const std::string& spec, const std::string& key, const std::string& value) {
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), out);
  if (error != std::errc() || end != value.data() + value.size() || out == 0)
    refuse(spec, fmt::format("{} must be a whole number above 0, not [{}]", key, value), "example: every=10");
  return out;
}

int status(const std::string& spec, const std::string& key, const std::string& value) {
  const std::uint64_t out = number(spec, key, value);
  if (out < 200 || out > 599)
    refuse(spec, fmt::format("{} must be from 200 to 599", key), "example: status=429");
  return static_cast<int>(out);
}

Duration time(const std::string& spec, const std::string& key, const std::string& value) {
  const std::optional<Duration> out = parse_time(value);
  if (!out || out->count() < 0 || value.find_first_not_of("0123456789") == value.npos)
    refuse(spec, fmt::format("{} must be a time with its unit, not [{}]", key, value),
           "examples: 200ms, 1.5s, 2m");
  return *out;
}

void set_kind(Fault& fault, FaultKind kind, const std::string& spec) {
  if (fault.kind != FaultKind::none && fault.kind != kind)
    refuse(spec, fmt::format("only one of status, items-failed{}", words()), "use --fault twice");
  fault.kind = kind;
}

/// True if the word stands alone and was taken.
bool put_word(Fault& fault, const std::string& key, const std::string& spec) {
  if (key == "hold") {
    fault.hold = true;
    return true;
  }
  for (const auto& [word, kind] : kWords) {
    if (key != word) continue;
    set_kind(fault, kind, spec);
    return true;
  }
  return false;
}

void put_when(Fault& fault, const std::string& key, const std::string& value, const std::string& spec) {
  if (key == "nth") fault.from = fault.to = number(spec, key, value);
  if (key == "from") fault.from = number(spec, key, value);
  if (key == "to") fault.to = number(spec, key, value);
  if (key == "every") fault.every = number(spec, key, value);
  if (key == "after") fault.after = time(spec, key, value);
  if (key == "for") fault.lasts = time(spec, key, value);
  if (key == "since") {
    if (value != "start" && value != "first")
      refuse(spec, "since is start or first", "example: since=start,after=5s");
    fault.since_start = value == "start";
  }
}

void put(Fault& fault, const std::string& key, const std::string& value, const std::string& spec) {
  if (key == "path") fault.path = value;
  if (key == "method") fault.method = value;
  if (key == "delay") fault.delay = time(spec, key, value);
  if (key == "status") {
    set_kind(fault, FaultKind::status, spec);
    fault.status = status(spec, key, value);
  }
  if (key == "items-failed") {
    set_kind(fault, FaultKind::items, spec);
    fault.items_failed = number(spec, key, value);
  }
  if (key == "items-status") fault.items_status = status(spec, key, value);
  if (key == "body") {
    set_kind(fault, FaultKind::status, spec);
    fault.body = value;
  }
  put_when(fault, key, value, spec);
}

void check(const Fault& fault, const std::string& spec) {
  if (fault.kind == FaultKind::none && fault.delay.count() == 0 && !fault.hold)
    refuse(spec, "says not what happens",
           fmt::format("add one of delay=TIME, status=CODE, items-failed=N{}", words()));
  if (fault.hold && !fault.lasts) refuse(spec, "hold needs for=TIME", "example: after=5s,for=2s,hold");
  if (fault.from > fault.to) refuse(spec, "from is above to", "example: from=5,to=9");
}

}  // namespace

Fault parse_fault(const std::string& spec) {
  static const std::vector<std::string> known_keys = keys();
  Fault fault;
  std::size_t begin = 0;
  while (begin <= spec.size()) {
    std::size_t end = std::min(spec.find(',', begin), spec.size());
    if (spec.compare(begin, 5, "body=") == 0) end = spec.size();
    const std::string part = spec.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t equals = part.find('=');
    const std::string key = part.substr(0, std::min(equals, part.size()));
    const bool known = std::find(known_keys.begin(), known_keys.end(), key) != known_keys.end();
    if (!known) refuse(spec, fmt::format("unknown part [{}]", part), suggestion(key, known_keys));
    if (equals == std::string::npos) {
      if (!put_word(fault, key, spec))
        refuse(spec, fmt::format("{} needs a value", key), fmt::format("{}=…", key));
    } else {
      put(fault, key, part.substr(equals + 1), spec);
    }
  }
  check(fault, spec);
  return fault;
}

ErrorText injected_error(int status) {
  switch (status) {
    case 400:
      return {"illegal_argument_exception", "injected by the sandbox"};
    case 401:
      return {"security_exception", "missing authentication credentials (injected by the sandbox)"};
    case 403:
      return {"security_exception", "action is unauthorized (injected by the sandbox)"};
    case 404:
      return {"resource_not_found_exception", "not found (injected by the sandbox)"};
    case 409:
      return {"version_conflict_engine_exception", "version conflict (injected by the sandbox)"};
    case 429:
      return {"es_rejected_execution_exception", "rejected execution (injected by the sandbox)"};
    case 503:
      return {"cluster_block_exception",
              "blocked by: [SERVICE_UNAVAILABLE/1/state not recovered] (injected by the sandbox)"};
    default:
      return {"exception", "injected by the sandbox"};
  }
}

FaultPlan::FaultPlan(std::vector<Fault> faults, Instant started) : started_(started) {
  replace(std::move(faults), started);
}

void FaultPlan::replace(std::vector<Fault> faults, Instant now) {
  const std::lock_guard lock(mutex_);
  faults_.clear();
  started_ = now;
  for (Fault& fault : faults) faults_.push_back({std::move(fault), 0, std::nullopt});
}

bool FaultPlan::empty() const {
  const std::lock_guard lock(mutex_);
  return faults_.empty();
}

Instant FaultPlan::begin_of(const Counted& counted) const {
  return (counted.fault.since_start ? started_ : *counted.first) +
         counted.fault.after.value_or(Duration::zero());
}

bool FaultPlan::applies(Counted& counted, Instant now) const {
  const Fault& fault = counted.fault;
  ++counted.count;
  if (!counted.first) counted.first = now;
  if (counted.count < fault.from || counted.count > fault.to) return false;
  if ((counted.count - fault.from + 1) % fault.every != 0) return false;
  const Instant begin = begin_of(counted);
  return now >= begin && (!fault.lasts || now < begin + *fault.lasts);
}

Effect FaultPlan::next(std::string_view method, std::string_view path, Instant now) {
  const std::lock_guard lock(mutex_);
  Effect effect;
  for (Counted& counted : faults_) {
    const Fault& fault = counted.fault;
    if (!wildcard_match(fault.path, path) || (!fault.method.empty() && fault.method != method)) continue;
    if (!applies(counted, now)) continue;
    effect.delay += fault.delay;
    if (fault.hold) effect.not_before = std::max(effect.not_before, begin_of(counted) + *fault.lasts);
    if (fault.kind == FaultKind::none || effect.kind != FaultKind::none) continue;
    effect.kind = fault.kind;
    effect.status = fault.status;
    effect.items_status = fault.items_status;
    effect.items_failed = fault.items_failed;
    effect.body = fault.body;
  }
  return effect;
}

}  // namespace pacenote::sandbox
