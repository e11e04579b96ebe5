// Whether the tests run under a sanitizer, which takes 5 to 20 times as long: what tries many random cases tries fewer
// there (another run of the same tests tries them all), and what has to be large only so that it takes long is smaller.
#pragma once

namespace hydra::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace hydra::test
