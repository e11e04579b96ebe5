// Long work says where it can be left for a while. Where workers have threads it never is (threads/). Where they take
// turns on the one thread that draws as well (turns/), it rests there when its turn is over and goes on in its next, if
// the platform has stacks to leave work on (turns/stacks.h); if not, work that takes too long ends by TooLong
// (core/failure.h).
#pragma once
#include <chrono>
#include <optional>

#include "core/work/worker.h"

namespace hydra {

// In every loop that may take long: a turn that is over ends here, to be gone on with.
void give_way();
// For work that can be left by itself (Unfinished in app/work/latest_request.h): it must be, for its turn is over and
// it cannot rest.
bool is_over();
// For so long at least, while others work. Work that can neither rest nor sleep goes on at once.
void rest_for(std::chrono::milliseconds time);

// --- for whoever calls the frames, between them

std::optional<Worker::Time> next_turn();          // when somebody wants one; nothing: nobody does, or there are threads
void take_turn(std::chrono::milliseconds slice);  // somebody works for about so long

}  // namespace hydra
