#include "tracks/create/extraction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "core/documents.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/offset_table.hpp"
#include "core/text.hpp"
#include "tracks/create/pack.hpp"

namespace pacenote::tracks {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kTestModeDocuments = 1000;  // as Rally's test mode reads

void rename_to(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) cannot_write(to);
}

std::uint64_t size_on_disk(const fs::path& file) {
  std::error_code absent;
  const std::uintmax_t size = fs::file_size(file, absent);
  return absent ? 0 : size;
}

/// One corpus from the first page to the last file.
class Extraction {
 public:
  Extraction(Transport& cluster, Clock& clock, const ExtractOptions& options, std::string name,
             HalfMade& made)
      : cluster_(cluster),
        clock_(clock),
        options_(options),
        name_(std::move(name)),
        file_(options.folder / documents_file(name_)),
        temporary_(file_.string() + ".tmp"),
        state_(made),
        made_(made.corpus(name_)) {}

  Async<void> read(const std::vector<SourceIndex>& sources, Notes& notes) {
    if (made_.read && size_on_disk(file_) == made_.bytes) co_return;
    const bool goes_on = made_.documents > 0 && !made_.read && made_.place.paging != Paging::scroll &&
                         size_on_disk(temporary_) >= made_.bytes;
    bool done = false;
    if (goes_on) {
      notes.info(fmt::format("index [{}]: going on after {} documents", name_, grouped(made_.documents)));
      done = co_await pages(sources);
      if (!done) notes.info(fmt::format("index [{}]: its point in time is gone, it is read anew", name_));
    }
    if (!done) {
      co_await begin_anew(sources);
      done = co_await pages(sources);
      if (!done)
        throw UserError(fmt::format("the cluster ended the point in time of index [{}]", name_),
                        "run the same command again: this index is read anew");
    }
    if (made_.documents < made_.expected)
      throw UserError(fmt::format("index [{}] had {} documents when it was counted, but {} could be read",
                                  name_, grouped(made_.expected), grouped(made_.documents)),
                      "let nothing delete from it meanwhile; the same command reads it anew");
    if (made_.documents > made_.expected)
      notes.warning(fmt::format("index [{}] had {} documents when it was counted and {} when it was read",
                                name_, grouped(made_.expected), grouped(made_.documents)));
    std::error_code error;
    if (made_.documents == 0)
      fs::remove(temporary_, error);  // there is no corpus without documents
    else
      rename_to(temporary_, file_);
    made_.read = true;
    state_.save();
  }

  void finish() {
    const fs::path archive = file_.string() + ".bz2";
    const fs::path small = options_.folder / fmt::format("{}-documents-1k.json", name_);
    if (made_.compressed_bytes == 0 || size_on_disk(archive) != made_.compressed_bytes) {
      write_small(small);
      pack(small);
      pack(file_);
      write_offsets();
      made_.compressed_bytes = size_on_disk(archive);
      state_.save();
    }
  }

 private:
  Async<void> begin_anew(const std::vector<SourceIndex>& sources) {
    made_ = MadeCorpus();
    made_.place.paging = options_.paging;
    std::vector<std::string> names;
    for (const SourceIndex& source : sources) names.push_back(url_encode(source.name));
    const Request request(Method::get, fmt::format("/{}/_count", fmt::join(names, ",")));
    const Response response = co_await cluster_.send(request);
    const Json answer = pacenote::parse_json(response.body);
    if (!response.ok() || !answer.is_object() || !answer.contains("count"))
      refused_by_cluster(response, fmt::format("the number of documents of index [{}]", name_));
    made_.expected = answer["count"].get<std::uint64_t>();
    state_.save();
  }

  /// False: the point in time is gone.
  Async<bool> pages(const std::vector<SourceIndex>& sources) {
    std::ofstream out = open_temporary();
    Reading reading{sources, options_.batch, options_.opensearch};
    Pager pager(cluster_, clock_, std::move(reading), made_.place);
    SearchPage page;
    for (;;) {
      options_.progress(fmt::format("Extracting [{}]", name_), made_.documents, made_.expected, "documents");
      const Pager::Found found = co_await pager.next(page);
      if (found == Pager::Found::lost) co_return false;
      if (found == Pager::Found::end) break;
      out << page.lines;
      out.flush();
      if (!out) cannot_write(temporary_);
      made_.documents += page.documents;
      made_.bytes += page.lines.size();
      made_.place = pager.place();
      state_.save();
    }
    out.close();
    if (!out) cannot_write(temporary_);
    co_return true;
  }

  /// At the end of what is known to be whole.
  std::ofstream open_temporary() const {
    std::error_code error;
    if (size_on_disk(temporary_) > made_.bytes) fs::resize_file(temporary_, made_.bytes, error);
    if (error) cannot_write(temporary_);
    std::ofstream out(temporary_, std::ios::binary | std::ios::app);
    if (!out) cannot_write(temporary_);
    return out;
  }

  void write_small(const fs::path& file) const {
    std::string lines;
    LineReader(file_, 0).take(lines, kTestModeDocuments);
    write_whole(file, lines);
  }

  void pack(const fs::path& file) const {
    const fs::path archive = file.string() + ".bz2", half = archive.string() + ".tmp";
    pack_bz2(file, half, [&](std::uint64_t bytes) {
      options_.progress(fmt::format("Packing [{}]", archive.filename().string()), bytes, size_on_disk(file),
                        "bytes");
    });
    rename_to(half, archive);
  }

  /// Scans the file once; the race that reads it finds the table beside it.
  void write_offsets() const {
    std::vector<std::uint64_t> offsets;
    for (std::uint64_t line = kLinesPerOffset; line < made_.documents; line += kLinesPerOffset)
      if (const auto offset = line_offset(file_, line)) offsets.push_back(*offset);
    if (!offsets.empty()) write_offset_table(file_, offsets);
  }

  Transport& cluster_;
  Clock& clock_;
  const ExtractOptions& options_;
  std::string name_;
  fs::path file_, temporary_;
  HalfMade& state_;
  MadeCorpus& made_;
};

}  // namespace

std::string documents_file(const std::string& name) { return name + "-documents.json"; }

Async<void> extract(Transport& cluster, Clock& clock, const std::string& name,
                    const std::vector<SourceIndex>& sources, const ExtractOptions& options, HalfMade& made,
                    Notes& notes) {
  Extraction one(cluster, clock, options, name, made);
  co_await one.read(sources, notes);
  if (made.corpus(name).documents > 0) one.finish();
}

}  // namespace pacenote::tracks
