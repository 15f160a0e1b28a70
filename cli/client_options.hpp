// The options of one cluster as values: what each key of --client-options means here (behaviour H.2).
#pragma once

#include "core/cluster.hpp"
#include "core/json.hpp"

namespace pacenote::cli {

/// `use_ssl` is set where the options ask for https. UserError for unknown keys (with the nearest), for those
/// pacenote refuses (with the reason) and for values of the wrong type; values are never named.
ClientOptions client_options_from(const Json& options, bool& use_ssl);

/// Whether pacenote knows the key, refused ones included.
bool is_client_option(const std::string& key);

}  // namespace pacenote::cli
