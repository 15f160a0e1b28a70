// JUnit XML as CI systems read it (the schema of Apache Ant's junitreport).
#include <fmt/format.h>

#include "reporters/gate.hpp"
#include "reporters/markup.hpp"
#include "reporters/summary.hpp"

namespace pacenote::reporters {
namespace {

struct JunitCase {
  std::string group, name, failure;
  bool skipped = false;
  double seconds = 0;
};

/// For attributes and text; what XML 1.0 cannot hold becomes a replacement character.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (const std::string_view entity = markup_entity(c); !entity.empty())
      out += entity;
    else if (c == '\n')
      out += "&#10;";
    else if (c == '\t')
      out += "&#9;";
    else if (byte < 0x20 || byte == 0x7f)
      out += "\xEF\xBF\xBD";
    else
      out += c;
  }
  return out;
}

std::string suite(const std::vector<JunitCase>& cases, const std::string& name) {
  std::size_t failures = 0, skipped = 0;
  for (const JunitCase& one : cases) {
    failures += one.failure.empty() ? 0 : 1;
    skipped += one.skipped ? 1 : 0;
  }
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"{}\" tests=\"{}\" "
      "failures=\"{}\" errors=\"0\" skipped=\"{}\">\n",
      escaped(name), cases.size(), failures, skipped);
  for (const JunitCase& one : cases) {
    out += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", escaped(one.group),
                       escaped(one.name), one.seconds);
    if (one.skipped)
      out += "><skipped/></testcase>\n";
    else if (!one.failure.empty())
      out += fmt::format("><failure message=\"{}\"/></testcase>\n", escaped(one.failure));
    else
      out += "/>\n";
  }
  return out + "  </testsuite>\n</testsuites>\n";
}

void add_gates(std::vector<JunitCase>& cases, const std::vector<GateResult>& gates) {
  for (const GateResult& gate : gates)
    cases.push_back({gate.task.empty() ? "gates" : gate.task,
                     gate.groups.empty() ? gate.gate : fmt::format("{} ({})", gate.gate, gate.groups),
                     gate.failed ? gate.words : "", gate.unchecked, 0});
}

}  // namespace

std::string junit_xml(const RacedSide& race, const std::vector<GateResult>& gates) {
  std::vector<JunitCase> cases;
  for (const TaskResult& task : race.results.tasks) {
    JunitCase one{task.task, "raced", "", task.state == TaskState::not_run, task.elapsed_s};
    if (task.state == TaskState::incomplete) one.failure = state_note(task);
    if (task.samples > 0 && task.failed == task.samples) one.failure = "had only errors";
    cases.push_back(std::move(one));
  }
  add_gates(cases, gates);
  return suite(cases, fmt::format("pacenote {} {}", race.race.track, race.race.challenge));
}

std::string junit_xml(const std::vector<GateResult>& gates) {
  std::vector<JunitCase> cases;
  add_gates(cases, gates);
  return suite(cases, "pacenote compare");
}

}  // namespace pacenote::reporters
