#include "app/platform/loop.h"

#include <emscripten.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "app/platform/web/bridge.h"
#include "app/platform/web/window_state.h"
#include "core/work/turns.h"

namespace hydra {
namespace {

constexpr std::chrono::milliseconds kSlice{8};  // of work between two frames

std::atomic<bool> woken{false};

struct Loop {
  Window* window = nullptr;
  Turn turn;
};

Loop& loop() {
  static Loop only;
  return only;
}

}  // namespace

void run_loop(Window& window, Turn turn) {
  loop() = {&window, std::move(turn)};
  hydra_ask_turn(0);
}

// Short: a page waits by keeping its processor busy.
std::chrono::milliseconds turn_patience() { return std::chrono::milliseconds(2); }

void wake_loop() {
  woken = true;
  hydra_ask_turn(0);
}

}  // namespace hydra

extern "C" {

// A frame, if one is due.
EMSCRIPTEN_KEEPALIVE void hydra_turn() {
  using namespace hydra;
  Loop& now = loop();
  if (!now.turn) return;
  Window::State& window = now.window->state();
  News news;
  const bool awake = woken.exchange(false);
  news.redraw = std::exchange(window.dirty, false) || awake || !window.input.empty();
  if (const std::optional<double> rest = now.turn(news)) return hydra_ask_turn(*rest);
  now.turn = nullptr;  // and with it the window
  hydra_end();
}

// The page is hidden or left: perhaps there is no other turn.
EMSCRIPTEN_KEEPALIVE void hydra_keep() {
  using namespace hydra;
  if (!loop().turn) return;
  News news;
  news.ending = true;
  loop().turn(news);
}

// One turn of the work in the background, and in how many milliseconds the next is wanted; -1: nobody wants one.
EMSCRIPTEN_KEEPALIVE void hydra_work() { hydra::take_turn(hydra::kSlice); }
EMSCRIPTEN_KEEPALIVE double hydra_next_work() {
  using Clock = hydra::Worker::Clock;
  const std::optional<hydra::Worker::Time> next = hydra::next_turn();
  if (!next || *next == hydra::Worker::Time::max()) return -1;
  const Clock::time_point now = Clock::now();
  return *next <= now ? 0 : std::chrono::duration<double, std::milli>(*next - now).count();
}

}  // extern "C"
