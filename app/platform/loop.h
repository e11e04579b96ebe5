// Who calls the frames: on a desktop a loop that sleeps until something happens, in a browser the page.
#pragma once
#include <chrono>
#include <exception>
#include <functional>
#include <optional>

#include "app/platform/window.h"

namespace hydra {

// What has happened since the last turn.
struct News {
  bool redraw = false;       // input, a resize, an uncovered window, a wake
  bool ending = false;       // the program is being ended from outside: what is to be kept must be kept in this turn
  std::exception_ptr fault;  // there was no memory to take in what has come
};

// Does what is due. How many seconds the next turn may be away if nothing happens before; nothing: it is over.
using Turn = std::function<std::optional<double>(const News&)>;

// Takes a turn now, and whenever something has happened or the time is up. This may return while turns are still to
// come: turn holds what it needs, the window as well, and is let go of after the last.
void run_loop(Window& window, Turn turn);

// How long a turn may wait for one piece of background work, so that an edit is seen in the frame that made it.
std::chrono::milliseconds turn_patience();

void wake_loop();  // from any thread: a turn comes, with news

}  // namespace hydra
