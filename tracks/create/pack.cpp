#include "tracks/create/pack.hpp"

#include <bzlib.h>
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <future>
#include <string>
#include <thread>

#include "core/documents.hpp"
#include "core/error.hpp"
#include "tracks/create/half_made.hpp"

namespace pacenote::tracks {
namespace {

constexpr int kBlockLevel = 9;
constexpr std::size_t kBlockBytes = 890'000;  // a block at level 9 holds a little more

/// One whole bz2 stream. Empty: there was no memory for it.
std::string packed_block(const std::string& text) {
  // As much as bzip2's manual wants for text that does not get smaller.
  std::string out(text.size() + text.size() / 100 + 600, '\0');
  auto size = static_cast<unsigned>(out.size());
  std::string input = text;
  const int result = BZ2_bzBuffToBuffCompress(out.data(), &size, input.data(),
                                              static_cast<unsigned>(input.size()), kBlockLevel, 0, 0);
  out.resize(result == BZ_OK ? size : 0);
  return out;
}

class BlockFile {
 public:
  explicit BlockFile(const std::filesystem::path& path) : file_(path) {}
  std::string next() {
    std::string out(kBlockBytes, '\0');
    std::size_t filled = 0;
    while (filled < out.size()) {
      const std::size_t n = file_.read_at(offset_, out.data() + filled, out.size() - filled);
      if (n == 0) break;
      filled += n;
      offset_ += n;
    }
    out.resize(filled);
    return out;
  }

 private:
  InputFile file_;
  std::uint64_t offset_ = 0;
};

struct BlockUnderWay {
  std::uint64_t bytes;
  std::future<std::string> packed;
};

}  // namespace

void pack_bz2(const std::filesystem::path& file, const std::filesystem::path& archive,
              const std::function<void(std::uint64_t bytes)>& progress) {
  BlockFile blocks(file);
  std::ofstream out(archive, std::ios::binary | std::ios::trunc);
  std::deque<BlockUnderWay> under_way;
  const std::size_t most = std::max(1u, std::thread::hardware_concurrency());
  std::uint64_t done = 0;
  for (bool more = true; more || !under_way.empty();) {
    while (more && under_way.size() < most) {
      std::string text = blocks.next();
      more = !text.empty();
      const std::uint64_t bytes = text.size();
      if (more) under_way.push_back({bytes, std::async(std::launch::async, packed_block, std::move(text))});
    }
    if (under_way.empty()) break;
    const std::string packed = under_way.front().packed.get();
    if (packed.empty())
      throw UserError(fmt::format("not enough memory to pack {}", file.string()),
                      "free some memory and run the same command again: it goes on where it stopped");
    out << packed;
    if (!out) cannot_write(archive);
    done += under_way.front().bytes;
    under_way.pop_front();
    progress(done);
  }
  out.close();
  if (!out) cannot_write(archive);
}

}  // namespace pacenote::tracks
