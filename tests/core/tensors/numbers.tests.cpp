#include "core/tensors/numbers.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/core/tensors/made_files.h"

using namespace hydra;

namespace {

Tensor tensor_of(NumberType type, std::vector<Index> shape, const std::string& bytes) {
  Tensor tensor;
  tensor.type = type;
  tensor.shape = std::move(shape);
  tensor.bytes = bytes_of(bytes);
  return tensor;
}

}  // namespace

TEST_CASE("tensors: every half is the number that its bits say", "[tensors]") {
  for (int bits = 0; bits < 65536; ++bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double expected = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31) expected = fraction == 0 ? INFINITY : NAN;
    if (bits >> 15 != 0) expected = -expected;
    const float value = from_half(static_cast<std::uint16_t>(bits));
    if (std::isnan(expected))
      REQUIRE(std::isnan(value));
    else
      REQUIRE(static_cast<double>(value) == expected);
    REQUIRE(std::signbit(value) == (bits >> 15 != 0));
  }
}

TEST_CASE("tensors: a bfloat16 is the upper half of a float", "[tensors]") {
  REQUIRE(from_bfloat16(0x3FC0) == 1.5f);
  REQUIRE(from_bfloat16(0x8000) == 0.0f);
  REQUIRE(std::signbit(from_bfloat16(0x8000)));
  REQUIRE(std::isinf(from_bfloat16(0x7F80)));
  REQUIRE(std::isnan(from_bfloat16(0x7FC0)));
}

TEST_CASE("tensors: numbers of every type become the nearest floats", "[tensors]") {
  using made::all, made::floats;
  using F = std::vector<float>;
  // Between two floats: to the even one, and just beyond the middle up.
  const std::string doubles = all<double>({0.1, 16777217.0, 16777219.0, 1e300, std::nextafter(16777217.0, 2e7)});
  REQUIRE(floats(tensor_of(NumberType::f64, {5}, doubles)) == F{0.1f, 16777216.0f, 16777220.0f, INFINITY, 16777218.0f});
  const std::string singles = all<float>({1.5f, -0.0f, 3e38f});
  REQUIRE(floats(tensor_of(NumberType::f32, {3}, singles)) == F{1.5f, -0.0f, 3e38f});
  const std::string halves = all<std::uint16_t>({0x3C00, 0xC000, 0x0001});
  REQUIRE(floats(tensor_of(NumberType::f16, {3}, halves)) == F{1.0f, -2.0f, 0x1p-24f});
  const std::string brains = all<std::uint16_t>({0x3F80, 0xC000});
  REQUIRE(floats(tensor_of(NumberType::bf16, {2}, brains)) == F{1.0f, -2.0f});
  const std::string longs = all<std::int64_t>({16777217, -16777219, 9007199791611905});  // by way of double: another
  REQUIRE(floats(tensor_of(NumberType::i64, {3}, longs)) == F{16777216.0f, -16777220.0f, 9007200328482816.0f});
  const std::string ints = all<std::int32_t>({-7, 2147483647});
  REQUIRE(floats(tensor_of(NumberType::i32, {2}, ints)) == F{-7.0f, 2147483648.0f});
  const std::string shorts = all<std::int16_t>({-32768, 5});
  REQUIRE(floats(tensor_of(NumberType::i16, {2}, shorts)) == F{-32768.0f, 5.0f});
  const std::string bytes = "\xFF\x02";
  REQUIRE(floats(tensor_of(NumberType::i8, {2}, bytes)) == F{-1.0f, 2.0f});
  REQUIRE(floats(tensor_of(NumberType::u8, {2}, bytes)) == F{255.0f, 2.0f});
  REQUIRE(floats(tensor_of(NumberType::boolean, {2}, bytes)) == F{1.0f, 1.0f});
}

TEST_CASE("tensors: a block of q8_0 is its scale times each of its numbers", "[tensors]") {
  std::string block = made::all<std::uint16_t>({0x3800});  // 0.5
  for (int k = 0; k < 32; ++k) block += static_cast<char>(k * 8 - 128);
  std::string blocks = block + block;
  blocks[34] = 0, blocks[35] = 0x40;  // 2
  const Tensor tensor = tensor_of(NumberType::q8_0, {2, 32}, blocks);
  std::vector<float> some(40);
  to_floats(tensor, 20, some);  // from within the first to within the second
  for (int k = 0; k < 40; ++k) {
    const int at = k + 20;
    REQUIRE(some[static_cast<std::size_t>(k)] == static_cast<float>(at % 32 * 8 - 128) * (at < 32 ? 0.5f : 2.0f));
  }
}

TEST_CASE("tensors: views are read in the order of their shape", "[tensors]") {
  const std::string bytes = made::all<float>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  Tensor turned = tensor_of(NumberType::f32, {3, 4}, bytes);
  turned.strides = {1, 3};
  REQUIRE(made::floats(turned) == std::vector<float>{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11});
  std::vector<float> middle(4);
  to_floats(turned, 3, middle);
  REQUIRE(middle == std::vector<float>{9, 1, 4, 7});
  // More than one piece of what is converted at once.
  std::string many;
  for (int k = 0; k < 5000; ++k) many += made::le(static_cast<float>(k));
  Tensor large = tensor_of(NumberType::f32, {50, 100}, many);
  large.strides = {1, 50};
  const std::vector<float> values = made::floats(large);
  for (int k = 0; k < 5000; ++k)
    REQUIRE(values[static_cast<std::size_t>(k)] == static_cast<float>(k % 100 * 50 + k / 100));
}

TEST_CASE("tensors: bytes in the other order are turned", "[tensors]") {
  const std::string bytes("\x3F\x80\x00\x00\xC0\x00\x00\x00", 8);
  Tensor tensor = tensor_of(NumberType::f32, {2}, bytes);
  tensor.big_endian = true;
  REQUIRE(made::floats(tensor) == std::vector<float>{1.0f, -2.0f});
}
