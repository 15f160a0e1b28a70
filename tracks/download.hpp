// Files over http and https.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace pacenote::tracks {

struct Download {
  std::string url;
  std::optional<std::uint64_t> size;                  ///< declared; more is not taken, less is an error
  std::string sha256;                                 ///< hexadecimal; empty: not checked
  bool shortened = false;                             ///< a file for --test-mode, which not every track has
  std::function<void(std::uint64_t bytes)> progress;  ///< often; may throw
  int attempts = 10;
  std::chrono::milliseconds pause{500};  ///< before the second attempt; doubled up to 5 s
};

/// Fetches into `<target>.tmp` and renames it at the end. What an earlier attempt, or an earlier process, has
/// left there is continued where the server says that its file is still the same. Redirects are followed to
/// http and https only, from https to https only, and credentials in the URL stay with their host. Proxies as
/// curl finds them (https_proxy, http_proxy, all_proxy, no_proxy). UserError where it fails for good.
void download(const Download& what, const std::filesystem::path& target);

/// The URL without user and password, for messages.
std::string without_credentials(const std::string& url);

}  // namespace pacenote::tracks
