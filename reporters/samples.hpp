// Raw samples as lines, with their times derived: what `export --what=samples` writes.
#pragma once

#include <string>
#include <string_view>

#include "core/names.hpp"
#include "core/sample.hpp"

namespace pacenote::reporters {

enum class SampleFormat : std::uint8_t { csv, json };

/// The CSV header line; empty for JSON, whose lines name their fields.
std::string sample_header(SampleFormat format);
/// One line with its line end; `raw` as in FormatOptions. Times are milliseconds; `relative_ms` and `due_ms`
/// count from `epoch`.
std::string sample_line(const Sample& sample, Instant epoch, std::string_view task, const Names& names,
                        SampleFormat format, bool raw = false);

}  // namespace pacenote::reporters
