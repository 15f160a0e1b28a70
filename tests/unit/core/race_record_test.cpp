#include "core/race_record.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"

namespace pacenote::race_record_test {

TEST_CASE("states of a race have names", "[race_record]") {
  for (const RaceState state :
       {RaceState::running, RaceState::finished, RaceState::interrupted, RaceState::failed}) {
    CHECK(race_state_from(to_string(state)) == state);
  }
  CHECK(to_string(RaceState::interrupted) == "interrupted");
  CHECK_THROWS_AS(race_state_from("asleep"), UserError);
}

TEST_CASE("a race's time stamp has Rally's form", "[race_record]") {
  using namespace std::chrono;
  const WallTime time = sys_days(2026y / November / 30) + 9h + 39min + 20s + 999ms;
  CHECK(basic_timestamp(time) == "20261130T093920Z");
  CHECK(basic_timestamp(WallTime{}) == "19700101T000000Z");
  CHECK(basic_timestamp(WallTime(-1ms)) == "19691231T235959Z");
}

}  // namespace pacenote::race_record_test
