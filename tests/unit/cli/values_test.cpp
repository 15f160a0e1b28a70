#include "cli/values.hpp"

#include <fstream>

#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"
#include "tests/unit/cli/vectors.hpp"

namespace pacenote::cli::values_test {

/// A working directory with the files that the vectors name, for as long as it lives.
class Folder {
 public:
  explicit Folder(const Json& files) : before_(std::filesystem::current_path()) {
    std::string name = (std::filesystem::temp_directory_path() / "pacenote-XXXXXX").string();
    path_ = mkdtemp(name.data());
    for (const auto& [file, text] : files.items()) std::ofstream(path_ / file) << text.get<std::string>();
    std::filesystem::current_path(path_);
  }
  ~Folder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(path_);
  }

 private:
  std::filesystem::path before_, path_;
};

const test::Differences kDifferences = {
    {"track-params-15", "a value may hold colons"},
    {"track-params-16", "a value may hold colons"},
    {"track-params-22", "what begins like JSON must be JSON"},
    {"track-params-29", "NaN is not JSON"},
    {"track-params-36", "k:v that happens to end in .json is not a file, unless there is one of that name"},
    {"track-params-37", "a quoted value may hold commas"},
    {"telemetry-params-43", "a quoted value may hold commas"},
    {"include-tasks-58", "a list of numbers is a mistake"},
    {"exclude-tasks-73", "a list of numbers is a mistake"},
    {"telemetry-88", "a list of numbers is a mistake"},
};

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST_CASE("values of flags read as Rally reads them", "[values]") {
  const auto file = test::shared("rally/vectors/params/params.json");
  if (!file) return;
  const Json vectors = test::read_json(*file);
  const Folder folder(vectors.at("files"));
  test::VectorCount count("params (values)", kDifferences);
  for (const Json& vector : vectors.at("cases")) {
    const std::string flag = vector.at("flag"), text = vector.at("text");
    if (flag == "--include-tasks" || flag == "--exclude-tasks" || flag == "--telemetry")
      count.check(vector, [&] { return Json(csv_to_list(flag, text)); });
    else if (flag == "--track-params" || flag == "--telemetry-params" || flag == "--user-tags")
      count.check(vector, [&] { return to_dict(flag, text); });
  }
}

TEST_CASE("a value may hold colons, and commas where it is quoted", "[values]") {
  CHECK(to_dict("--x", "url:http://h:9200,b:1") == Json{{"url", "http://h:9200"}, {"b", 1}});
  CHECK(to_dict("--x", "p:'a,b:c' , q:'x'") == Json{{"p", "a,b:c"}, {"q", "x"}});
  CHECK(to_dict("--x", "p:'*'") == Json{{"p", "*"}});
  CHECK(to_dict("--x", "a:p.json") == Json{{"a", "p.json"}});
}

TEST_CASE("broken JSON is said to be broken, and where", "[values]") {
  CHECK(message_of([] { to_dict("--track-params", "{\"a\": 1"); }) ==
        "--track-params is not valid JSON near character 8");
  CHECK(message_of([] { to_object("--track-params", "5"); }) ==
        "--track-params must be an object, not number");
  CHECK(message_of([] { to_dict("--track-params", "a:1,b"); }) ==
        "--track-params: item 2 [b] is not of the form key:value");
  CHECK(message_of([] { to_dict("--track-params", "gone.json"); }) ==
        "--track-params: file [gone.json] cannot be read");
}

TEST_CASE("an error about client options does not repeat them", "[values]") {
  CHECK(message_of([] { to_dict("--client-options", "basic_auth_password:'a,hunter2"); }).find("hunter2") ==
        std::string::npos);
  CHECK(message_of([] { to_dict("--client-options", "{\"api_key\": \"hunter2"); }).find("hunter2") ==
        std::string::npos);
}

}  // namespace pacenote::cli::values_test
