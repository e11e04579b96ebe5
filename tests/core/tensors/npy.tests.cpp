#include "core/tensors/numpy/npy.h"

#include <catch2/catch.hpp>

#include "core/files/whole_file.h"
#include "core/tensors/zip_archive.h"
#include "tests/core/tensors/made_files.h"

using namespace hydra;
using made::all, made::file, made::refusal;

namespace {

std::string npy_head(const std::string& descr, const std::string& shape, const char* order = "False") {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }  \n";
}
TensorFile npy_read(const std::string& dictionary, const std::string& numbers, int version = 1) {
  return read_npy(file(made::npy(dictionary, numbers, version)));
}
std::string npy_refused(const std::string& dictionary, const std::string& numbers = {}, int version = 1) {
  return refusal([&] { npy_read(dictionary, numbers, version); });
}

}  // namespace

TEST_CASE("npy: versions, orders of bytes and of dimensions, and every type", "[tensors]") {
  const std::string six = all<float>({1, 2, 3, 4, 5, 6});
  for (const int version : {1, 2, 3}) {
    const TensorFile array = npy_read(npy_head("'<f4'", "(2, 3)"), six, version);
    REQUIRE(array.tensors.size() == 1);
    REQUIRE(array.tensors[0].name == "array");
    REQUIRE(array.tensors[0].shape == std::vector<Index>{2, 3});
    REQUIRE(made::floats(array.tensors[0]) == std::vector<float>{1, 2, 3, 4, 5, 6});
  }
  REQUIRE(made::floats(npy_read(npy_head("'<f4'", "(2, 3)", "True"), six).tensors[0]) ==
          std::vector<float>{1, 3, 5, 2, 4, 6});
  REQUIRE(made::floats(npy_read(npy_head("'>f4'", "(1,)"), std::string("\x3F\x80\0\0", 4)).tensors[0]) ==
          std::vector<float>{1});
  REQUIRE(made::floats(npy_read(npy_head("\"=f8\"", "()"), all<double>({2.5})).tensors[0]) == std::vector<float>{2.5f});
  REQUIRE(made::floats(npy_read(npy_head("'|b1'", "(2L,)"), "\1\2").tensors[0]) == std::vector<float>{1, 1});
  REQUIRE(made::floats(npy_read(npy_head("'<u2'", "(1,)"), "\xFF\xFF").tensors[0]) == std::vector<float>{65535});
  REQUIRE(made::floats(npy_read(npy_head("'>u4'", "(1,)"), std::string("\x80\0\0\0", 4)).tensors[0]) ==
          std::vector<float>{2147483648.0f});
  REQUIRE(made::floats(npy_read(npy_head("'<u8'", "(1,)"), std::string(7, '\0') + "\x80").tensors[0]) ==
          std::vector<float>{9223372036854775808.0f});
  REQUIRE(npy_read(npy_head("'<i8'", "(0, 7)"), "").tensors[0].shape == std::vector<Index>{0, 7});
  REQUIRE(made::floats(npy_read("{\"shape\":(1),'fortran_order':False,'descr':'|i1'}", "\xFF").tensors[0]) ==
          std::vector<float>{-1});
}

TEST_CASE("npy: what is broken, or no numbers, is refused by a sentence", "[tensors]") {
  CHECK(npy_refused(npy_head("'|O'", "(1,)"), "12345678") ==
        "f: array \"array\" holds Python objects, which only running them could read; save it as numbers");
  CHECK(npy_refused(npy_head("[('a', '<f4')]", "(1,)"), "1234") ==
        "f: array \"array\" holds records; save each of their fields as an array of its own");
  CHECK(npy_refused(npy_head("'<U4'", "(1,)"), "1234") ==
        "f: array \"array\" is of the type \"<U4\", which is not read here; save it as float32");
  CHECK(npy_refused(npy_head("'|f4'", "(1,)"), "1234") ==
        "f: array \"array\" is of the type \"|f4\", which is not read here; save it as float32");
  CHECK(npy_refused(npy_head("'<f4'", "(2,)"), "1234") ==
        "f: array \"array\" has 4 bytes of numbers, and 2 of f32 has 8; download it again");
  CHECK(npy_refused(npy_head("'<f4'", "()"), "12345678") ==
        "f: array \"array\" has 8 bytes of numbers, and a single number of f32 has 4; download it again");
  const std::string large = "f: array \"array\" has a shape of more numbers than any file holds; save it again";
  CHECK(npy_refused(npy_head("'<f4'", "(4294967296, 4294967296)"), "1234") == large);
  CHECK(npy_refused(npy_head("'<f8'", "(4611686018427387904,)"), "1234") == large);
  CHECK(npy_refused(npy_head("'<f8'", "(18446744073709551615,)"), "1234") == large);
  CHECK(npy_refused(npy_head("'<f4'", "(1,)"), "1234", 4) ==
        "f: array \"array\" is of version 4 of the format, and 1 to 3 are read; save it by numpy.save");
  const std::string header = "f: array \"array\" has a header that is none of NumPy's; save it by numpy.save";
  for (const char* const broken :
       {"", "{", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': ()}", "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': ()} x", "{'x': 1}", "__import__('os').system('true')"})
    CHECK(npy_refused(broken, "1234") == header);
  CHECK(refusal([] { read_npy(file(std::string("\x93NUMPY\1\0", 8))); }) ==
        "f: array \"array\" is no .npy file; save it by numpy.save");
  CHECK(refusal([] { read_npy(file(std::string("\x93NUMPY\1\0\xFF\xFF{}", 12))); }) ==
        "f: array \"array\" ends within its header; download it again");
  CHECK(refusal([] { read_npy(file(std::string("\x93NUMPY\2\0\xFF\xFF\xFF\xFF", 12))); }) ==
        "f: array \"array\" ends within its header; download it again");
  CHECK(refusal([] { read_npy(file("GGUF...")); }) ==
        "f: is a GGUF file, and not a NumPy array (.npy); open it as what it is");
}

TEST_CASE("npz: stored arrays stay in place, deflated ones are unpacked", "[tensors]") {
  const std::string one = made::npy(npy_head("'<f4'", "(2,)"), all<float>({1, 2}));
  const std::string two = made::npy(npy_head("'<f8'", "(3,)"), all<double>({3, 4, 5}));
  const FileBytes archive = file(made::zip({{"b.npy", one}, {"a.x.npy", two, true}}));
  const TensorFile read = read_npz(archive);
  REQUIRE(read.tensors.size() == 2);
  REQUIRE(made::floats(*read.find("a.x")) == std::vector<float>{3, 4, 5});
  REQUIRE(made::floats(*read.find("b")) == std::vector<float>{1, 2});
  const std::byte* const at = read.find("b")->bytes.data();
  REQUIRE(at > archive.bytes.data());
  REQUIRE(at < archive.bytes.data() + archive.bytes.size());
  REQUIRE(read_npz(file(made::zip({}))).tensors.empty());
}

TEST_CASE("npz: archives that are broken, or bombs, are refused by a sentence", "[tensors]") {
  const auto refused_zip = [](const std::string& bytes) { return refusal([&] { read_npz(file(bytes)); }); };
  const std::string one = made::npy(npy_head("'<f4'", "(2,)"), all<float>({1, 2}));
  const std::string good = made::zip({{"a.npy", one}});
  REQUIRE(refused_zip(good).empty());
  CHECK(refused_zip(good.substr(0, good.size() / 2)) ==
        "f: begins as a zip archive and has no directory at its end; download it again");
  CHECK(refused_zip(made::zip({{"a.npy", one}, {"a.npy", one}})) ==
        "f: has two entries named \"a.npy\"; pack it again");
  CHECK(refused_zip(made::zip({{"a.txt", one}})) ==
        "f: holds \"a.txt\", which is no .npy, so it is no archive of NumPy arrays; open a .pt file as that");
  // Bytes of the directory: method, flags, size.
  const std::size_t directory = good.find("PK\1\2");
  const auto changed = [&](std::size_t at, char byte) {
    std::string bytes = good;
    bytes[at] = byte;
    return refused_zip(bytes);
  };
  CHECK(changed(directory + 10, 9) ==
        "f: the entry \"a.npy\" of the archive is packed by method 9, and only stored and deflated ones are read; pack "
        "it again");
  CHECK(changed(directory + 8, 1) == "f: the entry \"a.npy\" of the archive is encrypted; save it without a password");
  CHECK(changed(directory + 20, 'x') ==
        "f: the entry \"a.npy\" of the archive does not stand where the directory says; download it again");
  CHECK(changed(directory + 42, 7) ==
        "f: the entry \"a.npy\" of the archive does not stand where the directory says; download it again");
  // Sizes of both headers at once: beyond the file.
  std::string beyond = good;
  for (const std::size_t at : {std::size_t{18}, std::size_t{22}, directory + 20, directory + 24}) beyond[at + 2] = 1;
  CHECK(refused_zip(beyond) == "f: the entry \"a.npy\" of the archive ends beyond the file; download it again");
  // Two hundred mebibytes of zeros in two hundred kibibytes.
  const std::string bomb = made::zip({{"a.npy", std::string(std::size_t{200} << 20, '\0'), true}});
  REQUIRE(bomb.size() < 300'000);
  CHECK(refused_zip(bomb) ==
        "f: the entry \"a.npy\" of the archive would be 209715200 bytes unpacked, more than 16 times the file; save it "
        "without compression");
  // One that says less than it has, and one of another checksum.
  std::string less = made::zip({{"a.npy", one, true}});
  const std::size_t at = less.find("PK\1\2");
  for (const std::size_t place : {std::size_t{22}, at + 24}) less[place] = static_cast<char>(less[place] - 1);
  const std::string other =
      "f: the entry \"a.npy\" of the archive is not what was packed, by its size or checksum; download it again";
  CHECK(refused_zip(less) == other);
  std::string spoilt = made::zip({{"a.npy", one, true}});
  for (const std::size_t place : {std::size_t{14}, at + 16}) spoilt[place] = static_cast<char>(spoilt[place] + 1);
  CHECK(refused_zip(spoilt) == other);
  std::string many = good;
  const std::size_t end = many.find("PK\5\6");
  many[end + 8] = many[end + 9] = many[end + 10] = many[end + 11] = '\x7F';
  CHECK(refused_zip(many) ==
        "f: is a zip archive that says it has 32639 entries, more than its bytes hold; download it again");
}

TEST_CASE("npy: what is written has its numbers at a multiple of 64, and reads back", "[tensors]") {
  const made::Folder folder;
  const std::string six = all<float>({1, 2, 3, 4, 5, 6}), brains = all<std::uint16_t>({0x3F80, 0xC000});
  std::vector<Tensor> tensors(3);
  tensors[0].name = "b/é";
  tensors[0].shape = {3, 2};
  tensors[0].strides = {1, 3};
  tensors[0].bytes = bytes_of(six);
  tensors[1].name = "a";
  tensors[1].type = NumberType::bf16;
  tensors[1].shape = {2};
  tensors[1].bytes = bytes_of(brains);
  tensors[2].name = "empty";
  tensors[2].shape = {0};
  write_npy(folder / "one", tensors[0]);
  const std::string content = read_whole(folder / "one");
  REQUIRE(content.size() % 64 == 24);
  REQUIRE(made::floats(open_npy(folder / "one").tensors[0]) == std::vector<float>{1, 4, 2, 5, 3, 6});
  write_npz(folder / "many", tensors);
  const TensorFile read = open_npz(folder / "many");
  REQUIRE(read.tensors.size() == 3);
  REQUIRE(made::floats(*read.find("b/é")) == std::vector<float>{1, 4, 2, 5, 3, 6});
  REQUIRE(made::floats(*read.find("a")) == std::vector<float>{1, -2});
  REQUIRE(read.find("a")->type == NumberType::f32);
  REQUIRE(read.find("empty")->shape == std::vector<Index>{0});
  const std::string first = read_whole(folder / "many");
  write_npz(folder / "many", tensors);
  REQUIRE(read_whole(folder / "many") == first);
}
