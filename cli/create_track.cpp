// `pacenote create-track`: a track of what a live cluster holds.
#include "tracks/create/create_track.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <vector>

#include "cli/console.hpp"
#include "cli/interruption.hpp"
#include "cli/session.hpp"
#include "cli/signals.hpp"
#include "cli/store_flags.hpp"
#include "cli/target.hpp"
#include "cli/values.hpp"
#include "cli/verb.hpp"
#include "core/text.hpp"

namespace pacenote::cli {
namespace {

struct CreateTrackFlags {
  std::string track, indices, data_streams, target_hosts, client_options, output = "./tracks";
  std::uint64_t batch_size = 1000;
  bool quiet = false;
};

/// One run of the verb. Members are in the order in which they come to be, and go in the reverse order.
class Creation {
 public:
  explicit Creation(const CreateTrackFlags& flags)
      : flags_(flags),
        console_(console_options(flags.quiet)),
        signals_([this](int) { interruption_.signal(); }) {}
  ~Creation() { interruption_.now({}); }

  ExitCode run() {
    options_.track = flags_.track;
    options_.output = flags_.output;
    options_.indices = csv_to_list("--indices", flags_.indices);
    options_.data_streams = csv_to_list("--data-streams", flags_.data_streams);
    options_.batch = flags_.batch_size;
    options_.progress = [this](const std::string& what, std::uint64_t done, std::uint64_t total,
                               const std::string& unit) {
      check_interrupted();
      console_.preparing(what, done, total, unit);
    };
    Cluster target = make_target(flags_.target_hosts, flags_.client_options);
    try {
      const ClusterInfo info = find_cluster(target);
      const tracks::CreatedTrack made = session_->run(
          tracks::create_track(session_->transport(), session_->clock(), info, options_, console_));
      tell(made, target);
    } catch (const UserError&) {
      check_interrupted();  // then that is the reason, whatever failed for it
      throw;
    }
    return ExitCode::ok;
  }

 private:
  void check_interrupted() {
    if (interruption_.interrupted())
      throw UserError("interrupted", "run the same command again: it goes on where this one stopped",
                      exit_code(signals_.received()));
  }

  ClusterInfo find_cluster(Cluster& target) {
    constexpr Duration kPatience = std::chrono::seconds(30);
    open(target);
    const ClusterInfo info =
        session_->run(probe(session_->transport(), session_->clock(), target, kPatience, console_));
    target.product = info.product;
    target.major = info.major;
    interruption_.now({});
    open(target);  // now that it is known which media types the cluster takes
    check_interrupted();
    return info;
  }

  void open(const Cluster& target) {
    session_.emplace(target);
    interruption_.now([this] { session_->interrupt(); });
  }

  void tell(const tracks::CreatedTrack& made, const Cluster& target) {
    std::vector<std::string> hosts;
    for (const Host& host : target.hosts) hosts.push_back(host.url());
    console_.info(fmt::format("{} documents, {} bytes ({} packed). Race it with:", grouped(made.documents),
                              grouped(made.bytes), grouped(made.compressed_bytes)));
    console_.flush();
    print(fmt::format("pacenote race --track-path={} --pipeline=benchmark-only --target-hosts={}\n",
                      std::filesystem::absolute(made.folder).lexically_normal().string(),
                      fmt::join(hosts, ",")));
  }

  CreateTrackFlags flags_;
  Console console_;
  Interruption interruption_;
  Signals signals_;
  tracks::CreateTrackOptions options_;
  std::optional<Session> session_;
};

std::function<ExitCode()> add_create_track(CLI::App& command) {
  const auto flags = std::make_shared<CreateTrackFlags>();
  command.add_option("--track", flags->track, "Name of the track to make.")->required()->type_name("NAME");
  const auto indices =
      command
          .add_option("--indices", flags->indices, "Indices whose documents it gets; patterns may be among.")
          ->type_name("NAME,...");
  command.add_option("--data-streams", flags->data_streams, "Data streams, instead of indices.")
      ->type_name("NAME,...")
      ->excludes(indices);
  command.add_option("--target-hosts", flags->target_hosts, "As in race. Default: 127.0.0.1:9200.")
      ->type_name("HOST:PORT,...");
  command.add_option("--client-options", flags->client_options, "As in race.")->type_name("KEY:VALUE,...");
  command.add_option("--output-path", flags->output, "Where the track's folder is made.")
      ->type_name("DIR")
      ->default_str("./tracks");
  command.add_option("--batch-size", flags->batch_size, "Documents asked for at a time.")
      ->default_str("1000")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{10'000}));
  command.add_flag("--quiet", flags->quiet, "Say nothing but errors.");
  return [flags] {
    if (flags->indices.empty() == flags->data_streams.empty())
      throw UserError("--indices is missing", "name indices, or --data-streams", ExitCode::usage);
    return Creation(*flags).run();
  };
}

const Registered<Verb> create_track_verb{
    "create-track", {"Makes a track of the indices or data streams of a live cluster.", add_create_track}};

}  // namespace
}  // namespace pacenote::cli
