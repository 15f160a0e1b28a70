// Files into bz2, by all cores.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

namespace pacenote::tracks {

/// Packs `file` into `archive`: one stream after the other, each of a block that a core of its own packed, as
/// pbzip2 does; every bz2 program reads it. `progress` is told the bytes of `file` that are done, and may
/// throw. UserError where one cannot be read or the other not be written.
void pack_bz2(const std::filesystem::path& file, const std::filesystem::path& archive,
              const std::function<void(std::uint64_t bytes)>& progress);

}  // namespace pacenote::tracks
