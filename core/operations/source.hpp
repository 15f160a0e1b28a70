// The source that hands over the same parameters for ever.
#pragma once

#include <memory>

#include "core/json.hpp"
#include "core/params.hpp"

namespace pacenote {

std::unique_ptr<ParamSource> constant_source(Json params, RequestOptions options);

}  // namespace pacenote
