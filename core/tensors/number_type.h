// The types of numbers that files of arrays hold.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace hydra {

// q8_0: blocks of 32 whole numbers of 8 bits behind their scale, a half. boolean: a byte, 0 or 1.
enum class NumberType : std::uint8_t { f64, f32, f16, bf16, q8_0, i64, i32, i16, i8, u64, u32, u16, u8, boolean };
inline constexpr std::size_t kNumberTypes = 14;

// What stands together: one number, or a block of them.
struct NumberBlock {
  std::string_view name;  // "f32"
  std::uint32_t bytes, numbers;
};
const NumberBlock& block_of(NumberType type);
inline std::string_view name_of(NumberType type) { return block_of(type).name; }

// None: no whole number of blocks, or more than 2^64 bytes.
std::optional<std::uint64_t> bytes_for(NumberType type, std::uint64_t numbers);

}  // namespace hydra
