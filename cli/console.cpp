#include "cli/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "cli/error_groups.hpp"
#include "cli/screen.hpp"
#include "cli/terminal.hpp"
#include "core/text.hpp"

namespace pacenote::cli {
namespace {

constexpr std::size_t kMostLines = 2000;
constexpr auto kRedraw = std::chrono::seconds(1), kReprint = std::chrono::seconds(30);
constexpr auto kRetry = std::chrono::milliseconds(50);
constexpr std::string_view kErase = "\r\x1b[K";

Instant now() { return std::chrono::steady_clock::now(); }

}  // namespace

ConsoleOptions console_options(bool quiet) {
  ConsoleOptions out;
  out.quiet = quiet;
  out.rewrite = can_rewrite(out.fd);
  out.colours = has_colours(out.fd);
  return out;
}

struct Console::Impl {
  explicit Impl(const ConsoleOptions& o) : options(o), screen(o.fd), thread([this] { run(); }) {}

  /// Labels are "[INFO]" and the like; `colour` is an SGR parameter.
  void say(std::string_view label, std::string_view colour, const std::string& text);
  void add_line(std::string line);
  std::size_t width() const { return terminal_width(options.fd).value_or(100); }
  std::string status_line(Instant at);
  void compose(Instant at);
  void run();

  const ConsoleOptions options;
  Screen screen;
  std::mutex mutex;  // guards all below
  std::condition_variable wake, drained;
  std::deque<std::string> lines;  ///< wait to be written
  std::size_t dropped = 0;
  std::string pending;  ///< is being written, by the thread only
  bool status_shown = false, writing = false, ended = false;
  std::vector<Meter> meters;
  std::string preparing, preparing_what;
  Instant next_status{};
  ErrorGroups errors;
  std::thread thread;  // last: it uses all of the above
};

void Console::Impl::say(std::string_view label, std::string_view colour, const std::string& text) {
  if (options.colours && !colour.empty())
    add_line(fmt::format("\x1b[{}m{}\x1b[0m {}\n", colour, label, printable(text)));
  else
    add_line(fmt::format("{} {}\n", label, printable(text)));
}

void Console::Impl::add_line(std::string line) {
  const std::lock_guard lock(mutex);
  if (ended) return;
  if (lines.size() >= kMostLines)
    ++dropped;
  else
    lines.push_back(std::move(line));
  wake.notify_one();
}

std::string Console::Impl::status_line(Instant at) {
  const std::size_t most = width() - 1;
  if (meters.empty()) return clipped(preparing, most);
  if (meters.size() == 1) return clipped("Running " + meters.front().line(at, most - 8), most);
  std::string out = "Running";
  for (Meter& meter : meters) {
    if (out.size() > 7) out += ',';
    out += ' ' + meter.short_line(at);
  }
  return clipped(out, most);
}

/// Fills `pending`, which is empty, with what waits and with progress where that is due.
void Console::Impl::compose(Instant at) {
  const bool erased = !lines.empty() && status_shown;
  if (erased) pending += kErase;
  for (const std::string& line : lines) pending += line;
  lines.clear();
  if (dropped > 0) pending += fmt::format("[WARNING] {} lines could not be shown\n", dropped);
  dropped = 0;
  if (erased) status_shown = false;
  if (options.quiet || (meters.empty() && preparing.empty()) || (at < next_status && !erased)) return;
  if (options.rewrite) {
    pending += fmt::format("\r{}\x1b[K", status_line(at));
    status_shown = true;
  } else {
    for (Meter& meter : meters) pending += fmt::format("Running {}\n", meter.line(at, width()));
    if (meters.empty()) pending += preparing + "\n";
  }
  next_status = at + (options.rewrite ? Duration(kRedraw) : Duration(kReprint));
}

void Console::Impl::run() {
  std::unique_lock lock(mutex);
  while (!ended) {
    if (pending.empty()) compose(now());
    const std::string text = pending;
    std::size_t taken = 0;
    if (!text.empty()) {
      lock.unlock();
      taken = screen.write_some(text);
      lock.lock();
      pending.erase(0, taken);
    }
    if (pending.empty() && lines.empty()) drained.notify_all();
    if (!pending.empty() && taken == 0)
      wake.wait_for(lock, kRetry, [this] { return ended; });
    else if (pending.empty())
      wake.wait_for(lock, 4 * kRetry, [this] { return ended || !lines.empty(); });
  }
}

Console::Console(const ConsoleOptions& options) : impl_(std::make_unique<Impl>(options)) {}

Console::~Console() { finish(); }

void Console::info(const std::string& text) {
  if (!impl_->options.quiet) impl_->say("[INFO]", "", text);
}

void Console::warning(const std::string& text) {
  if (!impl_->options.quiet) impl_->say("[WARNING]", "33", text);
}

void Console::error(const std::string& text) { impl_->say("[ERROR]", "31", text); }

void Console::failed(std::string_view task, const Outcome& outcome) {
  std::optional<std::string> line;
  {
    const std::lock_guard lock(impl_->mutex);
    line = impl_->errors.add(task, outcome);
  }
  if (line) error(*line);
}

void Console::preparing(const std::string& what, std::uint64_t done, std::uint64_t total,
                        const std::string& unit) {
  if (impl_->options.quiet) return;
  const bool finished = total > 0 && done >= total;
  std::string line = what;
  if (total > 0) line += fmt::format("  [{:3}% done]", finished ? 100 : done * 100 / total);
  line += fmt::format("  {} {}", grouped(done), unit);
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->preparing_what != what) impl_->next_status = now();
    impl_->preparing_what = finished ? std::string() : what;
    impl_->preparing = finished ? std::string() : line;
    impl_->wake.notify_one();
  }
  if (finished) impl_->add_line(line + "\n");
}

void Console::step_begins(std::vector<ShownTask> tasks) {
  const std::lock_guard lock(impl_->mutex);
  const Instant at = now();
  impl_->preparing.clear();
  impl_->preparing_what.clear();
  impl_->meters.clear();
  for (ShownTask& task : tasks) {
    task.name = printable(task.name);
    impl_->meters.emplace_back(std::move(task), at);
  }
  impl_->next_status = at + (impl_->options.rewrite ? Duration(0) : Duration(kReprint));
  impl_->wake.notify_one();
}

void Console::step_ends(bool completed) {
  std::vector<std::string> counts;
  std::vector<Meter> ended;
  {
    const std::lock_guard lock(impl_->mutex);
    counts = impl_->errors.take_counts();
    ended.swap(impl_->meters);
  }
  for (const Meter& meter : ended)
    if (!impl_->options.quiet)
      impl_->add_line(fmt::format("Running {}\n", meter.last_line(now(), impl_->width() - 8, completed)));
  for (const std::string& line : counts) error(line);
}

void Console::flush() {
  std::unique_lock lock(impl_->mutex);
  if (impl_->status_shown) impl_->lines.emplace_back();  // has it erased
  impl_->wake.notify_one();
  impl_->drained.wait_for(lock, impl_->options.patience, [this] {
    return impl_->ended || (impl_->lines.empty() && impl_->pending.empty());
  });
}

void Console::finish() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->meters.clear();
    impl_->preparing.clear();
  }
  flush();
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->ended = true;
    impl_->wake.notify_one();
  }
  if (impl_->thread.joinable()) impl_->thread.join();
}

}  // namespace pacenote::cli
