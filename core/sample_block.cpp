#include "core/sample_block.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

#include "core/columns.hpp"

namespace pacenote {
namespace {

// A block: format, count, then each column. Differences wrap around in 64 bits, so that none can overflow.
constexpr char kFormat = 1;

std::uint64_t to_bits(Instant instant) {
  return static_cast<std::uint64_t>(instant.time_since_epoch().count());
}

template <class T>
std::uint64_t to_bits(T value) {
  if constexpr (std::is_same_v<T, double>) {
    return __builtin_bswap64(std::bit_cast<std::uint64_t>(value));  // round numbers become small ones
  } else if constexpr (std::is_signed_v<T>) {
    return zigzag(static_cast<std::uint64_t>(std::int64_t{value}));
  } else {
    return static_cast<std::uint64_t>(value);
  }
}

/// False if `bits` are not those of any T.
template <class T>
bool from_bits(std::uint64_t bits, T& value) {
  if constexpr (std::is_same_v<T, double>) {
    value = std::bit_cast<double>(__builtin_bswap64(bits));
    return true;
  } else if constexpr (std::is_signed_v<T>) {
    const auto wide = static_cast<std::int64_t>(unzigzag(bits));
    value = static_cast<T>(wide);
    return value == wide;
  } else {
    value = static_cast<T>(bits);
    return static_cast<std::uint64_t>(value) == bits;
  }
}

// Each instant is kept as the distance to the next one on, the last as that to the last of the sample before.
constexpr std::array kInstants = {&Sample::end,  &Sample::received, &Sample::first_byte,
                                  &Sample::sent, &Sample::begin,    &Sample::due};
constexpr std::uint64_t kFlags = 4 + kInstants.size();

std::uint64_t flags_of(const Sample& sample) {
  std::uint64_t flags = (sample.type == SampleType::warmup ? 1U : 0U) | (sample.throttled ? 2U : 0U) |
                        (sample.ok ? 4U : 0U) | (sample.reused ? 8U : 0U);
  for (std::size_t k = 0; k < kInstants.size(); ++k) {
    if (sample.*kInstants[k] == Instant{}) flags |= std::uint64_t{16} << k;
  }
  return flags;
}

void set_flags(Sample& sample, std::uint64_t flags) {
  sample.type = (flags & 1U) != 0 ? SampleType::warmup : SampleType::normal;
  sample.throttled = (flags & 2U) != 0;
  sample.ok = (flags & 4U) != 0;
  sample.reused = (flags & 8U) != 0;
  if (flags < 16) return;
  for (std::size_t k = 0; k < kInstants.size(); ++k) {
    if ((flags & (std::uint64_t{16} << k)) != 0) sample.*kInstants[k] = Instant{};
  }
}

/// The order of columns, for both directions. Flags come last: they take back instants that never were.
template <class Codec>
void all_columns(Codec& codec) {
  codec.number(&Sample::task);
  codec.number(&Sample::client);
  codec.number(&Sample::status);
  codec.number(&Sample::attempts);
  codec.instants();
  codec.number(&Sample::weight);
  codec.number(&Sample::unit);
  codec.number(&Sample::error);
  codec.number(&Sample::meta);
  codec.number(&Sample::took_ms);
  codec.difference(&Sample::bytes_out);
  codec.difference(&Sample::bytes_in);
  codec.number(&Sample::items_ok);
  codec.number(&Sample::items_failed);
  codec.number(&Sample::throughput);
  codec.flags();
}

class Encoder {
 public:
  Encoder(std::span<const Sample> samples, Instant epoch, std::string& out)
      : samples_(samples), epoch_(to_bits(epoch)), out_(out) {
    out_.push_back(kFormat);
    put_number(samples_.size(), out_);
  }

  template <class T>
  void number(T Sample::*field) {
    for (std::size_t i = 0; i < samples_.size(); ++i) values_[i] = to_bits(samples_[i].*field);
    write();
  }
  void difference(std::uint64_t Sample::*field) {
    std::uint64_t previous = 0;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      values_[i] = zigzag(samples_[i].*field - previous);
      previous = samples_[i].*field;
    }
    write();
  }
  void instants() {
    std::uint64_t previous = 0;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      next_[i] = previous;
      if (samples_[i].end != Instant{}) previous = to_bits(samples_[i].end) - epoch_;
    }
    for (const auto field : kInstants) {
      for (std::size_t i = 0; i < samples_.size(); ++i) {
        const Instant instant = samples_[i].*field;
        const std::uint64_t at = instant == Instant{} ? next_[i] : to_bits(instant) - epoch_;
        values_[i] = zigzag(next_[i] - at);
        next_[i] = at;
      }
      write();
    }
  }
  void flags() {
    for (std::size_t i = 0; i < samples_.size(); ++i) values_[i] = flags_of(samples_[i]);
    write();
  }

 private:
  void write() { put_column(std::span(values_.data(), samples_.size()), out_); }

  std::span<const Sample> samples_;
  std::uint64_t epoch_;
  std::string& out_;
  std::array<std::uint64_t, kBlockSamples> values_, next_;
};

}  // namespace

class SampleDecoder {
 public:
  using Known = SampleReader::Known;
  /// `known`: what the samples to be filled hold already; none where they are new.
  SampleDecoder(std::string_view block, Instant epoch, std::span<Known> known)
      : reader_(block.substr(std::min<std::size_t>(1, block.size()))), epoch_(epoch), known_(known) {
    good_ = block.starts_with(kFormat) && reader_.number(count_) && count_ <= kBlockSamples;
  }
  /// As the block says; 0 if it is malformed so far.
  std::size_t count() const { return good_ ? static_cast<std::size_t>(count_) : 0; }
  void fill(std::span<Sample> samples) { samples_ = samples; }
  bool done() const { return good_ && reader_.done(); }

  template <class T>
  void number(T Sample::*field) {
    Known none;
    Known& known = std::is_same_v<T, NameId> ? none : next_known(none);
    std::uint64_t value = 0;
    if (good_ && reader_.constant(value)) {
      if (known.value == value && known.count >= samples_.size()) return;
      T same{};
      good_ = from_bits(value, same);
      for (Sample& sample : samples_) sample.*field = same;
      known = {value, samples_.size()};
      return;
    }
    known.count = 0;
    read();
    bool good = true;
    for (std::size_t i = 0; i < samples_.size(); ++i) good &= from_bits(values_[i], samples_[i].*field);
    good_ = good_ && good;
  }
  void difference(std::uint64_t Sample::*field) {
    read();
    std::uint64_t previous = 0;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      previous += unzigzag(values_[i]);
      samples_[i].*field = previous;
    }
  }
  void instants() {
    for (auto& column : instants_) good_ = good_ && reader_.column(std::span(column.data(), samples_.size()));
    if (!good_) return;
    std::uint64_t end = to_bits(epoch_);
    for (std::size_t i = 0; i < samples_.size(); ++i) {  // all six at once: the samples fill a cache
      std::uint64_t at = end -= unzigzag(instants_[0][i]);
      samples_[i].*kInstants[0] = instant(at);
      for (std::size_t k = 1; k < kInstants.size(); ++k)
        samples_[i].*kInstants[k] = instant(at -= unzigzag(instants_[k][i]));
    }
  }
  void flags() {
    read();
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      all |= values_[i];
      set_flags(samples_[i], values_[i]);
    }
    good_ = good_ && all < (std::uint64_t{1} << kFlags);
  }

 private:
  Known& next_known(Known& none) { return known_.empty() ? none : known_[column_++]; }
  static Instant instant(std::uint64_t bits) { return Instant(Duration(static_cast<std::int64_t>(bits))); }

  void read() { good_ = good_ && reader_.column(std::span(values_.data(), samples_.size())); }

  ColumnReader reader_;
  Instant epoch_;
  std::uint64_t count_ = 0;
  bool good_ = false;
  std::span<Sample> samples_;
  std::span<Known> known_;
  std::size_t column_ = 0;
  std::array<std::uint64_t, kBlockSamples> values_;
  std::array<std::array<std::uint64_t, kBlockSamples>, kInstants.size()> instants_;
};

void encode_samples(std::span<const Sample> samples, Instant epoch, std::string& out) {
  assert(samples.size() <= kBlockSamples);
  Encoder encoder(samples, epoch, out);
  if (!samples.empty()) all_columns(encoder);
}

bool decode_samples(std::string_view block, Instant epoch, std::vector<Sample>& out) {
  SampleDecoder decoder(block, epoch, {});
  const std::size_t before = out.size();
  out.resize(before + decoder.count());
  decoder.fill(std::span(out).subspan(before));
  if (decoder.count() > 0) all_columns(decoder);
  if (!decoder.done()) out.resize(before);
  return decoder.done();
}

std::optional<std::span<Sample>> SampleReader::read(std::string_view block, Instant epoch) {
  SampleDecoder decoder(block, epoch, known_);
  if (samples_.size() < decoder.count()) samples_.resize(decoder.count());
  const std::span<Sample> samples = std::span(samples_).first(decoder.count());
  decoder.fill(samples);
  if (decoder.count() > 0) all_columns(decoder);
  if (decoder.done()) return samples;
  known_ = {};
  return std::nullopt;
}

}  // namespace pacenote
