// Packed corpus files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace pacenote::tracks {

/// The ending (".tar.gz", ".bz2", …) by which a file name says that it is an archive; empty if it is none.
std::string archive_extension(const std::string& name);

/// Bytes written so far.
using UnpackProgress = std::function<void(std::uint64_t bytes)>;

/// Writes what `archive` holds to `target` (of a zip or tar: the member of target's name, or the only one).
/// At most `limit` bytes. UserError that names the archive where it is damaged or holds more; `target` may
/// then be half-written.
void unpack(const std::filesystem::path& archive, const std::filesystem::path& target,
            const std::string& member, std::optional<std::uint64_t> limit, const UnpackProgress& progress);

}  // namespace pacenote::tracks
