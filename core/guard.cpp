#include "core/guard.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/operations/errors.hpp"
#include "core/text.hpp"

namespace pacenote {
namespace {

using Ours = std::function<bool(const std::string& index_uuid)>;

struct OneIndex {
  std::string name, uuid;
};

std::vector<std::string> split(const std::string& names) {
  std::vector<std::string> out;
  for (std::size_t from = 0; from <= names.size();) {
    const std::size_t comma = std::min(names.find(',', from), names.size());
    if (comma > from) out.push_back(names.substr(from, comma - from));
    from = comma + 1;
  }
  return out;
}

bool is_all(const std::string& name) { return name == "_all" || name == "*"; }

/// `-name` excludes, which means something only beside a wildcard; date math resolves to what today is.
bool is_pattern(const std::string& name) { return is_all(name) || name.find('*') != std::string::npos; }

/// In the order of Destroys::Kind.
struct KindWords {
  std::string_view noun, plural;
  std::string_view path;  ///< of a GET that tells whether there is one of a name
};
constexpr KindWords kKinds[] = {
    {"index", "indices", ""},
    {"data stream", "data streams", "/_data_stream"},
    {"legacy index template", "templates", "/_template"},
    {"index template", "templates", "/_index_template"},
    {"component template", "templates", "/_component_template"},
    {"ingest pipeline", "pipelines", "/_ingest/pipeline"},
    {"lifecycle policy", "policies", "/_ilm/policy"},
    {"enrich policy", "policies", "/_enrich/policy"},
    {"transform", "transforms", "/_transform"},
    {"machine learning job", "jobs", "/_ml/anomaly_detectors"},
    {"datafeed", "datafeeds", "/_ml/datafeeds"},
    {"snapshot repository", "repositories", "/_snapshot"},
};
static_assert(std::size(kKinds) == static_cast<std::size_t>(Destroys::Kind::snapshot_repository) + 1);

const KindWords& words(Destroys::Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

Json parsed(std::string_view body) {
  Json answer = parse_json(body);
  return answer.is_object() ? answer : Json::object();
}

/// The member at `keys`, null if there is none.
Json member(const Json& from, std::initializer_list<const char*> keys) {
  const Json* at = &from;
  for (const char* key : keys) {
    if (!at->is_object() || !at->contains(key)) return Json();
    at = &at->at(key);
  }
  return *at;
}

std::uint64_t number(const Json& value) {
  return value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
}

std::string text(const Json& value) { return value.is_string() ? value.get<std::string>() : std::string(); }

/// 404, and what an engine says that does not know the path at all.
bool absent(int status) { return status == 404 || status == 400 || status == 405; }

[[noreturn]] void cannot_tell(const Destroys& target, const Response& response) {
  const std::string said = response.status == 0
                               ? response.error
                               : fmt::format("HTTP {}: {}", response.status, error_text(response.body));
  throw UserError(
      fmt::format("cannot tell what deleting {} {} would destroy: {}", noun(target.kind), target.name, said),
      "let the user read it, or allow the deletion with --allow-destructive");
}

/// Answers that matter here are small; a status other than good or absent is the user's to solve.
Async<std::optional<Json>> ask(Transport& cluster, const Destroys& target, std::string path) {
  const Request request(Method::get, std::move(path));
  const Response response = co_await cluster.send(request);
  std::optional<Json> out;
  if (response.ok())
    out = parsed(response.body);
  else if (!absent(response.status))
    cannot_tell(target, response);
  co_return out;
}

/// `{name: {"settings": {"index": {"uuid": …}}}}`, one for each index behind an alias.
std::vector<OneIndex> indices_in_settings(const Json& answer) {
  std::vector<OneIndex> out;
  for (const auto& [name, index] : answer.items()) {
    std::string uuid = text(member(index, {"settings", "index", "uuid"}));
    if (uuid.empty()) uuid = text(member(index, {"settings", "index.uuid"}));
    out.push_back({name, std::move(uuid)});
  }
  return out;
}

std::vector<OneIndex> indices_in_streams(const Json& answer) {
  std::vector<OneIndex> out;
  for (const Json& stream : member(answer, {"data_streams"}))
    for (const Json& index : member(stream, {"indices"}))
      out.push_back({text(member(index, {"index_name"})), text(member(index, {"index_uuid"}))});
  return out;
}

/// How many documents are, or may be, in it: documents that no refresh has made visible count as written.
struct Contents {
  std::uint64_t documents = 0, written = 0;
};

/// None: the engine does not say, as for a closed index.
Async<std::optional<Contents>> contents(Transport& cluster, const Destroys& target, std::string names) {
  std::string path = fmt::format("/{}/_stats/docs,indexing", url_encode(names));
  const std::optional<Json> answer = co_await ask(cluster, target, std::move(path));
  std::optional<Contents> out;
  if (answer) {
    const Json primaries = member(*answer, {"_all", "primaries"});
    out = Contents();
    out->documents = number(member(primaries, {"docs", "count"}));
    out->written = number(member(primaries, {"indexing", "index_total"}));
  }
  co_return out;
}

std::string described(const Destroys& target, const std::vector<OneIndex>& held,
                      const std::optional<Contents>& contents) {
  std::string docs = "its number of documents is unknown";
  if (contents && contents->documents > 0)
    docs = fmt::format("{} document{}", grouped(contents->documents), contents->documents == 1 ? "" : "s");
  else if (contents)
    docs = fmt::format("{} written since its node started", grouped(contents->written));
  if (target.kind == Destroys::Kind::data_stream || (held.size() == 1 && held[0].name == target.name))
    return fmt::format("{} {} ({})", noun(target.kind), target.name, docs);
  std::vector<std::string> names;
  for (const OneIndex& index : held) names.push_back(index.name);
  return fmt::format("index {} (which is {}; {})", target.name, fmt::join(names, ", "), docs);
}

/// What is lost with an index, an alias or a data stream.
Async<std::optional<Loss>> loss_of_documents(Transport& cluster, const Destroys& target, const Ours& ours) {
  const bool stream = target.kind == Destroys::Kind::data_stream;
  std::string path = stream ? fmt::format("/_data_stream/{}", url_encode(target.name))
                            : fmt::format("/{}/_settings", url_encode(target.name));
  std::optional<Loss> out;
  const std::optional<Json> answer = co_await ask(cluster, target, std::move(path));
  if (!answer) co_return out;
  std::vector<OneIndex> held = stream ? indices_in_streams(*answer) : indices_in_settings(*answer);
  held.erase(std::remove_if(held.begin(), held.end(),
                            [&](const OneIndex& index) { return !index.uuid.empty() && ours(index.uuid); }),
             held.end());
  if (held.empty()) co_return out;
  std::vector<std::string> names;
  for (const OneIndex& index : held) names.push_back(index.name);
  std::string joined = fmt::format("{}", fmt::join(names, ","));
  const std::optional<Contents> inside = co_await contents(cluster, target, std::move(joined));
  if (inside && inside->documents == 0 && inside->written == 0) co_return out;
  out = Loss{target, described(target, held, inside)};
  co_return out;
}

Async<std::optional<Loss>> loss_of_resource(Transport& cluster, const Destroys& target) {
  std::string path = fmt::format("{}/{}", words(target.kind).path, url_encode(target.name));
  const std::optional<Json> answer = co_await ask(cluster, target, std::move(path));
  std::optional<Loss> out;
  const Json none = Json::array();
  if (answer && member(*answer, {"policies"}) != none)
    out = Loss{target, fmt::format("{} {}", noun(target.kind), target.name)};
  co_return out;
}

}  // namespace

std::string_view noun(Destroys::Kind kind) { return words(kind).noun; }

std::vector<Destroys> destroyed_by(const Challenge& challenge, const Track& track) {
  std::vector<Destroys> out;
  std::set<std::pair<Destroys::Kind, std::string>> seen;
  for (const Parallel& step : challenge.schedule) {
    for (const Task& task : step.tasks) {
      const OperationType* type = Registry<OperationType>::find(task.operation.type);
      if (type == nullptr || type->destroys == nullptr) continue;
      for (Destroys& target : type->destroys(task.operation, track))
        if (seen.emplace(target.kind, target.name).second) out.push_back(std::move(target));
    }
  }
  return out;
}

Async<std::vector<Loss>> losses(Transport& cluster, const std::vector<Destroys>& targets, const Ours& ours) {
  std::vector<Loss> out;
  std::set<std::pair<Destroys::Kind, std::string>> seen;
  for (const Destroys& target : targets) {
    for (const std::string& name : split(target.name)) {
      if (!seen.emplace(target.kind, name).second) continue;
      const Destroys one{target.kind, name};
      if (is_pattern(name)) {
        const std::string_view what = words(target.kind).plural;
        out.push_back({one, is_all(name) ? fmt::format("all {}", what)
                                         : fmt::format("all {} that match {}", what, name)});
        continue;
      }
      const bool documents =
          target.kind == Destroys::Kind::index || target.kind == Destroys::Kind::data_stream;
      std::optional<Loss> loss;
      if (documents)
        loss = co_await loss_of_documents(cluster, one, ours);
      else
        loss = co_await loss_of_resource(cluster, one);
      if (loss) out.push_back(std::move(*loss));
    }
  }
  co_return out;
}

}  // namespace pacenote
