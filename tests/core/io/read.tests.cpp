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
#include "tests/support/folder.h"

using namespace hydra;
using Catch::Contains;

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
  const std::pair<std::string, std::string> cases[] = {
      {"", "f: empty; a document begins with {\"hydrascope\": 1"},
      {" \n", "f: empty; a document begins with {\"hydrascope\": 1"},
      {"[1]", "f: the document must be an object, not an array of 1"},
      {"{}", "f: the document has no \"hydrascope\": 1, by which documents are known"},
      {"{\"hydrascope\": 2}", "f: /hydrascope must be 1, the only version there is, not the number 2"},
      {"{\"hydrascope\": \"1\"}", "f: /hydrascope must be 1, the only version there is, not the string \"1\""},
      {wrapped("\"heads\": 4"),
       "f: /heads is not known; the keys here are hydrascope, notes, sentence, tokens, d_model, embedding, final_norm, "
       "readout, layers, other_models"},
      {wrapped("\"d_model\": 8, \"d_model\": 8"), "f: /d_model is given twice"},
      {with("\"W_Q\": [[3, 1, 2.5]]", "\"W_Q\": [], \"W_Q\": []"), "f: /layers/0/weights/edits/W_Q is given twice"},
      {with("\"heads\": 2", "\"heads\": 2, \"gates\": [1]"), "f: /layers/0/gates has 1 number where 2 are needed"},
      {with("\"heads\": 2", "\"heads\": 2, \"gates\": [1, 2.5]"),
       "f: /layers/0/gates is not possible: a gate must be a number from 0 to 2"},
      {with("[5, 6, 7, 8]", "[5, 6, 7]"), "f: /layers/0/weights/W_K/1 has 3 numbers where 4 are needed"},
      {with("[5, 6, 7, 8], ", ""), "f: /layers/0/weights/W_K has 3 rows where 4 are needed"},
      {with("[5, 6, 7, 8]", "[5, 6, null, 8]"), "f: /layers/0/weights/W_K/1/2 must be a finite number, not null"},
      {with("[5, 6, 7, 8]", "\"5\""), "f: /layers/0/weights/W_K/1 must be an array of 4 numbers, not the string \"5\""},
      {with("[5, 6, 7, 8]", "[5, 6, 1e999, 8]"),
       "f: /layers/0/weights/W_K/1/2 is 1e999, which is beyond the largest number, 3.4e38"},
      {with("[5, 6, 7, 8]", "[5, 6, -4e38, 8]"),
       "f: /layers/0/weights/W_K/1/2 is -4e38, which is beyond the largest number, 3.4e38"},
      {with("[5, 6, 7, 8]", "[5, 6, true, 8]"), "f: /layers/0/weights/W_K/1/2 must be a finite number, not true"},
      {with("\"b_O\": [1, 2, 3, 4]", "\"b_O\": [1]"), "f: /layers/0/weights/b_O has 1 number where 4 are needed"},
      {with("[[3, 1, 2.5]]", "[[3, 4, 2.5]]"),
       "f: /layers/0/weights/edits/W_Q/0/1 must be from 0 to 3, not the number 4"},
      {with("[[3, 1, 2.5]]", "[[3, 1]]"), "f: /layers/0/weights/edits/W_Q/0 has 2 numbers where 3 are needed"},
      {with("[[3, 1, 2.5]]", "[[3, 1, 2], [3, 1, 2]]"), "f: /layers/0/weights/edits/W_Q sets row 3, column 1 twice"},
      {with("\"W_Q\": [[3", "\"W_K\": [[3"),
       "f: /layers/0/weights/edits/W_K stands beside /layers/0/weights/W_K; one of the two is needed"},
      {with("\"kind\": \"random\"", "\"kind\": \"explicit\""),
       "f: /layers/0/weights/edits is for random weights; explicit ones have their numbers in W_Q and so on"},
      {with("\"init\": \"identity\"", "\"init\": \"he\""),
       "f: /layers/0/weights/init must be \"xavier\" or \"identity\" or \"zero\", not the string \"he\""},
      {with("18446744073709551615", "18446744073709551616"),
       "f: /layers/0/weights/seed must be a whole number from 0 to 18446744073709551615, not the number "
       "1.8446744e+19"},
      {with("\"seed\": 3", "\"seed\": -3"),
       "f: /embedding/seed must be a whole number from 0 to 18446744073709551615, not the number -3"},
      {with("\"kind\": \"hashed\"", "\"kind\": \"explicit\""),
       "f: /embedding has no \"X\", which explicit embeddings need"},
      {with("\"edits\": [[1, 2, 0.5], [0, 0, -1e-3]]", "\"X\": []"),
       "f: /embedding/X is for explicit embeddings; \"kind\": \"explicit\" is needed beside it"},
      {with("[[1, 2, 0.5]", "[[3, 2, 0.5]"), "f: /embedding/edits/0/0 must be from 0 to 2, not the number 3"},
      {with("[1, 1, 0], ", ""), "f: /layers/0/mask has 2 rows where 3 are needed"},
      {with("[[1, 0, 0], [1, 1, 0], [1, 1, 1]]", "[[[1, 0, 0], [1, 1, 0], [1, 1, 1]]]"),
       "f: /layers/0/mask has a matrix for each head, and a layer has one mask for all its heads: one matrix of 3 rows "
       "is needed; what a single head attends to can be set by \"painted\""},
      {with("[1, 1, 0]", "[1, 2, 0]"), "f: /layers/0/mask/1/1 must be 0 (hidden) or 1 (may attend), not the number 2"},
      {with("[1, 1, 0]", "[1, 0]"), "f: /layers/0/mask/1 has 2 numbers where 3 are needed"},
      {with("[[1, 0, 0], [1, 1, 0], [1, 1, 1]]", "\"causla\""),
       "f: /layers/0/mask must be \"none\", \"causal\" or an array of rows of 0 (hidden) and 1 (may attend), not the "
       "string \"causla\""},
      {with("\"heads\": 2", "\"heads\": 3"),
       "f: /layers/0/heads is not possible: 3 heads do not divide d_model 4; possible are 1, 2, 4, and any number "
       "with \"d_k\", a head's width, beside it"},
      {with("\"heads\": 2", "\"heads\": 2.0"), "f: /layers/0/heads must be a whole number, not the number 2.0"},
      {with("\"temperature\": 0.5", "\"temperature\": 0"),
       "f: /layers/0/temperature is not possible: the temperature must be a number from 0.01 to 100"},
      {with("\"residual\": false", "\"residual\": 1"), "f: /layers/0/residual must be true or false, not the number 1"},
      {with("\"scale\": false", "\"scale\": 0"), "f: /layers/0/scale must be true or false, not the number 0"},
      {with("\"slice\"", "\"slices\""),
       "f: /layers/0/split must be \"projection\" or \"slice\", not the string \"slices\""},
      {with("\"head\": 1", "\"head\": 2"), "f: /layers/0/painted/0/head must be from 0 to 1, not the number 2"},
      {with("{\"head\": 1, ", "{"), "f: /layers/0/painted/0 has no \"head\", the number of the head that is painted"},
      {with("{\"head\": 1, ", "{\"head\": 1, \"values\": [[0, [0, 0]]]}, {\"head\": 1, "),
       "f: /layers/0/painted/1/head is 1 once more; each painted head stands once"},
      {with("[0.5, 0.25, 0.25]", "[0.5, 0.25, 0.2]"),
       "f: /layers/0/painted/0/attention/0/1 is not possible: the weights sum to 0.95; the weights of a row must sum "
       "to 1, as they do before dropout"},
      {with("[0.5, 0.25, 0.25]", "[0.5, 0.5]"),
       "f: /layers/0/painted/0/attention/0/1 has 2 numbers where 3 are needed"},
      {with("[0.5, 0.25, 0.25]", "[1.5, -0.25, -0.25]"),
       "f: /layers/0/painted/0/attention/0/1 is not possible: the weight of token 1 is -0.25; weights are finite and "
       "not negative"},
      {with("[[2, [0.5", "[[1, [0.5"),
       "f: /layers/0/painted/0/attention/0/1 is not possible: the mask hides token 2 from token 1, so its weight must "
       "be 0, not 0.25"},
      {with("[1, [7, -8]]", "[0, [7, -8]]"), "f: /layers/0/painted/0/values sets row 0 twice"},
      {with("[1, [7, -8]]", "[3, [7, -8]]"), "f: /layers/0/painted/0/values/0/0 must be from 0 to 2, not the number 3"},
      {with("[1, [7, -8]]", "[1]"), "f: /layers/0/painted/0/values/0 has 1 value where 2 are needed"},
      {with("[1, [7, -8]]", "7"), "f: /layers/0/painted/0/values/0 must be an array of 2 values, not the number 7"},
      {wrapped("\"layers\": []"), "f: /layers is not possible: a document has 1 to 48 layers, not 0"},
      {wrapped("\"layers\": " + empty_layers(49)), "f: /layers is not possible: a document has 1 to 48 layers, not 49"},
      {wrapped("\"d_model\": 1024, \"layers\": " + empty_layers(13)),
       "f: /layers is not possible: a document of d_model 1024 has 1 to 12 layers, not 13"},
      {wrapped("\"layers\": {}"), "f: /layers must be an array of layers, not an object"},
      {wrapped("\"layers\": [{}, {}, 3]"), "f: /layers/2 must be an object, not the number 3"},
      {wrapped("\"layers\": [{}, {\"heads\": 3}]"),
       "f: /layers/1/heads is not possible: 3 heads do not divide d_model 64; possible are 1, 2, 4, 8, 16, 32, 64, and "
       "any number "
       "with \"d_k\", a head's width, beside it"},
      {wrapped("\"sentence\": \" \""),
       "f: /sentence is not possible: the sentence has no tokens; at least 1 is needed"},
      {wrapped("\"sentence\": \"a\\u0000b\""),
       "f: /sentence is not possible: the sentence has a NUL character; it must be plain text"},
      {wrapped("\"sentence\": null"), "f: /sentence must be a string, not null"},
      {wrapped("\"tokens\": [\"a\", \"\"]"), "f: /tokens is not possible: token 1 is empty"},
      {wrapped("\"tokens\": [\"a\", 1]"), "f: /tokens/1 must be a string, not the number 1"},
      {wrapped("\"d_model\": 1025"), "f: /d_model is not possible: d_model is 1025; it must be from 1 to 1024"},
      {wrapped("\"d_model\": 99999999999999999999"), "f: /d_model must be a whole number, not the number 1e+20"},
      {"{\"hydrascope\": 1,\n \"a/b~\\n\": 1}",
       "f: /a~1b~0\\n is not known; the keys here are hydrascope, notes, sentence, tokens, d_model, embedding, "
       "final_norm, "
       "readout, layers, other_models"},
      {"{\"hydrascope\": 1,\n  \"sentence\": tru}",
       "f: line 2, column 15: here stands tru where a value is needed: a number, a \"string\", true, false, null, [ or "
       "{"},
      {"{\"hydrascope\": 1",
       "f: line 1, column 17: the text ends in the middle of the document, and its last { is not "
       "closed; it may have been cut off when it was copied"},
      {"{\"sentence\": \"\xff\"}", "f: line 1, column 15: here is no UTF-8 text; save the document as UTF-8"},
      {"\xff\xfe{\0", "f: line 1, column 1: here is no UTF-8 text; save the document as UTF-8"},
  };
  for (const auto& [text, expected] : cases) {
    CAPTURE(text);
    CHECK(fault_of(text) == expected);
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
  CHECK_THAT(fault_of(std::string(large, '[')), Contains("nested deeper than 16 levels"));
  std::string objects;
  while (objects.size() < some) objects += "{\"a\":";
  CHECK_THAT(fault_of(objects), Contains("nested deeper than 16 levels"));
  std::string zeros = "[0";
  while (zeros.size() < 2 * some) zeros += ",0";
  CHECK_THROWS_WITH(parse_json(zeros + "]", "f", some - 1),
                    Contains("more than " + std::to_string(some - 1) + " values"));
  CHECK(fault_of(wrapped("\"sentence\": \"" + std::string(large, 'a') + "\"")) ==
        "f: /sentence is not possible: the sentence has 52428800 bytes; at most 65536 are possible");
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
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"/layers/0/heads=x"}, "--set /layers/0/heads=x: /layers/0/heads must be a whole number, not the string \"x\""},
      {{"/layers/0/heads=5"},
       "--set /layers/0/heads=5: /layers/0/heads is not possible: 5 heads do not divide d_model 64; possible are 1, 2, "
       "4, 8, 16, 32, 64, and any number "
       "with \"d_k\", a head's width, beside it"},
      {{"/foo/bar=1"},
       "--set /foo/bar=1: /foo is not known; the keys here are hydrascope, notes, sentence, tokens, d_model, "
       "embedding, final_norm, "
       "readout, layers, other_models"},
      {{"/layers/1/heads=4"}, "--set /layers/1/heads=4: /layers has 1 element, counted from 0, and none is 1"},
      {{"/layers/x=4"}, "--set /layers/x=4: /layers has 1 element, counted from 0, and none is x"},
      {{"/layers=[{}, {}]", "/layers/3/temperature=2"},
       "--set /layers/3/temperature=2: /layers has 2 elements, counted from 0, and none is 3"},
      {{"/hydrascope/x=4"}, "--set /hydrascope/x=4: /hydrascope is the number 1 and has nothing inside"},
      {{"heads=4"}, "--set heads=4: must be a JSON pointer and a value, such as /layers/0/heads=4"},
      {{"/heads"}, "--set /heads: must be a JSON pointer and a value, such as /layers/0/heads=4"},
      {{""}, "--set : must be a JSON pointer and a value, such as /layers/0/heads=4"},
      {{"/embedding/seed=-1", "/embedding/kind=hashed"},
       "--set /embedding/seed=-1: /embedding/seed must be a whole number from 0 to 18446744073709551615, not the "
       "number -1"},
      {{"/embedding/kind=hashed", "/embedding/seed=-1"},
       "--set /embedding/seed=-1: /embedding/seed must be a whole number from 0 to 18446744073709551615, not the "
       "number -1"},
  };
  for (const auto& [sets, expected] : cases) CHECK(fault_of("{\"hydrascope\": 1}", sets) == expected);
  CHECK_THAT(fault_of("{\"hydrascope\": 1, \"d_model\": 0}", {"/layers/0/heads=1"}), Contains("f: /d_model"));
  CHECK(same_document(read_document(""), opening_document()));
  CHECK_THROWS_WITH(read_document("", {"/layers/0/heads=9"}), Contains("--set /layers/0/heads=9: /layers/0/heads"));
  CHECK_THROWS_WITH(read_document("", {"/d_model=9"}), Contains("the opening document: /embedding"));
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
  CHECK(fault("/no/such/lesson.json") == "/no/such/lesson.json: cannot be read: No such file or directory");
  CHECK(fault("/") == "/: is a directory, and a document is a file");
  CHECK(fault("/dev/null") == "/dev/null: empty; a document begins with {\"hydrascope\": 1");
  for (const std::string device : {"/dev/zero", "/dev/full", "/dev/urandom", "/dev/kmsg"})
    if (::access(device.c_str(), R_OK) == 0) CHECK(fault(device) == device + ": is a device, and a document is a file");
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
  CHECK_THROWS_WITH(write_whole("", "x"), Contains("no name"));
  CHECK_THROWS_WITH(write_whole("/dev/full", "x"), "/dev/full: cannot be written: No space left on device");
  CHECK(folder.files() == 0);
}
