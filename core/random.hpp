// Random numbers that are the same on every machine, compiler and day.
#pragma once

#include <cstdint>
#include <string_view>

namespace pacenote {

__extension__ using Wide = unsigned __int128;

/// Each input bit changes about half of the output's (Stafford's variant 13 of MurmurHash3's mixer).
constexpr std::uint64_t stirred(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// SplitMix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() { return stirred(state_ += 0x9E3779B97F4A7C15u); }
  /// [0, 1), 53 random bits.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  /// [0, bound); bound > 0. The bias is below bound / 2^64.
  std::uint64_t below(std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<Wide>(next()) * bound) >> 64);
  }

 private:
  std::uint64_t state_;
};

/// FNV-1a of the name, stirred with a number: one stream per task and client.
inline std::uint64_t seed_of(std::string_view name, std::uint64_t number) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return Random(hash + number * 0x9E3779B97F4A7C15u).next();
}

}  // namespace pacenote
