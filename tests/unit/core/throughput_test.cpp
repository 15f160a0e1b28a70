#include "core/throughput.hpp"

#include <iostream>
#include <map>

#include "core/summarize.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"

namespace pacenote::throughput_test {

ThroughputSample sample_of(const Json& row, Names& names) {
  ThroughputSample sample;
  sample.absolute_time = row[2];
  sample.relative_time = row[3];
  sample.time_period = row[5];
  sample.type = row[6] == 0 ? SampleType::warmup : SampleType::normal;
  sample.amount = row[7];
  sample.unit = names.id(row[8].get<std::string>());
  if (!row[9].is_null()) sample.throughput = row[9].get<double>();
  return sample;
}

bool same(const std::vector<ThroughputPoint>& points, const Json& expected, const Names& names) {
  if (points.size() != expected.size()) return false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Json& row = expected[i];
    const std::string type = points[i].type == SampleType::normal ? "normal" : "warmup";
    if (points[i].absolute_time != row[0].get<double>() || points[i].relative_time != row[1].get<double>() ||
        type != row[2].get<std::string>() || points[i].value != Approx(row[3].get<double>()).epsilon(1e-12) ||
        std::string(names.text(points[i].unit)) + "/s" != row[4].get<std::string>())
      return false;
  }
  return true;
}

/// Replays all calls of a case; the results of the code without double counting where both are given.
bool replay(const Json& one) {
  const Json& expected =
      one.contains("without_double_count") ? one.at("without_double_count").at("emitted") : one.at("emitted");
  Names names;
  std::map<std::size_t, ThroughputCalculator> calculators;
  for (std::size_t call = 0; call < one.at("calls").size(); ++call) {
    std::map<std::size_t, std::vector<ThroughputSample>> samples;
    for (const Json& row : one.at("calls")[call])
      samples[row[0].get<std::size_t>()].push_back(sample_of(row, names));
    for (const auto& [task, batch] : samples) {
      const std::string name = one.at("tasks")[task].at("name");
      const std::vector<ThroughputPoint> points = calculators[task].calculate(batch);
      if (!same(points, expected[call].value(name, Json::array()), names)) return false;
    }
  }
  return true;
}

ThroughputSample at(double when, SampleType type) {
  return {when, when, when + 0.1, type, 1, NameId{}, std::nullopt};
}

TEST_CASE("throughput is the running average that Rally's calculator gives", "[throughput]") {
  const auto path = test::shared("rally/vectors/throughput/throughput.json");
  if (!path) return;
  int passed = 0;
  const Json vectors = test::read_json(*path);
  for (const Json& one : vectors.at("cases")) {
    INFO(one.at("id").get<std::string>());
    const bool right = replay(one);
    CHECK(right);
    passed += right ? 1 : 0;
  }
  std::cout << "vectors throughput: " << passed << " pass, 0 listed differences\n";
}

TEST_CASE("a call without samples changes nothing", "[throughput]") {
  ThroughputCalculator calculator;
  CHECK(calculator.calculate({}).empty());
  const std::vector<ThroughputSample> one{at(0, SampleType::normal)};
  CHECK(calculator.calculate(one).empty() == false);
}

TEST_CASE("warm-up requests stay in the average of the normal points", "[throughput]") {
  std::vector<ThroughputSample> samples;
  for (int i = 0; i < 10; ++i) samples.push_back(at(i * 0.1, SampleType::warmup));
  for (int i = 10; i < 20; ++i) samples.push_back(at(i * 0.1, SampleType::normal));
  ThroughputCalculator calculator;
  const auto points = calculator.calculate(samples);
  REQUIRE(points.size() == 2);
  CHECK(points[0].type == SampleType::warmup);
  CHECK(points[1].type == SampleType::normal);
  CHECK(points[1].value == Approx(10));
}

}  // namespace pacenote::throughput_test
