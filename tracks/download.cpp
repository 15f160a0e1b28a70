// The only file that includes libcurl.
#include "tracks/download.hpp"

#include <curl/curl.h>
#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "tracks/draft.hpp"

namespace pacenote::tracks {
namespace {

constexpr std::chrono::milliseconds kLongestPause{5000};
constexpr long kConnectSeconds = 45, kSilentSeconds = 60, kMostRedirects = 10;

struct Closing {
  void operator()(CURL* easy) const { ::curl_easy_cleanup(easy); }
  void operator()(curl_slist* list) const { ::curl_slist_free_all(list); }
  void operator()(std::FILE* file) const { std::fclose(file); }
  void operator()(EVP_MD_CTX* context) const { ::EVP_MD_CTX_free(context); }
};

struct Attempt {
  bool done = false, again = false, from_start = false;
  std::string why;
};

/// One download over all its attempts.
class Fetch {
 public:
  Fetch(const Download& what, const std::filesystem::path& target)
      : what_(what), part_(target.string() + ".tmp"), version_file_(target.string() + ".tmp.version") {
    std::ifstream in(version_file_);
    std::getline(in, version_);
    if (version_.empty()) start_over();
  }

  Attempt attempt() {
    begin();
    const CURLcode code = ::curl_easy_perform(easy_.get());
    out_.reset();
    if (thrown_) std::rethrow_exception(thrown_);
    long status = 0;
    ::curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    return judged(code, status);
  }

  void start_over() {
    std::error_code none;
    std::filesystem::remove(part_, none);
    forget_version();
  }

  void forget_version() {
    std::error_code none;
    std::filesystem::remove(version_file_, none);
    version_.clear();
  }

  const std::filesystem::path& part() const { return part_; }

 private:
  std::uint64_t have() const {
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(part_, error);
    return error ? 0 : size;
  }

  template <class Value>
  void option(CURLoption name, Value value) {
    ::curl_easy_setopt(easy_.get(), name, value);
  }

  void begin() {
    easy_.reset(::curl_easy_init());
    thrown_ = nullptr;
    too_much_ = false;
    done_ = have();
    const std::string url = escaped(what_.url);
    option(CURLOPT_URL, url.c_str());
    option(CURLOPT_PROTOCOLS_STR, "http,https");
    option(CURLOPT_REDIR_PROTOCOLS_STR, url.starts_with("https:") ? "https" : "http,https");
    option(CURLOPT_FOLLOWLOCATION, 1L);
    option(CURLOPT_MAXREDIRS, kMostRedirects);
    option(CURLOPT_UNRESTRICTED_AUTH, 0L);
    option(CURLOPT_FAILONERROR, 1L);
    option(CURLOPT_NOSIGNAL, 1L);
    option(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    option(CURLOPT_LOW_SPEED_LIMIT, 1L);
    option(CURLOPT_LOW_SPEED_TIME, kSilentSeconds);
    option(CURLOPT_BUFFERSIZE, 256L * 1024);
    option(CURLOPT_USERAGENT, "pacenote");
    option(CURLOPT_WRITEFUNCTION, &Fetch::write);
    option(CURLOPT_WRITEDATA, this);
    option(CURLOPT_HEADERFUNCTION, &Fetch::header);
    option(CURLOPT_HEADERDATA, this);
    option(CURLOPT_NOPROGRESS, 0L);
    option(CURLOPT_XFERINFOFUNCTION, &Fetch::tick);
    option(CURLOPT_XFERINFODATA, this);
    if (done_ > 0) {
      option(CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(done_));
      headers_.reset(::curl_slist_append(nullptr, fmt::format("If-Range: {}", version_).c_str()));
      option(CURLOPT_HTTPHEADER, headers_.get());
    }
    out_.reset(std::fopen(part_.c_str(), "ab"));
    if (!out_) cannot_write();
  }

  static std::string escaped(const std::string& url) {
    std::string out;
    for (const char c : url) out += c == ' ' ? std::string("%20") : std::string(1, c);
    return out;
  }

  [[noreturn]] void cannot_write() const {
    throw cannot_be_written(part_, std::generic_category().message(errno));
  }

  /// Exceptions must not pass through curl's frames: they end the transfer and are thrown again behind it.
  template <class Act>
  bool guarded(const Act& act) {
    try {
      act();
      return true;
    } catch (...) {
      thrown_ = std::current_exception();
      return false;
    }
  }

  static std::size_t write(char* data, std::size_t, std::size_t size, void* self) {
    auto& fetch = *static_cast<Fetch*>(self);
    fetch.too_much_ = fetch.what_.size && fetch.done_ + size > *fetch.what_.size;
    if (fetch.too_much_) return 0;
    const bool written = fetch.guarded([&] {
      if (std::fwrite(data, 1, size, fetch.out_.get()) != size) fetch.cannot_write();
      fetch.done_ += size;
    });
    return written ? size : 0;
  }

  static int tick(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    auto& fetch = *static_cast<Fetch*>(self);
    return !fetch.what_.progress || fetch.guarded([&] { fetch.what_.progress(fetch.done_); }) ? 0 : 1;
  }

  /// Remembers what says that the server's file is the same: a strong ETag, else the time of its last change.
  static std::size_t header(char* data, std::size_t, std::size_t size, void* self) {
    auto& fetch = *static_cast<Fetch*>(self);
    const std::string_view line(data, size);
    if (line.starts_with("HTTP/")) fetch.etag_.clear(), fetch.changed_.clear();  // of a redirect before
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos) {
      const std::string_view name = line.substr(0, colon), value = trimmed(line.substr(colon + 1));
      if (same_ignoring_case(name, "etag") && !value.starts_with("W/")) fetch.etag_ = value;
      if (same_ignoring_case(name, "last-modified")) fetch.changed_ = value;
    } else if (trimmed(line).empty() && fetch.done_ == 0) {
      fetch.remember_version();
    }
    return size;
  }

  void remember_version() {
    version_ = etag_.empty() ? changed_ : etag_;
    std::ofstream(version_file_) << version_ << "\n";
  }

  Attempt judged(CURLcode code, long status) {
    if (too_much_)
      throw UserError(fmt::format("{} has more than the {} bytes that the track declares",
                                  without_credentials(what_.url), *what_.size),
                      "correct the track, or put the right file there yourself");
    if (code == CURLE_OK) return {true, false, false, ""};
    Attempt out;
    out.why = status >= 400 ? fmt::format("HTTP status {}", status) : ::curl_easy_strerror(code);
    // A server that does not continue, or whose file is another by now, sends all of it.
    out.from_start = code == CURLE_RANGE_ERROR || status == 416 || version_.empty();
    out.again = status < 400 || status == 408 || status == 416 || status == 429 || status >= 500;
    for (const CURLcode hopeless : {CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_TOO_MANY_REDIRECTS,
                                    CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE})
      if (code == hopeless) out.again = false;
    return out;
  }

  const Download& what_;
  std::filesystem::path part_, version_file_;
  std::unique_ptr<curl_slist, Closing> headers_;
  std::unique_ptr<CURL, Closing> easy_;
  std::unique_ptr<std::FILE, Closing> out_;
  std::string version_, etag_, changed_;
  std::uint64_t done_ = 0;
  bool too_much_ = false;
  std::exception_ptr thrown_;
};

std::string sha256_of(const std::filesystem::path& file) {
  const std::unique_ptr<EVP_MD_CTX, Closing> context(::EVP_MD_CTX_new());
  ::EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr);
  std::ifstream in(file, std::ios::binary);
  std::vector<char> piece(std::size_t{1} << 20);
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())), in.gcount() > 0)
    ::EVP_DigestUpdate(context.get(), piece.data(), static_cast<std::size_t>(in.gcount()));
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  ::EVP_DigestFinal_ex(context.get(), digest, &size);
  std::string out;
  for (unsigned int i = 0; i < size; ++i) out += fmt::format("{:02x}", digest[i]);
  return out;
}

[[noreturn]] void gave_up(const Download& what, const std::string& why, int attempts) {
  if (what.shortened && why == "HTTP status 404")
    throw UserError(fmt::format("{} is not there: the track has no documents for --test-mode",
                                without_credentials(what.url)),
                    "race without --test-mode");
  throw UserError(fmt::format("{} cannot be fetched: {}{}", without_credentials(what.url), why,
                              attempts > 1 ? fmt::format(" ({} attempts)", attempts) : ""),
                  "what has arrived is kept and continued; or fetch it yourself into the data folder");
}

void check_whole(const Download& what, Fetch& fetch) {
  const std::uint64_t size = std::filesystem::file_size(fetch.part());
  if (what.size && size != *what.size) {
    fetch.start_over();
    throw UserError(fmt::format("{}: size differs: the track declares {} bytes, the server sent {}",
                                without_credentials(what.url), *what.size, size),
                    "correct the track, or put the right file there yourself");
  }
  if (what.sha256.empty()) return;
  const std::string digest = sha256_of(fetch.part());
  if (same_ignoring_case(digest, what.sha256)) return;
  fetch.start_over();
  throw UserError(fmt::format("{}: its SHA-256 is {}, the track declares {}", without_credentials(what.url),
                              digest, what.sha256),
                  "the file is not the one that the author of the track meant");
}

}  // namespace

void download(const Download& what, const std::filesystem::path& target) {
  if (!what.url.starts_with("http://") && !what.url.starts_with("https://"))
    throw UserError(
        fmt::format("{} cannot be fetched: only http and https are", without_credentials(what.url)),
        fmt::format("fetch it yourself and put it into {}", target.parent_path().string()));
  static const CURLcode ready = ::curl_global_init(CURL_GLOBAL_DEFAULT);
  if (ready != CURLE_OK) throw UserError("libcurl cannot be used", "install libcurl4 again");
  Fetch fetch(what, target);
  std::chrono::milliseconds pause = what.pause;
  for (int n = 1;; ++n) {
    const Attempt attempt = fetch.attempt();
    if (attempt.done) break;
    if (!attempt.again || n >= what.attempts) gave_up(what, attempt.why, n);
    if (attempt.from_start) fetch.start_over();
    for (auto slept = std::chrono::milliseconds(0); slept < pause; slept += std::chrono::milliseconds(100)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (what.progress) what.progress(0);  // who waits may be interrupted
    }
    pause = std::min(pause * 2, kLongestPause);
  }
  check_whole(what, fetch);
  std::error_code error;
  std::filesystem::rename(fetch.part(), target, error);
  if (error) throw cannot_be_written(target, error.message());
  fetch.forget_version();
}

std::string without_credentials(const std::string& url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string::npos) return url;
  const std::size_t host = scheme + 3, slash = std::min(url.find('/', host), url.size());
  const std::size_t at = url.rfind('@', slash);
  return at == std::string::npos || at < host ? url : url.substr(0, host) + url.substr(at + 1);
}

}  // namespace pacenote::tracks
