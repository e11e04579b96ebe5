// Stacks of their own for work that takes turns, so that it can be left in the middle. A platform that has some tells
// so with use_stacks; without them work is done in one go.
#pragma once

namespace hydra {

class Stacks {
 public:
  virtual ~Stacks() = default;
  // Calls run(work) on a stack of its own; returns when that rests for the first time, or is done.
  virtual void begin(void* work, void (*run)(void* work)) = 0;
  // On such a stack: back to whoever began the work, or had it go on. Returns after resume.
  virtual void rest(void* work) = 0;
  // Work that rests goes on: before this returns, or soon after.
  virtual void resume(void* work) = 0;
};

void use_stacks(Stacks* stacks);  // lives as long as there are workers; null: none

}  // namespace hydra
