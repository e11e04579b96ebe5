#include "core/tensors/torch/pt.h"

#include <catch2/catch.hpp>

#include "tests/core/tensors/made_files.h"

using namespace hydra;
using made::all, made::file, made::floats, made::refusal, made::u32, made::u64;

namespace {

// Pieces of pickles.
std::string pt_text(const std::string& bytes) { return "X" + u32(static_cast<std::uint32_t>(bytes.size())) + bytes; }
std::string whole(std::int32_t value) { return "J" + made::le(value); }
std::string global(const std::string& module, const std::string& name) { return "c" + module + "\n" + name + "\n"; }
std::string tuple(const std::vector<std::string>& parts) {
  std::string bytes = "(";
  for (const std::string& part : parts) bytes += part;
  return bytes + "t";
}
std::string tuple_of(const std::vector<std::int32_t>& values) {
  std::vector<std::string> parts;
  for (const std::int32_t value : values) parts.push_back(whole(value));
  return tuple(parts);
}
std::string storage(const std::string& type, const std::string& key, std::int32_t numbers) {
  return tuple({pt_text("storage"), global("torch", type + "Storage"), pt_text(key), pt_text("cpu"), whole(numbers)}) +
         "Q";
}
std::string pt_tensor(const std::string& from, std::int32_t offset, const std::vector<std::int32_t>& shape,
                      const std::vector<std::int32_t>& strides) {
  return global("torch._utils", "_rebuild_tensor_v2") +
         tuple({from, whole(offset), tuple_of(shape), tuple_of(strides), "\x89", "N"}) + "R";
}
std::string dict(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string bytes = "}(";
  for (const auto& [key, value] : pairs) bytes += pt_text(key) + value;
  return bytes + "u";
}
std::string pickle(const std::string& value) { return "\x80\x02" + value + "."; }

TensorFile pt_read(const std::string& value, const std::vector<std::string>& storages = {}) {
  return read_pt(file(made::pt(pickle(value), storages)));
}
std::string pt_refused(const std::string& value, const std::vector<std::string>& storages = {}) {
  return refusal([&] { pt_read(value, storages); });
}
std::string pt_broken(std::size_t at, const std::string& what) {
  return "f: is a broken pickle at byte " + std::to_string(at) + ": " + what + "; save it again";
}

const std::string kTwelve = all<float>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});

std::string legacy(const std::string& value, const std::vector<std::string>& keys, const std::string& storages,
                   bool little = true) {
  std::string list = "](";
  for (const std::string& key : keys) list += pt_text(key);
  return pickle("\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19") + pickle(whole(1001)) +
         pickle(dict({{"little_endian", little ? "\x88" : "\x89"}})) + pickle(value) + pickle(list + "e") + storages;
}

}  // namespace

TEST_CASE("pt: dictionaries are flattened, views are kept in place, facts are metadata", "[tensors]") {
  const std::string twelve = storage("Float", "0", 12);
  const FileBytes bytes = file(made::pt(
      pickle(dict(
          {{"model", global("collections", "OrderedDict") + ")R(" + pt_text("a.weight") +
                         pt_tensor(twelve, 0, {3, 4}, {4, 1}) + pt_text("turned") +
                         pt_tensor(twelve, 0, {4, 3}, {1, 4}) + pt_text("part") + pt_tensor(twelve, 5, {2, 2}, {4, 2}) +
                         pt_text("one") + pt_tensor(twelve, 7, {}, {}) + pt_text("none") +
                         pt_tensor(twelve, 0, {0, 4}, {4, 1}) + "u" + dict({{"_metadata", "}"}}) + "b"},
           {"parameter",
            global("torch._utils", "_rebuild_parameter") + tuple({pt_tensor(twelve, 0, {2}, {1}), "\x88", "N"}) + "R"},
           {"args", dict({{"n_layer", whole(2)},
                          {"rate", "G\x3F\xB9\x99\x99\x99\x99\x99\x9A"},
                          {"bias", "\x89"},
                          {"kind", pt_text("gpt")},
                          {"betas", tuple({"G\x3F\xE0" + std::string(6, '\0'), whole(1)})},
                          {"sizes", global("torch", "Size") + tuple({tuple_of({4, 5})}) + "R"},
                          {"names", "](" + pt_text("x") + pt_text("y") + "e"},
                          {"type", global("torch", "float32")},
                          {"device", global("torch", "device") + tuple({pt_text("cpu")}) + "R"},
                          {"large", "\x8a\x02\xFE\xFF"},
                          {"nothing", "N"}})},
           {"space", global("argparse", "Namespace") + ")\x81" + dict({{"lr", whole(3)}}) + "b"}})),
      {kTwelve}));
  const TensorFile read = read_pt(bytes);
  REQUIRE(read.tensors.size() == 6);
  CHECK(read.find("model.a.weight")->shape == std::vector<Index>{3, 4});
  CHECK(read.find("model.a.weight")->strides.empty());
  CHECK(read.find("model.a.weight")->bytes.data() > bytes.bytes.data());
  CHECK(read.find("model.a.weight")->bytes.data() < bytes.bytes.data() + bytes.bytes.size());
  CHECK(floats(*read.find("model.turned")) == std::vector<float>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  CHECK(floats(*read.find("model.part")) == std::vector<float>{5, 7, 9, 11});
  CHECK(floats(*read.find("model.one")) == std::vector<float>{7});
  CHECK(floats(*read.find("model.none")).empty());
  CHECK(floats(*read.find("parameter")) == std::vector<float>{0, 1});
  CHECK(read.whole("args.n_layer") == 2);
  CHECK(read.number("args.rate") == 0.1);
  CHECK(read.truth("args.bias") == false);
  CHECK(read.text("args.kind") == "gpt");
  CHECK(std::get<std::vector<double>>(*read.meta("args.betas")) == std::vector<double>{0.5, 1});
  CHECK(std::get<std::vector<std::int64_t>>(*read.meta("args.sizes")) == std::vector<std::int64_t>{4, 5});
  CHECK(read.text("args.names.1") == "y");
  CHECK(read.text("args.type") == "torch.float32");
  CHECK(read.text("args.device") == "cpu");
  CHECK(read.whole("args.large") == -2);
  CHECK(read.meta("args.nothing") == nullptr);
  CHECK(read.whole("space.lr") == 3);
}

TEST_CASE("pt: every type of storage, and a tensor by itself", "[tensors]") {
  const auto one = [](const std::string& type, const std::string& bytes) {
    return floats(pt_read(pt_tensor(storage(type, "0", 1), 0, {1}, {1}), {bytes}).tensors.at(0));
  };
  using F = std::vector<float>;
  CHECK(one("Double", all<double>({1.5})) == F{1.5f});
  CHECK(one("Half", all<std::uint16_t>({0x3C00})) == F{1});
  CHECK(one("BFloat16", all<std::uint16_t>({0x3F80})) == F{1});
  CHECK(one("Long", all<std::int64_t>({-3})) == F{-3});
  CHECK(one("Int", all<std::int32_t>({-3})) == F{-3});
  CHECK(one("Short", all<std::int16_t>({-3})) == F{-3});
  CHECK(one("Char", "\xFF") == F{-1});
  CHECK(one("Byte", "\xFF") == F{255});
  CHECK(one("Bool", "\1") == F{1});
  CHECK(pt_read(pt_tensor(storage("Bool", "0", 1), 0, {1}, {1}), {"\1"}).tensors[0].name == "tensor");
}

TEST_CASE("pt: the older form, with shared storages", "[tensors]") {
  const std::string value = dict({{"a", pt_tensor(storage("Float", "77", 12), 4, {4}, {1})},
                                  {"b", pt_tensor(storage("Float", "77", 12), 0, {2, 2}, {6, 1})},
                                  {"c", pt_tensor(storage("Byte", "78", 3), 0, {3}, {1})}});
  const std::string bytes = legacy(value, {"77", "78"}, u64(12) + kTwelve + u64(3) + "\1\2\3");
  const TensorFile read = read_pt(file(bytes));
  REQUIRE(read.tensors.size() == 3);
  CHECK(floats(*read.find("a")) == std::vector<float>{4, 5, 6, 7});
  CHECK(floats(*read.find("b")) == std::vector<float>{0, 1, 6, 7});
  CHECK(floats(*read.find("c")) == std::vector<float>{1, 2, 3});
  const auto refused_legacy = [](const std::string& content) { return refusal([&] { read_pt(file(content)); }); };
  CHECK(refused_legacy(bytes.substr(0, bytes.size() - 1)) ==
        "f: ends within the storage \"78\" of 3 numbers; download it again");
  CHECK(refused_legacy(legacy(value, {"77", "78"}, u64(12) + kTwelve)) ==
        "f: ends within its storages; download it again");
  CHECK(refused_legacy(legacy(value, {"77"}, u64(12) + kTwelve)) ==
        "f: lacks the storage \"78\" that its tensors are in; download it again");
  CHECK(refused_legacy(legacy(value, {"77", "79"}, u64(12) + kTwelve + u64(0))) ==
        "f: has a storage \"79\" that no tensor is a view of; save it again");
  CHECK(refused_legacy(legacy(value, {"77"}, u64(std::uint64_t{1} << 62) + kTwelve)) ==
        "f: ends within the storage \"77\" of 4611686018427387904 numbers; download it again");
  CHECK(refused_legacy(legacy(value, {"77"}, u64(2) + kTwelve)) ==
        "f: has a storage \"77\" of 8 bytes, and 12 numbers of f32 were to be there; download it again");
  CHECK(refused_legacy(legacy(value, {}, {}, false)) ==
        "f: was written with its bytes in the other order (big-endian); save it on another machine");
  CHECK(refused_legacy(pickle(dict({}))) ==
        "f: is a pickle, and not what torch.save writes (.pt); save the state dict by torch.save");
}

TEST_CASE("pt: a pickle that asks for anything else is named and refused", "[tensors]") {
  const auto asks = [](const std::string& name) {
    return "f: asks for \"" + name +
           "\", which is no part of a state dict and is not run here; save the state dict alone, or as safetensors";
  };
  CHECK(pt_refused(global("os", "system") + tuple({pt_text("true")}) + "R") == asks("os.system"));
  CHECK(pt_refused(pt_text("os") + pt_text("system") + "\x93" + tuple({pt_text("true")}) + "R") == asks("os.system"));
  CHECK(pt_refused(global("__builtin__", "eval") + tuple({pt_text("1")}) + "R") == asks("builtins.eval"));
  CHECK(pt_refused(global("torch", "load") + tuple({pt_text("x")}) + "R") == asks("torch.load"));
  CHECK(pt_refused(global("__main__", "Net") + ")\x81}b") == asks("__main__.Net"));
  CHECK(pt_refused(global("collections", "OrderedDict.__class__")) == asks("collections.OrderedDict.__class__"));
  CHECK(pt_refused(dict({{"a", global("builtins", "getattr")}})) == asks("builtins.getattr"));
  CHECK(pt_refused("N" + pt_text("x") + "\x93") == pt_broken(10, "it asks for a name that is no text"));
  // By other operations, of Python 1.
  CHECK(pt_refused("(" + pt_text("true") + "ios\nsystem\n") ==
        pt_broken(12, "it has the operation 0x69, which no state dict needs"));
  CHECK(pt_refused("(" + global("collections", "OrderedDict") + "o") ==
        pt_broken(28, "it has the operation 0x6f, which no state dict needs"));
  CHECK(pt_refused("\x82\x01") == pt_broken(2, "it has the operation 0x82, which no state dict needs"));
  // What is on the list is not run either, and cannot be called for something else.
  CHECK(pt_refused(dict({{"a", global("torch", "FloatStorage") + tuple({whole(1 << 30)}) + "R"}})) ==
        "f: \"a\" is made by calling torch.FloatStorage, which is not run here; save the state dict alone");
  CHECK(pt_refused(pt_text("f") + tuple({}) + "R") == pt_broken(11, "it calls what cannot be called"));
  CHECK(pt_refused("}" + pt_text("x") + "b") == pt_broken(10, "it gives a state to what has none"));
}

TEST_CASE("pt: broken pickles are refused at their byte", "[tensors]") {
  CHECK(refusal([] { read_pt(file(made::pt(""))); }) == pt_broken(0, "it ends too early"));
  CHECK(pt_refused("") == pt_broken(3, "its stack is empty"));
  CHECK(pt_refused("0") == pt_broken(3, "its stack is empty"));
  CHECK(pt_refused("u") == pt_broken(3, "a mark is missing"));
  CHECK(pt_refused("(u") == pt_broken(4, "its stack is empty"));
  CHECK(pt_refused("}(Nu") == pt_broken(6, "a key has no value"));
  CHECK(pt_refused("N(NNu") == pt_broken(7, "it adds to what holds nothing"));
  CHECK(pt_refused("NNa") == pt_broken(5, "it adds to what holds nothing"));
  CHECK(pt_refused("(NR") == pt_broken(5, "its stack is empty"));  // not from below the mark
  CHECK(pt_refused("NN(R") == pt_broken(6, "its stack is empty"));
  CHECK(pt_refused("h\x07") == pt_broken(4, "it takes what it has not kept"));
  CHECK(pt_refused("X\xFF\xFF\xFF\xFF") == pt_broken(7, "it ends too early"));
  CHECK(pt_refused("\x8d" + u64(~std::uint64_t{0})) == pt_broken(11, "it ends too early"));
  CHECK(pt_refused("\x8b\xFF\xFF\xFF\xFF") == pt_broken(7, "it ends too early"));
  CHECK(pt_refused("\x80\x06") == pt_broken(4, "its protocol is beyond 5"));
  CHECK(pt_refused("cos") == pt_broken(3, "a line does not end"));
  CHECK(pt_refused("Ix\n") == pt_broken(5, "a number is none"));
}

TEST_CASE("pt: pickles that fold or nest themselves are refused", "[tensors]") {
  const std::string folded = "f: repeats its parts more often than a state dict does; save the state dict alone";
  // Each list holds the one before twice: 2^40 in all.
  std::string bomb = "](" + pt_text("x") + "eq\x01";
  for (int k = 0; k < 40; ++k)
    bomb +=
        "](h\x01h\x01"
        "eq\x01";
  CHECK(pt_refused(bomb).ends_with("…\" is nested deeper than 32 levels; save the state dict alone"));
  std::string wide = "](" + pt_text("x") + "eq\x01";
  for (int k = 0; k < 25; ++k)
    wide +=
        "](h\x01h\x01"
        "eq\x01";
  CHECK(pt_refused(wide) == folded);
  // A list within itself.
  CHECK(pt_refused("]q\x01h\x01"
                   "a")
            .find("nested deeper than 32 levels") != std::string::npos);
  std::string deep(100'000, ']');
  deep += std::string(99'999, 'a');
  CHECK(pt_refused(deep).find("nested deeper than 32 levels") != std::string::npos);
  // A long key, kept once and used for many values.
  std::string keyed = "}(" + pt_text(std::string(100'000, 'k')) + "q\x01}(";
  for (int k = 0; k < 1000; ++k) keyed += pt_text(std::to_string(k)) + "K\x01";
  CHECK(pt_refused(keyed + "uu") == folded);
  CHECK(pt_refused(std::string((std::size_t{4} << 20) + 1, '}')) ==
        "f: has a pickle of more than 4194304 values, and a state dict has thousands; save the state dict alone");
}

TEST_CASE("pt: views and storages are held against the file", "[tensors]") {
  const auto at_a = [](const std::string& what) { return "f: \"a\" " + what; };
  const auto view = [](std::int32_t offset, const std::vector<std::int32_t>& shape,
                       const std::vector<std::int32_t>& strides) {
    return pt_refused(dict({{"a", pt_tensor(storage("Float", "0", 12), offset, shape, strides)}}), {kTwelve});
  };
  CHECK(view(0, {12}, {1}).empty());
  CHECK(view(1, {12}, {1}) == at_a("is a view beyond its storage of 12 numbers; save it again"));
  CHECK(view(0, {3, 4}, {5, 1}) == at_a("is a view beyond its storage of 12 numbers; save it again"));
  CHECK(view(12, {}, {}) == at_a("is a view beyond its storage of 12 numbers; save it again"));
  CHECK(view(0, {2, 2147483647}, {2147483647, 2147483647}) ==
        at_a("is a view beyond its storage of 12 numbers; save it again"));
  CHECK(view(0, {2147483647, 2147483647, 2147483647}, {0, 0, 0}) ==
        at_a("has a shape of more numbers than any file holds; save it again"));
  CHECK(view(0, {100, 12}, {0, 1}) ==
        at_a("shows 1200 numbers of a storage of 12, some of them repeated; save it after .contiguous()"));
  CHECK(view(-1, {1}, {1}) == at_a("is no view of a storage; save it again"));
  CHECK(view(0, {-1}, {1}) == at_a("has a shape of what is no whole number from 0; save it again"));
  CHECK(view(0, {1}, {-1}) == at_a("has a list of strides of what is no whole number from 0; save it again"));
  CHECK(view(0, {1, 2}, {1}) == at_a("has 2 dimensions and 1 strides; save it again"));
  CHECK(pt_refused(pt_tensor("N", 0, {1}, {1})) == "f: its tensor is no view of a storage; save it again");
  CHECK(pt_refused(pt_tensor(storage("Float", "1", 12), 0, {1}, {1}), {kTwelve}) ==
        "f: lacks the entry \"a/data/1\" that its tensors are in; download it again");
  CHECK(pt_refused(pt_tensor(storage("Float", "0", 13), 0, {1}, {1}), {kTwelve}) ==
        "f: has a storage \"0\" of 48 bytes, and 13 numbers of f32 were to be there; download it again");
  const std::string odd = "f: names a storage in a way that torch.save does not; save it again";
  CHECK(pt_refused(pt_tensor("NQ", 0, {1}, {1}), {kTwelve}) == odd);
  CHECK(pt_refused(pt_tensor(tuple({}) + "Q", 0, {1}, {1}), {kTwelve}) == odd);
  CHECK(pt_refused(pt_tensor(storage("Float", "0", -1), 0, {1}, {1}), {kTwelve}) == odd);
  CHECK(pt_refused(dict({{"a", pt_tensor(storage("Float", "0", 12), 0, {1}, {1})},
                         {"b", dict({{"c", pt_tensor(storage("Float", "0", 12), 0, {1}, {1})}})},
                         {"b.c", pt_tensor(storage("Float", "0", 12), 0, {1}, {1})}}),
                   {kTwelve}) == "f: has two tensors named \"b.c\"; save one of them under another name");
}

TEST_CASE("pt: archives of other machines, and other archives, are refused", "[tensors]") {
  const auto refused_zip = [](const std::vector<made::ZipPart>& parts) {
    return refusal([&] { read_pt(file(made::zip(parts))); });
  };
  CHECK(refused_zip({{"a/data.pkl", pickle("}")}, {"a/byteorder", "big"}}) ==
        "f: was written with its bytes in the other order (big-endian); save it on another machine");
  CHECK(refused_zip({{"a.npy", ""}}) ==
        "f: is a zip archive without a data.pkl, so torch.save did not write it; open a .npz file as that");
  CHECK(refused_zip({{"a/data.pkl", pickle("}"), true}}).empty());
  std::string tar(512, '\0');
  tar.replace(257, 5, "ustar");
  CHECK(refusal([&] { read_pt(file(tar)); }) ==
        "f: is a tar archive, as PyTorch wrote them before 0.1.10; load it there and save it again");
}
