// Creates and deletes index templates, legacy, composable and component. Elasticsearch: "Create or update
// index template API" and its neighbours.
#include <fmt/format.h>

#include "core/operations/deletion.hpp"
#include "core/operations/planned.hpp"
#include "core/operations/source.hpp"
#include "core/operations/targets.hpp"

namespace pacenote {
namespace {

struct Family {
  std::string_view path;
  Destroys::Kind kind;
  std::vector<Template> Track::*declared;
};
constexpr Family kLegacy{"/_template", Destroys::Kind::legacy_template, &Track::templates};
constexpr Family kComposable{"/_index_template", Destroys::Kind::composable_template,
                             &Track::composable_templates};
constexpr Family kComponent{"/_component_template", Destroys::Kind::component_template,
                            &Track::component_templates};

void merge_deep(Json& into, const Json& from) {
  for (const auto& [key, value] : from.items()) {
    if (value.is_object() && into.contains(key) && into[key].is_object())
      merge_deep(into[key], value);
    else
      into[key] = value;
  }
}

/// Legacy settings are merged key by key, those of the newer templates at every depth.
Json with_settings(Json body, const Json& settings, const Family& family) {
  if (family.kind != Destroys::Kind::legacy_template) {
    if (!settings.empty()) merge_deep(body["template"]["settings"], settings);
    return body;
  }
  for (const auto& [key, value] : settings.items()) body["settings"][key] = value;
  return body;
}

/// What is sent: of a component template only `template`; Elasticsearch's client moves the legacy `order`
/// into the body.
Json sent_body(Json body, const Json& request_params, const Family& family) {
  if (family.kind == Destroys::Kind::component_template && body.contains("template"))
    return Json{{"template", body["template"]}};
  if (family.kind == Destroys::Kind::legacy_template && request_params.contains("order"))
    body["order"] = request_params["order"];
  return body;
}

/// [[name, body], …]
Json created_by(const Fields& params, const Track& track, const Family& family) {
  const auto& declared = track.*family.declared;
  const auto names = params.list("template");
  const Json& settings = params.object("settings");
  const Json& request_params = params.object("request-params");
  const bool legacy = family.kind == Destroys::Kind::legacy_template;
  const bool inline_wins = declared.empty() || (!legacy && params.find("body") != nullptr);
  Json out = Json::array();
  if (inline_wins) {
    params.mandatory("template");
    params.mandatory("body");
    for (const std::string& name : names)
      out.push_back(Json::array({name, sent_body(params.object("body"), request_params, family)}));
    return out;
  }
  for (const Template& item : declared) {
    if (!selected(names, item.name)) continue;
    Json body = sent_body(with_settings(item.body, settings, family), request_params, family);
    out.push_back(Json::array({item.name, std::move(body)}));
  }
  if (out.empty() && !legacy) params.fail("template", "names none of the track's templates");
  return out;
}

/// [[name, delete-matching-indices, index-pattern], …]
Json deleted_by(const Fields& params, const Track& track, const Family& family) {
  const auto& declared = track.*family.declared;
  const auto names = params.list("template");
  const bool component = family.kind == Destroys::Kind::component_template;
  Json out = Json::array();
  for (const Template& item : declared)
    if (selected(names, item.name))
      out.push_back(Json::array({item.name, !component && item.delete_matching_indices, item.pattern}));
  if (!declared.empty()) return out;
  params.mandatory("template");
  const bool matching = !component && params.flag("delete-matching-indices").value_or(false);
  const std::string pattern = matching ? params.mandatory_text("index-pattern") : "";
  for (const std::string& name : names) out.push_back(Json::array({name, matching, pattern}));
  return out;
}

class DeleteTemplates final : public Runner {
 public:
  DeleteTemplates(const Operation& operation, const Family& family)
      : operation_(operation.name), family_(family) {}

  Async<Outcome> run(Bench& bench, const Call& call) override {
    const Fields params(*call.params, operation_);
    const bool look = params.flag("only-if-exists").value_or(true);
    const std::string query = query_of(params.object("request-params"), true);
    Steps steps(bench, call);
    DestructiveSetting setting(steps);
    double done = 0;
    for (const Json& item : params.mandatory("templates")) {
      if (steps.failed()) break;
      const bool whole = item.is_array() && item.size() == 3 && item[0].is_string() && item[2].is_string();
      if (!whole && !item.is_string()) params.fail("templates", "must hold [name, flag, pattern]");
      std::string path =
          fmt::format("{}{}", family_.path, path_of({(whole ? item[0] : item).get<std::string>()}));
      std::string exists = look ? path : "";
      const bool gone = co_await delete_one(steps, std::move(exists), std::move(path), query);
      done += gone ? 1 : 0;
      const bool matching = whole && item[1] == true && !params.flag("restricted").value_or(false);
      const std::string pattern = matching ? item[2].get<std::string>() : "";
      if (pattern.empty() || steps.failed()) continue;
      const double more = co_await delete_matching(steps, setting, pattern);
      done += more;
    }
    done += setting.is_off() ? 1 : 0;
    co_await setting.restore();
    co_return steps.weighing(done);
  }

 private:
  /// How many requests counted; Rally counts the setting as one.
  static Async<double> delete_matching(Steps& steps, DestructiveSetting& setting, std::string pattern) {
    const double first = setting.is_off() ? 0 : 1;
    const bool may = co_await setting.off();
    if (!may) co_return 0;
    std::string path = path_of({pattern});
    const bool gone = co_await delete_one(steps, "", std::move(path), "");
    co_return first + (gone ? 1 : 0);
  }

  std::string operation_;
  const Family& family_;
};

template <const Family& family>
std::unique_ptr<Runner> templates_create(const Operation& operation) {
  return put_each(operation, "templates", family.path);
}

template <const Family& family>
std::unique_ptr<Runner> templates_delete(const Operation& operation) {
  return std::make_unique<DeleteTemplates>(operation, family);
}

template <const Family& family>
std::unique_ptr<ParamSource> create_source(const Operation& operation, const Track& track, Share) {
  const Fields fields(operation.params, operation.name);
  Json params = operation.params;
  params["templates"] = created_by(fields, track, family);
  if (family.kind == Destroys::Kind::legacy_template && params.contains("request-params"))
    params["request-params"].erase("order");
  return constant_source(std::move(params), request_options(operation));
}

template <const Family& family>
std::unique_ptr<ParamSource> delete_source(const Operation& operation, const Track& track, Share) {
  Json params = operation.params;
  params["templates"] = deleted_by(Fields(operation.params, operation.name), track, family);
  if (track.restricted) params["restricted"] = true;
  return constant_source(std::move(params), request_options(operation));
}

template <const Family& family>
std::vector<Destroys> templates_destroys(const Operation& operation, const Track& track) {
  if (!operation.param_source.empty()) return destroys_anything(family.kind);
  std::vector<Destroys> out;
  for (const Json& item : deleted_by(Fields(operation.params, operation.name), track, family)) {
    out.push_back({family.kind, item[0].get<std::string>()});
    if (item[1] == true) out.push_back({Destroys::Kind::index, item[2].get<std::string>()});
  }
  return out;
}

template <const Family& family>
OperationType creating(std::string_view help) {
  return {help, true, true, templates_create<family>, create_source<family>, nullptr, nullptr};
}

template <const Family& family>
OperationType deleting(std::string_view help) {
  return {help,   true, true, templates_delete<family>, delete_source<family>, templates_destroys<family>,
          nullptr};
}

const Registered<OperationType> registered[] = {
    {"create-index-template", creating<kLegacy>("Creates the track's legacy index templates.")},
    {"delete-index-template", deleting<kLegacy>("Deletes the track's legacy index templates.")},
    {"create-composable-template", creating<kComposable>("Creates the track's composable templates.")},
    {"delete-composable-template", deleting<kComposable>("Deletes the track's composable templates.")},
    {"create-component-template", creating<kComponent>("Creates the track's component templates.")},
    {"delete-component-template", deleting<kComponent>("Deletes the track's component templates.")}};

}  // namespace
}  // namespace pacenote
