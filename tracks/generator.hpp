// Documents made rather than fetched: seeded, and the same bytes on every machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/json.hpp"

namespace pacenote::tracks {

/// Of a document with its newline: about, and never more than.
inline constexpr std::uint64_t kUsualGeneratedBytes = 130, kMostGeneratedBytes = 160;

/// Documents written so far.
using GenerateProgress = std::function<void(std::uint64_t documents)>;

/// Writes `count` documents, one a line. `spec` is a document set's `generator`: a name, or an object with
/// `name` and `seed`. The first n documents are the same for every count ≥ n. UserError for an unknown name
/// (with the nearest) or a file that cannot be written.
void generate(const Json& spec, std::uint64_t count, const std::filesystem::path& target,
              const GenerateProgress& progress);

/// The text of the first `count` documents, for tests and small uses.
std::string generated_text(const Json& spec, std::uint64_t count);

}  // namespace pacenote::tracks
