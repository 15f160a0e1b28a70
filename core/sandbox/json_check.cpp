#include "core/sandbox/json_check.hpp"

#include "core/json.hpp"

namespace pacenote::sandbox {
namespace {

/// Accepts only valid JSON, but not all of it: no bytes above 127, no \u, no depth over 64.
class PlainChecker {
 public:
  explicit PlainChecker(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}
  bool object_alone() {
    blanks();
    if (at_ == end_ || *at_ != '{' || !value(0)) return false;
    blanks();
    return at_ == end_;
  }

 private:
  void blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
  }
  bool take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool word(std::string_view expected) {
    if (std::string_view(at_, static_cast<std::size_t>(end_ - at_)).substr(0, expected.size()) != expected)
      return false;
    at_ += expected.size();
    return true;
  }
  bool string() {
    if (!take('"')) return false;
    while (at_ != end_) {
      const char c = *at_++;
      if (c == '"') return true;
      if (static_cast<signed char>(c) < 0x20) return false;  // control characters, and bytes above 127
      if (c == '\\' && (at_ == end_ || std::string_view("\"\\/bfnrt").find(*at_++) == std::string_view::npos))
        return false;
    }
    return false;
  }
  bool digits() {
    const char* const begin = at_;
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9') ++at_;
    return at_ != begin;
  }
  bool number() {
    take('-');
    if (!take('0') && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (take('e') || take('E')) {
      if (!take('-')) take('+');
      return digits();
    }
    return true;
  }
  bool members(int depth) {
    blanks();
    if (take('}')) return true;
    do {
      blanks();
      if (!string()) return false;
      blanks();
      if (!take(':') || !value(depth + 1)) return false;
      blanks();
    } while (take(','));
    return take('}');
  }
  bool elements(int depth) {
    blanks();
    if (take(']')) return true;
    do {
      if (!value(depth + 1)) return false;
      blanks();
    } while (take(','));
    return take(']');
  }
  bool value(int depth) {
    blanks();
    if (at_ == end_ || depth > 64) return false;
    switch (*at_) {
      case '{':
        ++at_;
        return members(depth);
      case '[':
        ++at_;
        return elements(depth);
      case '"':
        return string();
      case 't':
        return word("true");
      case 'f':
        return word("false");
      case 'n':
        return word("null");
      default:
        return number();
    }
  }

  const char* at_;
  const char* end_;
};

}  // namespace

bool is_json_object(std::string_view text) {
  if (PlainChecker(text).object_alone()) return true;
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && text[begin] == '{' && Json::accept(text);
}

}  // namespace pacenote::sandbox
