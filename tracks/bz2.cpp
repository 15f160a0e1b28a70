#include "tracks/bz2.hpp"

#include <bzlib.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <future>
#include <optional>
#include <string>
#include <thread>

#include "core/error.hpp"

namespace pacenote::tracks {
namespace {

// Both stand at any bit, not only at the begin of a byte.
constexpr std::uint64_t kBlockMark = 0x314159265359, kEndMark = 0x177245385090, kMarkMask = 0xffffffffffff;
constexpr std::uint64_t kMarkBits = 48, kHeaderBits = 32;
constexpr unsigned kBlockText = 900'000, kBlockSlack = 64 * 1024;

[[noreturn]] void damaged_bz2(const std::filesystem::path& path, const std::string& why) {
  throw UserError(fmt::format("archive {} is damaged: {}", path.string(), why), "fetch it again");
}

/// A file's bytes, read as they are touched.
class Mapped {
 public:
  explicit Mapped(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (descriptor >= 0 && ::fstat(descriptor, &status) == 0)
      size_ = static_cast<std::size_t>(status.st_size);
    if (size_ > 0) data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (descriptor >= 0) ::close(descriptor);
    if (size_ == 0 || data_ == MAP_FAILED) damaged_bz2(path, "it cannot be read or is empty");
    ::madvise(data_, size_, MADV_SEQUENTIAL);
  }
  ~Mapped() { ::munmap(data_, size_); }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  const unsigned char* data() const { return static_cast<const unsigned char*>(data_); }
  std::uint64_t size() const { return size_; }

 private:
  void* data_ = MAP_FAILED;
  std::size_t size_ = 0;
};

struct Mark {
  std::uint64_t bit = 0;  // where it begins
  bool block = false;     // else the end of a stream
};

/// Finds the marks one after the other.
class MarkScanner {
 public:
  explicit MarkScanner(const Mapped& file) : file_(file) {}
  std::optional<Mark> next() {
    for (; byte_ < file_.size(); ++byte_, shift_ = 8) {
      if (shift_ == 8) window_ = (window_ << 8) | file_.data()[byte_];
      while (shift_ > 0) {
        --shift_;
        const std::uint64_t seen = (window_ >> shift_) & kMarkMask;
        const std::uint64_t end = (byte_ + 1) * 8 - shift_;
        if ((seen == kBlockMark || seen == kEndMark) && end >= kMarkBits)
          return Mark{end - kMarkBits, seen == kBlockMark};
      }
    }
    return std::nullopt;
  }

 private:
  const Mapped& file_;
  std::uint64_t byte_ = 0, window_ = 0;
  unsigned shift_ = 8;  // bits of the byte that have not been looked at
};

/// Bits one after the other, as bz2 packs them.
class BitText {
 public:
  void add(std::uint64_t bits, unsigned count) {
    while (count-- > 0) {
      last_ = static_cast<unsigned char>((last_ << 1) | static_cast<int>((bits >> count) & 1));
      if (++filled_ == 8) flush();
    }
  }
  void flush() {
    if (filled_ > 0) text_.push_back(static_cast<char>(last_ << (8 - filled_)));
    last_ = 0;
    filled_ = 0;
  }
  std::string text_;

 private:
  unsigned char last_ = 0;
  unsigned filled_ = 0;
};

/// The bits [begin, end) as a stream of one block: header, block, end mark, and the block's CRC as the
/// stream's.
std::string as_stream(const Mapped& file, std::uint64_t begin, std::uint64_t end) {
  BitText out;
  out.text_ = "BZh9";
  const unsigned shift = begin % 8;
  std::uint64_t at = begin / 8;
  out.text_.reserve((end - begin) / 8 + 32);
  for (std::uint64_t left = (end - begin) / 8; left > 0; --left, ++at) {
    const unsigned next = shift == 0 ? 0 : file.data()[at + 1];
    out.text_.push_back(static_cast<char>((unsigned{file.data()[at]} << shift) | (next >> (8 - shift))));
  }
  const auto bit = [&](std::uint64_t n) { return (std::uint64_t{file.data()[n / 8]} >> (7 - n % 8)) & 1; };
  for (std::uint64_t n = end - (end - begin) % 8; n < end; ++n) out.add(bit(n), 1);
  out.add(kEndMark, kMarkBits);
  for (std::uint64_t n = begin + kMarkBits; n < begin + kMarkBits + 32; ++n) out.add(bit(n), 1);
  out.flush();
  return std::move(out.text_);
}

/// None: these bits are no block.
std::optional<std::string> unpacked_block(const Mapped& file, std::uint64_t begin, std::uint64_t end) {
  if (end < begin + kMarkBits + 32) return std::nullopt;
  std::string packed = as_stream(file, begin, end);
  std::string text(kBlockText + kBlockSlack, '\0');
  for (;;) {  // a block of long runs unpacks to more than its size says
    auto size = static_cast<unsigned>(text.size());
    const int result = ::BZ2_bzBuffToBuffDecompress(text.data(), &size, packed.data(),
                                                    static_cast<unsigned>(packed.size()), 0, 0);
    if (result == BZ_OUTBUFF_FULL && text.size() < (std::size_t{1} << 30)) {
      text.resize(text.size() * 4);
      continue;
    }
    if (result != BZ_OK) return std::nullopt;
    text.resize(size);
    return text;
  }
}

/// One block on its way.
struct Pending {
  std::uint64_t begin = 0, end = 0;
  std::future<std::optional<std::string>> text;
};

class Unpacking {
 public:
  Unpacking(const std::filesystem::path& path, const std::function<void(std::string_view)>& write)
      : path_(path), write_(write), file_(path), scanner_(file_) {}

  void run() {
    if (file_.size() < 4 || std::string_view(reinterpret_cast<const char*>(file_.data()), 3) != "BZh")
      damaged_bz2(path_, "it is no bz2");
    std::optional<Mark> begin = scanner_.next();
    if (!begin || begin->bit != kHeaderBits) damaged_bz2(path_, "it has no block");
    while (begin->block) {
      const std::optional<Mark> end = scanner_.next();
      if (!end) damaged_bz2(path_, "it ends early");
      start(begin->bit, end->bit);
      begin = end;
      // Behind the end of a stream another may begin.
      for (std::optional<Mark> next; !begin->block && (next = scanner_.next());) begin = next;
      if (waiting_.size() >= at_once_) finish_first();
    }
    while (!waiting_.empty()) finish_first();
  }

 private:
  void start(std::uint64_t begin, std::uint64_t end) {
    waiting_.push_back(
        {begin, end, std::async(std::launch::async, unpacked_block, std::cref(file_), begin, end)});
  }

  void finish_first() {
    Pending first = std::move(waiting_.front());
    waiting_.pop_front();
    std::optional<std::string> text = first.text.get();
    // What looked like a mark may have been text: then the block goes on to the next one.
    while (!text && !waiting_.empty() && waiting_.front().begin == first.end) {
      first.end = waiting_.front().end;
      waiting_.front().text.wait();
      waiting_.pop_front();
      text = unpacked_block(file_, first.begin, first.end);
    }
    if (!text) damaged_bz2(path_, fmt::format("the block at byte {} cannot be unpacked", first.begin / 8));
    write_(*text);
  }

  const std::filesystem::path& path_;
  const std::function<void(std::string_view)>& write_;
  Mapped file_;
  MarkScanner scanner_;
  std::deque<Pending> waiting_;
  std::size_t at_once_ = std::max(2U, std::thread::hardware_concurrency() + 1);
};

}  // namespace

void unpack_bz2(const std::filesystem::path& archive, const std::function<void(std::string_view)>& write) {
  Unpacking(archive, write).run();
}

}  // namespace pacenote::tracks
