#include "core/tensors/numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace hydra {

static_assert(std::endian::native == std::endian::little, "files are mapped, and little-endian");

// Without a branch, so that many are converted side by side: as a float whose exponent is too small by 112, also where
// the number is subnormal.
float from_half(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16, rest = (half & 0x7fffu) << 13;
  const std::uint32_t value = std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) * 0x1p112f);
  return std::bit_cast<float>(sign | value | (rest >= 0x0f800000u ? 0x7f800000u : 0u));  // infinite, or no number
}

float from_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

namespace {

template <class T>
void convert(const std::byte* from, std::span<float> out) {
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = static_cast<float>(load<T>(from + k * sizeof(T)));
}

// One number after the other, the first at from; without blocks.
void convert_run(NumberType type, const std::byte* from, std::span<float> out) {
  switch (type) {
    case NumberType::f64:
      return convert<double>(from, out);
    case NumberType::f32:
      return convert<float>(from, out);
    case NumberType::f16:
      for (std::size_t k = 0; k < out.size(); ++k) out[k] = from_half(load<std::uint16_t>(from + 2 * k));
      return;
    case NumberType::bf16:
      for (std::size_t k = 0; k < out.size(); ++k) out[k] = from_bfloat16(load<std::uint16_t>(from + 2 * k));
      return;
    case NumberType::i64:
      return convert<std::int64_t>(from, out);
    case NumberType::i32:
      return convert<std::int32_t>(from, out);
    case NumberType::i16:
      return convert<std::int16_t>(from, out);
    case NumberType::i8:
      return convert<std::int8_t>(from, out);
    case NumberType::u64:
      return convert<std::uint64_t>(from, out);
    case NumberType::u32:
      return convert<std::uint32_t>(from, out);
    case NumberType::u16:
      return convert<std::uint16_t>(from, out);
    case NumberType::u8:
      return convert<std::uint8_t>(from, out);
    case NumberType::boolean:
      for (std::size_t k = 0; k < out.size(); ++k) out[k] = from[k] != std::byte{0} ? 1.0f : 0.0f;
      return;
    case NumberType::q8_0:
      break;
  }
}

// A product of a half and a whole number of 8 bits has at most 19 bits: a float holds it exactly.
void convert_blocks(const std::byte* blocks, std::size_t first, std::span<float> out) {
  for (std::size_t k = 0, count = 0; k < out.size(); k += count) {
    const std::size_t at = (first + k) % 32;
    const std::byte* const block = blocks + (first + k) / 32 * 34;
    const float scale = from_half(load<std::uint16_t>(block));
    count = std::min(32 - at, out.size() - k);
    for (std::size_t i = 0; i < count; ++i)
      out[k + i] = scale * static_cast<float>(load<std::int8_t>(block + 2 + at + i));
  }
}

void turn_bytes(std::span<std::byte> numbers, std::size_t size) {
  for (std::size_t k = 0; k < numbers.size(); k += size)
    std::reverse(numbers.begin() + static_cast<std::ptrdiff_t>(k),
                 numbers.begin() + static_cast<std::ptrdiff_t>(k + size));
}

}  // namespace

void copy_numbers(const Tensor& tensor, Index first, std::span<std::byte> out) {
  const std::size_t size = block_of(tensor.type).bytes, rank = tensor.shape.size();
  assert(block_of(tensor.type).numbers == 1 && out.size() % size == 0);
  const auto count = static_cast<Index>(out.size() / size);
  assert(first >= 0 && first + count <= count_of(tensor));
  if (count == 0) return;
  if (tensor.strides.empty()) {
    std::memcpy(out.data(), tensor.bytes.data() + static_cast<std::size_t>(first) * size, out.size());
  } else {
    // Where the first number stands, then on as an odometer goes.
    std::vector<Index> place(rank);
    Index at = 0, rest = first;
    for (std::size_t d = rank; d-- > 0; rest /= tensor.shape[d]) {
      place[d] = rest % tensor.shape[d];
      at += place[d] * tensor.strides[d];
    }
    for (Index k = 0; k < count; ++k) {
      std::memcpy(out.data() + static_cast<std::size_t>(k) * size,
                  tensor.bytes.data() + static_cast<std::size_t>(at) * size, size);
      for (std::size_t d = rank; d-- > 0;) {
        at += tensor.strides[d];
        if (++place[d] < tensor.shape[d]) break;
        at -= place[d] * tensor.strides[d];
        place[d] = 0;
      }
    }
  }
  if (tensor.big_endian) turn_bytes(out, size);
}

void to_floats(const Tensor& tensor, Index first, std::span<float> out) {
  assert(first >= 0 && first + static_cast<Index>(out.size()) <= count_of(tensor));
  if (tensor.type == NumberType::q8_0) return convert_blocks(tensor.bytes.data(), static_cast<std::size_t>(first), out);
  const std::size_t size = block_of(tensor.type).bytes;
  if (tensor.strides.empty() && !tensor.big_endian)
    return convert_run(tensor.type, tensor.bytes.data() + static_cast<std::size_t>(first) * size, out);
  std::array<std::byte, 4096> piece;
  while (!out.empty()) {
    const std::size_t count = std::min(out.size(), piece.size() / size);
    copy_numbers(tensor, first, std::span(piece).first(count * size));
    convert_run(tensor.type, piece.data(), out.first(count));
    out = out.subspan(count);
    first += static_cast<Index>(count);
  }
}

}  // namespace hydra
