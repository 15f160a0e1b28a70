// One driver thread: its io_context, its clients' connections, its samples.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/allocation.hpp"
#include "core/asio_clock.hpp"
#include "core/executor.hpp"
#include "core/heartbeat.hpp"
#include "core/transport_pool.hpp"

namespace pacenote {

/// What all workers share during one step. Outlives the step's clients.
struct StepRun {
  const Step& step;
  Stop& stop;
  std::vector<std::unique_ptr<TaskProgress>> progress;  ///< by position in the step
  OnError on_error = OnError::continue_;
  std::function<void()>
      client_ended;  ///< any worker's thread, after the client's last sample was handed over
  std::mutex cost_mutex;
  std::vector<TaskCost> costs;      ///< by position in the step; complete when all clients have ended
  std::vector<ThreadCost> threads;  ///< of the workers that had clients
  std::function<void()> wake_all;   ///< wakes sleeping clients of all workers, to look at `stop`
};

class Worker {
 public:
  /// Clients [first, last) of the race. References outlive the worker.
  Worker(std::uint32_t first, std::uint32_t last, const Cluster& cluster, SampleSink& samples, Names& names,
         Notes& notes, ErrorLog& errors);
  ~Worker();
  /// Makes this step's sources, runners and schedules for its clients and starts them; returns how many were
  /// started. On the race's thread. UserError for a mistake in a task.
  std::uint32_t start(StepRun& run, const Track& track);
  void wake();       ///< clients that sleep look at their Stop. Any thread
  void interrupt();  ///< requests under way fail, for good. Any thread
  /// Frees what the last step used; when all its clients have ended.
  void clear();

 private:
  struct Lanes;
  struct ClientRun;
  void launch(ClientRun& client);
  static Async<void> drive(ClientRun& client);
  void ended(ClientRun& client, const std::exception_ptr& error);
  void all_ended();

  std::uint32_t first_, last_;
  SampleBuffer samples_;
  Names& names_;
  Notes& notes_;
  ErrorLog& errors_;
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> busy_;
  AsioClock clock_;
  Heartbeat heartbeat_;
  TransportPool pool_;
  std::vector<std::unique_ptr<Transport>> transports_;  // by client, kept for the whole race
  std::unique_ptr<Lanes> lanes_;                        // of the running step
  std::thread thread_;
};

}  // namespace pacenote
