#include <fmt/format.h>

#include <iostream>
#include <map>

#include "core/error.hpp"
#include "tests/support/shared.hpp"
#include "tests/unit/core/bulk_source_rig.hpp"

namespace pacenote::bulk_source_vectors_test {

using Fixture = test::BulkFixture;
using test::all_bulks, test::Bulk;

// ---- partition: which documents, in which bulks

/// Files whose documents say where they are from: {"f":3,"d":17}.
Fixture partition_fixture(const Json& one) {
  Fixture out;
  int file = 0;
  for (const Json& corpus : one.at("corpora")) {
    out.track.corpora.emplace_back().name = corpus.at("name");
    for (const Json& set : corpus.at("documents")) {
      std::string content;
      for (int i = 0; i < set.value("actual_docs", set.at("docs").get<int>()); ++i) {
        if (set.value("action_and_meta_data", false)) content += "{\"index\":{}}\n";
        content += fmt::format("{{\"f\":{},\"d\":{}}}\n", file, i);
      }
      if (!set.value("trailing_newline", true)) content.pop_back();
      out.add(out.track.corpora.back(), content, set);
      ++file;
    }
  }
  out.use(one.at("params"));
  return out;
}

/// [file, first document, documents, index] of a body, as in the vectors.
Json row_of(const Bulk& bulk) {
  Json row = Json::array();
  std::size_t lines = 0;
  for (std::size_t at = 0; at < bulk.body.size();) {
    const std::size_t end = bulk.body.find('\n', at);
    const std::string line = bulk.body.substr(at, end - at);
    if (lines++ % 2 == 1 && row.empty())
      row = {parse_json_strictly(line).at("f"), parse_json_strictly(line).at("d"), bulk.documents};
    at = end + 1;
  }
  row.push_back(bulk.index.empty() ? Json() : Json(bulk.index));
  return lines == 2 * bulk.documents ? row : Json();
}

bool same_worker(const Fixture& fixture, const Json& one, const Json& worker) {
  const Json& clients = worker.at("clients");
  const Share share{clients.front().get<std::uint32_t>(), clients.back().get<std::uint32_t>(),
                    one.at("clients").get<std::uint32_t>()};
  const auto source = bulk_source(fixture.operation, fixture.track, share);
  Json progress = Json::array({*source->progress()});
  Json rows = Json::array();
  Call call;
  while (rows.size() < one.value("limit_per_worker", 10'000U) && source->next(call) == Supply::ready) {
    rows.push_back(row_of({call.body, call.index, call.documents, {}}));
    progress.push_back(*source->progress());
  }
  if (!worker.at("bulks").empty() || !rows.empty())
    if (rows != worker.at("bulks")) return false;
  return rows.empty() || !worker.contains("percent_completed") || progress == worker.at("percent_completed");
}

bool same_partition(const Json& one) {
  const Fixture fixture = partition_fixture(one);
  if (one.contains("error")) {
    for (const Json& clients : one.at("worker_clients")) {
      const Share share{clients.front().get<std::uint32_t>(), clients.back().get<std::uint32_t>(),
                        one.at("clients").get<std::uint32_t>()};
      CHECK_THROWS_AS(bulk_source(fixture.operation, fixture.track, share), UserError);
    }
    return true;
  }
  for (const Json& worker : one.at("workers"))
    if (!same_worker(fixture, one, worker)) return false;
  return true;
}

// ---- bodies: the bytes

Chance scripted(const Json& script) {
  Chance out;
  auto turn = std::make_shared<std::map<std::string, std::size_t>>();
  const auto draw = [script, turn](const std::string& name) {
    const Json& values = script.at(name);
    return values[(*turn)[name]++ % values.size()].get<double>();
  };
  out.uniform = [draw] { return draw("rand"); };
  out.at_most = [draw](std::uint64_t most) {
    return static_cast<std::uint64_t>(draw("randint_modulo")) % (most + 1);
  };
  out.exponential = [draw](double) { return draw("expovariate"); };
  out.shuffle = [script](std::vector<std::uint32_t>& items) {
    const std::string how = script.at("shuffle").get<std::string>();
    if (how == "reverse") std::reverse(items.begin(), items.end());
    if (how == "rotate2") std::rotate(items.begin(), items.begin() + 2, items.end());
    if (how == "evens-first") {
      std::vector<std::uint32_t> order;
      for (const std::size_t from : {0U, 1U})
        for (std::size_t i = from; i < items.size(); i += 2) order.push_back(items[i]);
      items = order;
    }
  };
  return out;
}

bool same_bodies(const Json& one) {
  Fixture fixture;
  fixture.track.corpora.emplace_back().name = "c";
  for (const Json& file : one.at("files"))
    fixture.add(fixture.track.corpora.back(), file.at("content").get<std::string>(), file);
  fixture.use(one.at("params"));
  const auto client = one.at("client").get<std::uint32_t>();
  BulkSource source(fixture.operation, fixture.track, {client, client, one.at("clients")},
                    one.contains("random_script") ? scripted(one.at("random_script")) : seeded_chance(1));
  const Json& expected = one.at("bulks");
  const std::vector<Bulk> got =
      all_bulks(source, expected.size() + (one.at("params").contains("looped") ? 0 : 1));
  if (got.size() != expected.size()) return false;
  for (std::size_t i = 0; i < got.size(); ++i) {
    Json params = got[i].params;
    params["bulk-size"] = got[i].documents;
    params["index"] = got[i].index.empty() ? Json() : Json(got[i].index);
    // compared without regard to the order of keys
    if (got[i].body != expected[i].at("body").get<std::string>() ||
        nlohmann::json(params) != nlohmann::json(expected[i].at("params_without_body")))
      return false;
  }
  return true;
}

/// Runs all cases; those on the list must differ.
void run_vectors(const std::string& name, bool (*same)(const Json&),
                 const std::map<std::string, std::string>& differences) {
  const auto path = test::shared(fmt::format("rally/vectors/{}/{}.json", name, name));
  if (!path) return;
  int passed = 0, listed = 0;
  const Json vectors = test::read_json(*path);
  for (const Json& one : vectors.at("cases")) {
    const auto id = one.at("id").get<std::string>();
    INFO(id);
    bool right = false;
    try {
      right = same(one);
    } catch (const UserError&) {
      right = false;
    }
    CHECK(right != differences.contains(id));
    (right ? passed : listed) += 1;
  }
  std::cout << fmt::format("vectors {}: {} pass, {} listed differences\n", name, passed, listed);
}

TEST_CASE("each share sends the documents that Rally's workers send, in Rally's order", "[bulk_source]") {
  run_vectors("bulk-partition", same_partition,
              {{"select-indices-string-longer", "a text is one name, not a substring test"},
               {"looped-string-true", "\"false\" is false"},
               {"file-shorter-than-declared", "ends the race with a line that says so"}});
}

TEST_CASE("bodies are Rally's byte for byte", "[bulk_source]") {
  run_vectors("bulk-bodies", same_bodies,
              {{"no-final-newline", "the missing newline is added: the server would refuse the bulk"},
               {"index-name-quote", "the name is escaped: Rally's line is not JSON"}});
}

}  // namespace pacenote::bulk_source_vectors_test
