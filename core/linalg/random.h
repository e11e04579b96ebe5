// Random numbers that are the same on every machine: integer arithmetic, exact scaling, no library distribution.
#pragma once
#include <cstdint>
#include <string_view>

namespace hydra {

// SplitMix64 (Steele, Lea, Flood 2014): a full-period generator over 64-bit states.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits();
  double uniform();  // [0, 1), 53 bits
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  // Mean 0, variance 1: the sum of twelve uniforms less six. Exact in IEEE arithmetic, unlike log and cos.
  double normal();

 private:
  std::uint64_t state_;
};

// FNV-1a over the bytes, then mixed with the seed; the same on every machine.
std::uint64_t hash(std::string_view bytes, std::uint64_t seed);

}  // namespace hydra
