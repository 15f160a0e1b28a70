// The public tracks: what their own tools made of them against what we make of them (../shared/tracks).
#include "tracks/render.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>

#include <fstream>
#include <iostream>

#include "tests/support/catch.hpp"
#include "tests/support/shared.hpp"
#include "tests/unit/tracks/public_spec.hpp"
#include "tests/unit/tracks/support.hpp"
#include "tracks/json_text.hpp"
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

struct Score {
  std::size_t variants = 0, rendered = 0, named = 0, parsed = 0, texts = 0, names = 0, jsons = 0, specs = 0,
              failures = 0, refused = 0;
  std::vector<std::string> different, by_processor;
};

/// One variant of a track, gone through as far as it goes.
struct Variant {
  const std::filesystem::path& folder;
  const Json& index;
  const Json& track;
  const Json& variant;
  std::string name() const {
    return fmt::format("{} {}", track["file"].get<std::string>(), variant["variant"].get<std::string>());
  }
  bool fails() const {
    return variant.contains("render_error") || variant.contains("json_error") ||
           variant.contains("load_error");
  }
  TemplateSettings settings() const {
    return {variant["params"], variant["build_flavor"].get<std::string>(),
            variant["serverless_operator"].get<bool>(), index["now"]};
  }
};

/// Where PACENOTE_SPECS names a folder, specs that differ are written into it.
void keep(const Variant& variant, const std::string& spec) {
  const char* folder = std::getenv("PACENOTE_SPECS");
  if (folder == nullptr) return;
  std::ofstream(std::filesystem::path(folder) /
                (variant.variant["spec_sha256"].get<std::string>().substr(0, 16) + ".ours.json"))
      << spec;
}

void compare_spec(const Variant& variant, const Track& track, Score& score) {
  const std::string spec = test::canonical(test::spec_of(track));
  if (sha256(spec) == variant.variant["spec_sha256"].get<std::string>()) {
    ++score.specs;
    return;
  }
  keep(variant, spec);
  auto& list = variant.track["processor"].get<bool>() ? score.by_processor : score.different;
  list.push_back(fmt::format("{}: spec", variant.name()));
}

void compare(const Variant& variant, SideCar& side_car, Score& score) {
  const bool rally = std::filesystem::exists(variant.folder / "track.json");
  const TrackFiles files(variant.folder, rally ? "track.json" : "workload.json");
  Renderer renderer(files, variant.settings(), side_car);
  ++score.variants;
  const auto count = [&](std::size_t& what, const char* which, bool agree) {
    what += agree ? 1 : 0;
    if (!agree) score.different.push_back(fmt::format("{}: {}", variant.name(), which));
  };
  Track track;
  const std::string error = test::refusal([&] {
    const std::string text = renderer.text(files.main(), true);
    count(score.texts, "text", sha256(text) == variant.variant.value("raw_sha256", std::string()));
    const Json json = parse_json(text, files.shown(files.main()));
    count(score.jsons, "JSON",
          sha256(test::canonical(json)) == variant.variant.value("json_sha256", std::string()));
    const auto body = [&](const std::string& file) { return renderer.read(file, false); };
    track = read_track(json, {"t", files.shown(files.main()), body, "", !rally});
  });
  score.rendered += variant.variant.contains("raw_sha256") ? 1 : 0;
  score.parsed += variant.variant.contains("json_sha256") ? 1 : 0;
  score.named += variant.variant.contains("declared_params") ? 1 : 0;
  if (variant.variant.contains("declared_params"))
    count(score.names, "names",
          renderer.declared() == variant.variant["declared_params"].get<std::set<std::string>>());
  if (variant.fails()) {
    ++score.failures;
    const std::string& place = variant.folder.string();
    count(score.refused, "is not refused with its file", error.starts_with(place));
  } else if (!error.empty()) {
    score.different.push_back(fmt::format("{}: {}", variant.name(), error));
  } else {
    compare_spec(variant, track, score);
  }
}

void compare_all(const std::string& set) {
  const auto root = test::shared("tracks");
  const std::string why = test::refusal([] { SideCar("").start(); });
  if (!why.empty()) std::cout << "SKIPPED: " << why << "\n";
  if (!root || !why.empty()) return;
  const Json index = test::read_json(*root / fmt::format("renders/index-{}.json", set));
  Score score;
  SideCar side_car("");
  for (const auto& [name, track] : index["tracks"].items()) {
    const std::filesystem::path folder = *root / set / name;
    for (const Json& variant : track["variants"]) compare({folder, index, track, variant}, side_car, score);
  }
  const std::size_t loaded = score.variants - score.failures;
  std::cout << fmt::format(
      "vectors renders {}: {} variants; {} of {} texts, {} of {} sets of names, {} of {} JSONs, {} of {} "
      "specs pass; "
      "{} of {} that their tool refuses are refused; {} listed differences (a processor of track.py){}\n",
      set, score.variants, score.texts, score.rendered, score.names, score.named, score.jsons, score.parsed,
      score.specs, loaded, score.refused, score.failures, score.by_processor.size(),
      score.by_processor.empty() ? "" : ":");
  for (const std::string& one : score.by_processor) std::cout << "  " << one << "\n";
  for (const std::string& one : score.different) UNSCOPED_INFO(one);
  CHECK(score.different.empty());
}

TEST_CASE("public tracks become what Rally makes of them", "[render][sidecar]") {
  compare_all("rally-tracks");
}

TEST_CASE("public workloads become what OpenSearch Benchmark makes of them", "[render][sidecar]") {
  compare_all("opensearch-benchmark-workloads");
}

}  // namespace pacenote::tracks::render_test
