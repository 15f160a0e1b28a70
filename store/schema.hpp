// What the tables look like, and how an older file gets there.
#pragma once

#include <span>
#include <string>

#include "store/database.hpp"

namespace pacenote::store {

/// Step i (SQL) leads from version i to i + 1. A step, once released, never changes: the next change of the
/// schema is one more step at the end.
std::span<const std::string> schema_steps();

/// Makes or upgrades the schema to the version that is the number of `steps`. UserError for a file of a newer
/// version, and for a database that is not a store (both are left untouched).
void migrate(Database& database, std::span<const std::string> steps = schema_steps());

}  // namespace pacenote::store
