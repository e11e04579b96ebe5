#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "core/document/limits.h"
#include "core/error.h"
#include "core/files/bounded_file.h"
#include "core/io/file.h"
#include "core/io/opening.h"
#include "core/json/json.h"
#include "tests/core/document/random_edit.h"
#include "tests/support/data.h"
#include "tests/support/faults.h"
#include "tests/support/folder.h"

using namespace hydra;
using Catch::Contains;
using test::fault_at;

namespace {

// A document with every part that a file can have, at d_model 4.
const std::string sample = R"({
  "hydrascope": 1,
  "sentence": "a b c",
  "tokens": ["a", "b", "é"],
  "d_model": 4,
  "embedding": {"kind": "hashed", "seed": 3, "positions": "none", "edits": [[1, 2, 0.5], [0, 0, -1e-3]]},
  "layers": [
    {
      "heads": 2,
      "mask": [[1, 0, 0], [1, 1, 0], [1, 1, 1]],
      "scale": false,
      "temperature": 0.5,
      "residual": false,
      "split": "slice",
      "painted": [{"head": 1, "attention": [[2, [0.5, 0.25, 0.25]]], "values": [[1, [7, -8]], [0, [1, -2]]]}],
      "weights": {
        "kind": "random",
        "init": "identity",
        "seed": 18446744073709551615,
        "W_K": [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]],
        "edits": {"W_Q": [[3, 1, 2.5]], "b_V": [[0, 1]]},
        "b_O": [1, 2, 3, 4]
      }
    }
  ]
}
)";

Document parse(const std::string& text) { return parse_document(text, "f"); }

std::string fault_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  try {
    parse_document(text, "f", sets);
  } catch (const InputError& fault) {
    return fault.what();
  }
  return "no fault";
}

bool one_sentence(const std::string& text) {
  return text.size() > 10 && text.size() < 600 && text.find('\n') == std::string::npos && text.starts_with("f: ");
}

// The sample with its first `from` replaced.
std::string with(const std::string& from, const std::string& to) {
  const std::size_t at = sample.find(from);
  REQUIRE(at != std::string::npos);
  return std::string(sample).replace(at, from.size(), to);
}

std::string wrapped(const std::string& members) { return "{\"hydrascope\": 1, " + members + "}"; }

// "[{}, {}]"
std::string empty_layers(int count) {
  std::string text = "[{}";
  for (int k = 1; k < count; ++k) text += ", {}";
  return text + "]";
}

}  // namespace

TEST_CASE("read: every part of a document", "[core][file]") {
  const Document document = parse(sample);
  check_document(document);
  CHECK(*document.tokens == std::vector<std::string>{"a", "b", "é"});
  CHECK(document.embedding.edits == std::vector<CellValue>{{0, 0, -1e-3f}, {1, 2, 0.5f}});
  const Layer& layer = document.layers[0];
  CHECK(layer.heads == 2);
  CHECK_FALSE(layer.mask.allows(0, 1));
  CHECK(layer.mask.allows(2, 1));
  CHECK_FALSE(layer.settings.scale);
  CHECK(layer.settings.temperature == 0.5f);
  CHECK(layer.source.kind == WeightSource::Kind::random);
  CHECK(layer.source.init == Init::identity);
  CHECK(layer.source.seed == 18446744073709551615u);
  CHECK((*layer.weights.W_Q)(3, 1) == 2.5f);
  CHECK((*layer.weights.W_Q)(3, 3) == 1);
  CHECK((*layer.weights.W_K)(2, 3) == 12);
  CHECK(layer.weights.W_V->isIdentity(0));
  CHECK(*layer.weights.b_V == RowVec<float>(RowVec<float>::Unit(4, 0)));
  CHECK((*layer.weights.b_O)(0, 3) == 4);
  CHECK_FALSE(layer.weights.b_Q);
  CHECK(layer.split == Split::slice);
  REQUIRE(layer.painted.size() == 2);
  CHECK(layer.painted[0].empty());
  CHECK(layer.painted[1].attention[0].row == 2);
  CHECK(*layer.painted[1].attention[0].values == (RowVec<float>(3) << 0.5f, 0.25f, 0.25f).finished());
  CHECK(**painted_row(layer.painted[1].values, 0) == (RowVec<float>(2) << 1, -2).finished());
  CHECK(**painted_row(layer.painted[1].values, 1) == (RowVec<float>(2) << 7, -8).finished());
}

TEST_CASE("read: everything but the version has a default", "[core][file]") {
  CHECK(same_document(parse("{\"hydrascope\": 1}"), default_document()));
  CHECK(same_document(parse("\xEF\xBB\xBF{\"hydrascope\": 1}"), default_document()));  // a byte order mark is no fault
  CHECK(parse(wrapped(R"("tokens": ["New York", "is"])")).sentence == "New York is");
  const Document explicit_X = parse(wrapped(R"("tokens": ["x"], "d_model": 2, "layers": [{"heads": 1}],
      "embedding": {"kind": "explicit", "X": [[1, -0.0]]})"));
  CHECK(std::signbit((*explicit_X.embedding.X)(0, 1)));
}

TEST_CASE("read: the documents that come with the program", "[core][file]") {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::data("../../assets/documents"))) {
    CAPTURE(entry.path());
    const Document document = read_document(entry.path().string());
    check_document(document);
    CHECK(same_document(parse(document_text(document)), document));
    ++count;
  }
  CHECK(count >= 2);
}

TEST_CASE("read: faults name the place, what is there and what is needed", "[core][file]") {
  const struct {
    std::string text, place, word;
  } cases[] = {
      {"", "f", "empty; a document begins"},
      {" \n", "f", "empty; a document begins"},
      {"[1]", "f: the document", "object"},
      {"{}", "f: the document", "has no \"hydrascope\": 1"},
      {"{\"hydrascope\": 2}", "f: /hydrascope", "only version"},
      {"{\"hydrascope\": \"1\"}", "f: /hydrascope", "string \"1\""},
      {wrapped("\"heads\": 4"), "f: /heads", "not known"},
      {wrapped("\"d_model\": 8, \"d_model\": 8"), "f: /d_model", "twice"},
      {with("\"W_Q\": [[3, 1, 2.5]]", "\"W_Q\": [], \"W_Q\": []"), "f: /layers/0/weights/edits/W_Q", "twice"},
      {with("\"heads\": 2", "\"heads\": 2, \"gates\": [1]"), "f: /layers/0/gates", "1 number where 2"},
      {with("\"heads\": 2", "\"heads\": 2, \"gates\": [1, 2.5]"), "f: /layers/0/gates", "from 0 to 2"},
      {with("[5, 6, 7, 8]", "[5, 6, 7]"), "f: /layers/0/weights/W_K/1", "3 numbers where 4"},
      {with("[5, 6, 7, 8], ", ""), "f: /layers/0/weights/W_K", "3 rows where 4"},
      {with("[5, 6, 7, 8]", "[5, 6, null, 8]"), "f: /layers/0/weights/W_K/1/2", "finite number, not null"},
      {with("[5, 6, 7, 8]", "\"5\""), "f: /layers/0/weights/W_K/1", "array of 4 numbers"},
      {with("[5, 6, 7, 8]", "[5, 6, 1e999, 8]"), "f: /layers/0/weights/W_K/1/2", "1e999, which is beyond"},
      {with("[5, 6, 7, 8]", "[5, 6, -4e38, 8]"), "f: /layers/0/weights/W_K/1/2", "-4e38, which is beyond"},
      {with("[5, 6, 7, 8]", "[5, 6, true, 8]"), "f: /layers/0/weights/W_K/1/2", "finite number, not true"},
      {with("\"b_O\": [1, 2, 3, 4]", "\"b_O\": [1]"), "f: /layers/0/weights/b_O", "1 number where 4"},
      {with("[[3, 1, 2.5]]", "[[3, 4, 2.5]]"), "f: /layers/0/weights/edits/W_Q/0/1", "from 0 to 3"},
      {with("[[3, 1, 2.5]]", "[[3, 1]]"), "f: /layers/0/weights/edits/W_Q/0", "2 numbers where 3"},
      {with("[[3, 1, 2.5]]", "[[3, 1, 2], [3, 1, 2]]"), "f: /layers/0/weights/edits/W_Q", "row 3, column 1 twice"},
      {with("\"W_Q\": [[3", "\"W_K\": [[3"), "f: /layers/0/weights/edits/W_K", "beside /layers/0/weights/W_K"},
      {with("\"kind\": \"random\"", "\"kind\": \"explicit\""), "f: /layers/0/weights/edits", "for random weights"},
      {with("\"init\": \"identity\"", "\"init\": \"he\""), "f: /layers/0/weights/init", "\"xavier\""},
      {with("18446744073709551615", "18446744073709551616"), "f: /layers/0/weights/seed", "to 18446744073709551615"},
      {with("\"seed\": 3", "\"seed\": -3"), "f: /embedding/seed", "not the number -3"},
      {with("\"kind\": \"hashed\"", "\"kind\": \"explicit\""), "f: /embedding", "no \"X\""},
      {with("\"edits\": [[1, 2, 0.5], [0, 0, -1e-3]]", "\"X\": []"), "f: /embedding/X",
       "\"kind\": \"explicit\" is needed"},
      {with("[[1, 2, 0.5]", "[[3, 2, 0.5]"), "f: /embedding/edits/0/0", "from 0 to 2"},
      {with("[1, 1, 0], ", ""), "f: /layers/0/mask", "2 rows where 3"},
      {with("[[1, 0, 0], [1, 1, 0], [1, 1, 1]]", "[[[1, 0, 0], [1, 1, 0], [1, 1, 1]]]"), "f: /layers/0/mask",
       "a matrix for each head"},
      {with("[1, 1, 0]", "[1, 2, 0]"), "f: /layers/0/mask/1/1", "0 (hidden) or 1"},
      {with("[1, 1, 0]", "[1, 0]"), "f: /layers/0/mask/1", "2 numbers where 3"},
      {with("[[1, 0, 0], [1, 1, 0], [1, 1, 1]]", "\"causla\""), "f: /layers/0/mask", "\"causla\""},
      {with("\"heads\": 2", "\"heads\": 3"), "f: /layers/0/heads", "3 heads do not divide d_model 4"},
      {with("\"heads\": 2", "\"heads\": 2.0"), "f: /layers/0/heads", "whole number, not the number 2.0"},
      {with("\"temperature\": 0.5", "\"temperature\": 0"), "f: /layers/0/temperature", "from 0.01 to 100"},
      {with("\"residual\": false", "\"residual\": 1"), "f: /layers/0/residual", "true or false"},
      {with("\"scale\": false", "\"scale\": 0"), "f: /layers/0/scale", "true or false"},
      {with("\"slice\"", "\"slices\""), "f: /layers/0/split", "\"projection\" or \"slice\""},
      {with("\"head\": 1", "\"head\": 2"), "f: /layers/0/painted/0/head", "from 0 to 1"},
      {with("{\"head\": 1, ", "{"), "f: /layers/0/painted/0", "no \"head\""},
      {with("{\"head\": 1, ", "{\"head\": 1, \"values\": [[0, [0, 0]]]}, {\"head\": 1, "),
       "f: /layers/0/painted/1/head", "1 once more"},
      {with("[0.5, 0.25, 0.25]", "[0.5, 0.25, 0.2]"), "f: /layers/0/painted/0/attention/0/1", "sum to 0.95"},
      {with("[0.5, 0.25, 0.25]", "[0.5, 0.5]"), "f: /layers/0/painted/0/attention/0/1", "2 numbers where 3"},
      {with("[0.5, 0.25, 0.25]", "[1.5, -0.25, -0.25]"), "f: /layers/0/painted/0/attention/0/1", "token 1 is -0.25"},
      {with("[[2, [0.5", "[[1, [0.5"), "f: /layers/0/painted/0/attention/0/1", "mask hides token 2 from token 1"},
      {with("[1, [7, -8]]", "[0, [7, -8]]"), "f: /layers/0/painted/0/values", "row 0 twice"},
      {with("[1, [7, -8]]", "[3, [7, -8]]"), "f: /layers/0/painted/0/values/0/0", "from 0 to 2"},
      {with("[1, [7, -8]]", "[1]"), "f: /layers/0/painted/0/values/0", "1 value where 2"},
      {with("[1, [7, -8]]", "7"), "f: /layers/0/painted/0/values/0", "array of 2 values"},
      {wrapped("\"layers\": []"), "f: /layers", "1 to 96 layers, not 0"},
      {wrapped("\"layers\": " + empty_layers(97)), "f: /layers", "1 to 96 layers, not 97"},
      {wrapped("\"d_model\": 1024, \"layers\": " + empty_layers(13)), "f: /layers",
       "d_model 1024 has 1 to 12 layers, not 13"},
      {wrapped("\"layers\": {}"), "f: /layers", "array of layers"},
      {wrapped("\"layers\": [{}, {}, 3]"), "f: /layers/2", "object"},
      {wrapped("\"layers\": [{}, {\"heads\": 3}]"), "f: /layers/1/heads", "3 heads do not divide d_model 64"},
      {wrapped("\"sentence\": \" \""), "f: /sentence", "no tokens"},
      {wrapped("\"sentence\": \"a\\u0000b\""), "f: /sentence", "NUL"},
      {wrapped("\"sentence\": null"), "f: /sentence", "string, not null"},
      {wrapped("\"tokens\": [\"a\", \"\"]"), "f: /tokens", "token 1 is empty"},
      {wrapped("\"tokens\": [\"a\", 1]"), "f: /tokens/1", "string"},
      {wrapped("\"d_model\": 1025"), "f: /d_model", "from 1 to 1024"},
      {wrapped("\"d_model\": 99999999999999999999"), "f: /d_model", "whole number"},
      {"{\"hydrascope\": 1,\n \"a/b~\\n\": 1}", "f: /a~1b~0\\n", "not known"},
      {"{\"hydrascope\": 1,\n  \"sentence\": tru}", "f: line 2, column 15", "stands tru"},
      {"{\"hydrascope\": 1", "f: line 1, column 17", "last { is not closed"},
      {"{\"sentence\": \"\xff\"}", "f: line 1, column 15", "no UTF-8"},
      {"\xff\xfe{\0", "f: line 1, column 1", "no UTF-8"},
  };
  for (const auto& [text, place, word] : cases) {
    CAPTURE(text);
    CHECK_THAT(fault_of(text), fault_at(place, word));
  }
}

TEST_CASE("read: a document truncated at any byte is refused with one sentence", "[core][file]") {
  const std::size_t end = sample.rfind('}');
  for (std::size_t length = 0; length <= end; ++length) {
    const std::string fault = fault_of(sample.substr(0, length));
    CAPTURE(length, fault);
    REQUIRE(one_sentence(fault));
  }
  CHECK(fault_of(sample) == "no fault");
}

TEST_CASE("read: deep nesting and huge texts are refused with one sentence", "[core][file]") {
  const std::size_t large = 50u << 20, some = 4u << 20;
  CHECK_THAT(fault_of(std::string(large, '[')), fault_at("f", "deeper than 16 levels"));
  std::string objects;
  while (objects.size() < some) objects += "{\"a\":";
  CHECK_THAT(fault_of(objects), fault_at("f", "deeper than 16 levels"));
  std::string zeros = "[0";
  while (zeros.size() < 2 * some) zeros += ",0";
  CHECK_THROWS_WITH(parse_json(zeros + "]", "f", some - 1),
                    fault_at("f", "more than " + std::to_string(some - 1) + " values"));
  CHECK_THAT(fault_of(wrapped("\"sentence\": \"" + std::string(large, 'a') + "\"")),
             fault_at("f: /sentence", "at most 65536"));
  CHECK(one_sentence(fault_of(wrapped("\"" + std::string(some, 'k') + "\": 1"))));
  CHECK(one_sentence(fault_of("\"" + std::string(some, 'q'))));
}

TEST_CASE("read: mutated documents are read or refused, never more", "[core][file]") {
  const std::uint64_t seed = 4242;
  Random random(seed);
  const char* const pieces[] = {
      "[",     "]",   "{",     "}",       ",",    ":",          "\"",         "null",          "true", "-1",
      "1e999", "0.5", "\"X\"", "\\u0000", "\xff", "9999999999", "\"hashed\"", "\"edits\": []", " "};
  int read = 0;
  for (int k = 0; k < 30000; ++k) {
    std::string text = sample;
    for (Index m = 1 + below(random, 3); m > 0; --m) {
      const auto at = static_cast<std::size_t>(below(random, static_cast<Index>(text.size())));
      switch (below(random, 4)) {
        case 0:
          text.erase(at, static_cast<std::size_t>(1 + below(random, 8)));
          break;
        case 1:
          text.insert(at, pieces[below(random, std::size(pieces))]);
          break;
        case 2:
          text[at] = static_cast<char>(random.bits());
          break;
        default:
          text.insert(at, text.substr(static_cast<std::size_t>(below(random, static_cast<Index>(at + 1))), 20));
          break;
      }
    }
    CAPTURE(seed, k, text);
    try {
      const Document document = parse(text);
      check_document(document);
      REQUIRE(same_document(parse(document_text(document)), document));
      ++read;
    } catch (const InputError& fault) {
      REQUIRE(one_sentence(fault.what()));
    }
  }
  CHECK(read > 300);  // else the mutations test nothing but the parser
}

TEST_CASE("read: overrides change values, make missing ones, and are named in faults", "[core][file]") {
  const auto set = [](const std::vector<std::string>& sets) {
    return parse_document("{\"hydrascope\": 1}", "f", sets);
  };
  CHECK(set({"/layers/0/heads=4"}).layers[0].heads == 4);
  const std::vector<Layer> layers = set({"/layers=[{}, {}, {}, {}]", "/layers/3/temperature=2"}).layers;
  REQUIRE(layers.size() == 4);
  CHECK(layers[3].settings.temperature == 2);
  CHECK(layers[2].settings.temperature == 1);
  CHECK(set({"/layers/0/mask=causal"}).layers[0].mask.kind == Mask::Kind::causal);
  CHECK(set({"/sentence=Hello = world"}).sentence == "Hello = world");
  CHECK(set({"/sentence=\"42\""}).sentence == "42");
  CHECK(set({"/layers/0/weights/seed=9", "/layers/0/weights/init=zero"}).layers[0].weights.W_Q->isZero(0));
  CHECK(set({"/d_model=8", "/d_model=16"}).d_model == 16);
  CHECK(set({"/tokens=[\"a\", \"b\"]", "/tokens/1=c"}).tokens->back() == "c");
  const struct {
    std::vector<std::string> sets;
    std::string place, word;
  } cases[] = {
      {{"/layers/0/heads=x"}, "--set /layers/0/heads=x: /layers/0/heads", "whole number"},
      {{"/layers/0/heads=5"}, "--set /layers/0/heads=5: /layers/0/heads", "5 heads do not divide d_model 64"},
      {{"/foo/bar=1"}, "--set /foo/bar=1: /foo", "not known"},
      {{"/layers/1/heads=4"}, "--set /layers/1/heads=4: /layers", "none is 1"},
      {{"/layers/x=4"}, "--set /layers/x=4: /layers", "none is x"},
      {{"/layers=[{}, {}]", "/layers/3/temperature=2"}, "--set /layers/3/temperature=2: /layers", "2 elements"},
      {{"/hydrascope/x=4"}, "--set /hydrascope/x=4: /hydrascope", "nothing inside"},
      {{"heads=4"}, "--set heads=4", "JSON pointer"},
      {{"/heads"}, "--set /heads", "JSON pointer"},
      {{""}, "--set ", "JSON pointer"},
      {{"/embedding/seed=-1", "/embedding/kind=hashed"},
       "--set /embedding/seed=-1: /embedding/seed",
       "not the number -1"},
      {{"/embedding/kind=hashed", "/embedding/seed=-1"},
       "--set /embedding/seed=-1: /embedding/seed",
       "not the number -1"},
  };
  for (const auto& [sets, place, word] : cases)
    CHECK_THAT(fault_of("{\"hydrascope\": 1}", sets), fault_at(place, word));
  CHECK_THAT(fault_of("{\"hydrascope\": 1, \"d_model\": 0}", {"/layers/0/heads=1"}),
             fault_at("f: /d_model", "from 1 to 1024"));
  CHECK(same_document(read_document(""), opening_document()));
  CHECK_THROWS_WITH(read_document("", {"/layers/0/heads=9"}),
                    fault_at("--set /layers/0/heads=9: /layers/0/heads", "9 heads do not divide"));
  CHECK_THROWS_WITH(read_document("", {"/d_model=9"}),
                    fault_at("the opening document: /embedding/E/0", "64 numbers where 9"));
}

TEST_CASE("files: missing, directories and unreadable names are one sentence", "[core][file]") {
  const auto fault = [](const std::string& path) -> std::string {
    try {
      read_document(path);
    } catch (const InputError& e) {
      return e.what();
    }
    return "no fault";
  };
  CHECK_THAT(fault("/no/such/lesson.json"), fault_at("/no/such/lesson.json", "No such file"));
  CHECK_THAT(fault("/"), fault_at("/", "is a directory"));
  CHECK_THAT(fault("/dev/null"), fault_at("/dev/null", "empty"));
  CHECK_THAT(fault("/dev/full"), fault_at("/dev/full", "is a device"));
  for (const std::string device : {"/dev/zero", "/dev/urandom", "/dev/kmsg"})
    if (::access(device.c_str(), R_OK) == 0) CHECK_THAT(fault(device), Contains(device + ": is a device"));
  const Folder folder;
  write_whole(folder.file("large"), std::string((3u << 20) + 1, 'a'));
  CHECK_THROWS_WITH(read_at_most(3u << 20, folder.file("large")),
                    folder.file("large") + ": larger than 3 MiB, the most that it can need");
}

namespace {
struct FolderOfFiles {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("hydrascope-test-" + std::to_string(::getpid()));
  FolderOfFiles() { std::filesystem::create_directories(path); }
  ~FolderOfFiles() { std::filesystem::remove_all(path); }
  std::string operator/(const char* name) const { return (path / name).string(); }
  std::ptrdiff_t files() const { return std::distance(std::filesystem::directory_iterator(path), {}); }
};
}  // namespace

TEST_CASE("files: written whole or not at all", "[core][file]") {
  const FolderOfFiles folder;
  const std::string path = folder / "a.json";
  write_document(default_document(), path);
  CHECK(same_document(read_document(path), default_document()));
  CHECK(folder.files() == 1);
  ::chmod(path.c_str(), 0640);
  write_whole(path, "new");
  struct stat status {};
  ::stat(path.c_str(), &status);
  CHECK((status.st_mode & 07777) == 0640);
  // A fault half-way leaves the old bytes and nothing beside.
  CHECK_THROWS_WITH(write_whole(path,
                                [](const Sink& sink) {
                                  sink("half");
                                  throw InputError("stop");
                                }),
                    "stop");
  CHECK(read_whole(path) == "new");
  CHECK(folder.files() == 1);
  std::filesystem::create_symlink(path, folder / "link.json");
  write_whole(folder / "link.json", "through");
  CHECK(std::filesystem::is_symlink(folder / "link.json"));
  CHECK(read_whole(path) == "through");
}

TEST_CASE("files: places that cannot be written are one sentence", "[core][file]") {
  const FolderOfFiles folder;
  CHECK_THROWS_WITH(write_whole(folder / "none/a.json", "x"), Contains("none/a.json: cannot be written: No such file"));
  CHECK_THROWS_WITH(write_whole(folder.path.string(), "x"), Contains("is a directory"));
  CHECK_THROWS_WITH(write_whole("", "x"), fault_at("the file", "no name"));
  CHECK_THROWS_WITH(write_whole("/dev/full", "x"), fault_at("/dev/full", "cannot be written", "No space left"));
  CHECK(folder.files() == 0);
}
