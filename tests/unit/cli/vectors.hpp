// Counting what differs from Rally's vectors, and why it may.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/json.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::test {

/// Ids of cases, or what they begin with, and the reason.
using Differences = std::vector<std::pair<std::string, std::string>>;

/// Equal as Python sees it, with {"$float": "nan"} for what JSON cannot say.
inline bool same(const Json& ours, const Json& theirs) {
  if (theirs.is_object() && theirs.contains("$float")) {
    if (!ours.is_number_float()) return false;
    const std::string name = theirs.at("$float");
    const double x = ours.get<double>();
    return name == "nan" ? std::isnan(x) : std::isinf(x) && (x < 0) == name.starts_with('-');
  }
  if (ours.is_number() && theirs.is_number()) return ours.get<double>() == theirs.get<double>();
  if (ours.type() != theirs.type() || ours.size() != theirs.size()) return false;
  if (theirs.is_object()) {
    for (const auto& [key, value] : theirs.items())
      if (!ours.contains(key) || !same(ours.at(key), value)) return false;
    return true;
  }
  if (theirs.is_array()) {
    for (std::size_t i = 0; i < theirs.size(); ++i)
      if (!same(ours.at(i), theirs.at(i))) return false;
    return true;
  }
  return ours == theirs;
}

class VectorCount {
 public:
  VectorCount(std::string name, Differences listed) : name_(std::move(name)), listed_(std::move(listed)) {}
  /// `ours` makes the value; a UserError is as good as any error of Rally's.
  void check(const Json& vector, const std::function<Json()>& ours) {
    std::optional<Json> value;
    std::string text;
    try {
      value = ours();
      text = value->dump();
    } catch (const UserError& error) {
      text = error.what();
    }
    const bool agrees = vector.contains("error") ? !value : value && same(*value, vector.at("result"));
    const std::string id = vector.at("id");
    INFO("vector " << vector.dump() << "\nours: " << text);
    const std::string* reason = listed(id);
    agrees ? ++pass_ : ++differ_;
    CHECK((agrees || reason != nullptr));
    if (reason != nullptr) {
      INFO("listed as different, but it is not");
      CHECK_FALSE(agrees);
    }
  }
  ~VectorCount() {
    CHECK(pass_ > 0);
    std::cout << fmt::format("vectors {}: {} pass, {} listed differences\n", name_, pass_, differ_);
  }

 private:
  const std::string* listed(const std::string& id) const {
    for (const auto& [known, reason] : listed_)
      if (known == id) return &reason;
    return nullptr;
  }
  std::string name_;
  Differences listed_;
  int pass_ = 0, differ_ = 0;
};

}  // namespace pacenote::test
