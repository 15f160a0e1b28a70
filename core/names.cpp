#include "core/names.hpp"

namespace pacenote {

NameId Names::id(std::string_view text) {
  if (text.empty()) return NameId::none;
  const std::lock_guard lock(mutex_);
  if (const auto it = ids_.find(text); it != ids_.end()) return it->second;
  if (texts_.size() >= limit_) {
    text = "(other)";
    if (const auto it = ids_.find(text); it != ids_.end()) return it->second;
  }
  const auto id = static_cast<NameId>(texts_.size());
  texts_.emplace_back(text);
  ids_.emplace(texts_.back(), id);
  return id;
}

std::string_view Names::text(NameId id) const {
  const std::lock_guard lock(mutex_);
  const auto index = static_cast<std::size_t>(id);
  return index < texts_.size() ? std::string_view(texts_[index]) : std::string_view();
}

std::vector<std::string> Names::since(std::size_t first) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> out;
  for (std::size_t i = first; i < texts_.size(); ++i) out.push_back(texts_[i]);
  return out;
}

std::size_t Names::size() const {
  const std::lock_guard lock(mutex_);
  return texts_.size();
}

}  // namespace pacenote
