#include "core/linalg/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>  // tells whether this is glibc
#include <fstream>
#include <limits>
#include <string>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace hydra {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

// What the system has left for new programs, without swapping.
double left_in_the_system() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  double kilobytes = 0;
  while (file >> name >> kilobytes) {
    if (name == "MemAvailable:") return 1024 * kilobytes;
    std::getline(file, unit);
  }
  return kUnknown;
}

// What the limit on this process's addresses (ulimit -v) leaves.
double left_of_the_limit() {
  rlimit limit{};
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || !(file >> pages)) return kUnknown;
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - pages * static_cast<double>(::sysconf(_SC_PAGESIZE)));
}

}  // namespace

void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // above the largest matrix, so that all come from the heap
  mallopt(M_TRIM_THRESHOLD, 1 << 30);   // and stay in it up to a gigabyte
  mallopt(M_ARENA_MAX, 1);              // one heap for all threads: only that one keeps what is freed
#endif
}

void give_back_freed_memory() {
#ifdef __GLIBC__
  malloc_trim(64 << 20);
#endif
}

double available_memory() { return std::min(left_in_the_system(), left_of_the_limit()); }

}  // namespace hydra
