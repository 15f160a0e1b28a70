#include "core/operations/shared_ids.hpp"

#include <fmt/format.h>

namespace pacenote {

void leave_id(Bench& bench, const Fields& params, const std::string& name, std::string id) {
  if (bench.shared == nullptr)
    params.fail("name", "is of use in a composite only", "put the operation into a composite's requests");
  (*bench.shared)[name] = std::move(id);
}

std::string id_left_by(Bench& bench, const Fields& params, std::string_view key, const std::string& name) {
  if (bench.shared == nullptr)
    params.fail(key, "is of use in a composite only", "put the operation into a composite's requests");
  const auto it = bench.shared->find(name);
  if (it == bench.shared->end() || !it->is_string())
    params.fail(key, fmt::format("names [{}], but no operation of that name came before it", name));
  return it->get<std::string>();
}

}  // namespace pacenote
