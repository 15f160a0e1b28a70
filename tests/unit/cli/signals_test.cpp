#include "cli/signals.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>

#include "tests/support/catch.hpp"

namespace pacenote::cli::signals_test {

/// Exit code of a child that gets `signals` while its first callback hangs.
int exit_code_after(std::initializer_list<int> signals) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(5);
    const Signals handler([](int) { pause(); });
    for (const int signal : signals) raise(signal);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_CASE("the first signal is reported, not obeyed", "[signals]") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    std::promise<int> got;
    const Signals signals([&](int s) { got.set_value(s); });
    CHECK(signals.received() == 0);
    raise(SIGPIPE);
    raise(signal);
    CHECK(got.get_future().get() == signal);
    CHECK(signals.received() == signal);
  }
}

TEST_CASE("without a signal nothing is reported, and handlers are put back", "[signals]") {
  bool called = false;
  struct sigaction before {};
  sigaction(SIGTERM, nullptr, &before);
  {
    const Signals signals([&](int) { called = true; });
  }
  CHECK_FALSE(called);
  struct sigaction now {};
  sigaction(SIGTERM, nullptr, &now);
  CHECK(now.sa_handler == before.sa_handler);
}

TEST_CASE("the second signal ends the process at once", "[signals]") {
  CHECK(exit_code_after({SIGINT, SIGINT}) == 130);
  CHECK(exit_code_after({SIGINT, SIGTERM}) == 143);
  CHECK(exit_code_after({SIGHUP, SIGHUP}) == 143);
}

}  // namespace pacenote::cli::signals_test
