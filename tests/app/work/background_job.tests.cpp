// A job: what is asked for, stopped and forgotten.
#include "app/work/background_job.h"
#include "tests/support/wait_until.h"

#include <catch2/catch.hpp>
#include <thread>

using namespace hydra;
using namespace std::chrono_literals;

namespace {

// Goes on until it is told to stop, at most two seconds.
bool told_to_stop(const BackgroundJob<int, bool>::Turn& turn) {
  for (int k = 0; k < 400 && !turn.stop.stop_requested(); ++k) std::this_thread::sleep_for(5ms);
  return turn.stop.stop_requested();
}

}  // namespace

TEST_CASE("job: stopping reaches what is under way, too, when another waits", "[app][jobs]") {
  BackgroundJob<int, bool> job;
  std::atomic<bool> begun = false, stopped = false;
  const auto compute = [&](const BackgroundJob<int, bool>::Turn& turn) {
    begun = true;
    return stopped = told_to_stop(turn);
  };
  job.ask(1, compute, 0ms);
  test::wait_until([&] { return begun.load(); });
  job.ask(
      2, [](const auto&) { return true; }, 0ms);
  job.stop();
  job.finish();
  CHECK(stopped);
  // What is asked for after that is not told.
  bool told = true;
  job.ask(
      3, [](const BackgroundJob<int, bool>::Turn& turn) { return turn.stop.stop_requested(); }, 5s);
  job.poll([&](bool result) { told = result; });
  CHECK_FALSE(told);
}

TEST_CASE("job: what was forgotten is never handed over", "[app][jobs]") {
  BackgroundJob<int, bool> job;
  job.ask(
      1, [](const auto&) { return true; }, 0ms);
  job.forget();
  job.finish();
  CHECK_FALSE(job.poll([](bool) { FAIL("handed over"); }));
  CHECK_FALSE(job.asked());
}
