// Files that ship inside the binary: bundled tracks and the Python side-car.
#pragma once

#include <string_view>
#include <vector>

namespace pacenote::tracks {

struct EmbeddedFile {
  std::string_view path;  ///< below tracks/, e.g. "bundled/http_logs/track.json"
  std::string_view bytes;
};

const std::vector<EmbeddedFile>& embedded_files();  ///< sorted by path

}  // namespace pacenote::tracks
