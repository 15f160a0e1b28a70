#include "tracks/archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <zlib.h>

#include <cstdio>
#include <memory>
#include <system_error>
#include <vector>

#include "core/error.hpp"
#include "tracks/bz2.hpp"
#include "tracks/draft.hpp"

namespace pacenote::tracks {
namespace {

constexpr std::size_t block = 1 << 20;

struct CloseArchive {
  void operator()(archive* a) const { ::archive_read_free(a); }
};
struct CloseFile {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using Reader = std::unique_ptr<archive, CloseArchive>;
using File = std::unique_ptr<std::FILE, CloseFile>;

bool has_members(const std::string& name) {
  const std::string extension = archive_extension(name);
  return extension == ".zip" || extension.starts_with(".t");
}

[[noreturn]] void damaged(const std::filesystem::path& path, std::string_view why) {
  throw UserError(fmt::format("archive {} is damaged: {}", path.string(), why), "fetch it again");
}

[[noreturn]] void damaged(const std::filesystem::path& path, archive* reader) {
  const char* reason = ::archive_error_string(reader);
  damaged(path, reason == nullptr ? "unreadable" : reason);
}

Reader open(const std::filesystem::path& path) {
  Reader reader(::archive_read_new());
  ::archive_read_support_filter_all(reader.get());
  if (has_members(path.filename().string())) {
    ::archive_read_support_format_zip(reader.get());
    ::archive_read_support_format_tar(reader.get());
    ::archive_read_support_format_gnutar(reader.get());
  } else {
    ::archive_read_support_format_raw(reader.get());
  }
  if (::archive_read_open_filename(reader.get(), path.c_str(), block) != ARCHIVE_OK)
    damaged(path, reader.get());
  return reader;
}

/// Stands at the member of that name, or at the first file where `any`. False: there is none.
bool find_member(archive* reader, const std::filesystem::path& path, const std::string& member, bool any) {
  archive_entry* entry = nullptr;
  for (;;) {
    const int result = ::archive_read_next_header(reader, &entry);
    if (result == ARCHIVE_EOF) return false;
    if (result < ARCHIVE_WARN) damaged(path, reader);
    if (any && ::archive_format(reader) == ARCHIVE_FORMAT_RAW) {
      // Text that only has the name of an archive passes libarchive without a filter.
      if (::archive_filter_count(reader) < 2) damaged(path, "it is not packed at all");
      return true;
    }
    if (::archive_entry_filetype(entry) != AE_IFREG) continue;
    const char* name = ::archive_entry_pathname(entry);
    if (any || (name != nullptr && std::filesystem::path(name).filename() == member)) return true;
  }
}

/// What is unpacked, on its way to the target.
class Output {
 public:
  Output(const std::filesystem::path& source, const std::filesystem::path& target,
         std::optional<std::uint64_t> limit, const UnpackProgress& progress)
      : source_(source),
        target_(target),
        limit_(limit),
        progress_(progress),
        file_(std::fopen(target.c_str(), "wb")) {
    if (!file_) cannot_write();
  }
  void put(const void* data, std::size_t size) {
    done_ += size;
    if (limit_ && done_ > *limit_)
      throw UserError(fmt::format("archive {} holds more than the {} bytes that the track declares",
                                  source_.string(), *limit_),
                      "correct uncompressed-bytes in the track, or fetch the archive again");
    if (std::fwrite(data, 1, size, file_.get()) != size) cannot_write();
    progress_(done_);
  }
  void close() {
    if (std::fclose(file_.release()) != 0) cannot_write();
  }

 private:
  [[noreturn]] void cannot_write() const {
    throw cannot_be_written(target_, std::generic_category().message(errno));
  }
  const std::filesystem::path &source_, &target_;
  std::optional<std::uint64_t> limit_;
  const UnpackProgress& progress_;
  File file_;
  std::uint64_t done_ = 0;
};

struct CloseGzip {
  void operator()(gzFile file) const { ::gzclose(file); }
};

/// Reads a gzip file to its end, every checksum of its members compared, which libarchive leaves out.
template <class Take>
void read_gzip(const std::filesystem::path& path, const Take& take) {
  const std::unique_ptr<gzFile_s, CloseGzip> file(::gzopen(path.c_str(), "rb"));
  if (!file)
    throw UserError(
        fmt::format("archive {} cannot be read: {}", path.string(), std::generic_category().message(errno)),
        "check its permissions");
  std::vector<char> room(block);
  for (;;) {
    const int size = ::gzread(file.get(), room.data(), static_cast<unsigned>(room.size()));
    int error = Z_OK;
    const char* why = ::gzerror(file.get(), &error);
    const bool plain = ::gzdirect(file.get()) != 0;  // zlib hands on what is not packed at all
    if (size < 0 || (error != Z_OK && error != Z_STREAM_END) || plain)
      damaged(path, plain ? "it is not gzip" : why);
    if (size == 0) return;
    take(room.data(), static_cast<std::size_t>(size));
  }
}

void copy(archive* reader, const std::filesystem::path& path, Output& out) {
  const void* data = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  for (int result; (result = ::archive_read_data_block(reader, &data, &size, &offset)) != ARCHIVE_EOF;) {
    if (result != ARCHIVE_OK) damaged(path, reader);  // a wrong checksum is but a warning to libarchive
    out.put(data, size);
  }
}

}  // namespace

std::string archive_extension(const std::string& name) {
  for (const char* extension :
       {".tar.gz", ".tar.bz2", ".tar.zst", ".tgz", ".tar", ".zip", ".bz2", ".gz", ".zst"})
    if (name.size() > std::string_view(extension).size() && name.ends_with(extension)) return extension;
  return {};
}

void unpack(const std::filesystem::path& archive, const std::filesystem::path& target,
            const std::string& member, std::optional<std::uint64_t> limit, const UnpackProgress& progress) {
  if (archive_extension(archive.filename().string()) == ".bz2") {  // the slowest of all, and the commonest
    Output out(archive, target, limit, progress);
    unpack_bz2(archive, [&](std::string_view text) { out.put(text.data(), text.size()); });
    return out.close();
  }
  const std::string extension = archive_extension(archive.filename().string());
  if (extension == ".gz") {
    Output out(archive, target, limit, progress);
    read_gzip(archive, [&](const char* data, std::size_t size) { out.put(data, size); });
    return out.close();
  }
  if (extension == ".tgz" || extension == ".tar.gz") read_gzip(archive, [](const char*, std::size_t) {});
  Reader reader = open(archive);
  if (!find_member(reader.get(), archive, member, !has_members(archive.filename().string()))) {
    reader = open(archive);
    if (!find_member(reader.get(), archive, member, true))
      throw UserError(fmt::format("archive {} is empty", archive.string()),
                      "remove it, so that it is fetched again");
  }
  Output out(archive, target, limit, progress);
  copy(reader.get(), archive, out);
  out.close();
}

}  // namespace pacenote::tracks
