// Who goes first where more threads want to run than there are processors (priority/: CMake chooses).
#pragma once

namespace hydra {

// The calling thread, and those that it makes from now on, let all others go first. Nothing where a system cannot say
// so of one thread.
void let_others_go_first();

}  // namespace hydra
