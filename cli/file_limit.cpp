#include "cli/file_limit.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include "core/error.hpp"

namespace pacenote::cli {

void raise_file_limit(std::uint64_t needed) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= needed)
    return;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < needed)
    throw UserError(
        fmt::format("this race needs up to {} open files, the limit is {}", needed, limit.rlim_max),
        fmt::format("Raise it (`ulimit -n {}`), or use fewer clients or hosts.", needed));
  limit.rlim_cur = needed;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace pacenote::cli
