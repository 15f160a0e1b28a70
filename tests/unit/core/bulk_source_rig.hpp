// Bulk sources on files of the test's own.
#pragma once

#include <fmt/format.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "core/bulk_source.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/corpus_file.hpp"

namespace pacenote::test {

/// A track on files of their own.
struct BulkFixture {
  Track track;
  std::deque<CorpusFile> files;  // does not move them
  Operation operation;

  Documents& add(Corpus& corpus, const std::string& content, const Json& set) {
    files.emplace_back(content);
    Documents documents;
    documents.file = fmt::format("{}.json", files.size() - 1);
    documents.path = files.back().path();
    documents.count = set.at("docs");
    documents.includes_action_and_meta_data = set.value("action_and_meta_data", false);
    for (const auto& [key, target] : {std::pair("target_index", &documents.target_index),
                                      std::pair("target_data_stream", &documents.target_data_stream)})
      if (set.contains(key) && set.at(key).is_string()) *target = set.at(key).get<std::string>();
    corpus.documents.push_back(documents);
    return corpus.documents.back();
  }
  void use(const Json& params) {
    operation.name = "index";
    operation.type = "bulk";
    operation.params = params;
  }
};

struct Bulk {
  std::string body, index;
  std::uint64_t documents = 0;
  Json params;
};

inline std::vector<Bulk> all_bulks(ParamSource& source, std::size_t limit) {
  std::vector<Bulk> out;
  Call call;
  while (out.size() < limit && source.next(call) == Supply::ready)
    out.push_back({call.body, call.index, call.documents, *call.params});
  return out;
}

}  // namespace pacenote::test
