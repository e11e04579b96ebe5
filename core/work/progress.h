// What long work tells whoever waits for it, and hears from it: how far it is, and that it is wanted no more.
#pragma once
#include <atomic>
#include <stop_token>

#include "core/work/parallel.h"
#include "core/work/turns.h"

namespace hydra {

struct Progress {
  std::stop_token stop;
  std::atomic<int>* done = nullptr;  // steps; may be null

  // Throws Stopped when that is requested. From any thread.
  void check() const {
    give_way();
    if (stop.stop_requested()) throw Stopped();
  }
  void step(int steps = 1) const {
    if (done) *done += steps;
    check();
  }
};

}  // namespace hydra
