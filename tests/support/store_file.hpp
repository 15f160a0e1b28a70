// A place for a store that is gone after the test, and samples to put into it.
#pragma once

#include <sqlite3.h>
#include <stdlib.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/names.hpp"
#include "core/sample.hpp"

namespace pacenote::test {

class StoreFile {
 public:
  StoreFile() {
    std::string name = (std::filesystem::temp_directory_path() / "pacenote-test-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~StoreFile() { std::filesystem::remove_all(folder_); }
  StoreFile(const StoreFile&) = delete;
  StoreFile& operator=(const StoreFile&) = delete;
  std::filesystem::path path() const { return folder_ / "races.db"; }

 private:
  std::filesystem::path folder_;
};

/// As another program would write to the file.
inline void raw_sql(const std::filesystem::path& file, const std::string& sql) {
  sqlite3* handle = nullptr;
  const bool good = sqlite3_open(file.c_str(), &handle) == SQLITE_OK &&
                    sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  const std::string error = sqlite3_errmsg(handle);
  sqlite3_close(handle);
  if (!good) throw std::runtime_error(error);
}

/// As a bulk makes them, `count` of one task, one every millisecond after `epoch`.
inline std::vector<Sample> some_samples(std::size_t count, Instant epoch, Names& names, TaskIndex task = {}) {
  using std::chrono::microseconds;
  std::vector<Sample> samples(count);
  for (std::size_t i = 0; i < count; ++i) {
    Sample& sample = samples[i];
    sample.task = task;
    sample.client = static_cast<ClientId>(i % 8);
    sample.type = i < count / 10 ? SampleType::warmup : SampleType::normal;
    sample.ok = i % 100 != 7;
    sample.status = sample.ok ? 200 : 429;
    sample.error = sample.ok ? NameId::none : names.id("bulk: too many requests");
    sample.unit = names.id("docs");
    sample.due = epoch + microseconds(1000 * i);
    sample.begin = sample.due + microseconds(7);
    sample.sent = sample.begin + microseconds(3);
    sample.first_byte = sample.sent + microseconds(900 + i % 91);
    sample.received = sample.first_byte + microseconds(2);
    sample.end = sample.received + microseconds(1);
    sample.weight = 500;
    sample.took_ms = static_cast<std::int64_t>(i % 40);
    sample.bytes_out = 65'000 + i % 1000;
    sample.bytes_in = 170;
    sample.items_ok = 500;
  }
  return samples;
}

/// By all fields, doubles by their bits (a NaN is equal to itself).
inline bool same(const Sample& a, const Sample& b) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  return a.task == b.task && a.client == b.client && a.type == b.type && a.throttled == b.throttled &&
         a.ok == b.ok && a.reused == b.reused && a.status == b.status && a.attempts == b.attempts &&
         a.due == b.due && a.begin == b.begin && a.sent == b.sent && a.first_byte == b.first_byte &&
         a.received == b.received && a.end == b.end && bits(a.weight) == bits(b.weight) && a.unit == b.unit &&
         a.error == b.error && a.meta == b.meta && a.took_ms == b.took_ms && a.bytes_out == b.bytes_out &&
         a.bytes_in == b.bytes_in && a.items_ok == b.items_ok && a.items_failed == b.items_failed &&
         bits(a.throughput) == bits(b.throughput);
}

inline bool same(const std::vector<Sample>& a, const std::vector<Sample>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Sample& x, const Sample& y) { return same(x, y); });
}

}  // namespace pacenote::test
