#include "app/platform/desktop/end_signals.h"

#include <signal.h>

#include <catch2/catch.hpp>
#include <future>

using namespace hydra;

namespace {

volatile sig_atomic_t hung_up = 0;

// What the process does at SIGHUP while it lives.
class AtHangUp {
 public:
  explicit AtHangUp(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    ::sigaction(SIGHUP, &action, &before_);
  }
  ~AtHangUp() { ::sigaction(SIGHUP, &before_, nullptr); }
  AtHangUp(const AtHangUp&) = delete;
  AtHangUp& operator=(const AtHangUp&) = delete;

 private:
  struct sigaction before_ {};
};

}  // namespace

TEST_CASE("end signals: one is received, wakes, and afterwards does again what it did before", "[platform][signals]") {
  const AtHangUp counted([](int) { hung_up = hung_up + 1; });
  hung_up = 0;
  std::promise<void> woken;
  {
    const EndSignals signals([&] { woken.set_value(); });
    CHECK(signals.received() == 0);
    ::raise(SIGHUP);
    REQUIRE(woken.get_future().wait_for(std::chrono::seconds(20)) == std::future_status::ready);
    CHECK(signals.received() == SIGHUP);
    CHECK(hung_up == 0);
  }
  ::raise(SIGHUP);
  CHECK(hung_up == 1);
}

TEST_CASE("end signals: what the process ignores it goes on ignoring", "[platform][signals]") {
  const AtHangUp ignored(SIG_IGN);
  const EndSignals signals([] {});
  struct sigaction now {};
  ::sigaction(SIGHUP, nullptr, &now);
  CHECK(now.sa_handler == SIG_IGN);
}
