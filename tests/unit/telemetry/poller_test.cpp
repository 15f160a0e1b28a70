#include "telemetry/poller.hpp"

#include <atomic>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <mutex>

#include "tests/support/catch.hpp"
#include "tests/support/notes.hpp"

namespace pacenote::telemetry::poller_test {

using std::chrono::milliseconds;

/// Shared between the test and the thread.
struct World {
  std::atomic<bool> hangs = false;  ///< requests end only when interrupted
  std::atomic<int> starts = 0, intervals = 0, stops = 0, open = 0;
  void await_intervals(int count) {
    for (int seen = intervals; seen < count; seen = intervals) intervals.wait(seen);
  }
};

/// Ends waiting at its time or when cancelled.
Async<void> wait(Timer& timer) { co_await timer.async_wait(kTuple); }

class FakeTransport final : public Transport {
 public:
  FakeTransport(boost::asio::io_context& context, World& world) : timer_(context), world_(world) {}
  Async<Response> send(const Request&) override {
    Response response;
    response.status = 200;
    response.body = "{}";
    ++world_.open;
    if (world_.hangs) {
      timer_.expires_after(std::chrono::hours(1));
      if (!interrupted_) co_await wait(timer_);
      response.status = 0;
      response.failure = Failure::interrupted;
    }
    --world_.open;
    co_return response;
  }
  void interrupt() {
    interrupted_ = true;
    timer_.cancel();
  }

 private:
  Timer timer_;
  World& world_;
  bool interrupted_ = false;
};

class RealClock final : public Clock {
 public:
  explicit RealClock(boost::asio::io_context& context) : context_(context) {}
  Instant now() const override { return std::chrono::steady_clock::now(); }
  Async<void> sleep_until(Instant when) override {
    Timer timer(context_, when);
    timers_.push_back(&timer);
    co_await wait(timer);
    std::erase(timers_, &timer);
  }
  void interrupt() {
    for (auto* timer : timers_) timer->cancel();
  }

 private:
  boost::asio::io_context& context_;
  std::vector<Timer*> timers_;
};

class FakeLine final : public Line {
 public:
  FakeLine(boost::asio::io_context& context, World& world)
      : context_(context), clock_(context), world_(world) {}
  Clock& clock() override { return clock_; }
  std::unique_ptr<Transport> transport() override {
    auto made = std::make_unique<FakeTransport>(context_, world_);
    transports_.push_back(made.get());
    return made;
  }
  void interrupt() override {
    for (FakeTransport* transport : transports_) transport->interrupt();
    clock_.interrupt();
  }

 private:
  boost::asio::io_context& context_;
  RealClock clock_;
  World& world_;
  std::vector<FakeTransport*> transports_;
};

class Counting final : public TelemetryDevice {
 public:
  explicit Counting(World& world) : world_(world) {}
  std::optional<Duration> interval() const override { return milliseconds(1); }
  Async<void> poll(Probe& probe, When when) override {
    ++(when == When::start ? world_.starts : when == When::stop ? world_.stops : world_.intervals);
    world_.intervals.notify_all();
    const Request request(Method::get, "/");
    const Response reply = co_await probe.cluster.send(request);
  }

 private:
  World& world_;
};

class NoMetrics final : public MetricSink {
 public:
  void add(Metric) override {}
};

struct Scene {
  World world;
  NoMetrics metrics;
  test::KeptNotes notes;

  std::unique_ptr<Poller> poller(Duration patience) {
    std::vector<Sampler> samplers;
    for (const auto* name : {"one", "two"}) samplers.emplace_back(name, std::make_unique<Counting>(world));
    const MakeLine make = [this](boost::asio::io_context& context) -> std::unique_ptr<Line> {
      return std::make_unique<FakeLine>(context, world);
    };
    return std::make_unique<Poller>(std::move(samplers), make, Surroundings{metrics, notes, ""}, patience);
  }
};

TEST_CASE("the thread polls at the start, between and at the end", "[poller]") {
  Scene scene;
  const auto poller = scene.poller(std::chrono::seconds(10));
  poller->start();
  CHECK(scene.world.starts == 2);
  scene.world.await_intervals(4);
  poller->stop();
  CHECK(scene.world.stops == 2);
  poller->stop();
  CHECK(scene.world.stops == 2);
}

TEST_CASE("a cluster that hangs costs no more than the patience, at the start and at the end", "[poller]") {
  Scene scene;
  scene.world.hangs = true;
  const Instant before = std::chrono::steady_clock::now();
  {
    const auto poller = scene.poller(milliseconds(20));
    poller->start();
    scene.world.await_intervals(2);
    poller->stop();
  }
  CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds(5));
  CHECK(scene.world.open == 0);
  CHECK(std::count(scene.notes.warnings.begin(), scene.notes.warnings.end(),
                   "one: no figures from the start, the cluster took too long") == 1);
  CHECK(std::count(scene.notes.warnings.begin(), scene.notes.warnings.end(),
                   "two: no figures from the end, the cluster took too long") == 1);
}

TEST_CASE("a thread that is not stopped ends without stop polls", "[poller]") {
  Scene scene;
  {
    const auto poller = scene.poller(std::chrono::seconds(10));
    poller->start();
    scene.world.hangs = GENERATE(false, true);
  }
  CHECK(scene.world.stops == 0);
  {
    const auto never_started = scene.poller(std::chrono::seconds(10));
    never_started->stop();
  }
  CHECK(scene.world.stops == 0);
}

}  // namespace pacenote::telemetry::poller_test
