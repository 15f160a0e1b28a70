// What an engine says when it refuses, as one short line.
#pragma once

#include <string>
#include <string_view>

namespace pacenote {

/// "type: reason" of an error answer; of other bodies the first line, at most 300 bytes. Parts that differ
/// from one request to the next (UUIDs, object addresses, counters) are left out so that equal errors group.
std::string error_text(std::string_view body);

/// The same for one error's own type and reason (of a bulk item, say). Either may be empty.
std::string error_text(std::string_view type, std::string_view reason);

}  // namespace pacenote
