// A key and a self-signed certificate, made in memory.
#pragma once

#include <string>

namespace pacenote::sandbox {

struct Certificate {
  std::string certificate, key;  ///< PEM
};

/// For localhost, 127.0.0.1 and ::1, valid from yesterday for a year.
Certificate make_certificate();

}  // namespace pacenote::sandbox
