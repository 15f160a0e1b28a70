#include "cli/output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.hpp"

namespace pacenote::cli {
namespace {

/// A new file can take this one's place under its name: it is a plain file or not there.
bool is_replaced_whole(const std::filesystem::path& file) {
  const auto status = std::filesystem::symlink_status(file);
  return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

}  // namespace

Output::Output(std::string name, FileMode mode) : name_(std::move(name)) {
  if (name_.empty()) return;
  const std::filesystem::path file = name_;
  std::error_code none;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), none);
  if (mode == FileMode::overwrite && is_replaced_whole(file)) draft_.emplace(file);
  const std::string target = draft_ ? draft_->path().string() : name_;
  file_.reset(std::fopen(target.c_str(), mode == FileMode::append ? "ab" : "wb"));
  if (!file_) failed();
}

void Output::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stream()) != text.size()) failed();
}

void Output::finish() {
  if (std::fflush(stream()) != 0) failed();
  if (draft_) draft_->keep();
}

void Output::failed() const {
  if (!name_.empty())
    throw UserError(fmt::format("cannot write {}: {}", name_, std::strerror(errno)),
                    "make room or name another file; what it held is still there");
  if (errno != EPIPE)
    throw UserError(fmt::format("cannot write to standard output: {}", std::strerror(errno)),
                    "what the store holds, `pacenote report` shows again");
}

void print(const std::string& text) {
  Output output("", FileMode::overwrite);
  output.write(text);
  output.finish();
}

void write_file(const std::filesystem::path& file, std::string_view text, FileMode mode) {
  Output output(file.string(), mode);
  output.write(text);
  output.finish();
}

}  // namespace pacenote::cli
