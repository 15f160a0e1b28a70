#include "reporters/numbers.hpp"
#include "reporters/races.hpp"
#include "reporters/samples.hpp"
#include "reporters/table.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::reporters::formats_test {

std::string written(const std::string& format, const Table& table) {
  return Registry<Format>::get("format", format).write(table, {});
}

TEST_CASE("these are the report formats", "[formats]") {
  CHECK(Registry<Format>::names() == std::vector<std::string>{"csv", "json", "markdown"});
}

TEST_CASE("doubles are written as Python writes them", "[formats]") {
  CHECK(shortest(2) == "2.0");
  CHECK(shortest(0.1) == "0.1");
  CHECK(shortest(1e16) == "1e+16");
  CHECK(shortest(1.2345e-05) == "1.2345e-05");
  CHECK(shortest(123456789012345.6) == "123456789012345.6");
  CHECK(general(73210.46) == "73210.5");
  CHECK(general(1234567) == "1.23457e+06");
}

TEST_CASE("milliseconds are cut to nanoseconds, bytes counted in 1024s", "[formats]") {
  CHECK(as_double(scaled(std::int64_t{61000}, Scale::ms_to_min)) == 1.0166666666666666);
  CHECK(as_double(scaled(std::int64_t{123456789}, Scale::gigabyte)) == 0.11497809458523989);
  CHECK(unit_of(byte_scale(1023)) == "B");
  CHECK(unit_of(byte_scale(1024)) == "KB");
}

TEST_CASE("csv for programs has all digits of a number and nothing else", "[formats]") {
  Table table;
  table.header = {"Diff", "Diff %", "p"};
  table.rows.push_back({number(1.0 / 3, 5), Cell(Real{200.0 / 3, 2, true, "%"}), Cell(Mark{"n/a"})});
  CHECK(written("csv", table) == "Diff,Diff %,p\r\n0.33333,+66.67%,n/a\r\n");
  const FormatOptions exact{.exact = true};
  CHECK(Registry<Format>::get("format", "csv").write(table, exact) ==
        "Diff,Diff %,p\r\n0.3333333333333333,66.66666666666667,n/a\r\n");
}

TEST_CASE("a name cannot break a table", "[formats]") {
  Table table;
  table.header = {"Task", "Value"};
  table.rows.push_back({Cell("a|b\nc"), number(1.5)});
  CHECK(written("markdown", table) == "|   Task |   Value |\n|-------:|--------:|\n| a\\|b c |     1.5 |\n");
  CHECK(written("csv", table) == "Task,Value\r\n\"a|b\nc\",1.5\r\n");
}

TEST_CASE("width is what a terminal shows", "[formats]") {
  CHECK(width("abc") == 3);
  CHECK(width("é▁…") == 3);
  CHECK(width("日本") == 4);
  CHECK(width("e\u0301") == 1);
  CHECK(width("a\xff\xc3") == 3);
  CHECK(width("") == 0);
}

TEST_CASE("pipes, quotes, line ends and other alphabets survive in each format", "[formats]") {
  const std::string name = "a|b \"c\" 'd'\né日本 <e> \\f";
  Table table;
  table.header = {"Metric", "Task"};
  table.rows = {{Cell("m"), Cell(name)}, {Cell("n"), Cell("x")}};
  CHECK_THAT(written("markdown", table), Catch::Contains("a\\|b \"c\" 'd' é日本 <e> \\f |\n"));
  CHECK_THAT(written("csv", table), Catch::Contains("m,\"a|b \"\"c\"\" 'd'\né日本 <e> \\f\"\r\n"));
  const Json json = parse_json_strictly(written("json", table));
  CHECK(json["rows"][0]["Task"] == name);
}

TEST_CASE("races are listed the same every time", "[formats]") {
  RaceRecord race;
  race.id = "gold";
  race.started = WallTime(std::chrono::seconds(1796032393));
  race.track = "t";
  race.challenge = "c";
  race.state = RaceState::interrupted;
  race.cluster.version = "7.10.2";
  race.user_tags = {{"b", "2"}, {"a", "1"}};
  CHECK(plain_text(races_table({race})) ==
        "Race ID  Race Timestamp    Track  Challenge  Car       Version  State        User Tags\n"
        "-------  ----------------  -----  ---------  --------  -------  -----------  ---------\n"
        "gold     20261130T095313Z  t      c          external  7.10.2   interrupted  a=1, b=2\n");
}

TEST_CASE("a race's document has Rally's fields, and only tasks that are reported", "[formats]") {
  RaceRecord race;
  race.id = "x";
  race.challenge = "c";
  Results results;
  results.tasks.resize(2);
  results.tasks[0].task = "hidden";
  results.tasks[0].include_in_reporting = false;
  results.tasks[1].task = "q";
  const Json document = race_document(race, &results);
  CHECK(document["race-id"] == "x");
  CHECK(document["car"] == Json::array({"external"}));
  CHECK(document["results"]["op_metrics"].size() == 1);
  CHECK(document["results"]["op_metrics"][0]["task"] == "q");
  CHECK_FALSE(race_document(race, nullptr).contains("results"));
}

TEST_CASE("a sample's line has its times derived", "[formats]") {
  using std::chrono::milliseconds;
  Names names;
  Sample sample;
  const Instant epoch{};
  sample.throttled = true;
  sample.due = epoch + milliseconds(100);
  sample.begin = sample.sent = epoch + milliseconds(150);
  sample.received = epoch + milliseconds(160);
  sample.end = epoch + milliseconds(161);
  sample.unit = names.id("ops");
  sample.error = names.id("api: no, \"never\"");
  const Json line = parse_json_strictly(sample_line(sample, epoch, "q", names, SampleFormat::json));
  CHECK(line["latency_ms"] == 60.0);
  CHECK(line["service_time_ms"] == 10.0);
  CHECK(line["processing_time_ms"] == 11.0);
  CHECK(line["took_ms"].is_null());
  const std::string csv = sample_line(sample, epoch, "q", names, SampleFormat::csv);
  CHECK_THAT(csv, Catch::StartsWith("q,0,normal,150.0,100.0,60.0,10.0,11.0,true,true,0,1.0,ops,1,false,,"));
  CHECK_THAT(csv, Catch::EndsWith(",\"api: no, \"\"never\"\"\",\r\n"));
  CHECK_THAT(sample_header(SampleFormat::csv), Catch::StartsWith("task,client,sample_type,relative_ms"));
}

}  // namespace pacenote::reporters::formats_test
