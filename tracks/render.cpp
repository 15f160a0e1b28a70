#include "tracks/render.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/error.hpp"
#include "tracks/json_text.hpp"

namespace pacenote::tracks {
namespace {

std::string at(const std::string& file, std::int64_t line) {
  return line > 0 ? fmt::format("{}:{}", file, line) : file;
}

}  // namespace

bool is_template(const std::string& text) {
  for (const char* mark : {"{{", "{%", "{#"})
    if (text.find(mark) != std::string::npos) return true;
  return false;
}

Renderer::Renderer(const TrackFiles& files, TemplateSettings settings, SideCar& side_car)
    : files_(files), settings_(std::move(settings)), side_car_(side_car) {}

std::string Renderer::text(const std::string& file, bool whole) {
  undefined_.clear();
  std::string source = files_.read(file);
  if (!is_template(source)) return source;
  const Json answer = side_car_.ask(Json{{"folder", files_.folder().string()},
                                         {"files", files_.texts()},
                                         {"file", file},
                                         {"params", settings_.params},
                                         {"build_flavor", settings_.build_flavor},
                                         {"serverless_operator", settings_.serverless_operator},
                                         {"now", settings_.now},
                                         {"full", whole}});
  if (answer.contains("error")) {
    const std::string where = answer.value("file", std::string());
    throw UserError(
        fmt::format("{}: {}", at(where.empty() ? files_.shown(file) : where, answer.value("line", 0)),
                    answer["error"].get<std::string>()),
        answer.value("hint", std::string()));
  }
  for (const Json& name : answer["declared"]) declared_.insert(name.get<std::string>());
  note_undefined(answer);
  return answer["text"].get<std::string>();
}

void Renderer::note_undefined(const Json& answer) {
  std::set<std::string> said;
  for (const Json& blank : answer["undefined"]) {
    if (!blank["name"].is_string() || !said.insert(blank["name"].get<std::string>()).second) continue;
    const std::string text =
        fmt::format("`{}` is undefined at {}", blank["name"].get<std::string>(),
                    at(blank["file"].get<std::string>(), blank["line"].get<std::int64_t>()));
    warnings_.push_back(fmt::format("{}: printed as nothing", text));
    undefined_ += undefined_.empty() ? text : fmt::format(", {}", text);
  }
}

Json Renderer::read(const std::string& file, bool whole) {
  const bool rendered = is_template(files_.read(file));
  const std::string content = text(file, whole);
  return rendered ? parse_rendered(content, files_.shown(file), undefined_)
                  : parse_json(content, files_.shown(file));
}

}  // namespace pacenote::tracks
