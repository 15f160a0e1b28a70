// Text that samples refer to by number: units, error descriptions, meta.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pacenote {

enum class NameId : std::uint32_t { none = 0 };

/// Interned texts of one race. Any thread. Texts never move: a view stays valid as long as the Names.
/// At most `limit` distinct texts are kept; later ones become "(other)", so that an error text with a
/// changing number in it cannot eat the memory.
class Names {
 public:
  explicit Names(std::size_t limit = 100'000) : limit_(limit) { texts_.emplace_back(); }
  NameId id(std::string_view text);                         ///< none for an empty text
  std::string_view text(NameId id) const;                   ///< empty for none or an unknown id
  std::vector<std::string> since(std::size_t first) const;  ///< texts with id >= first, in order; first >= 1
  std::size_t size() const;                                 ///< ids run from 1 to size()-1

 private:
  mutable std::mutex mutex_;
  std::deque<std::string> texts_;  // a deque does not move its elements
  std::unordered_map<std::string_view, NameId> ids_;
  std::size_t limit_;
};

}  // namespace pacenote
