#include "core/worker.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <deque>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "core/retry.hpp"

namespace pacenote {

namespace asio = boost::asio;

/// One assignment with all that its loop needs.
struct Leg {
  Assignment assignment;
  ParamSource* source;
  std::unique_ptr<Runner> runner;
  std::unique_ptr<Schedule> schedule;
};

struct Worker::ClientRun {
  Lanes& lanes;
  ClientId id;
  Transport& transport;
  std::vector<Leg> legs;
};

/// Everything of one step on this worker.
struct Worker::Lanes {
  Lanes(const Lane& l, StepRun& r) : lane(l), run(r) {}
  Lane lane;
  StepRun& run;
  std::deque<std::unique_ptr<ParamSource>> sources;
  std::deque<ClientRun> clients;
  std::vector<TaskCost> costs;  // by position in the step
  std::size_t pending = 0;
};

Worker::Worker(std::uint32_t first, std::uint32_t last, const Cluster& cluster, SampleSink& samples,
               Names& names, Notes& notes, ErrorLog& errors)
    : first_(first),
      last_(last),
      samples_(samples),
      names_(names),
      notes_(notes),
      errors_(errors),
      busy_(context_.get_executor()),
      clock_(context_),
      heartbeat_(context_),
      pool_(context_, cluster) {
  for (std::uint32_t client = first; client < last; ++client) transports_.push_back(pool_.make(client));
  thread_ = std::thread([this] { context_.run(); });
}

Worker::~Worker() {
  context_.stop();  // all clients have ended; only the deadline sweep may still be waiting
  thread_.join();
}

void Worker::clear() { lanes_.reset(); }

void Worker::wake() {
  asio::post(context_, [this] { clock_.interrupt(); });
}

void Worker::interrupt() {
  asio::post(context_, [this] {
    clock_.interrupt();
    pool_.interrupt();
  });
}

namespace {

/// Sources for one step: clients of a task that are neighbours on this worker share one.
class Sources {
 public:
  Sources(const Step& step, std::uint32_t first, std::uint32_t last, const Track& track,
          std::deque<std::unique_ptr<ParamSource>>& out)
      : track_(track), out_(out) {
    std::map<const Task*, std::vector<std::uint32_t>> members;
    for (std::uint32_t client = first; client < last; ++client)
      for (const Assignment& assignment : step.clients[client])
        members[assignment.task].push_back(assignment.client_in_task);
    for (auto& [task, clients] : members) {
      std::sort(clients.begin(), clients.end());
      for (std::size_t begin = 0; begin < clients.size();) {
        std::size_t end = begin + 1;
        while (end < clients.size() && clients[end] == clients[end - 1] + 1) ++end;
        share(*task, {clients[begin], clients[end - 1], task->clients});
        begin = end;
      }
    }
  }
  ParamSource* of(const Assignment& assignment) const {
    return made_.at({assignment.task, assignment.client_in_task});
  }

 private:
  void share(const Task& task, Share part) {
    const OperationType& type = Registry<OperationType>::get("operation type", task.operation.type);
    out_.push_back(type.params(task.operation, track_, part));
    for (std::uint32_t client = part.first; client <= part.last; ++client)
      made_[{&task, client}] = out_.back().get();
  }
  const Track& track_;
  std::deque<std::unique_ptr<ParamSource>>& out_;
  std::map<std::pair<const Task*, std::uint32_t>, ParamSource*> made_;
};

}  // namespace

std::uint32_t Worker::start(StepRun& run, const Track& track) {
  Lane lane{clock_, samples_, names_, notes_, errors_, run.stop, run.on_error};
  lanes_ = std::make_unique<Lanes>(lane, run);
  Lanes& lanes = *lanes_;
  const Sources sources(run.step, first_, last_, track, lanes.sources);
  for (std::uint32_t client = first_; client < last_; ++client) {
    const auto& assignments = run.step.clients[client];
    if (assignments.empty()) continue;
    ClientRun& made =
        lanes.clients.emplace_back(ClientRun{lanes, ClientId{client}, *transports_[client - first_], {}});
    for (const Assignment& assignment : assignments)
      made.legs.push_back({assignment, sources.of(assignment), make_runner(assignment.task->operation),
                           make_schedule(*assignment.task, assignment.client_in_task)});
  }
  lanes.costs.resize(run.step.tasks.size());
  lanes.pending = lanes.clients.size();
  if (lanes.pending != 0) asio::post(context_, [this] { heartbeat_.start(); });
  for (ClientRun& client : lanes.clients) launch(client);
  return static_cast<std::uint32_t>(lanes.clients.size());
}

void Worker::launch(ClientRun& client) {
  asio::co_spawn(context_, drive(client),
                 [this, &client](const std::exception_ptr& error) { ended(client, error); });
}

Async<void> Worker::drive(ClientRun& client) {
  StepRun& run = client.lanes.run;
  for (Leg& leg : client.legs) {
    const Task& task = *leg.assignment.task;
    const std::size_t position =
        static_cast<std::size_t>(leg.assignment.index) - static_cast<std::size_t>(run.step.first_task);
    TaskProgress& progress = *run.progress[position];
    Driver driver{client.id,
                  client.transport,
                  *leg.source,
                  *leg.runner,
                  *leg.schedule,
                  progress,
                  client.lanes.costs[position]};
    co_await execute(client.lanes.lane, driver, leg.assignment);
    const StopReason reason = run.stop.reason();
    if (reason == StopReason::error) run.wake_all();
    if (reason == StopReason::error || reason == StopReason::user) co_return;
    if (progress.clients_done.fetch_add(1) + 1 != task.clients) continue;
    progress.fraction = 1;
    if ((task.completes_parent || task.any_completes_parent) && run.stop.request(StopReason::completed))
      run.wake_all();
  }
}

void Worker::ended(ClientRun& client, const std::exception_ptr& error) {
  Lanes& lanes = client.lanes;
  if (error) {
    try {
      std::rethrow_exception(error);
    } catch (const UserError& mistake) {  // anything else is our own bug and must not be caught
      const std::string hint = mistake.hint().empty() ? "" : " (" + mistake.hint() + ")";
      lanes.run.stop.fail(mistake.what() + hint);
    }
    lanes.run.wake_all();
  }
  if (--lanes.pending == 0) all_ended();
  lanes.run.client_ended();
}

void Worker::all_ended() {
  samples_.flush();
  StepRun& run = lanes_->run;
  const ThreadCost thread = heartbeat_.stop();
  const std::lock_guard lock(run.cost_mutex);
  run.threads.push_back(thread);
  for (std::size_t i = 0; i < lanes_->costs.size(); ++i) run.costs[i].add(lanes_->costs[i]);
}

}  // namespace pacenote
