#include "telemetry/poller.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <exception>
#include <future>

namespace pacenote::telemetry {

/// Each phase has a line of its own, so that an impatient end of one does not reach the next.
struct Poller::Phase {
  Phase(boost::asio::io_context& context, const MakeLine& make_line)
      : line(make_line(context)), deadline(context) {}

  Probe& probe(const Surroundings& around) {
    transports.push_back(line->transport());
    return probes.emplace_back(
        Probe{*transports.back(), around.metrics, line->clock(), around.notes, around.auth});
  }
  void finish_one() {
    if (--open > 0) return;
    deadline.cancel();
    ended.set_value();
  }

  std::unique_ptr<Line> line;
  boost::asio::steady_timer deadline;
  std::vector<std::unique_ptr<Transport>> transports;
  std::deque<Probe> probes;  // stay where they are
  std::size_t open = 0;      // coroutines under way
  std::promise<void> ended;
};

Poller::Poller(std::vector<Sampler> samplers, const MakeLine& make_line, Surroundings surroundings,
               Duration patience)
    : samplers_(std::move(samplers)),
      surroundings_(std::move(surroundings)),
      patience_(patience),
      guard_(boost::asio::make_work_guard(context_)),
      start_(std::make_unique<Phase>(context_, make_line)),
      intervals_(std::make_unique<Phase>(context_, make_line)),
      stop_(std::make_unique<Phase>(context_, make_line)) {}

Poller::~Poller() {
  if (!thread_.joinable()) return;
  end_intervals();
  end_thread();
}

Async<void> Poller::work(Sampler& sampler, Probe& probe, Kind kind) {
  if (kind == Kind::intervals)
    co_await sampler.until(probe, stopping_);
  else
    co_await sampler.once(probe, kind == Kind::start ? When::start : When::stop);
}

/// On the thread.
void Poller::begin(Phase& phase, Kind kind) {
  phase.open = samplers_.size() + 1;
  if (kind != Kind::intervals) {
    running_ = &phase;
    expire(phase);
  }
  for (Sampler& sampler : samplers_)
    boost::asio::co_spawn(context_, work(sampler, phase.probe(surroundings_), kind),
                          [&phase](const std::exception_ptr& error) {
                            if (error) std::rethrow_exception(error);  // our bug: ends the process
                            phase.finish_one();
                          });
  phase.finish_one();
}

/// On the thread.
void Poller::expire(Phase& phase) {
  phase.deadline.expires_after(patience_.load());
  phase.deadline.async_wait([&phase](const boost::system::error_code& error) {
    if (!error) phase.line->interrupt();
  });
}

void Poller::hurry(Duration patience) {
  patience_ = patience;
  boost::asio::post(context_, [this] {
    if (running_ != nullptr && running_->open != 0) expire(*running_);
  });
}

void Poller::run(Phase& phase, Kind kind) {
  boost::asio::post(context_, [this, &phase, kind] { begin(phase, kind); });
  phase.ended.get_future().wait();
}

void Poller::start() {
  thread_ = std::thread([this] { context_.run(); });
  run(*start_, Kind::start);
  boost::asio::post(context_, [this] { begin(*intervals_, Kind::intervals); });
}

void Poller::stop() {
  if (!thread_.joinable()) return;
  end_intervals();
  run(*stop_, Kind::stop);
  end_thread();
  for (const Sampler& sampler : samplers_) sampler.sum_up(surroundings_.notes);
}

void Poller::end_intervals() {
  boost::asio::post(context_, [this] {
    stopping_.request(StopReason::completed);
    intervals_->line->interrupt();
  });
  intervals_->ended.get_future().wait();
}

void Poller::end_thread() {
  guard_.reset();
  context_.stop();
  thread_.join();
}

}  // namespace pacenote::telemetry
