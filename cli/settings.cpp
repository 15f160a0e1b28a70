#include <array>

#include "cli/options.hpp"
#include "tracks/download.hpp"

namespace pacenote::cli {
namespace {

Json texts(const std::vector<std::string>& list) { return Json(list); }

std::string_view name_of(OnError what) {
  constexpr std::array<std::string_view, 3> names{"continue", "continue-on-network", "abort"};
  return names[static_cast<std::size_t>(what)];
}

/// Of secrets only that they were given.
Json client_options(const ClientOptions& o) {
  Json header_names = Json::array();
  for (const auto& [name, value] : o.headers) header_names.push_back(name);
  std::string_view auth = "none";
  if (!o.basic_auth_user.empty()) auth = "basic";
  if (!o.api_key.empty()) auth = "api_key";
  return {{"timeout", seconds(o.timeout)},
          {"verify_certs", o.verify_certs},
          {"ca_certs", o.ca_certs},
          {"client_cert", o.client_cert},
          {"auth", auth},
          {"max_retries", o.max_retries},
          {"retry_on_status", o.retry_on_status},
          {"retry_on_timeout", o.retry_on_timeout},
          {"http_compress", o.http_compress},
          {"headers", header_names},
          {"opaque_id", o.opaque_id}};
}

std::string url_of(const Host& host) {
  const bool v6 = host.name.find(':') != std::string::npos;
  return (host.tls ? "https://" : "http://") + (v6 ? '[' + host.name + ']' : host.name) + ':' +
         std::to_string(host.port) + host.path_prefix;
}

Json hosts(const Cluster& target) {
  Json out = Json::array();
  for (const Host& host : target.hosts) out.push_back(url_of(host));
  return out;
}

}  // namespace

Json without_secrets(const Json& track_params) {
  Json out = track_params;
  for (auto& [name, value] : out.items())
    if (name.starts_with("secret_")) value = "<hidden>";
  return out;
}

Json settings_for_store(const RaceOptions& o) {
  return {{"track", o.track},
          {"track-path", o.track_path.string()},
          {"challenge", o.challenge},
          {"track-params", without_secrets(o.track_params)},
          {"ignore-unused-track-params", o.ignore_unused_track_params},
          {"include-tasks", texts(o.include_tasks)},
          {"exclude-tasks", texts(o.exclude_tasks)},
          {"test-mode", o.test_mode},
          {"enable-assertions", o.enable_assertions},
          {"track-repository", tracks::without_credentials(o.repository.source)},
          {"track-revision", o.repository.revision},
          {"sandbox", o.sandbox},
          {"target-hosts", hosts(o.target)},
          {"client-options", client_options(o.target.options)},
          {"pipeline", o.pipeline},
          {"skip-rest-api-check", o.skip_rest_api_check},
          {"allow-destructive", o.allow_destructive},
          {"on-error", name_of(o.on_error)},
          {"telemetry", texts(o.telemetry)},
          {"telemetry-params", o.telemetry_params},
          {"user-tags", o.user_tags},
          {"race-id", o.race_id},
          {"store", o.store.string()},
          {"data-dir", o.data_dir.string()},
          {"python", o.python},
          {"driver-threads", o.driver_threads},
          {"report-format", o.report_format},
          {"report-file", o.report_file.string()},
          {"report-numbers-align", o.report_numbers_align},
          {"show-in-report", o.show_in_report},
          {"show-processing-time", o.show_processing_time},
          {"fail-on", texts(o.fail_on)},
          {"junit-file", o.junit_file.string()},
          {"quiet", o.quiet},
          {"offline", o.offline}};
}

}  // namespace pacenote::cli
