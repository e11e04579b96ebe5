// Why work failed, in words that continue a sentence and end with the remedy.
#pragma once
#include <exception>
#include <stdexcept>
#include <string>

namespace hydra {

// Work that takes turns with the frames (linalg/turns.h) had to end before it was done, for it could not be left.
struct TooLong : std::runtime_error {
  TooLong()
      : runtime_error(
            "it takes longer than this page can wait without threads; a page that is served with the headers for them, "
            "a newer browser or the desktop program has the time") {}
};

// "there is not enough memory; fewer tokens or heads need less"
std::string reason_of(const std::exception_ptr& fault);

}  // namespace hydra
