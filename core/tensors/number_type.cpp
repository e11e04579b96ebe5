#include "core/tensors/number_type.h"

#include <array>
#include <limits>

namespace hydra {

const NumberBlock& block_of(NumberType type) {
  static constexpr std::array<NumberBlock, kNumberTypes> blocks = {{
      {"f64", 8, 1},
      {"f32", 4, 1},
      {"f16", 2, 1},
      {"bf16", 2, 1},
      {"q8_0", 34, 32},
      {"i64", 8, 1},
      {"i32", 4, 1},
      {"i16", 2, 1},
      {"i8", 1, 1},
      {"u64", 8, 1},
      {"u32", 4, 1},
      {"u16", 2, 1},
      {"u8", 1, 1},
      {"boolean", 1, 1},
  }};
  return blocks[static_cast<std::size_t>(type)];
}

std::optional<std::uint64_t> bytes_for(NumberType type, std::uint64_t numbers) {
  const NumberBlock& block = block_of(type);
  if (numbers % block.numbers != 0) return std::nullopt;
  const std::uint64_t blocks = numbers / block.numbers;
  if (blocks > std::numeric_limits<std::uint64_t>::max() / block.bytes) return std::nullopt;
  return blocks * block.bytes;
}

}  // namespace hydra
