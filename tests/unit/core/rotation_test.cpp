#include "core/rotation.hpp"

#include "tests/support/catch.hpp"

namespace pacenote::rotation_test {

constexpr Instant kStart{std::chrono::hours(1)};
using std::chrono::seconds;

TEST_CASE("hosts take turns, beginning with the client's own", "[rotation]") {
  HostRotation hosts(3, 4);
  CHECK(hosts.pick(kStart) == 1);
  CHECK(hosts.pick(kStart) == 2);
  CHECK(hosts.pick(kStart) == 0);
}

TEST_CASE("a host that failed rests, twice as long each time, at most 30 s", "[rotation]") {
  HostRotation hosts(2, 0);
  Instant now = kStart;
  for (const int rest : {1, 2, 4, 8, 16, 30, 30}) {
    hosts.note(0, false, now);
    now += seconds(rest) - std::chrono::milliseconds(1);
    CHECK(hosts.pick(now) == 1);
    CHECK(hosts.pick(now) == 1);
    now += std::chrono::milliseconds(1);
    bool asked = false;
    for (int i = 0; i < 2; ++i) asked |= hosts.pick(now) == 0;
    CHECK(asked);
  }
  hosts.note(0, true, now);
  hosts.note(0, false, now);
  bool asked = false;
  for (int i = 0; i < 2; ++i) asked |= hosts.pick(now + seconds(1)) == 0;
  CHECK(asked);
}

TEST_CASE("where all hosts rest one is asked all the same", "[rotation]") {
  HostRotation hosts(2, 0), lonely(1, 7);
  hosts.note(0, false, kStart);
  hosts.note(1, false, kStart);
  CHECK(hosts.pick(kStart) != hosts.pick(kStart));
  lonely.note(0, false, kStart);
  CHECK(lonely.pick(kStart) == 0);
}

}  // namespace pacenote::rotation_test
