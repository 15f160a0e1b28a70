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

Rendered read_answer(const Json& answer, const std::string& shown) {
  try {
    if (answer.contains("error")) {
      const std::string where = answer.value("file", std::string());
      throw UserError(
          fmt::format("{}: {}", at(where.empty() ? shown : where, answer.value("line", std::int64_t{0})),
                      answer.at("error").get<std::string>()),
          answer.value("hint", std::string()));
    }
    Rendered out;
    out.text = answer.at("text").get<std::string>();
    out.declared = answer.at("declared").get<std::vector<std::string>>();
    out.flavored = answer.value("flavored", Json()) == true;
    for (const Json& blank : answer.at("undefined"))
      if (blank.at("name").is_string())  // nameless: a missing element of a list
        out.blanks.push_back({blank.at("name").get<std::string>(), blank.at("file").get<std::string>(),
                              blank.at("line").get<std::int64_t>()});
    return out;
  } catch (const Json::exception&) {
    throw UserError(fmt::format("{}: the Python side-car's answer is not as it must be", shown),
                    "--python names the interpreter: is it a Python 3 with jinja2?");
  }
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
  Rendered rendered = read_answer(answer, files_.shown(file));
  declared_.insert(rendered.declared.begin(), rendered.declared.end());
  flavored_ = flavored_ || rendered.flavored;
  note_undefined(rendered.blanks);
  return std::move(rendered.text);
}

void Renderer::note_undefined(const std::vector<Rendered::Blank>& blanks) {
  std::set<std::string> said;
  for (const Rendered::Blank& blank : blanks) {
    if (!said.insert(blank.name).second) continue;
    const std::string text = fmt::format("`{}` is undefined at {}", blank.name, at(blank.file, blank.line));
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
