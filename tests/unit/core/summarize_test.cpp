#include "core/summarize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "core/percentile.hpp"
#include "core/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"

namespace pacenote::summarize_test {

constexpr auto kVectors = "rally/vectors/percentiles/percentiles.json";
const Instant kStart = Instant(std::chrono::hours(1));

/// A list of milliseconds, or the vectors' generator of such a list.
std::vector<double> values_ms(const Json& from) {
  if (from.is_array()) return from.get<std::vector<double>>();
  std::vector<double> out;
  const auto a = from.at("a").get<std::uint64_t>(), b = from.at("b").get<std::uint64_t>(),
             m = from.at("m").get<std::uint64_t>();
  for (std::uint64_t i = 0; i < from.at("n").get<std::uint64_t>(); ++i)
    out.push_back(static_cast<double>((i * a + b) % m) * from.at("scale").get<double>());
  return out;
}

Duration from_ms(double ms) { return Duration(std::llround(ms * 1e6)); }

/// Samples whose three times are those of the case, however little such times may go together.
std::vector<Sample> samples_of(const Json& one) {
  const auto latency = values_ms(one.at("latency_ms"));
  const auto service = values_ms(one.value("service_time_ms", one.at("latency_ms")));
  const auto processing = values_ms(one.value("processing_time_ms", one.at("latency_ms")));
  const auto warmups = one.at("warmup_count").get<std::size_t>();
  const auto fail_every = one.at("fail_every").get<std::size_t>();
  std::vector<Sample> out;
  for (std::size_t i = 0; i < latency.size(); ++i) {
    Sample sample;
    sample.type = i < warmups ? SampleType::warmup : SampleType::normal;
    sample.ok = fail_every == 0 || i % fail_every != one.at("fail_offset").get<std::size_t>();
    sample.sent =
        kStart + from_seconds(static_cast<double>(i) * one.at("relative_time_step_s").get<double>());
    sample.begin = sample.sent;
    sample.received = sample.sent + from_ms(service[i]);
    sample.throttled = latency != service;
    sample.due = sample.received - from_ms(latency[i]);
    sample.end = sample.begin + from_ms(processing[i]);
    out.push_back(sample);
  }
  return out;
}

/// The vectors' first request is sent when its task begins; where it is due before that, the task began then.
double head_start_ms(const std::vector<Sample>& samples) {
  Instant start = kStart;
  for (const Sample& sample : samples)
    if (sample.throttled) start = std::min(start, sample.due);
  return seconds(kStart - start) * 1e3;
}

bool same(const Distribution& got, const Json& expected) {
  std::size_t figures = 0;
  for (const auto& [p, value] : got.percentiles) {
    std::string key = p == std::floor(p) ? fmt::format("{:.0f}_0", p) : fmt::format("{:g}", p);
    std::replace(key.begin(), key.end(), '.', '_');
    if (!expected.contains(key) ||
        value != Approx(expected.at(key).get<double>()).epsilon(1e-12).margin(1e-9))
      return false;
    ++figures;
  }
  if (!got.mean) return expected.empty();
  return expected.size() == figures + 2 &&
         *got.mean == Approx(expected.at("mean").get<double>()).epsilon(1e-12).margin(1e-9);
}

bool holds(const Json& one) {
  Task task;
  task.include_in_reporting = !one.at("admin_operation").get<bool>();
  Names names;
  const std::vector<Sample> samples = samples_of(one);
  const TaskResult result = summarize(task, samples, names);
  const Json& expect = one.at("expect");
  if (result.include_in_reporting != expect.at("reported").get<bool>()) return false;
  if (!expect.contains("latency")) return true;
  const double duration = expect.at("duration_ms").is_null() ? 0 : expect.at("duration_ms").get<double>();
  return same(result.latency, expect.at("latency")) && same(result.service_time, expect.at("service_time")) &&
         same(result.processing_time, expect.at("processing_time")) &&
         result.error_rate == expect.at("error_rate").get<double>() &&
         result.duration_ms == Approx(duration + head_start_ms(samples)).margin(1e-6);
}

Sample request(double begin_s, double took_s, SampleType type = SampleType::normal) {
  Sample sample;
  sample.type = type;
  sample.due = sample.begin = sample.sent = kStart + from_seconds(begin_s);
  sample.first_byte = sample.received = sample.end = sample.begin + from_seconds(took_s);
  return sample;
}

TEST_CASE("a percentile lies between its closest ranks as Rally's does", "[summarize]") {
  const auto path = test::shared(kVectors);
  if (!path) return;
  const Json vectors = test::read_json(*path);
  for (const Json& row : vectors.at("percentile_value"))
    CHECK(percentile(row[0].get<std::vector<double>>(), row[1].get<double>()) ==
          Approx(row[2].get<double>()).epsilon(1e-15));
  for (const Json& row : vectors.at("keys_by_sample_count"))
    CHECK(percentiles_for(row[0].get<std::uint64_t>()).size() == row[1].size());
  for (const Json& row : vectors.at("seconds_to_ms"))
    CHECK(static_cast<double>(from_seconds(row[0].get<double>()).count()) / 1e6 == row[1].get<double>());
}

TEST_CASE("times, error rate and duration of a task are Rally's", "[summarize]") {
  const auto path = test::shared(kVectors);
  if (!path) return;
  int passed = 0;
  const Json vectors = test::read_json(*path);
  for (const Json& one : vectors.at("cases")) {
    INFO(one.at("id").get<std::string>());
    const bool right = holds(one);
    // 10^16 ms are 300,000 years: more than a Duration of nanoseconds holds
    CHECK(right != (one.at("id") == "mean-cancel"));
    passed += right ? 1 : 0;
  }
  std::cout << "vectors percentiles: " << passed << " pass, 1 listed differences\n";
}

TEST_CASE("the throughput of a task is the statistics over its normal points", "[summarize]") {
  Names names;
  std::vector<Sample> samples;
  for (int i = 0; i < 50; ++i) samples.push_back(request(i * 0.1, 0, SampleType::warmup));
  for (int i = 0; i < 500; ++i) samples.push_back(request(5 + i * 0.01, 0));
  for (Sample& sample : samples) sample.unit = names.id("docs");
  std::reverse(samples.begin(), samples.end());
  const TaskResult result = summarize(Task{}, samples, names);
  CHECK(result.throughput.unit == "docs/s");
  CHECK(*result.throughput.min == Approx(10.2).margin(0.05));
  CHECK(*result.throughput.max == Approx(50.1).margin(0.05));
  CHECK(*result.overall_throughput == Approx(100).epsilon(0.01));
  CHECK(result.samples == 500);
  CHECK(result.warmup_samples == 50);
  CHECK(result.elapsed_s == Approx(9.99));
}

TEST_CASE("accepted throughput leaves failed documents out on the same time base", "[summarize]") {
  Names names;
  std::vector<Sample> samples;
  for (int i = 0; i < 40; ++i) {
    Sample sample = request(i * 0.1, 0.1);
    sample.unit = names.id("docs");
    sample.weight = 100;
    sample.items_ok = 90;
    sample.items_failed = 10;
    sample.ok = false;
    sample.error = names.id(i < 30 ? "bulk: a" : "bulk: b");
    samples.push_back(sample);
  }
  const TaskResult result = summarize(Task{}, samples, names);
  CHECK(result.error_rate == 1);
  CHECK(*result.overall_throughput == Approx(1000));
  CHECK(*result.accepted_throughput == Approx(900));
  CHECK(result.items_ok == 3600);
  CHECK(result.items_failed == 400);
  REQUIRE(result.errors.size() == 2);
  CHECK(result.errors[0].text == "bulk: a");
  CHECK(result.errors[0].count == 30);
}

TEST_CASE("a task whose requests all failed has no throughput", "[summarize]") {
  Names names;
  std::vector<Sample> samples;
  for (int i = 0; i < 20; ++i) {
    samples.push_back(request(i * 0.1, 0.01));
    samples.back().weight = 0;
    samples.back().ok = false;
    samples.back().unit = names.id("ops");
  }
  const TaskResult result = summarize(Task{}, samples, names);
  CHECK_FALSE(result.throughput.mean);
  CHECK(result.throughput.unit == "ops/s");
  CHECK(*result.overall_throughput == 0);
}

TEST_CASE("samples in blocks give what they give at once, in whatever order they come", "[summarize]") {
  Names names;
  std::vector<Sample> samples;
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    samples.push_back(request(static_cast<double>(i) * 0.01, 0.2 + random.unit()));
    samples.back().weight = 1 + static_cast<double>(random.below(5));
  }
  const TaskResult ordered = summarize(Task{}, samples, names);
  for (std::size_t i = samples.size(); i > 1; --i) std::swap(samples[i - 1], samples[random.below(i)]);
  for (const std::size_t size : {1, 7, 1000, 5000}) {
    const SampleBlocks blocks = [&](const std::function<void(std::span<const Sample>)>& use) {
      const std::span<const Sample> all = samples;
      for (std::size_t at = 0; at < all.size(); at += size)
        use(all.subspan(at, std::min(size, all.size() - at)));
    };
    const TaskResult result = summarize(Task{}, blocks, names);
    CHECK(result.throughput.min == ordered.throughput.min);
    CHECK(result.throughput.median == ordered.throughput.median);
    CHECK(result.throughput.max == ordered.throughput.max);
    CHECK(result.latency.percentiles == ordered.latency.percentiles);
    CHECK(result.overall_throughput == ordered.overall_throughput);
  }
}

TEST_CASE("the rate that was reached is that of the beginnings", "[summarize]") {
  Names names;
  std::vector<Sample> samples;
  for (int i = 0; i <= 100; ++i) {
    samples.push_back(request(i * 0.02, 0.01));
    samples.back().throttled = true;
    samples.back().due = kStart + from_seconds(i * 0.01);
  }
  CHECK(*summarize(Task{}, samples, names).rate_reached == Approx(0.5));
  for (Sample& sample : samples) sample.throttled = false;
  CHECK_FALSE(summarize(Task{}, samples, names).rate_reached);
}

TEST_CASE("a task without samples did not run", "[summarize]") {
  const TaskResult result = summarize(Task{}, std::span<const Sample>(), Names());
  CHECK(result.state == TaskState::not_run);
  CHECK(result.latency.percentiles.empty());
}

}  // namespace pacenote::summarize_test
