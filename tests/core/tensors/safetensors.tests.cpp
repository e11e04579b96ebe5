#include "core/tensors/safetensors.h"

#include <catch2/catch.hpp>
#include <limits>

#include "core/files/whole_file.h"
#include "tests/core/tensors/made_files.h"

using namespace hydra;
using made::all, made::file, made::refusal;

namespace {

std::string header_refused(const std::string& header, const std::string& numbers = {}) {
  return refusal([&] { read_safetensors(file(made::safetensors(header, numbers))); });
}
std::string header_entry(const std::string& name, const std::string& dtype, const std::string& shape,
                         const std::string& offsets) {
  return "\"" + name + R"(":{"dtype":")" + dtype + R"(","shape":[)" + shape + R"(],"data_offsets":[)" + offsets + "]}";
}

}  // namespace

TEST_CASE("safetensors: arrays, metadata, a single number and an empty array are read", "[tensors]") {
  const std::string numbers = all<float>({1, 2, 3, 4, 5, 6}) + all<std::uint16_t>({0x3C00});
  const TensorFile read = read_safetensors(file(made::safetensors(
      R"({"__metadata__":{"format":"pt"},)" + header_entry("b", "F32", "2,3", "0,24") + "," +
          header_entry("a", "F16", "", "24,26") + "," + header_entry("c", "I64", "0,4", "24,24") + "}  ",
      numbers)));
  REQUIRE(read.tensors.size() == 3);
  REQUIRE(read.tensors[0].name == "a");
  REQUIRE(read.tensors[0].shape.empty());
  REQUIRE(made::floats(read.tensors[0]) == std::vector<float>{1});
  REQUIRE(read.find("b")->shape == std::vector<Index>{2, 3});
  REQUIRE(made::floats(*read.find("b")) == std::vector<float>{1, 2, 3, 4, 5, 6});
  REQUIRE(read.find("c")->bytes.empty());
  REQUIRE(read.find("d") == nullptr);
  REQUIRE(read.text("format") == "pt");
}

TEST_CASE("safetensors: nothing but an empty header is a file without arrays", "[tensors]") {
  REQUIRE(read_safetensors(file(made::safetensors("{}", ""))).tensors.empty());
}

TEST_CASE("safetensors: what is broken is refused by a sentence", "[tensors]") {
  const auto short_file = [](const std::string& bytes) { return refusal([&] { read_safetensors(file(bytes)); }); };
  CHECK(short_file("") == "f: is empty, and not safetensors; download the file itself");
  CHECK(short_file("abc") == "f: has 3 bytes, and a safetensors file has a length of 8 bytes first; download it again");
  CHECK(short_file(made::u64(2) + "[]") == "f: is no safetensors file, whose header begins with {; give one that is");
  CHECK(short_file(made::u64(100'000'001) + "{}") ==
        "f: has a header of 100000001 bytes, and readers of safetensors stop at 100000000; save the model in several "
        "files");
  CHECK(short_file(made::u64(std::numeric_limits<std::uint64_t>::max()) + "{}") ==
        "f: has a header of 18446744073709551615 bytes, and readers of safetensors stop at 100000000; save the model "
        "in several files");
  CHECK(short_file(made::u64(3) + "{}") ==
        "f: is cut off: its header alone needs a file of 11 bytes, and it has 10; download it again");
  CHECK(header_refused("{\"a\xFF\":1}") == "f: has a header that is no UTF-8 text at its byte 3; save it again");
  CHECK(header_refused("{\"a\":") ==
        "f: line 1, column 6: the text ends in the middle of the document, and its last { is not closed; it may have "
        "been "
        "cut off when it was copied");
  CHECK(header_refused("{" + header_entry("a", "F32", "", "0,4") + "," + header_entry("a", "F32", "", "0,4") + "}",
                       "1234") == "f: /a is given twice");
  CHECK(header_refused(R"({"__metadata__":{"format":3}})") ==
        "f: /__metadata__/format must be a string, not the number 3; write it in quotes");
  CHECK(header_refused(R"({"__metadata__":[]})") == "f: /__metadata__ must be an object, not an array of 0");
  CHECK(header_refused("{" + header_entry("a", "F8_E4M3", "4", "0,4") + "}", "1234") ==
        R"(f: tensor "a" has the dtype "F8_E4M3", which is not read here; save it as F32, F16 or BF16)");
  CHECK(header_refused(R"({"a":5})") == R"(f: tensor "a" must be an object, not the number 5)");
  CHECK(header_refused(R"({"a":{"shape":[],"data_offsets":[0,0]}})") == R"(f: tensor "a" must have a dtype, a string)");
  CHECK(header_refused(R"({"a":{"dtype":"F32","data_offsets":[0,0]}})") ==
        R"(f: tensor "a" must have shape, an array)");
  CHECK(header_refused(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,0]}})") ==
        R"(f: tensor "a" must have whole numbers from 0 in shape, not the number -1)");
  std::string ones = "1";
  for (int k = 0; k < 64; ++k) ones += ",1";
  CHECK(header_refused("{" + header_entry("a", "F32", ones, "0,4") + "}", "1234") ==
        R"(f: tensor "a" has more than 64 numbers in shape; save it again)");
  CHECK(header_refused(R"({"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,0]}})") ==
        R"(f: tensor "a" must have whole numbers from 0 in shape, not the number 1.5)");
  CHECK(header_refused(R"({"a":{"dtype":"F32","shape":[],"data_offsets":[0,4],"x":1}})", "1234") ==
        R"(f: tensor "a" has a key "x", which safetensors do not have)");
}

TEST_CASE("safetensors: places that are no partition of the file are refused", "[tensors]") {
  const std::string outside = R"(f: tensor "a" has data_offsets that are not two places in order; download it again)";
  CHECK(header_refused("{" + header_entry("a", "F32", "2", "0,12") + "}", "12345678") ==
        R"(f: tensor "a" has 12 bytes, and 2 of f32 has 8; save it again)");
  CHECK(header_refused("{" + header_entry("a", "F32", "2", "8,0") + "}", "12345678") == outside);
  CHECK(header_refused("{" + header_entry("a", "F32", "2", "0") + "}", "12345678") == outside);
  CHECK(header_refused("{" + header_entry("a", "F32", "", "0,8") + "}", "12345678") ==
        R"(f: tensor "a" has 8 bytes, and a single number of f32 has 4; save it again)");
  CHECK(header_refused("{" + header_entry("a", "F32", "3", "0,8") + "}", "12345678") ==
        R"(f: tensor "a" has 8 bytes, and 3 of f32 has 12; save it again)");
  CHECK(header_refused("{" + header_entry("a", "F32", "", "0,4") + "," + header_entry("b", "F32", "2", "0,8") + "}",
                       "12345678") ==
        R"(f: tensor "b" begins at 0, and what is before it ends at 4: they overlap; save it again)");
  CHECK(header_refused("{" + header_entry("a", "U8", "2", "0,2") + "," + header_entry("b", "F32", "", "4,8") + "}",
                       "12345678") ==
        R"(f: tensor "b" begins at 4, and what is before it ends at 2: a gap; save it again)");
  CHECK(header_refused("{" + header_entry("a", "F32", "", "4,8") + "}", "12345678") ==
        R"(f: tensor "a" begins at 4, and what is before it ends at 0: a gap; save it again)");
  CHECK(header_refused("{" + header_entry("a", "F32", "", "0,4") + "}", "12345678") ==
        "f: has 8 bytes of numbers, and its header speaks of 4; download it again");
  const std::string large = R"(f: tensor "a" has a shape of more numbers than any file holds; save it again)";
  CHECK(header_refused("{" + header_entry("a", "F32", "4294967296,4294967296", "0,8") + "}", "12345678") == large);
  CHECK(header_refused("{" + header_entry("a", "F32", "4611686018427387904", "0,8") + "}", "12345678") == large);
  CHECK(header_refused("{" + header_entry("a", "F32", "18446744073709551615", "0,8") + "}", "12345678") == large);
}

TEST_CASE("safetensors: a file that was cut off says so, with what it has and what it needs", "[tensors]") {
  const std::string header =
      "{" + header_entry("a", "F32", "2", "0,8") + "," + header_entry("b", "U8", "3", "8,11") + "}";
  const std::string whole = std::to_string(8 + header.size() + 11);
  for (const std::size_t left : {std::size_t{0}, std::size_t{8}, std::size_t{10}})
    CHECK(header_refused(header, std::string(left, '1')) ==
          "f: is cut off: its arrays need a file of " + whole + " bytes, and it has " +
              std::to_string(8 + header.size() + left) + "; download it again");
  CHECK(header_refused(header, std::string(12, '1')) ==
        "f: has 12 bytes of numbers, and its header speaks of 11; download it again");
}

TEST_CASE("safetensors: other files are called what they are", "[tensors]") {
  const auto called = [](const std::string& bytes) { return refusal([&] { read_safetensors(file(bytes)); }); };
  CHECK(called(std::string("\x80\x02}q\0.", 6) + "more bytes") ==
        "f: is a pickle, as torch.save (.pt) wrote them before 1.6, and not safetensors; rename it to .pt to have it "
        "read as that");
  CHECK(called("PK\3\4and more") ==
        "f: is a zip archive, as torch.save (.pt) and NumPy (.npz) write them, and not safetensors; open it as what it "
        "is");
  CHECK(called("version https://git-lfs.github.com/spec/v1\n") ==
        "f: is a pointer of Git LFS in the place of the file, and not safetensors; download the file itself");
  CHECK(called("<!DOCTYPE html><html>") == "f: is a web page, and not safetensors; download the file itself");
}

TEST_CASE("safetensors: what is written is aligned, sorted, complete, and reads back", "[tensors]") {
  const made::Folder folder;
  const std::string floats = all<float>({1, 2, 3, 4, 5, 6}), bytes = "\1\2\3", wide = all<double>({7.5});
  std::vector<Tensor> tensors(3);
  tensors[0].name = "b\"é";
  tensors[0].shape = {3, 2};
  tensors[0].strides = {1, 3};
  tensors[0].bytes = bytes_of(floats);
  tensors[1].name = "a";
  tensors[1].type = NumberType::u8;
  tensors[1].shape = {3};
  tensors[1].bytes = bytes_of(bytes);
  tensors[2].name = "z";
  tensors[2].type = NumberType::f64;
  tensors[2].bytes = bytes_of(wide);
  write_safetensors(folder / "m", tensors);
  const std::string content = read_whole(folder / "m");
  const auto length = load<std::uint64_t>(bytes_of(content).data());
  REQUIRE(length % 8 == 0);
  REQUIRE(content.substr(8, length).starts_with(
      R"({"__metadata__":{"format":"pt"},"z":{"dtype":"F64","shape":[],"data_offsets":[0,8]},"b\"é":{"dtype":"F32",)"));
  const TensorFile read = open_safetensors(folder / "m");
  REQUIRE(read.tensors.size() == 3);
  REQUIRE(made::floats(*read.find("b\"é")) == std::vector<float>{1, 4, 2, 5, 3, 6});
  REQUIRE(made::floats(*read.find("a")) == std::vector<float>{1, 2, 3});
  REQUIRE(made::floats(*read.find("z")) == std::vector<float>{7.5});
  tensors[1].name = "z";
  CHECK(refusal([&] { write_safetensors("m", tensors); }) ==
        "m: cannot hold two tensors of one name; rename one of them");
  tensors[1].name = "q";
  tensors[1].type = NumberType::q8_0;
  CHECK(refusal([&] { write_safetensors("m", tensors); }) ==
        R"(m: safetensors have no q8_0, which tensor "q" is; convert it to f32)");
}
