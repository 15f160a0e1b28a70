// The public tracks: what their own tools rendered against what we render (../shared/tracks).
#include "tracks/render.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <iostream>

#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"
#include "tests/unit/tracks/support.hpp"
#include "tracks/reader.hpp"

namespace pacenote::tracks::render_test {

std::string sha256(const std::string& text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha256(), nullptr);
  std::string out;
  for (unsigned int i = 0; i < size; ++i) out += fmt::format("{:02x}", digest[i]);
  return out;
}

/// Keys sorted, no spaces, ASCII only, as the index's json_sha256 was made.
std::string canonical(const Json& json) { return nlohmann::json::parse(json.dump()).dump(-1, ' ', true); }

struct Score {
  std::size_t variants = 0, same = 0, same_names = 0;
  std::vector<std::string> different;
};

bool same_names(Renderer& renderer, const Json& json, const std::string& file, const Json& variant) {
  ReadContext context;
  context.name = "t";
  context.file = file;
  context.body = [&](const std::string& name) { return renderer.read(name, false); };
  if (!test::refusal([&] { read_track(json, context); }).empty()) return variant.contains("load_error");
  std::set<std::string> names;
  for (const Json& name : variant["declared_params"]) names.insert(name.get<std::string>());
  return names == renderer.declared();
}

void compare(const std::filesystem::path& folder, const Json& index, const Json& variant, Score& score) {
  const bool rally = std::filesystem::exists(folder / "track.json");
  const TrackFiles files(folder, rally ? "track.json" : "workload.json");
  TemplateSettings settings;
  settings.params = variant["params"];
  settings.build_flavor = variant["build_flavor"].get<std::string>();
  settings.serverless_operator = variant["serverless_operator"].get<bool>();
  settings.now = index["now"];
  Renderer renderer(files, settings);
  Json json;
  const std::string error = test::refusal([&] { json = renderer.read(files.main(), true); });
  const std::string mark = "the rendered text is in ";
  if (const std::size_t at = error.find(mark); at != std::string::npos)
    std::filesystem::remove(error.substr(at + mark.size(), error.find(';', at) - at - mark.size()));
  const bool fails = variant.contains("render_error") || variant.contains("json_error");
  const bool same =
      error.empty() ? !fails && sha256(canonical(json)) == variant["json_sha256"].get<std::string>() : fails;
  const bool names = !rally || fails || (error.empty() && same_names(renderer, json, files.main(), variant));
  ++score.variants;
  score.same += same ? 1 : 0;
  score.same_names += names ? 1 : 0;
  if (!same || !names)
    score.different.push_back(
        fmt::format("{} {} {}", folder.filename().string(), variant["variant"].dump(), error));
}

void compare_all(const std::string& set, bool default_only) {
  const auto root = test::shared("tracks");
  const std::string why = test::refusal([] { SideCar side_car(""); });
  if (!why.empty()) std::cout << "SKIPPED: " << why << "\n";
  if (!root || !why.empty()) return;
  const test::FakeParts<OperationType> types(test::rally_types());
  const Json index = test::read_json(*root / fmt::format("renders/index-{}.json", set));
  Score score;
  for (const auto& [name, track] : index["tracks"].items())
    for (const Json& variant : track["variants"])
      if (!default_only || variant["variant"] == "default")
        compare(*root / set / name, index, variant, score);
  std::cout << fmt::format("vectors renders {}: {} of {} texts agree, {} of {} sets of names\n", set,
                           score.same, score.variants, score.same_names, score.variants);
  for (const std::string& one : score.different) UNSCOPED_INFO(one);
  CHECK(score.different.empty());
}

TEST_CASE("public tracks render as their own tools render them", "[render]") {
  compare_all("rally-tracks", true);
  compare_all("opensearch-benchmark-workloads", true);
}

TEST_CASE("public tracks render as their own tools render them, in every variant", "[.][render-all]") {
  compare_all("rally-tracks", false);
  compare_all("opensearch-benchmark-workloads", false);
}

}  // namespace pacenote::tracks::render_test
