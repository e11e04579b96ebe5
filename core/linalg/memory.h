// How the program wants its memory managed.
#pragma once

namespace hydra {

// Keeps the memory of dropped traces for the next one instead of giving it back to the system, which would have to
// clear every page again: a third of the time of a large recompute. Call once, when the program starts; does nothing
// where the C library has no such setting.
void keep_freed_memory();

}  // namespace hydra
