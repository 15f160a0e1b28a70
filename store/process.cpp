#include "store/process.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

namespace pacenote::store {
namespace {

std::string content(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Empty if it is dead, or dead but not yet waited for.
std::string mark(const std::string& pid) {
  const std::string stat =
      content(fmt::format("/proc/{}/stat", pid));  // proc(5): pid (name) state … starttime
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream fields(stat.substr(name_end + 1));
  const std::vector<std::string> words(std::istream_iterator<std::string>(fields), {});
  constexpr std::size_t kStart = 22 - 3;
  if (words.size() <= kStart || words[0] == "Z" || words[0] == "X") return {};
  std::string boot = content("/proc/sys/kernel/random/boot_id");
  if (boot.ends_with('\n')) boot.pop_back();
  return fmt::format("{} {} {}", pid, words[kStart], boot);
}

}  // namespace

std::string this_process() { return mark(std::to_string(::getpid())); }

bool lives(const std::string& process) {
  return process.empty() || mark(process.substr(0, process.find(' '))) == process;
}

}  // namespace pacenote::store
