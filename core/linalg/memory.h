// How the program wants its memory managed.
#pragma once

namespace hydra {

// Keeps the memory of dropped traces for the next one instead of giving it back to the system, which would have to
// clear every page again: a third of the time of a large recompute. Call once, when the program starts; does nothing
// where the C library has no such setting.
void keep_freed_memory();

// Gives back to the system what was freed: after something large has gone.
void give_back_freed_memory();

// Bytes that this process can still take, as far as the system tells; infinity when it does not.
double available_memory();

}  // namespace hydra
