// How much a test tries. Under a sanitizer, which takes 5 to 20 times as long, what tries many random cases tries few
// (another run of the same tests tries more), and what has to be large only so that it takes long is smaller. With
// HYDRA_ALL_CASES=1 (scripts/test --all) every case is tried, for which a change does not wait.
#pragma once
#include <cstdlib>

namespace hydra::test {

#ifdef HYDRA_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

inline bool all_cases() { return !kSanitized && std::getenv("HYDRA_ALL_CASES") != nullptr; }

// How many of a test's cases are tried: all of them, those of every change, or those under a sanitizer.
inline int cases(int all, int of_every_change, int sanitized) {
  return kSanitized ? sanitized : all_cases() ? all : of_every_change;
}

}  // namespace hydra::test
