#include "tracks/create/search_page.hpp"

#include <algorithm>

namespace pacenote::tracks {
namespace {

/// Walks over JSON text by the ends of its values. Text that is no JSON is noticed, or ends the walk early;
/// it never leads outside of the text.
class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) {}

  bool take(char wanted) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  /// The next value's text; empty where there is none.
  std::string_view value() {
    skip_space();
    const std::size_t begin = at_;
    std::size_t depth = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') {
        if (!skip_string()) return {};
        if (depth == 0) break;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (c == '}' || c == ']') {
        if (depth == 0) return text_.substr(begin, at_ - begin);
        if (--depth == 0) break;
      } else if (depth == 0 && (c == ',' || static_cast<unsigned char>(c) <= ' ')) {
        return text_.substr(begin, at_ - begin);
      }
    }
    if (at_ < text_.size()) return text_.substr(begin, ++at_ - begin);
    return depth == 0 ? text_.substr(begin) : std::string_view();
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) <= ' ') ++at_;
  }
  /// From the opening quote to the closing one.
  bool skip_string() {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') return true;
      if (text_[at_] == '\\') ++at_;
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string_view unquoted(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : std::string_view();
}

/// Calls act(key, value) for each member. False: `object` is no object.
template <class Act>
bool each_member(std::string_view object, const Act& act) {
  Walk walk(object);
  if (!walk.take('{')) return false;
  if (walk.take('}')) return true;
  do {
    const std::string_view key = walk.value();
    if (key.empty() || key.front() != '"' || !walk.take(':')) return false;
    const std::string_view value = walk.value();
    if (value.empty()) return false;
    act(unquoted(key), value);
  } while (walk.take(','));
  return walk.take('}');
}

void append_line(std::string& lines, std::string_view source) {
  // A line end can only stand between tokens: within a string JSON wants it escaped.
  for (const char c : source)
    if (c != '\n' && c != '\r') lines += c;
  lines += '\n';
}

bool add_hit(SearchPage& page, std::string_view hit) {
  std::string_view source, sort;
  const bool fine = each_member(hit, [&](std::string_view key, std::string_view value) {
    if (key == "_source") source = value;
    if (key == "sort") sort = value;
  });
  page.last_sort = sort;
  ++page.documents;
  if (source.empty() || source.front() != '{')
    ++page.without_source;
  else
    append_line(page.lines, source);
  return fine;
}

bool add_hits(SearchPage& page, std::string_view array) {
  Walk walk(array);
  if (!walk.take('[')) return false;
  if (walk.take(']')) return true;
  do {
    const std::string_view hit = walk.value();
    if (hit.empty() || !add_hit(page, hit)) return false;
  } while (walk.take(','));
  return walk.take(']');
}

}  // namespace

std::optional<SearchPage> read_search_page(std::string_view body) {
  SearchPage page;
  bool hits = false, fine = true, timed_out = false, failed = false;
  page.lines.reserve(body.size());
  const bool object = each_member(body, [&](std::string_view key, std::string_view value) {
    if (key == "pit_id" || key == "_scroll_id") page.cursor = unquoted(value);
    if (key == "timed_out") timed_out = value == "true";
    if (key == "_shards")
      fine = fine && each_member(value, [&](std::string_view name, std::string_view number) {
               if (name == "failed") failed = number != "0";
             });
    if (key == "hits")
      fine = fine && each_member(value, [&](std::string_view name, std::string_view array) {
               if (name != "hits") return;
               hits = true;
               fine = fine && add_hits(page, array);
             });
  });
  if (!object || !hits || !fine) return std::nullopt;
  page.whole = !timed_out && !failed;
  return page;
}

}  // namespace pacenote::tracks
