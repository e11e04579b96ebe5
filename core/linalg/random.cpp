#include "core/linalg/random.h"

namespace hydra {

namespace {
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}
}  // namespace

std::uint64_t Random::bits() {
  state_ += 0x9e3779b97f4a7c15ULL;
  return mix(state_);
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double Random::normal() {
  double sum = 0;
  for (int k = 0; k < 12; ++k) sum += uniform();
  return sum - 6;
}

std::uint64_t hash(std::string_view bytes, std::uint64_t seed) {
  std::uint64_t h = 0xcbf29ce484222325ULL;
  for (const char c : bytes) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix(h ^ mix(seed + 0x9e3779b97f4a7c15ULL));
}

}  // namespace hydra
