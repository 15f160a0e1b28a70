// The query parameter filter_path, which every JSON answer obeys.
#pragma once

#include <string>

#include "core/sandbox/asked.hpp"

namespace pacenote::sandbox {

/// Keeps of the answer's JSON what one of the comma-separated paths names: "took,items.*.error", "**.count".
/// https://www.elastic.co/guide/en/elasticsearch/reference/8.15/common-options.html
void keep_only(Answer& answer, const std::string& paths);

}  // namespace pacenote::sandbox
