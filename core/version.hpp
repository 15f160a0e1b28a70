#pragma once
namespace pacenote {
inline constexpr const char* kVersion = "0.1.0";
}
