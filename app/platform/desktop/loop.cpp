#include "app/platform/loop.h"

#include <atomic>
#include <new>
#include <utility>

#include "app/platform/desktop/end_signals.h"
#include "app/platform/desktop/window_state.h"

namespace hydra {
namespace {

std::atomic<bool> woken{false};

// Handles what has arrived; waits for at most this long when nothing has. Whether something needs a redraw.
bool wait(Window::State& window, double seconds) {
  if (seconds > 0 && !window.dirty && !woken && window.input.empty()) {
    glfwWaitEventsTimeout(seconds);
  } else {
    glfwPollEvents();
  }
  const bool awake = woken.exchange(false);
  return std::exchange(window.dirty, false) || awake || !window.input.empty();
}

// All of them. The signal that has ended the program, 0 for none.
int take_turns(Window::State& window, const Turn& turn) {
  const EndSignals signals(wake_loop);
  for (std::optional<double> rest = 0; rest;) {
    News news;
    try {
      news.redraw = wait(window, *rest);
    } catch (const std::bad_alloc&) {
      news.fault = std::current_exception();
    }
    news.ending = signals.received() != 0;
    rest = turn(news);
  }
  return signals.received();
}

}  // namespace

void run_loop(Window& window, Turn turn) {
  const int signal = take_turns(window.state(), turn);
  turn = nullptr;  // and with it the window
  if (signal != 0) end_by(signal);
}

std::chrono::milliseconds turn_patience() { return std::chrono::milliseconds(12); }

void wake_loop() {
  woken = true;
  glfwPostEmptyEvent();
}

}  // namespace hydra
