#include "core/bulk_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/random.hpp"
#include "core/runner.hpp"

namespace pacenote {
namespace {

std::string quoted(const std::string& name) { return to_text(Json(name)); }

/// Rally's spelling, blanks included; the name is escaped, which Rally omits.
std::string action_line(const Documents& documents) {
  if (documents.includes_action_and_meta_data) return {};
  if (documents.target_index.empty())
    return fmt::format("{{\"create\": {{\"_index\": {}}}}}\n", quoted(documents.target_data_stream));
  return fmt::format("{{\"index\": {{\"_index\": {}}}}}\n", quoted(documents.target_index));
}

const std::string& target_of(const Documents& documents) {
  return documents.target_index.empty() ? documents.target_data_stream : documents.target_index;
}

std::uint64_t lines_per_document(const Documents& documents) {
  return documents.includes_action_and_meta_data ? 2 : 1;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const std::size_t from = text.find_first_not_of(kBlanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

[[noreturn]] void ended_early(const Documents& documents) {
  throw UserError(fmt::format("[{}] has {} documents, but the track declares {}", documents.path.string(),
                              count_lines(documents.path) / lines_per_document(documents), documents.count),
                  "load the file again, or correct document-count");
}

}  // namespace

BulkSource::BulkSource(const Operation& operation, const Track& track, Share share, Chance chance)
    : params_(bulk_params(operation)),
      call_params_(operation.params),
      options_(request_options(operation)),
      chance_(std::move(chance)) {
  call_params_["action-metadata-present"] = true;
  call_params_["unit"] = "docs";
  const std::vector<CorpusSelection> corpora = select_corpora(params_, operation, track);
  const std::vector<Slice> ours = slices(corpora, share);
  total_bulks_ = total_bulks(params_, operation, corpora, ours, share);
  for (const Slice& slice : ours) {
    const Documents& documents = *slice.documents;
    const std::uint64_t line = slice.first * lines_per_document(documents);
    const std::optional<std::uint64_t> offset = line_offset(documents.path, line);
    if (!offset) ended_early(documents);
    parts_.push_back({slice, *offset, action_line(documents)});
  }
}

void BulkSource::rewind() {
  current_bulk_ = 0;
  next_part_ = 0;
  left_ = 0;
}

bool BulkSource::open_next() {
  if (next_part_ == parts_.size()) return false;
  const Part& part = parts_[next_part_++];
  reader_ = std::make_unique<LineReader>(part.slice.documents->path, part.offset);
  left_ = part.slice.count;
  if (params_.conflicts != Conflicts::none)
    ids_ = std::make_unique<DocumentIds>(part.slice.first, left_, params_, chance_);
  return true;
}

Supply BulkSource::next(Call& call) {
  if (current_bulk_ == total_bulks_ && params_.looped) rewind();
  if (current_bulk_ == total_bulks_) return Supply::exhausted;
  if (left_ == 0 && !open_next()) return Supply::exhausted;
  const std::uint64_t count = std::min(params_.bulk_size, left_);
  call.body.clear();
  if (ids_)
    fill_with_ids(call.body, count);
  else
    fill(call.body, count);
  left_ -= count;
  ++current_bulk_;
  call.params = &call_params_;
  call.documents = count;
  call.index = target_of(*parts_[next_part_ - 1].slice.documents);
  call.options = options_;
  return Supply::ready;
}

void BulkSource::fill(std::string& body, std::uint64_t count) {
  const Part& part = parts_[next_part_ - 1];
  const std::uint64_t lines = count * lines_per_document(*part.slice.documents);
  const std::uint64_t got =
      part.action.empty() ? reader_->append(body, lines) : reader_->append(body, part.action, lines);
  if (got < lines) ended_early(*part.slice.documents);
}

void BulkSource::fill_with_ids(std::string& body, std::uint64_t count) {
  const Documents& documents = *parts_[next_part_ - 1].slice.documents;
  const std::string index = quoted(documents.target_index);
  for (std::uint64_t i = 0; i < count; ++i) {
    line_.clear();
    if (reader_->append(line_, 1) == 0) ended_early(documents);
    const auto [id, conflict] = ids_->next();
    const bool update = conflict && params_.update_on_conflict;
    fmt::format_to(std::back_inserter(body), "{{\"{}\": {{\"_index\": {}, \"_id\": \"{:010}\"}}}}\n",
                   update ? "update" : "index", index, id);
    if (update)
      fmt::format_to(std::back_inserter(body), "{{\"doc\":{}}}\n", trimmed(line_));
    else
      body += line_;
  }
}

std::optional<double> BulkSource::progress() const {
  if (total_bulks_ == 0) return 1.0;
  return static_cast<double>(current_bulk_) / static_cast<double>(total_bulks_);
}

std::unique_ptr<ParamSource> bulk_source(const Operation& operation, const Track& track, Share share) {
  return std::make_unique<BulkSource>(operation, track, share,
                                      seeded_chance(seed_of(operation.name, share.first)));
}

}  // namespace pacenote
