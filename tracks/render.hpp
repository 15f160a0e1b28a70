// A track's files as JSON: rendered where they are templates, parsed, and the parameters they know collected.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "tracks/files.hpp"
#include "tracks/host.hpp"

namespace pacenote::tracks {

/// What templates see besides the files.
struct TemplateSettings {
  Json params = Json::object();
  std::string build_flavor = "default";
  bool serverless_operator = false;
  Json now;  ///< epoch seconds; null: the clock's
};

/// What the side-car says of one template.
struct Rendered {
  struct Blank {
    std::string name, file;
    std::int64_t line = 0;
  };
  std::string text;
  std::vector<std::string> declared;
  bool flavored = false;      ///< it reads build_flavor or serverless_operator
  std::vector<Blank> blanks;  ///< names that printed as nothing
};

/// UserError for the mistake that the answer names (`shown`: the template, where the answer names no file),
/// and for an answer that is not as it must be.
Rendered read_answer(const Json& answer, const std::string& shown);

class Renderer {
 public:
  /// `files` and `side_car` must outlive the renderer.
  Renderer(const TrackFiles& files, TemplateSettings settings, SideCar& side_car);
  /// UserError with the source file and line for a mistake in a template; see parse_json for one in the JSON.
  /// `whole`: with includes, `now`, `glob` and the date filters, which only the track file itself gets
  /// (behaviour A.3).
  Json read(const std::string& file, bool whole);
  /// The text only, unchanged where it is no template.
  std::string text(const std::string& file, bool whole);

  const std::set<std::string>& declared() const { return declared_; }  ///< by all files read so far
  bool flavored() const { return flavored_; }                          ///< any file so far
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  void note_undefined(const std::vector<Rendered::Blank>& blanks);

  const TrackFiles& files_;
  TemplateSettings settings_;
  SideCar& side_car_;
  std::set<std::string> declared_;
  bool flavored_ = false;
  std::vector<std::string> warnings_;
  std::string undefined_;  // of the last text: names that printed as nothing, as a hint
};

bool is_template(const std::string& text);

}  // namespace pacenote::tracks
