#include "core/linalg/memory.h"

#include <cstdlib>  // tells whether this is glibc
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace hydra {

void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // above the largest matrix, so that all come from the heap
  mallopt(M_TRIM_THRESHOLD, 1 << 30);   // and stay in it up to a gigabyte
  mallopt(M_ARENA_MAX, 1);              // one heap for all threads: only that one keeps what is freed
#endif
}

}  // namespace hydra
