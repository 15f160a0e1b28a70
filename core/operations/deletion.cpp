#include "core/operations/deletion.hpp"

#include <utility>

namespace pacenote {
namespace {

constexpr const char* kSetting = "action.destructive_requires_name";

/// The transient value in an answer with flat_settings; null if unset.
Json value_in(std::string_view body) {
  const Json answer = parse_json(body);
  if (!answer.is_object()) return Json();
  const auto transient = answer.find("transient");
  if (transient == answer.end() || !transient->is_object()) return Json();
  return transient->value(kSetting, Json());
}

std::string setting_to(const Json& value) {
  const Json settings = {{"transient", {{kSetting, value}}}};
  return to_text(settings);
}

}  // namespace

Async<bool> DestructiveSetting::put(Json value) {
  std::string body = setting_to(value);
  const Response response = co_await steps_.send(Method::put, "/_cluster/settings", std::move(body));
  co_return steps_.accept(response);
}

Async<bool> DestructiveSetting::off() {
  if (off_) co_return true;
  const Response now = co_await steps_.send(Method::get, "/_cluster/settings?flat_settings=true");
  if (!steps_.accept(now)) co_return false;
  before_ = value_in(now.body);
  off_ = true;
  const bool done = co_await put(false);
  co_return done;
}

Async<void> DestructiveSetting::restore() {
  if (!off_) co_return;
  off_ = false;
  const Response now = co_await steps_.send(Method::get, "/_cluster/settings?flat_settings=true");
  steps_.accept(now);
  co_await put(before_);
}

Async<bool> delete_one(Steps& steps, std::string look, std::string path, std::string query) {
  const bool blind = look.empty();
  if (!blind) {
    const Response found = co_await steps.send(Method::head, std::move(look));
    if (found.status == 404 || !steps.accept(found)) co_return false;
  }
  std::string target = std::move(path);
  target += query;
  const Response gone = co_await steps.send(Method::del, std::move(target));
  const bool done = blind ? steps.accept(gone, {404}) : steps.accept(gone);
  co_return done;
}

}  // namespace pacenote
