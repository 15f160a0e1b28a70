#include "core/bulk_params.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/error.hpp"
#include "core/suggest.hpp"

namespace pacenote {
namespace {

/// Reads one operation's parameters; every complaint names the operation.
class Reader {
 public:
  explicit Reader(const Operation& operation) : operation_(operation) {}

  [[noreturn]] void refuse(std::string_view key, const std::string& what, std::string hint = {}) const {
    throw UserError(fmt::format("operation [{}]: [{}] {}", operation_.name, key, what), std::move(hint));
  }
  bool has(const char* key) const { return operation_.params.contains(key); }

  /// A number, or a text that is one.
  std::optional<double> number(const char* key) const {
    const auto it = operation_.params.find(key);
    if (it == operation_.params.end()) return std::nullopt;
    if (it->is_number()) return it->get<double>();
    if (!it->is_string()) refuse(key, fmt::format("must be a number but is {}", to_text(*it)));
    const auto& text = it->get_ref<const std::string&>();
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(value))
      refuse(key, fmt::format("must be a number but is \"{}\"", text));
    return value;
  }

  /// A positive count; a fraction is cut off, as Rally does.
  std::optional<std::uint64_t> count(const char* key) const {
    const std::optional<double> value = number(key);
    if (!value) return std::nullopt;
    if (!(*value >= 1) || *value > 9e15) refuse(key, fmt::format("must be positive but is {}", *value));
    return static_cast<std::uint64_t>(*value);
  }

  double in_range(const char* key, double otherwise, double from, double to) const {
    const double value = number(key).value_or(otherwise);
    if (!(value >= from && value <= to))
      refuse(key, fmt::format("must be between {} and {} but is {}", from, to, value));
    return value;
  }

  std::string one_of(const char* key, const std::vector<std::string>& allowed) const {
    const auto it = operation_.params.find(key);
    if (it == operation_.params.end()) return allowed.front();
    const std::string value = it->is_string() ? it->get<std::string>() : to_text(*it);
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
      refuse(key, fmt::format("cannot be \"{}\"", value), suggestion(value, allowed));
    return value;
  }

  bool flag(const char* key) const {
    const auto it = operation_.params.find(key);
    if (it == operation_.params.end()) return false;
    if (it->is_boolean()) return it->get<bool>();
    if (*it == "true" || *it == "false") return *it == "true";
    refuse(key, fmt::format("must be true or false but is {}", to_text(*it)));
  }

  /// One name or a list of them.
  std::optional<std::vector<std::string>> names(const char* key) const {
    const auto it = operation_.params.find(key);
    if (it == operation_.params.end() || it->is_null()) return std::nullopt;
    if (it->is_string()) return std::vector<std::string>{it->get<std::string>()};
    const auto is_text = [](const Json& item) { return item.is_string(); };
    if (!it->is_array() || !std::all_of(it->begin(), it->end(), is_text))
      refuse(key, "must be a name or a list of names");
    return it->get<std::vector<std::string>>();
  }

 private:
  const Operation& operation_;
};

std::uint64_t bulk_size_of(const Reader& read) {
  const std::optional<std::uint64_t> size = read.count("bulk-size");
  if (!size) read.refuse("bulk-size", "is missing", "give the number of documents per request");
  // batch-size says only how much Rally's workers read in one go; here it is checked and has no effect.
  const std::uint64_t batch = read.count("batch-size").value_or(*size);
  if (batch < *size || batch % *size != 0)
    read.refuse("batch-size", fmt::format("({}) must be a multiple of bulk-size ({})", batch, *size));
  return *size;
}

void read_amount(const Reader& read, BulkParams& out) {
  out.ingest_percentage = read.in_range("ingest-percentage", 100, 0, 100);
  if (out.ingest_percentage == 0) read.refuse("ingest-percentage", "must be greater than 0");
  out.ingest_doc_count = read.count("ingest-doc-count");
  if (!out.ingest_doc_count) return;
  if (read.has("ingest-percentage"))
    read.refuse("ingest-doc-count", "cannot go together with ingest-percentage");
  if (*out.ingest_doc_count % out.bulk_size != 0)
    read.refuse("ingest-doc-count", fmt::format("({}) must be a multiple of bulk-size ({})",
                                                *out.ingest_doc_count, out.bulk_size));
}

void read_conflicts(const Reader& read, BulkParams& out) {
  if (!read.has("conflicts")) return;
  out.conflicts = read.one_of("conflicts", {"sequential", "random"}) == "random" ? Conflicts::random
                                                                                 : Conflicts::sequential;
  if (out.data_streams)
    read.refuse("conflicts", "cannot go together with data-streams", "data streams have no document ids");
  out.conflict_probability = read.in_range("conflict-probability", 25, 0, 100);
  out.update_on_conflict = read.one_of("on-conflict", {"index", "update"}) == "update";
  out.recency = read.in_range("recency", 0, 0, 1);
}

bool contains(const std::optional<std::vector<std::string>>& names, const std::string& name) {
  return !names || std::find(names->begin(), names->end(), name) != names->end();
}

bool wanted(const BulkParams& params, const Documents& documents) {
  return documents.count > 0 && contains(params.indices, documents.target_index) &&
         contains(params.data_streams, documents.target_data_stream);
}

}  // namespace

BulkParams bulk_params(const Operation& operation) {
  const Reader read(operation);
  BulkParams out;
  out.bulk_size = bulk_size_of(read);
  read_amount(read, out);
  out.looped = read.flag("looped");
  out.corpora = read.names("corpora");
  out.indices = read.names("indices");
  out.data_streams = read.names("data-streams");
  read_conflicts(read, out);
  return out;
}

std::vector<CorpusSelection> select_corpora(const BulkParams& params, const Operation& operation,
                                            const Track& track) {
  const Reader read(operation);
  if (track.corpora.empty())
    throw UserError(fmt::format("operation [{}] needs documents, but track [{}] has no corpora",
                                operation.name, track.name),
                    "declare `corpora` in the track");
  std::vector<CorpusSelection> out;
  std::vector<std::string> known;
  for (const Corpus& corpus : track.corpora) {
    known.push_back(corpus.name);
    if (!contains(params.corpora, corpus.name)) continue;
    CorpusSelection selection;
    for (const Documents& documents : corpus.documents) {
      if (!wanted(params, documents)) continue;
      if (params.conflicts != Conflicts::none &&
          (documents.includes_action_and_meta_data || !documents.target_data_stream.empty()))
        read.refuse("conflicts",
                    fmt::format("needs document ids of its own, but [{}] has action lines or goes "
                                "to a data stream",
                                documents.file));
      selection.documents.push_back(&documents);
    }
    if (!selection.documents.empty()) out.push_back(std::move(selection));
  }
  if (out.empty())
    throw UserError(
        fmt::format("operation [{}]: no document set of track [{}] matches its corpora, indices and "
                    "data-streams",
                    operation.name, track.name),
        fmt::format("corpora of the track: {}", fmt::join(known, ", ")));
  return out;
}

}  // namespace pacenote
