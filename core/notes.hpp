// What the engine has to say to the person watching. cli's console shows it; tests collect it.
#pragma once

#include <string>

namespace pacenote {

/// Any thread; must not block. Texts are one line and hold no secrets.
class Notes {
 public:
  virtual ~Notes() = default;
  virtual void info(const std::string& text) = 0;
  virtual void warning(const std::string& text) = 0;
};

}  // namespace pacenote
