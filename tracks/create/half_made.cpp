#include "tracks/create/half_made.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "core/error.hpp"
#include "core/json.hpp"

namespace pacenote::tracks {
namespace {

constexpr const char* kFile = ".create-track.json";

Json corpus_to_json(const MadeCorpus& made) {
  return {{"documents", made.documents},
          {"bytes", made.bytes},
          {"expected", made.expected},
          {"paging", static_cast<int>(made.place.paging)},
          {"part", made.place.part},
          {"cursor", made.place.cursor},
          {"after", made.place.after},
          {"read", made.read},
          {"compressed-bytes", made.compressed_bytes}};
}

MadeCorpus corpus_from_json(const Json& json) {
  MadeCorpus made;
  made.documents = json.at("documents").get<std::uint64_t>();
  made.bytes = json.at("bytes").get<std::uint64_t>();
  made.expected = json.at("expected").get<std::uint64_t>();
  made.place.paging = static_cast<Paging>(json.at("paging").get<int>());
  made.place.part = json.at("part").get<std::uint64_t>();
  made.place.cursor = json.at("cursor").get<std::string>();
  made.place.after = json.at("after").get<std::string>();
  made.read = json.at("read").get<bool>();
  made.compressed_bytes = json.at("compressed-bytes").get<std::uint64_t>();
  return made;
}

}  // namespace

HalfMade::HalfMade(std::filesystem::path folder, std::string cluster_uuid)
    : file_(std::move(folder) / kFile), cluster_uuid_(std::move(cluster_uuid)) {
  std::ifstream in(file_, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const Json saved = pacenote::parse_json(text);
  if (!saved.is_object() || saved.value("cluster", "") != cluster_uuid_) return;
  try {
    const Json corpora = saved.at("corpora");
    for (const auto& [name, made] : corpora.items()) corpora_[name] = corpus_from_json(made);
  } catch (const Json::exception&) {  // of another version: all is read again
    corpora_.clear();
  }
}

void HalfMade::save() const {
  Json corpora = Json::object();
  for (const auto& [name, made] : corpora_) corpora[name] = corpus_to_json(made);
  const Json whole = {{"cluster", cluster_uuid_}, {"corpora", corpora}};
  write_whole(file_, to_text(whole));
}

void HalfMade::remove() const {
  std::error_code gone_already;
  std::filesystem::remove(file_, gone_already);
}

void cannot_write(const std::filesystem::path& file) {
  throw UserError(fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)),
                  "make room or name another folder with --output-path, and run the same command again");
}

void write_whole(const std::filesystem::path& file, std::string_view text) {
  const std::filesystem::path temporary = file.string() + ".tmp";
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) cannot_write(temporary);
  std::error_code error;
  std::filesystem::rename(temporary, file, error);
  if (error) cannot_write(file);
}

}  // namespace pacenote::tracks
