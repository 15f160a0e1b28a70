#include "core/bulk_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/random.hpp"
#include "core/runner.hpp"
#include "core/text.hpp"

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

std::optional<LineTable> table_of(const Documents& documents) {
  return LineTable::open(documents.line_table, std::make_shared<InputFile>(documents.path));
}

std::optional<std::uint64_t> start_of(const Documents& documents, std::uint64_t line) {
  if (auto table = table_of(documents))
    if (const auto offset = table->offset_of(line)) return offset;
  return line_offset(documents.path, line);
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
    const std::optional<std::uint64_t> offset = start_of(documents, line);
    if (!offset) ended_early(documents);
    parts_.push_back({slice, *offset, action_line(documents)});
  }
}

void BulkSource::rewind() {
  current_bulk_ = 0;
  next_part_ = 0;
  left_ = 0;
}

/// A file that was written over while its bulks went out has others in it than the track says.
void BulkSource::check_unchanged() const {
  if (sent_ && sent_->stamp() != stamp_)
    throw UserError(fmt::format("[{}] was changed while its documents were sent", sent_->path().string()),
                    "leave corpus files alone while a race runs");
}

bool BulkSource::open_next() {
  check_unchanged();
  if (next_part_ == parts_.size()) return false;
  const Part& part = parts_[next_part_++];
  const Documents& documents = *part.slice.documents;
  left_ = part.slice.count;
  offset_ = part.offset;
  table_.reset();
  if (params_.conflicts == Conflicts::none)
    table_ = table_of(documents);
  else
    ids_ = std::make_unique<DocumentIds>(part.slice.first, left_, params_, chance_);
  if (table_) {
    sent_ = table_->data();
    stamp_ = sent_->stamp();
  }
  if (!table_) reader_ = std::make_unique<LineReader>(documents.path, part.offset);
  return true;
}

Supply BulkSource::next(Call& call) {
  if (current_bulk_ == total_bulks_ && params_.looped) rewind();
  if (current_bulk_ == total_bulks_) {
    check_unchanged();
    return Supply::exhausted;
  }
  if (left_ == 0 && !open_next()) return Supply::exhausted;
  const std::uint64_t count = std::min(params_.bulk_size, left_);
  if (!slice(call, count)) {
    if (ids_)
      fill_with_ids(call.body, count);
    else
      fill(call.body, count);
  }
  left_ -= count;
  ++current_bulk_;
  call.params = &call_params_;
  call.documents = count;
  call.index = target_of(*parts_[next_part_ - 1].slice.documents);
  call.options = options_;
  return Supply::ready;
}

/// Makes the call's body a slice of the open file, if its table allows.
bool BulkSource::slice(Call& call, std::uint64_t count) {
  call.slice.reset();
  if (!table_) return false;
  const auto& [part, begin, action] = parts_[next_part_ - 1];
  const std::uint64_t documents_before = part.first + part.count - left_;
  const std::uint64_t per_document = lines_per_document(*part.documents);
  const std::optional<std::uint64_t> end = table_->offset_of((documents_before + count) * per_document);
  if (!end || *end <= offset_) {  // a last line without newline, or a table that lies: read what is there
    reader_ = std::make_unique<LineReader>(part.documents->path, offset_);
    table_.reset();
    return false;
  }
  call.slice = FileSlice{table_->data(), offset_, *end - offset_, count * per_document, action};
  offset_ = *end;
  return true;
}

void BulkSource::fill(std::string& body, std::uint64_t count) {
  const Part& part = parts_[next_part_ - 1];
  const std::uint64_t lines = count * lines_per_document(*part.slice.documents);
  const std::uint64_t got =
      part.action.empty() ? reader_->take(body, lines) : reader_->take(body, part.action, lines);
  if (got < lines) ended_early(*part.slice.documents);
}

void BulkSource::fill_with_ids(std::string& body, std::uint64_t count) {
  const Documents& documents = *parts_[next_part_ - 1].slice.documents;
  const std::string index = quoted(documents.target_index);
  body.clear();
  for (std::uint64_t i = 0; i < count; ++i) {
    if (reader_->take(line_, 1) == 0) ended_early(documents);
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
