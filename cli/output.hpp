// Where texts go: standard output or a file.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tracks/draft.hpp"

namespace pacenote::cli {

enum class FileMode : std::uint8_t { append, overwrite };

/// A file whose new content takes the place of the old as a whole, or is appended; or, without a name,
/// standard output. Makes the file's folder, too. UserError, naming the file, where it cannot be written:
/// what it held is still there. A reader of standard output that has gone has what it wanted.
class Output {
 public:
  Output(std::string name, FileMode mode);
  void write(std::string_view text);
  void finish();  ///< without it, a file that was to be replaced is not

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::FILE* stream() const { return file_ ? file_.get() : stdout; }
  void failed() const;

  std::string name_;
  std::optional<tracks::Draft> draft_;  // goes after the file is closed
  std::unique_ptr<std::FILE, Close> file_;
};

/// To standard output.
void print(const std::string& text);
void write_file(const std::filesystem::path& file, std::string_view text, FileMode mode);

}  // namespace pacenote::cli
