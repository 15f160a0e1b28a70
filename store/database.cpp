#include "store/database.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

namespace pacenote::store {
namespace {

constexpr const char* kElsewhere = "Make it writable, or name another file with --store.";

[[noreturn]] void unusable(const std::filesystem::path& file, const std::error_code& error) {
  throw UserError(fmt::format("cannot open the store {}: {}", file.string(), error.message()), kElsewhere);
}

/// What a race measured may be confidential: the file is made before SQLite would make it readable for all.
void make_file(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::path folder = file.parent_path();
  if (!folder.empty() && !std::filesystem::exists(folder, error)) {
    std::filesystem::create_directories(folder, error);
    if (error) unusable(file, error);
  }
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  const int why_not = errno;
  if (descriptor >= 0) {
    ::close(descriptor);
  } else if (::access(file.c_str(), R_OK) != 0) {  // else it can be read at least
    unusable(file, std::error_code(why_not, std::generic_category()));
  }
}

/// The file as SQLite's URI, by which alone some ways to open it can be said.
std::string uri(const std::filesystem::path& file, std::string_view parameters) {
  std::string out = "file:";
  for (const char c : std::filesystem::absolute(file).string()) {
    if (c == '%' || c == '?' || c == '#') {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return fmt::format("{}?{}", out, parameters);
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> identity(const std::filesystem::path& file) {
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0) return std::nullopt;
  return std::pair<std::uint64_t, std::uint64_t>(found.st_dev, found.st_ino);
}

/// What SQLite says where it could not write, be it only its index of the log.
bool for_want_of_writing(int code) {
  return code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_FULL || code == SQLITE_IOERR;
}

/// Whether a log beside the file holds changes that are not in it yet.
bool has_log(std::filesystem::path file) {
  std::error_code none;
  const auto size = std::filesystem::file_size(file += "-wal", none);
  return !none && size > 0;
}

}  // namespace

Database::Database(std::filesystem::path file, Duration patience, const std::atomic<bool>* hurried)
    : file_(std::move(file)), patience_(patience), hurried_(hurried) {
  const bool in_memory = file_ == ":memory:";
  if (!in_memory) make_file(file_);
  try {
    open(in_memory ? file_.string() : uri(file_, "mode=rw"), nullptr);
  } catch (const SQLite::Exception& error) {
    if (in_memory || !for_want_of_writing(error.getErrorCode())) fail(error);
    open_to_read(error);
  }
  if (!in_memory) identity_ = identity(file_);
}

void Database::check_there() const {
  if (!identity_ || identity(file_) == identity_) return;
  throw UserError(fmt::format("the store {} was removed or replaced while it was written to", file_.string()),
                  "Leave the file alone while races run; run the race again.");
}

/// Throws SQLite's exception unless the database can be read.
void Database::open(const std::string& name, const char* pragma) {
  handle_ = std::make_unique<SQLite::Database>(
      name, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_URI);  // the URI's mode counts
  sqlite3_busy_handler(
      handle_->getHandle(),
      [](void* database, int tries) -> int { return static_cast<Database*>(database)->waits(tries) ? 1 : 0; },
      this);
  if (pragma != nullptr) handle_->exec(pragma);
  handle_->exec("PRAGMA foreign_keys = ON; SELECT count(*) FROM sqlite_schema");
  read_only_ = read_only_ || sqlite3_db_readonly(handle_->getHandle(), "main") == 1;
}

/// A folder or a disk that takes no more bytes has no room for SQLite's shared index of the log either:
/// without a log none is needed, and who has the file alone keeps it in memory (sqlite.org/wal.html, sections
/// 6 and 8).
void Database::open_to_read(const SQLite::Exception& why_not_more) {
  read_only_ = true;
  try {
    if (has_log(file_)) {
      open(uri(file_, "mode=rw"), "PRAGMA locking_mode = EXCLUSIVE");
    } else {
      open(uri(file_, "immutable=1"), nullptr);
    }
  } catch (const SQLite::Exception&) {
    fail(why_not_more);
  }
}

Database::~Database() = default;

bool Database::waits(int tries) const {
  constexpr auto kEach = std::chrono::milliseconds(10);
  if ((hurried_ != nullptr && *hurried_) || tries * kEach >= patience_) return false;
  std::this_thread::sleep_for(kEach);
  return true;
}

void Database::execute(const std::string& sql) {
  try {
    handle_->exec(sql);
  } catch (const SQLite::Exception& error) {
    fail(error);
  }
}

std::int64_t Database::integer(const char* sql) {
  Query query(*this, sql);
  query.step();
  return query.integer(0);
}

SQLite::Statement& Database::statement(const char* sql) {
  try {
    auto& statement = statements_[sql];
    if (!statement) statement = std::make_unique<SQLite::Statement>(*handle_, sql);
    return *statement;
  } catch (const SQLite::Exception& error) {
    fail(error);
  }
}

void Database::fail(const SQLite::Exception& error) const {
  const std::string file = file_.string();
  const int code = error.getErrorCode();
  if (code == SQLITE_READONLY || (read_only_ && for_want_of_writing(code)))
    throw UserError(
        fmt::format("the store {} can only be read: its file, its folder or its disk takes no changes", file),
        kElsewhere);
  switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw Locked(fmt::format("the store {} is locked by another process", file),
                   "Wait until it is done, or name another file with --store.");
    case SQLITE_NOTADB:
      throw UserError(fmt::format("{} is not a store of pacenote", file), "Name another file with --store.");
    case SQLITE_CORRUPT:
      damaged(error.what());
    case SQLITE_CONSTRAINT:
      throw UserError(fmt::format("the race was deleted from the store {} while it was written to", file),
                      "Run the race again.");
    case SQLITE_FULL:
      throw UserError(fmt::format("the disk is full: nothing can be written to the store {}", file),
                      "Make room, or name a file on another disk with --store.");
    default:
      throw UserError(fmt::format("cannot use the store {}: {}", file, error.what()), kElsewhere);
  }
}

void Database::damaged(const std::string& what) const {
  throw UserError(
      fmt::format("the store {} is damaged: {}", file_.string(), what),
      "Restore it from a copy, delete the race that is named, or name another file with --store.");
}

Json Database::json(std::string_view text, const std::string& what) const {
  if (text == "{}") return Json::object();  // most are: a listing of many races is twice as fast
  if (text == "[]") return Json::array();
  Json json = parse_json(text);
  if (json.is_discarded()) damaged(what);
  return json;
}

Query::~Query() {
  statement_.tryReset();
  statement_.clearBindings();
}

bool Query::step() {
  try {
    return statement_.executeStep();
  } catch (const SQLite::Exception& error) {
    database_.fail(error);
  }
}

int Query::run() {
  try {
    return statement_.exec();
  } catch (const SQLite::Exception& error) {
    database_.fail(error);
  }
}

bool Query::null(int column) const { return statement_.getColumn(column).isNull(); }
std::int64_t Query::integer(int column) const { return statement_.getColumn(column).getInt64(); }
double Query::real(int column) const { return statement_.getColumn(column).getDouble(); }
std::string Query::text(int column) const { return statement_.getColumn(column).getString(); }

std::string_view Query::blob(int column) const {
  const SQLite::Column value = statement_.getColumn(column);
  const void* bytes = value.getBlob();
  return bytes == nullptr
             ? std::string_view()
             : std::string_view(static_cast<const char*>(bytes), static_cast<std::size_t>(value.getBytes()));
}

void Query::bind(std::int64_t value) { statement_.bind(++bound_, value); }
void Query::bind(double value) { statement_.bind(++bound_, value); }
void Query::bind(std::string_view value) { statement_.bind(++bound_, std::string(value)); }
void Query::bind_null() { statement_.bind(++bound_); }
void Query::bind(Blob value) {
  statement_.bindNoCopy(++bound_, value.bytes.data(), static_cast<int>(value.bytes.size()));
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.check_there();
  Query(database_, "BEGIN IMMEDIATE").run();
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    Query(database_, "ROLLBACK").run();
  } catch (const UserError&) {
    // SQLite rolls back by itself where the disk fails; then there is no transaction any more.
  }
}

void Transaction::commit() {
  Query(database_, "COMMIT").run();
  open_ = false;
}

}  // namespace pacenote::store
