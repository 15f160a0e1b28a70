// A file of documents that lives as long as the test.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace pacenote::test {

class CorpusFile {
 public:
  explicit CorpusFile(const std::string& content) {
    static int number = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("pacenote-test-" + std::to_string(::getpid()) + "-" + std::to_string(++number) + ".json");
    write(content);
  }
  ~CorpusFile() { std::filesystem::remove(path_); }
  CorpusFile(const CorpusFile&) = delete;
  CorpusFile& operator=(const CorpusFile&) = delete;
  void write(const std::string& content) const { std::ofstream(path_, std::ios::binary) << content; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace pacenote::test
