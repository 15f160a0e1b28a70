#include "store/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "core/sample_block.hpp"

namespace pacenote::store {
namespace {

using Work = std::function<void(Store&)>;
using Item = std::variant<std::vector<Sample>, Metric, Work>;
using std::chrono::steady_clock;

// A batch is written when it is large enough for full blocks, or when its first item is that old: what a
// killed process loses.
constexpr std::size_t kBatchSamples = 8 * kBlockSamples;
constexpr Duration kBatchAge = std::chrono::milliseconds(500);

/// What is written together, in this order. One failed write leaves the rest of it for the next try.
struct Batch {
  std::vector<Sample> samples;
  std::vector<Metric> metrics;
  Work work;
};

std::size_t bytes_of(const Item& item) {
  if (const auto* samples = std::get_if<std::vector<Sample>>(&item))
    return samples->capacity() * sizeof(Sample);
  if (const auto* metric = std::get_if<Metric>(&item)) {
    constexpr std::size_t kField = 128;  // about what one name and number take in memory
    return sizeof(Metric) + metric->fields.size() * kField;
  }
  return 0;
}

/// Puts together what was queued. `batch` is empty but for its memory, which is used again.
void fill(Batch& batch, std::vector<Item>& items) {
  for (Item& item : items) {
    if (const auto* samples = std::get_if<std::vector<Sample>>(&item)) {
      batch.samples.insert(batch.samples.end(), samples->begin(), samples->end());
    } else if (auto* metric = std::get_if<Metric>(&item)) {
      batch.metrics.push_back(std::move(*metric));
    } else {
      batch.work = std::move(std::get<Work>(item));
    }
  }
}

}  // namespace

struct Writer::Impl {
  Impl(Store& a_store, std::string a_race, Instant an_epoch, const Names& all_names, Notes& a_notes,
       std::size_t a_limit, Duration a_retry)
      : store(a_store),
        race(std::move(a_race)),
        epoch(an_epoch),
        names(all_names),
        notes(a_notes),
        memory_limit(a_limit),
        retry(a_retry) {}

  void add(Item item, std::size_t samples, std::size_t metrics);
  void run();
  std::vector<Item> next();
  bool write_all(Batch& batch);
  void write(Batch& batch);
  bool wait_after(const UserError& error);
  void recovered();
  void give_up(const Batch& batch);

  Store& store;
  const std::string race;
  const Instant epoch;
  const Names& names;
  Notes& notes;
  const std::size_t memory_limit;
  const Duration retry;

  std::optional<steady_clock::time_point> failing;  // since when; the writer's thread only
  bool said_to_wait = false;                        // at the end; the writer's thread only
  std::uint64_t dropped_before = 0;                 // when it began to fail; the writer's thread only
  std::thread thread;                               // the owner's thread only

  std::mutex mutex;  // of all below
  std::condition_variable changed;
  std::deque<Item> queue;
  std::size_t queued_bytes = 0, queued_samples = 0, queued_work = 0;
  steady_clock::time_point first_queued;
  std::optional<steady_clock::time_point> closing;                    // when to stop trying
  steady_clock::time_point latest = steady_clock::time_point::max();  // no closing is later
  bool ended = false;
  WriterReport report;
};

void Writer::Impl::add(Item item, std::size_t samples, std::size_t metrics) {
  const std::size_t bytes = bytes_of(item);
  const std::lock_guard lock(mutex);
  report.samples_taken += samples;
  report.metrics_taken += metrics;
  if (ended || (bytes > 0 && queued_bytes + bytes > memory_limit)) {
    report.samples_dropped += samples;
    return;
  }
  const bool first = queue.empty();
  if (first) first_queued = steady_clock::now();
  queued_bytes += bytes;
  queued_samples += samples;
  queued_work += samples + metrics == 0 ? 1U : 0U;
  queue.push_back(std::move(item));
  if (first || queued_samples >= kBatchSamples || queued_work > 0) changed.notify_all();
}

void Writer::Impl::run() {
  Batch batch;
  for (std::vector<Item> items = next(); !items.empty(); items = next()) {
    fill(batch, items);
    items.clear();
    if (!write_all(batch)) return give_up(batch);
  }
}

/// Waits for what makes a batch; none when all is written and the writer is closing. Copies no samples:
/// adders wait for the lock meanwhile.
std::vector<Item> Writer::Impl::next() {
  std::unique_lock lock(mutex);
  while (!closing && queued_samples < kBatchSamples && queued_work == 0) {
    if (queue.empty()) {
      changed.wait(lock);
    } else if (changed.wait_until(lock, first_queued + kBatchAge) == std::cv_status::timeout) {
      break;
    }
  }
  std::vector<Item> items;
  std::size_t taken = 0;
  for (bool work = false; !queue.empty() && !work && taken < kBatchSamples; queue.pop_front()) {
    Item& item = queue.front();
    queued_bytes -= bytes_of(item);
    if (const auto* samples = std::get_if<std::vector<Sample>>(&item)) taken += samples->size();
    work = std::holds_alternative<Work>(item);
    queued_work -= work ? 1U : 0U;
    items.push_back(std::move(item));
  }
  queued_samples -= taken;
  first_queued = steady_clock::now();  // of what is left, if anything
  ended = items.empty();
  return items;
}

/// False if it had to give up.
bool Writer::Impl::write_all(Batch& batch) {
  for (;;) {
    try {
      write(batch);
      if (failing) recovered();
      return true;
    } catch (const UserError& error) {
      if (!wait_after(error)) return false;
    }
  }
}

void Writer::Impl::write(Batch& batch) {
  if (!batch.samples.empty()) {
    store.add_samples(race, epoch, batch.samples, names);
    const std::lock_guard lock(mutex);
    report.samples_stored += batch.samples.size();
    batch.samples.clear();
  }
  if (!batch.metrics.empty()) {
    store.add_metrics(race, epoch, batch.metrics);
    const std::lock_guard lock(mutex);
    report.metrics_stored += batch.metrics.size();
    batch.metrics.clear();
  }
  if (batch.work) batch.work(store);
  batch.work = nullptr;
}

/// False if there is no time left for another try.
bool Writer::Impl::wait_after(const UserError& error) {
  const auto now = steady_clock::now();
  if (!failing) {
    notes.warning(fmt::format("{}; what is measured waits in memory, and every second it is tried again",
                              error.what()));
  }
  std::unique_lock lock(mutex);
  if (!failing) dropped_before = report.samples_dropped;
  failing = failing.value_or(now);
  report.error = error.what();
  if (closing && now >= std::min(*closing, latest)) return false;
  if (closing) {
    if (!said_to_wait && latest == steady_clock::time_point::max())
      notes.info(fmt::format("Waiting up to {:.0f} s for the store to take what is left (Ctrl-C: not at all)",
                             seconds(*closing - now)));
    said_to_wait = true;
    const auto told = latest;
    changed.wait_until(lock, std::min({now + retry, *closing, told}), [&] { return latest < told; });
  } else {
    changed.wait_until(lock, now + retry, [&] { return closing.has_value(); });
  }
  return true;
}

void Writer::Impl::recovered() {
  std::uint64_t lost = 0;
  {
    const std::lock_guard lock(mutex);
    lost = report.samples_dropped - dropped_before;
    if (report.samples_dropped == 0) report.error.clear();
  }
  notes.warning(fmt::format("the store takes what is measured again, after {:.0f} s; {}",
                            seconds(steady_clock::now() - *failing),
                            lost == 0 ? "nothing was lost" : fmt::format("{} samples were lost", lost)));
  failing.reset();
}

void Writer::Impl::give_up(const Batch& batch) {
  const std::lock_guard lock(mutex);
  report.unstored = batch.samples;
  for (Item& item : queue)
    if (const auto* samples = std::get_if<std::vector<Sample>>(&item))
      report.unstored.insert(report.unstored.end(), samples->begin(), samples->end());
  report.samples_dropped += report.unstored.size();
  queue.clear();
  ended = true;
}

Writer::Writer(Store& store, std::string race, Instant epoch, const Names& names, Notes& notes,
               std::size_t memory_limit, Duration retry)
    : impl_(std::make_unique<Impl>(store, std::move(race), epoch, names, notes, memory_limit, retry)) {
  impl_->thread = std::thread([impl = impl_.get()] { impl->run(); });
}

Writer::~Writer() { close(); }

void Writer::add(std::vector<Sample> samples) {
  const std::size_t count = samples.size();
  if (count > 0) impl_->add(std::move(samples), count, 0);
}

void Writer::add(Metric metric) { impl_->add(std::move(metric), 0, 1); }

void Writer::post(std::function<void(Store&)> work) { impl_->add(std::move(work), 0, 0); }

void Writer::hurry(Duration patience) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->latest = std::min(impl_->latest, steady_clock::now() + patience);
  }
  impl_->changed.notify_all();
}

WriterReport Writer::close(Duration patience) {
  {
    const std::lock_guard lock(impl_->mutex);
    if (!impl_->closing) impl_->closing = steady_clock::now() + patience;
  }
  impl_->changed.notify_all();
  if (impl_->thread.joinable()) impl_->thread.join();
  const std::lock_guard lock(impl_->mutex);
  WriterReport& report = impl_->report;
  const bool all = report.samples_dropped == 0 && report.metrics_stored == report.metrics_taken;
  if (!all && report.error.empty()) report.error = "the disk was slower than the race";
  return report;
}

}  // namespace pacenote::store
