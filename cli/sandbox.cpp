// pacenote sandbox: the embedded node as a server of its own, until Ctrl-C.
#include <fmt/format.h>

#include <csignal>
#include <memory>

#include "cli/verb.hpp"
#include "core/sandbox/server.hpp"

namespace pacenote::cli {
namespace {

constexpr std::uint32_t kFullItems = 5000;

const std::map<std::string, sandbox::Flavor> kFlavors{{"opensearch-2", sandbox::Flavor::opensearch_2},
                                                      {"elasticsearch-7", sandbox::Flavor::elasticsearch_7},
                                                      {"elasticsearch-8", sandbox::Flavor::elasticsearch_8}};

struct SandboxFlags {
  std::string as = "elasticsearch-8", items = "tiny", user, certificate;
  std::uint16_t port = 9200;
  std::uint32_t nodes = 2, threads = 1, bulk_items = kFullItems;
  bool tls = false, null = false;
  std::vector<std::string> faults;
};

sandbox::Options options_from(const SandboxFlags& flags) {
  sandbox::Options options;
  options.as = kFlavors.at(flags.as);
  options.port = flags.port;
  options.tls = flags.tls;
  options.certificate_file = flags.certificate;
  options.null = flags.null;
  options.full_items = flags.items == "full";
  options.null_bulk_items = flags.bulk_items;
  options.data_nodes = flags.nodes;
  options.threads = flags.threads;
  options.faults = flags.faults;
  if (!flags.certificate.empty() && !flags.tls)
    throw UserError("--certificate needs --tls", "add --tls", ExitCode::usage);
  if (flags.user.empty()) return options;
  const std::size_t colon = flags.user.find(':');
  if (colon == std::string::npos || colon == 0)
    throw UserError("--user must be NAME:PASSWORD", "example: --user=rally:secret", ExitCode::usage);
  options.user = flags.user.substr(0, colon);
  options.password = flags.user.substr(colon + 1);
  return options;
}

ExitCode serve(const SandboxFlags& flags) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // before the server's threads, which inherit it
  const sandbox::Server server(options_from(flags));
  fmt::print(stderr, "sandbox {} at {}; stop with Ctrl-C\n", flags.as, server.url());
  std::fflush(stderr);
  int signal = 0;
  sigwait(&signals, &signal);
  return ExitCode::ok;
}

std::function<ExitCode()> add_sandbox(CLI::App& command) {
  const auto flags =
      std::make_shared<SandboxFlags>();  // shared by the parser's callbacks and what runs afterwards
  command.add_option("--port", flags->port, "Port on 127.0.0.1; 0 takes any free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command.add_option("--as", flags->as, "Whose headers, version and refusals to imitate")
      ->check(CLI::IsMember(kFlavors))
      ->capture_default_str();
  command.add_flag("--tls", flags->tls, "Speak https, with a certificate made at start")
      ->disable_flag_override();
  command.add_option("--certificate", flags->certificate, "Write that certificate to this file (PEM)");
  command.add_option("--user", flags->user, "Ask for basic authentication, NAME:PASSWORD");
  command.add_flag("--null", flags->null, "Answer bulks and searches at once, without looking at them")
      ->disable_flag_override();
  command.add_option("--items", flags->items, "Item list of a bulk's answer with --null")
      ->check(CLI::IsMember({"tiny", "full"}))
      ->capture_default_str();
  command.add_option("--bulk-items", flags->bulk_items, "Items in a full list")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  command.add_option("--nodes", flags->nodes, "Data nodes")->check(CLI::Range(1, 100))->capture_default_str();
  command.add_option("--threads", flags->threads, "Threads")->check(CLI::Range(1, 64))->capture_default_str();
  command
      .add_option("--fault", flags->faults,
                  "Trouble on demand, repeatable: parts by commas. Which requests: path=GLOB, method=NAME. "
                  "When: nth, from, to, "
                  "every=N; after, for=TIME, since=start. What: status=CODE, items-failed=N, "
                  "items-status=CODE, delay=TIME, "
                  "hold, body=TEXT, or one of reset, hang, not-http, truncate, huge-head, huge-body, "
                  "gzip-bomb, half-close, "
                  "interim, chunked, trickle, slow-read. Examples: path=*/_bulk,every=10,status=429 and "
                  "path=*/_search,delay=5ms")
      ->allow_extra_args(false);
  return [flags] { return serve(*flags); };
}

const Registered<Verb> sandbox_verb{"sandbox",
                                    {"Run pacenote's own small Elasticsearch-like node", add_sandbox}};

}  // namespace
}  // namespace pacenote::cli
