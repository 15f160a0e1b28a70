// bz2 files, unpacked by all cores.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace pacenote::tracks {

/// Hands the unpacked text to `write` in order, on the caller's thread; what `write` throws ends it. The
/// blocks of a bz2 (at most 900 kB of text each) do not depend on one another, so each is unpacked by a
/// thread of its own, as many at a time as there are cores. Several streams in one file are one text.
/// UserError, naming the file, where it is damaged or ends early.
void unpack_bz2(const std::filesystem::path& archive, const std::function<void(std::string_view)>& write);

}  // namespace pacenote::tracks
