#include "cli/signals.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <thread>

namespace pacenote::cli {
namespace {

constexpr std::array kCaught{SIGINT, SIGTERM, SIGHUP};

// A handler can reach nothing but globals.
std::atomic<int> first_signal{0};
std::atomic<int> pipe_end{-1};
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void on_signal(int signal) {
  const int saved = errno;
  int none = 0;
  if (!first_signal.compare_exchange_strong(none, signal)) {
    if (isatty(STDERR_FILENO) != 0 && write(STDERR_FILENO, "\n", 1) < 0) errno = 0;
    _exit(static_cast<int>(exit_code(signal)));
  }
  const char byte = 1;
  if (write(pipe_end.load(), &byte, 1) < 0) errno = 0;  // the pipe is empty before the first signal
  errno = saved;
}

}  // namespace

struct Signals::Impl {
  std::function<void(int)> first;
  std::array<int, 2> pipe{};
  std::array<struct sigaction, kCaught.size()> before{};
  struct sigaction pipe_before {};
  std::thread thread;

  /// Byte 1 is a signal, byte 0 the end of Signals.
  void wait() const {
    char byte = 0;
    ssize_t got = 0;
    do got = read(pipe[0], &byte, 1);
    while (got < 0 && errno == EINTR);
    if (byte != 0) first(first_signal.load());
  }
};

Signals::Signals(std::function<void(int)> first) : impl_(std::make_unique<Impl>()) {
  impl_->first = std::move(first);
  if (pipe2(impl_->pipe.data(), O_CLOEXEC) != 0)
    throw UserError("no file descriptors are left", "raise `ulimit -n`");
  [[maybe_unused]] const int other = pipe_end.exchange(impl_->pipe[1]);
  assert(other == -1);
  first_signal = 0;
  impl_->thread = std::thread([this] { impl_->wait(); });
  struct sigaction action {};
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, &impl_->pipe_before);
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kCaught.size(); ++i) {
    sigaction(kCaught[i], nullptr, &impl_->before[i]);
    const bool ignored = kCaught[i] == SIGHUP && impl_->before[i].sa_handler == SIG_IGN;
    if (!ignored) sigaction(kCaught[i], &action, nullptr);
  }
}

Signals::~Signals() {
  for (std::size_t i = 0; i < kCaught.size(); ++i) sigaction(kCaught[i], &impl_->before[i], nullptr);
  sigaction(SIGPIPE, &impl_->pipe_before, nullptr);
  const char byte = 0;
  if (write(impl_->pipe[1], &byte, 1) < 0) std::abort();
  impl_->thread.join();
  pipe_end = -1;
  close(impl_->pipe[0]);
  close(impl_->pipe[1]);
}

int Signals::received() const { return first_signal.load(); }

ExitCode exit_code(int signal) { return signal == SIGINT ? ExitCode::interrupted : ExitCode::terminated; }

}  // namespace pacenote::cli
