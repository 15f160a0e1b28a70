// SQLite as the store uses it; store/*.cpp only. One thread at a time. SQLite's errors become UserErrors.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/units.hpp"

namespace SQLite {
class Database;
class Exception;
class Statement;
}  // namespace SQLite

namespace pacenote::store {

/// Another process had the file locked for longer than the patience.
struct Locked final : UserError {
  using UserError::UserError;
};

class Database {
 public:
  /// Opens or makes the file (readable by its owner only) and its folder; for reading only where it, or a
  /// full disk, allows no more. `patience`: how long to wait for another process's lock; not at all once
  /// `hurried`, which may be null and outlives this, is set.
  Database(std::filesystem::path file, Duration patience, const std::atomic<bool>* hurried = nullptr);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::filesystem::path& file() const { return file_; }
  Duration patience() const { return patience_; }
  bool read_only() const { return read_only_; }
  /// UserError where the file was removed or replaced since it was opened: what is written now nobody would
  /// find.
  void check_there() const;
  /// Whether to wait on for a lock that was asked for `tries` times already.
  bool waits(int tries) const;
  void execute(const std::string& sql);
  std::int64_t integer(const char* sql);  ///< first column of the first row
  /// Prepared once and kept; `sql` is a literal.
  SQLite::Statement& statement(const char* sql);
  [[noreturn]] void fail(const SQLite::Exception& error) const;
  [[noreturn]] void damaged(const std::string& what) const;         ///< what: "settings of race x"
  Json json(std::string_view text, const std::string& what) const;  ///< damaged(what) if it does not parse

 private:
  void open(const std::string& name, const char* pragma);
  void open_to_read(const SQLite::Exception& why_not_more);

  std::filesystem::path file_;
  Duration patience_;
  const std::atomic<bool>* hurried_;
  bool read_only_ = false;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> identity_;  ///< device and inode; none: in memory
  std::unique_ptr<SQLite::Database> handle_;
  std::map<const char*, std::unique_ptr<SQLite::Statement>> statements_;
};

struct Blob {
  std::string_view bytes;  ///< outlives the query
};

/// One use of a statement, which is free again when this ends: no two of the same text at a time.
class Query {
 public:
  /// Arguments: integers, enums, doubles, texts, Blob, optional ones of these.
  template <class... Arguments>
  Query(Database& database, const char* sql, const Arguments&... arguments)
      : database_(database), statement_(database.statement(sql)) {
    (bind_any(arguments), ...);
  }
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  bool step();  ///< to the next row, if there is one
  int run();    ///< for statements without rows: how many rows changed
  bool null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  std::string_view blob(int column) const;  ///< valid until the next step

 private:
  template <class T>
  void bind_any(const T& value) {
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, Blob>) {
      bind(value);
    } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
      bind(static_cast<std::int64_t>(value));
    } else if constexpr (std::convertible_to<T, std::string_view>) {
      bind(std::string_view(value));
    } else if (value) {
      bind_any(*value);
    } else {
      bind_null();
    }
  }
  void bind(std::int64_t value);
  void bind(double value);
  void bind(std::string_view value);
  void bind(Blob value);
  void bind_null();

  Database& database_;
  SQLite::Statement& statement_;
  int bound_ = 0;
};

/// Rolled back unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database);  ///< takes the write lock at once
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace pacenote::store
