#include "core/tensors/gguf.h"

#include <catch2/catch.hpp>

#include "tests/core/tensors/made_files.h"

using namespace hydra;
using made::all, made::file, made::refusal, made::u32, made::u64;

namespace {

std::string gguf_text(const std::string& bytes) { return u64(bytes.size()) + bytes; }
std::string gguf_pair(const std::string& key, std::uint32_t type, const std::string& value) {
  return gguf_text(key) + u32(type) + value;
}
std::string gguf_tensor(const std::string& name, const std::vector<std::uint64_t>& inner_first, std::uint32_t type,
                        std::uint64_t at) {
  std::string bytes = gguf_text(name) + u32(static_cast<std::uint32_t>(inner_first.size()));
  for (const std::uint64_t size : inner_first) bytes += u64(size);
  return bytes + u32(type) + u64(at);
}
std::string gguf(const std::vector<std::string>& pairs, const std::vector<std::string>& tensors,
                 const std::string& numbers = {}, std::size_t alignment = 32, std::uint32_t version = 3) {
  std::string bytes = "GGUF" + u32(version) + u64(tensors.size()) + u64(pairs.size());
  for (const std::string& each : pairs) bytes += each;
  for (const std::string& each : tensors) bytes += each;
  bytes.resize((bytes.size() + alignment - 1) / alignment * alignment, '\0');
  return bytes + numbers;
}
std::string gguf_refused(const std::string& bytes) {
  return refusal([&] { read_gguf(file(bytes)); });
}

}  // namespace

TEST_CASE("gguf: metadata of every type, lists, and arrays with their shapes turned", "[tensors]") {
  std::string numbers = all<float>({1, 2, 3, 4, 5, 6});
  numbers.resize(32, '\0');
  numbers += all<std::uint16_t>({0x3C00, 0xC000});
  for (const std::uint32_t version : {2u, 3u}) {
    const FileBytes bytes = file(
        gguf({gguf_pair("u8", 0, "\xFF"), gguf_pair("i8", 1, "\xFF"), gguf_pair("u16", 2, "\xFF\xFF"),
              gguf_pair("i16", 3, "\xFF\xFF"), gguf_pair("u32", 4, u32(0xFFFFFFFF)),
              gguf_pair("i32", 5, u32(0xFFFFFFFF)), gguf_pair("f32", 6, made::le(0.5f)), gguf_pair("bool", 7, "\1"),
              gguf_pair("text", 8, gguf_text("é")), gguf_pair("u64", 10, u64(~std::uint64_t{0})),
              gguf_pair("i64", 11, u64(~std::uint64_t{0})), gguf_pair("f64", 12, made::le(0.1)),
              gguf_pair("texts", 9, u32(8) + u64(2) + gguf_text("a\xFF") + gguf_text("")),
              gguf_pair("wholes", 9, u32(3) + u64(2) + "\xFE\xFF\1" + std::string(1, '\0')),
              gguf_pair("truths", 9, u32(7) + u64(2) + std::string("\1\0", 2)),
              gguf_pair("decimals", 9, u32(6) + u64(1) + made::le(0.25f)), gguf_pair("none", 9, u32(8) + u64(0))},
             {gguf_tensor("b", {2}, 1, 32), gguf_tensor("a", {3, 2}, 0, 0)}, numbers, 32, version));
    const TensorFile read = read_gguf(bytes);
    CHECK(read.whole("u8") == 255);
    CHECK(read.whole("i8") == -1);
    CHECK(read.whole("u16") == 65535);
    CHECK(read.whole("i16") == -1);
    CHECK(read.whole("u32") == 4294967295);
    CHECK(read.whole("i32") == -1);
    CHECK(read.number("f32") == 0.5);
    CHECK(read.truth("bool") == true);
    CHECK(read.text("text") == "é");
    CHECK(read.number("u64") == 18446744073709551616.0);
    CHECK(read.whole("i64") == -1);
    CHECK(read.number("f64") == 0.1);
    CHECK(std::get<std::vector<std::string_view>>(*read.meta("texts")) == std::vector<std::string_view>{"a\xFF", ""});
    CHECK(std::get<std::vector<std::int64_t>>(*read.meta("wholes")) == std::vector<std::int64_t>{-2, 1});
    CHECK(std::get<std::vector<std::int64_t>>(*read.meta("truths")) == std::vector<std::int64_t>{1, 0});
    CHECK(std::get<std::vector<double>>(*read.meta("decimals")) == std::vector<double>{0.25});
    CHECK(std::get<std::vector<std::string_view>>(*read.meta("none")).empty());
    CHECK(read.find("a")->shape == std::vector<Index>{2, 3});
    CHECK(made::floats(*read.find("a")) == std::vector<float>{1, 2, 3, 4, 5, 6});
    CHECK(made::floats(*read.find("b")) == std::vector<float>{1, -2});
  }
}

TEST_CASE("gguf: the alignment is the file's", "[tensors]") {
  const std::string numbers = all<float>({1}) + std::string(60, '\0') + all<float>({2});
  const std::string bytes = gguf({gguf_pair("general.alignment", 4, u32(64))},
                                 {gguf_tensor("a", {1}, 0, 0), gguf_tensor("b", {1}, 0, 64)}, numbers, 64);
  CHECK(made::floats(*read_gguf(file(bytes)).find("b")) == std::vector<float>{2});
  const std::string none = "f: has a general.alignment that is no power of two from 8 to 2^20; convert it again";
  for (const std::uint32_t alignment : {0u, 1u, 24u, 1u << 21})
    CHECK(gguf_refused(gguf({gguf_pair("general.alignment", 4, u32(alignment))}, {})) == none);
  CHECK(gguf_refused(gguf({gguf_pair("general.alignment", 8, gguf_text("x"))}, {})) == none);
}

TEST_CASE("gguf: counts, lengths and types that are hostile are refused by a sentence", "[tensors]") {
  const std::uint64_t large = std::uint64_t{1} << 60;
  CHECK(gguf_refused("GGUF") == "f: ends within its version, at byte 4; download it again");
  CHECK(gguf_refused("GGUF" + u32(0x03000000)) ==
        "f: is GGUF with its bytes in the other order (big-endian); convert it for a little-endian machine");
  CHECK(gguf_refused("GGUF" + u32(1) + u64(0) + u64(0)) ==
        "f: is of version 1 of GGUF, and 2 and 3 are read; convert it again");
  CHECK(gguf_refused("GGUF" + u32(3) + u64(large) + u64(0)) ==
        "f: says that it has 1152921504606846976 of tensors, more than its bytes hold; download it again");
  CHECK(gguf_refused("GGUF" + u32(3) + u64(0) + u64(large)) ==
        "f: says that it has 1152921504606846976 of metadata, more than its bytes hold; download it again");
  CHECK(gguf_refused(gguf({u64(large) + "key"}, {})) ==
        "f: ends within a key of its metadata, at byte 32; download it again");
  CHECK(gguf_refused(gguf({gguf_pair("a", 8, u64(~std::uint64_t{0}) + "x")}, {})) ==
        "f: ends within its metadata \"a\", at byte 45; download it again");
  CHECK(gguf_refused(gguf({gguf_pair("a", 9, u32(8) + u64(large))}, {})) ==
        "f: says that it has 1152921504606846976 of its metadata \"a\", more than its bytes hold; download "
        "it again");
  CHECK(gguf_refused(gguf({gguf_pair("a", 9, u32(0) + u64(large))}, {})) ==
        "f: says that it has 1152921504606846976 of its metadata \"a\", more than its bytes hold; download "
        "it again");
  CHECK(gguf_refused(gguf({gguf_pair("a", 9, u32(9) + u64(1) + u32(9) + u64(1))}, {})) ==
        "f: has arrays of arrays in its metadata \"a\", which nobody reads; convert it again");
  CHECK(gguf_refused(gguf({gguf_pair("a", 13, "x")}, {})) ==
        "f: has a type 13 in its metadata \"a\", which GGUF does not have; convert it again");
  CHECK(gguf_refused(gguf({gguf_pair("a", 7, "\1"), gguf_pair("a", 7, "\1")}, {})) ==
        "f: has the metadata \"a\" twice; convert it again");
  CHECK(gguf_refused(gguf({}, {gguf_text("a") + u32(9)}, std::string(64, '\0'))) ==
        "f: has 9 dimensions in tensor \"a\", which no reader takes; convert it again");
  const std::string shape =
      "f: has a shape of tensor \"a\" that is too large, or no whole number of blocks; convert it again";
  CHECK(gguf_refused(gguf({}, {gguf_tensor("a", {large, large}, 0, 0)})) == shape);
  CHECK(gguf_refused(gguf({}, {gguf_tensor("a", {~std::uint64_t{0}}, 0, 0)})) == shape);
  CHECK(gguf_refused(gguf({}, {gguf_tensor("a", {16, 2}, 8, 0)}, std::string(34, '\0'))) == shape);
  CHECK(gguf_refused(gguf({}, {gguf_tensor("a", {256}, 12, 0)}, std::string(144, '\0'))) ==
        "f: has tensor \"a\" in the type Q4_K, which is not read here; convert the model to F32, F16, BF16 or Q8_0");
  CHECK(gguf_refused(gguf({}, {gguf_tensor("a", {1}, 99, 0)}, "1234")) ==
        "f: has tensor \"a\" in the type 99, which is not read here; convert the model to F32, F16, BF16 or Q8_0");
}

TEST_CASE("gguf: arrays that overlap, leave a gap, end beyond the file or share a name are refused", "[tensors]") {
  const std::string numbers(64, '\0');
  CHECK(gguf_refused(gguf({}, {gguf_tensor("a", {1}, 0, 0), gguf_tensor("b", {1}, 0, 32)}, numbers)).empty());
  CHECK(gguf_refused(gguf({}, {gguf_tensor("a", {1}, 0, 0), gguf_tensor("b", {1}, 0, 0)}, numbers)) ==
        "f: has tensor \"b\" at 0, and by what is before it it stands at 32; convert it again");
  CHECK(gguf_refused(gguf({}, {gguf_tensor("a", {1}, 0, 0), gguf_tensor("b", {1}, 0, 64)}, numbers)) ==
        "f: has tensor \"b\" at 64, and by what is before it it stands at 32; convert it again");
  CHECK(gguf_refused(gguf({}, {gguf_tensor("a", {17}, 0, 0)}, numbers)) ==
        "f: ends within tensor \"a\"; download it again");
  CHECK(gguf_refused(gguf({}, {gguf_tensor("a", {1}, 0, 0), gguf_tensor("a", {1}, 0, 32)}, numbers)) ==
        "f: has two tensors named \"a\"; save one of them under another name");
  CHECK(gguf_refused(gguf({}, {gguf_tensor("a\xFF", {1}, 0, 0)}, numbers)) ==
        "f: the name \"a\\xff\" of a tensor is no UTF-8 text; save it under another");
  CHECK(gguf_refused("PK\3\4") ==
        "f: is a zip archive, as torch.save (.pt) and NumPy (.npz) write them, and not a GGUF file; "
        "open it as what it is");
}
