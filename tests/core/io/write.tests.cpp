#include <catch2/catch.hpp>
#include <limits>
#include <sstream>

#include "core/document/edits/history.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/linalg/same_bits.h"
#include "tests/core/document/random_edit.h"
#include "tests/support/data.h"

using namespace hydra;

namespace {
Document round_trip(const Document& document) { return parse_document(document_text(document), "round trip"); }

std::string without_notes(std::string text) {
  const std::size_t begin = text.find("  \"notes\": {"), end = text.find("\n  },\n", begin);
  return begin == std::string::npos ? text : text.erase(begin, end + 6 - begin);
}
}  // namespace

TEST_CASE("document file: the default document is a few lines", "[core][file]") {
  CHECK(document_text(default_document()) == R"({
  "hydrascope": 1,
  "sentence": "The animal didn't cross the street because it was too tired.",
  "d_model": 64,
  "embedding": {"kind": "hashed", "seed": 1, "positions": "sinusoidal"},
  "layers": [
    {"heads": 8, "mask": "none", "scale": true, "weights": {"kind": "random", "seed": 7}}
  ]
}
)");
}

TEST_CASE("document file: hand-made numbers of seeded matrices are written as edits", "[core][file]") {
  Document document = default_document();
  for (const SetBlock& edit : {set_cell(Quantity::W_Q, 3, 12, 0.25f), set_cell(Quantity::b_O, 0, 2, -1.5f),
                               set_cell(Quantity::X, 1, 0, 1e-20f), set_cell(Quantity::b_K, 0, 0, 0.0f)})
    document = apply(document, edit);
  document = apply(document, SetSetting{LayerSetting::temperature, 0.5f});
  CHECK(document_text(document) == R"({
  "hydrascope": 1,
  "sentence": "The animal didn't cross the street because it was too tired.",
  "d_model": 64,
  "embedding": {
    "kind": "hashed",
    "seed": 1,
    "positions": "sinusoidal",
    "edits": [
      [1, 0, 1e-20]
    ]
  },
  "layers": [
    {
      "heads": 8,
      "mask": "none",
      "scale": true,
      "temperature": 0.5,
      "weights": {
        "kind": "random",
        "seed": 7,
        "edits": {
          "W_Q": [
            [3, 12, 0.25]
          ],
          "b_K": [],
          "b_O": [
            [2, -1.5]
          ]
        }
      }
    }
  ]
}
)");
  CHECK(same_document(round_trip(document), document));
}

TEST_CASE("document file: a matrix that is mostly hand-made stands whole", "[core][file]") {
  Document document = apply(apply(default_document(), SetModelWidth{2}), SetSentence{"a b"});
  document = apply(document, SetHeads{2});
  Mat<float> W(2, 2);
  W << 1, -0.0f, 0.1f, 16777216;
  document = apply(document, SetBlock{Quantity::W_V, 0, 0, share(Mat<float>(W))});
  Mat<std::uint8_t> allowed(2, 2);
  allowed << 1, 0, 1, 1;
  document = apply(document, SetMask{{Mask::Kind::custom, share(std::move(allowed))}});
  CHECK(document_text(document) == R"({
  "hydrascope": 1,
  "sentence": "a b",
  "d_model": 2,
  "embedding": {"kind": "hashed", "seed": 1, "positions": "sinusoidal"},
  "layers": [
    {
      "heads": 2,
      "mask": [
        [1, 0],
        [1, 1]
      ],
      "scale": true,
      "weights": {
        "kind": "random",
        "seed": 7,
        "W_V": [
          [1, -0.0],
          [0.1, 16777216]
        ]
      }
    }
  ]
}
)");
  CHECK(same_document(round_trip(document), document));
}

TEST_CASE("document file: floats round trip to the same bits", "[core][file]") {
  Document document = apply(apply(default_document(), SetModelWidth{512}), SetSentence{"a"});
  Random random(11);
  Mat<float> W(512, 512);
  for (Index k = 0; k < W.size(); ++k) {
    do {
      const auto bits = static_cast<std::uint32_t>(random.bits());
      std::memcpy(&W.data()[k], &bits, sizeof bits);
    } while (!std::isfinite(W.data()[k]));
  }
  using Limits = std::numeric_limits<float>;
  W.row(0).head(6) << Limits::max(), Limits::lowest(), Limits::min(), Limits::denorm_min(), -0.0f, 0.0f;
  document = apply(document, SetBlock{Quantity::W_O, 0, 0, share(std::move(W))});
  CHECK(same_document(round_trip(document), document));
}

TEST_CASE("document file: random documents round trip to the same bits and the same text", "[core][file]") {
  const std::uint64_t seed = 20240701;
  Random random(seed);
  Document document = apply(apply(default_document(), SetModelWidth{8}), SetSentence{"a b c"});
  std::size_t layers = 1;
  for (int k = 0; k < 600; ++k) {
    layers = std::max(layers, document.layers.size());
    try {
      document = hydra::apply(document, random_stack_edit(random, document));
    } catch (const InputError&) {
    }
    const Document given = with_explicit_parts(random, document);
    check_document(given);
    const std::string text = document_text(given);
    CAPTURE(seed, k, text);
    const Document read = parse_document(text, "round trip");
    REQUIRE(same_document(read, given));
    REQUIRE(document_text(read) == text);
  }
  CHECK(layers >= 3);
}

TEST_CASE("trace file: nine digits, null where masked", "[core][file]") {
  Document document = apply(apply(default_document(), SetModelWidth{2}), SetSentence{"a \"b\""});
  document = apply(apply(document, SetHeads{1}), SetMask{{Mask::Kind::causal, nullptr}});
  document = apply(document, SetWeightSource{Init::identity, 7});
  Mat<float> X(4, 2);
  X << 1, 0, 0.1f, 1, 3, 1e-10f, 0, 2;
  document = apply(document, SetBlock{Quantity::X, 0, 0, share(std::move(X))});
  document = apply(document, SetSetting{LayerSetting::scale, false});
  const std::string text = trace_text(*evaluate(document));
  CAPTURE(text);
  CHECK(text.find("\"tokens\": [\"a\", \"\\\"\", \"b\", \"\\\"\"]") != std::string::npos);
  CHECK(text.find("\"gates\": [1],") != std::string::npos);  // also those that hold nothing back
  CHECK(text.find("\"X\": [\n  [1, 0],\n  [0.100000001, 1],\n  [3, 1.00000001e-10],\n  [0, 2]]") != std::string::npos);
  CHECK(text.find("\"scores\": [\n  [1, null, null, null],\n  [0.100000001, 1.00999999, null, null]") !=
        std::string::npos);
}

// Those that shipped with commit 2ced834, whose notes alone have changed since: the file's hash as it was then, and
// that of what is written when it has been read.
TEST_CASE("document file: files of 2ced834 are read and written to the same bytes", "[core][file]") {
  std::istringstream lines(read_whole(test::data("documents_2ced834.txt")));
  int files = 0;
  for (std::string name, was, written; lines >> name >> was >> written; ++files) {
    CAPTURE(name);
    const std::string text = without_notes(read_whole(test::data("../../assets/documents/" + name)));
    CHECK(fingerprint_of(text).hash == std::stoull(was, nullptr, 16));
    const std::string again = document_text(parse_document(text, name));
    CHECK(fingerprint_of(again).hash == std::stoull(written, nullptr, 16));
    if (name.starts_with("trained")) CHECK(again == text);  // which the program wrote; people wrote the others
  }
  CHECK(files == 29);
}
