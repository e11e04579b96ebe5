#include "core/tensors/open.h"

#include <catch2/catch.hpp>

#include "core/files/whole_file.h"
#include "core/tensors/llama2c.h"
#include "core/tensors/safetensors.h"
#include "tests/core/tensors/made_files.h"

using namespace hydra;
using made::all, made::file, made::floats, made::refusal;

namespace {

// Of width 4, hidden 3, one layer, two heads, one set of keys, five pieces, six tokens; the numbers count up from 0.
std::string llama2c_floats(std::size_t count) {
  std::string bytes;
  for (std::size_t k = 0; k < count; ++k) bytes += made::le(static_cast<float>(k));
  return bytes;
}
const std::size_t kShared = 20 + 4 + 16 + 8 + 8 + 16 + 4 + 12 + 12 + 12 + 4;
std::string old_llama2c(std::int32_t vocabulary, std::size_t floats) {
  return all<std::int32_t>({4, 3, 1, 2, 1, vocabulary, 6}) + llama2c_floats(floats);
}
std::string new_llama2c(std::int32_t version, char shared, std::size_t floats) {
  std::string bytes = made::u32(0x616b3432) + all<std::int32_t>({version, 4, 3, 1, 2, 1, 5, 6}) + shared;
  bytes.resize(256, '\0');
  return bytes + llama2c_floats(floats);
}

Tensor single(const std::string& name, const std::string& bytes) {
  Tensor tensor;
  tensor.name = name;
  tensor.bytes = bytes_of(bytes);
  return tensor;
}

}  // namespace

TEST_CASE("llama2c: the first version is known by its size, and gets the hub's names", "[tensors]") {
  const TensorFile read = read_tensors(file(old_llama2c(5, kShared + 12)));
  REQUIRE(read.tensors.size() == 11);
  CHECK(read.find("model.embed_tokens.weight")->shape == std::vector<Index>{5, 4});
  CHECK(floats(*read.find("model.layers.0.input_layernorm.weight")) == std::vector<float>{20, 21, 22, 23});
  CHECK(read.find("model.layers.0.self_attn.k_proj.weight")->shape == std::vector<Index>{2, 4});
  CHECK(floats(*read.find("model.layers.0.self_attn.k_proj.weight"))[0] == 40);
  CHECK(read.find("model.layers.0.mlp.down_proj.weight")->shape == std::vector<Index>{4, 3});
  CHECK(floats(*read.find("model.layers.0.mlp.down_proj.weight"))[0] == 88);
  CHECK(floats(*read.find("model.norm.weight")) == std::vector<float>{112, 113, 114, 115});
  CHECK(read.text("rotary_pairs") == "neighbours");
  CHECK(read.truth("tie_word_embeddings") == true);
  const TensorFile own = read_tensors(file(old_llama2c(-5, kShared + 12 + 20)));
  CHECK(floats(*own.find("lm_head.weight"))[0] == 128);  // behind the tables of rotation
  CHECK(own.truth("tie_word_embeddings") == false);
}

TEST_CASE("llama2c: version 1 has the norms first and no tables", "[tensors]") {
  const TensorFile read = read_tensors(file(new_llama2c(1, 1, kShared)));
  REQUIRE(read.tensors.size() == 11);
  CHECK(floats(*read.find("model.layers.0.post_attention_layernorm.weight")) == std::vector<float>{4, 5, 6, 7});
  CHECK(floats(*read.find("model.embed_tokens.weight"))[0] == 12);
  CHECK(floats(*read_tensors(file(new_llama2c(1, 0, kShared + 20))).find("lm_head.weight"))[0] == 116);
}

TEST_CASE("llama2c: other versions and sizes are refused by a sentence", "[tensors]") {
  const auto refused = [](const std::string& bytes) { return refusal([&] { read_llama2c(file(bytes)); }); };
  CHECK(refused(new_llama2c(2, 1, kShared)) ==
        "f: is of version 2 of llama2.c, whose numbers are not floats; export it as version 0 or 1");
  CHECK(refused(new_llama2c(1, 1, kShared).substr(0, 100)) ==
        "f: ends within the header of 256 bytes that llama2.c writes; download it again");
  CHECK(refused(new_llama2c(1, 1, kShared - 1)) ==
        "f: is shorter than a Llama of the sizes in its first bytes (4 wide, 1 layers); download it again");
  CHECK(refused(old_llama2c(5, kShared + 13)) ==
        "f: is longer than a Llama of the sizes in its first bytes (4 wide, 1 layers); download it again");
  const std::string none =
      "f: has no sizes of a Llama in its first bytes, as llama2.c writes them; give a checkpoint of it";
  CHECK(refused(all<std::int32_t>({4, 3, 1, 3, 1, 5, 6}) + "x") == none);
  CHECK(refused(all<std::int32_t>({0x7FFFFFFF, 3, 1, 1, 1, 5, 6}) + "x") == none);
  CHECK(refused(all<std::int32_t>({4, 3, 1, 2, 1, static_cast<std::int32_t>(0x80000000), 6}) + "x") == none);
  CHECK(refused("short") == none);
  CHECK(refused(all<std::int32_t>({1 << 26, 1 << 26, 1 << 26, 1, 1, 1 << 26, 1 << 26})) ==
        "f: is shorter than a Llama of the sizes in its first bytes (67108864 wide, 67108864 layers); download it "
        "again");
}

TEST_CASE("opening: the content decides, but a pickle is one only by its name", "[tensors]") {
  const std::string pickle = std::string("\x80\x02}q\0.", 6), torch = made::pt(pickle);
  const std::string called =
      ": is what torch.save writes, a pickle, whatever its name says; rename it to .pt to have it read as that, which "
      "runs nothing of it";
  CHECK(refusal([&] { read_tensors(file(torch, "m.safetensors")); }) == "m.safetensors" + called);
  CHECK(refusal([&] { read_tensors(file(pickle + "...", "m.safetensors")); }) == "m.safetensors" + called);
  CHECK(read_tensors(file(torch, "m.pt")).tensors.empty());
  CHECK(read_tensors(file(torch, "pytorch_model.bin")).tensors.empty());
  CHECK(read_tensors(file(made::safetensors("{}", ""), "m.pt")).tensors.empty());
  CHECK(refusal([] { read_tensors(file("hello")); }) ==
        "f: is no file of arrays that is known here; give one of safetensors, GGUF, .npy, .npz, .pt or llama2.c");
  CHECK(refusal([] { read_tensors(file("")); }) == "f: is empty, and not a file of arrays; download the file itself");
}

TEST_CASE("opening: a model in several files", "[tensors]") {
  const made::Folder folder;
  const std::string one = all<float>({1}), two = all<float>({2});
  write_safetensors(folder / "a.safetensors", {single("x", one)});
  write_safetensors(folder / "b.safetensors", {single("y", two), single("z", one)});
  const auto index = [&](const std::string& map) {
    write_whole(folder / "model.safetensors.index.json", "{\"metadata\": {}, \"weight_map\": " + map + "}");
    return refusal([&] { open_tensors(folder.path()); });
  };
  const std::string name = folder / "model.safetensors.index.json";
  CHECK(index(R"({"x": "a.safetensors", "y": "b.safetensors"})").empty());
  const TensorFile read = open_tensors(folder.path());
  REQUIRE(read.tensors.size() == 2);  // what the index does not name is left out
  CHECK(floats(*read.find("y")) == std::vector<float>{2});
  CHECK(floats(*open_tensors(name).find("x")) == std::vector<float>{1});
  CHECK(index(R"({"x": "a.safetensors", "y": "c.safetensors"})") ==
        name + ": names the file \"c.safetensors\", which is not beside it; download that as well");
  CHECK(index(R"({"x": "b.safetensors", "y": "b.safetensors"})") ==
        name + ": names tensors that their files do not have (1): \"x\"; download all files of one version");
  CHECK(index(R"({"1":"a.safetensors","2":"a.safetensors","3":"a.safetensors","4":"a.safetensors",
    "5":"a.safetensors","6":"a.safetensors"})") ==
        name +
            ": names tensors that their files do not have (6): \"1\", \"2\", \"3\", \"4\", \"5\", ...; download all "
            "files of one version");
  CHECK(index(R"({"x": "../a.safetensors"})") ==
        name + ": /weight_map/x must name a file beside the index, not \"../a.safetensors\"");
  CHECK(index(R"({"x": 3})") == name + ": /weight_map/x must be the name of a file, not the number 3");
  CHECK(index("[]") == name + ": must have weight_map, an object; give the index of a sharded model");
  write_whole(name, "\n");
  CHECK(refusal([&] { open_tensors(name); }) == name + ": is empty; download it again");
  write_whole(folder / "a.safetensors", "{}");
  CHECK(index(R"({"x": "a.safetensors"})").starts_with((folder / "a.safetensors") + ": has 2 bytes"));
  const made::Folder empty;
  CHECK(refusal([&] { open_tensors(empty.path()); }) == empty.path() +
                                                            ": is a directory that holds neither model.safetensors nor "
                                                            "model.safetensors.index.json; name the file that holds "
                                                            "the model");
}
