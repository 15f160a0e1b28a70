// Runs a fuzz target over its seeds and over cuts and flips of them: the plain test of each target.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "core/random.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  int runs = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      std::ifstream in(entry.path(), std::ios::binary);
      const std::vector<char> text((std::istreambuf_iterator<char>(in)), {});
      const std::vector<std::uint8_t> seed(text.begin(), text.end());
      LLVMFuzzerTestOneInput(seed.data(), seed.size());
      pacenote::Random random(pacenote::seed_of(entry.path().filename().string(), 0));
      for (int n = 0; n < 500 && !seed.empty(); ++n, ++runs) {
        std::vector<std::uint8_t> bent = seed;
        for (std::uint64_t flips = 1 + random.below(4); flips > 0; --flips)
          bent[random.below(bent.size())] = static_cast<std::uint8_t>(random.next());
        if (n % 3 == 0) bent.resize(1 + random.below(bent.size()));
        LLVMFuzzerTestOneInput(bent.data(), bent.size());
      }
    }
  }
  std::printf("%d inputs\n", runs);
  return runs == 0 ? 1 : 0;
}
