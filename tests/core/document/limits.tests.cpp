// Every document that can be written opens again.
#include "core/document/limits.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/design/collapse.h"
#include "core/document/edits/edit.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/linalg/random.h"
#include "tests/core/document/random_edit.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using test::fault_at;

namespace {

struct File {
  std::string path =
      (std::filesystem::temp_directory_path() / ("hydrascope-limits-" + std::to_string(::getpid()) + ".json")).string();
  ~File() { std::filesystem::remove(path); }
};

Array<float> longest_numbers(Index rows, Index cols) {
  return share(Mat<float>(Mat<float>::Constant(rows, cols, -1.17549435e-38f)));
}

std::string fault_of(const Document& document, const std::string& path) {
  try {
    write_document(document, path);
  } catch (const InputError& fault) {
    return fault.what();
  }
  return "no fault";
}

}  // namespace

TEST_CASE("limits: weights of width 1024, collapsed, swapped and collapsed again, open to the same bits",
          "[core][file]") {
  const File file;
  Document document = apply(apply(default_document(), SetModelWidth{1024}), SetSentence{"a b"});
  const auto collapse = [&] {
    document = apply(document, SetWeights{towards_mean(document.layers[0].weights, document.layers[0].heads, 0.4f),
                                          "collapse", "0.4"});
  };
  collapse();
  document = apply(document, SwitchModel{ModelKind::untrained});
  collapse();
  const KeptFile kept = write_document(document, file.path);
  CHECK(std::filesystem::file_size(file.path) > (100u << 20));
  CHECK(same_document(read_document(file.path), document));
  CHECK_FALSE(changed_since(kept));
}

TEST_CASE("limits: the parts of a document are no larger than they are counted", "[core][file]") {
  constexpr Index width = 32, n = 24;
  Document document = apply(default_document(), SetModelWidth{width});
  std::string sentence;
  for (Index k = 0; k < n; ++k) sentence += k > 0 ? " a" : "a";
  document = apply(apply(document, SetSentence{sentence}), SetEmbedding{Embedding::Kind::hashed, 1});
  const auto bytes = [](const Document& each) { return document_text(each).size(); };
  const std::size_t before = bytes(document);

  const Document X = apply(document, SetBlock{Quantity::X, 0, 0, longest_numbers(n, width)});
  CHECK(bytes(X) - before <= largest::cells(n * width).bytes);
  CHECK(bytes(X) - before > largest::cells(n * width).bytes / 2);
  const Document W = apply(document, SetBlock{Quantity::W_Q, 0, 0, longest_numbers(width, width)});
  CHECK(bytes(W) - before <= largest::rows(width, width, largest::kNumber).bytes);
  const Document few = apply(document, SetBlock{Quantity::W_Q, 0, 0, longest_numbers(width, width / 4 - 1)});
  CHECK(bytes(few) - before <= largest::rows(width, width, largest::kNumber).bytes);
  const Document b = apply(document, SetBlock{Quantity::b_Q, 0, 0, longest_numbers(1, width)});
  CHECK(bytes(b) - before <= largest::cells(width).bytes);
  const Mat<std::uint8_t> allowed = Mat<std::uint8_t>::Ones(n, n);
  const Document mask = apply(document, SetMask{{Mask::Kind::custom, share(Mat<std::uint8_t>(allowed))}});
  CHECK(bytes(mask) - before <= largest::rows(n, n, 3).bytes);
  Document words = document;
  FeatureSet all = 0;
  const auto features = static_cast<int>(Lexicon::standard().features().size());
  REQUIRE(features <= static_cast<int>(largest::kFeatures));
  for (int f = 0; f < features; ++f) {
    all |= feature_bit(f);
    CHECK(Lexicon::standard().features()[static_cast<std::size_t>(f)].name.size() + 4 <= largest::kName);
  }
  words.embedding.words["word"] = all;
  CHECK(bytes(words) - before <= 64 + largest::kLine + largest::kFeatures * largest::kName);
}

TEST_CASE("limits: what cannot be read again is refused before the old file is touched", "[core][file]") {
  const File file;
  write_document(default_document(), file.path);
  const auto refused = [&](const Document& document, const std::string& why) {
    CHECK_THAT(fault_of(document, file.path), Contains("could not be read again") && Contains(why));
    CHECK(same_document(read_document(file.path), default_document()));
  };
  Document document = default_document();
  document.sentence = std::string(kMaxSentenceBytes + 1, 'a');
  refused(document, "65537 bytes");
  document = default_document();
  document.tokens = std::vector<std::string>(11, std::string(6000, 'a'));
  refused(document, "the tokens have 66010 bytes");
  document = default_document();
  for (std::size_t k = 0; k <= kMaxCorrectedWords; ++k) document.embedding.words[std::to_string(k)] = 0;
  refused(document, "4097 words");
  document = default_document();
  document.layers[0].weights.W_Q = share(Mat<float>(Mat<float>::Constant(64, 64, std::nanf(""))));
  refused(document, "W_Q");
}

// As many tokens as make four patterns of as many numbers as may be painted.
constexpr Index kPaintedTokens = 1024;

TEST_CASE("limits: edits stop where a file would", "[core][file]") {
  Document document = apply(apply(default_document(), SetModelWidth{128}), SetHeads{128});
  std::string sentence = "a";
  for (Index k = 1; k < kPaintedTokens; ++k) sentence += " a";
  document = apply(document, SetSentence{sentence});
  Layer& layer = document.layers[0];
  layer.painted.resize(128);
  const Array<float> row = share(uniform_row(layer.mask, 0, kPaintedTokens));
  for (std::size_t h = 0; h < 4; ++h)
    for (Index i = 0; i < kPaintedTokens; ++i) layer.painted[h].attention.push_back({i, row});
  check_document(document);
  CHECK_THROWS_WITH(apply(document, PaintAttention{4, 0, row}), fault_at("the painted rows", "at most 4194304"));
  Document words = default_document();
  for (std::size_t k = 0; k < kMaxCorrectedWords; ++k) words.embedding.words[std::to_string(k)] = 0;
  CHECK_THROWS_WITH(apply(words, SetWordFeatures{"one", FeatureSet{1}}), fault_at("words", "at most 4096"));
}

TEST_CASE("limits: a stack has as many layers as a file may have, fewer where they are wide", "[core][file]") {
  CHECK_NOTHROW(check_layer_count(1, 1024));
  CHECK_NOTHROW(check_layer_count(kMaxLayers, 256));
  CHECK_NOTHROW(check_layer_count(21, 768));
  CHECK_THROWS_WITH(check_layer_count(0, 64), fault_at("a document", "1 to 96 layers, not 0"));
  CHECK_THROWS_WITH(check_layer_count(97, 64), fault_at("a document", "1 to 96 layers, not 97"));
  CHECK_THROWS_WITH(check_layer_count(22, 768), fault_at("d_model 768", "1 to 21 layers, not 22"));
  for (std::size_t d_model = 1; d_model <= kMaxModel; ++d_model) {
    std::size_t layers = kMaxLayers;
    while (layers > 1 && kMaxWideLayers * largest::kModel * largest::kModel < layers * d_model * d_model) --layers;
    CAPTURE(d_model, layers);
    CHECK_NOTHROW(check_layer_count(layers, static_cast<Index>(d_model)));
    if (layers < kMaxLayers) CHECK_THROWS_AS(check_layer_count(layers + 1, static_cast<Index>(d_model)), InputError);
    const DocumentSize matrices = largest::rows(d_model, d_model, largest::kNumber) * layers;
    CHECK(matrices.bytes <= largest::kMatrices.bytes);
    CHECK(matrices.values <= largest::kMatrices.values);
  }
  Document document = apply(default_document(), SetModelWidth{8});
  while (document.layers.size() < kMaxLayers) document.layers.push_back(document.layer(0));
  check_document(document);
  CHECK_THROWS_WITH(apply(document, {AddLayer{}, 3}), fault_at("a document", "1 to 96 layers, not 97"));
  CHECK_THROWS_WITH(apply(document, SetModelWidth{1024}), fault_at("d_model 1024", "1 to 12 layers, not 96"));
  CHECK(apply(document, SetModelWidth{16}).layers.size() == kMaxLayers);
}

TEST_CASE("limits: rows set by hand and designed heads are counted over all layers", "[core][file]") {
  Document document = apply(apply(default_document(), SetModelWidth{128}), SetHeads{128});
  std::string sentence = "a";
  for (Index k = 1; k < kPaintedTokens; ++k) sentence += " a";
  document = apply(document, SetSentence{sentence});
  while (document.layers.size() < 5) document.layers.push_back(document.layer(0));
  const Array<float> row = share(uniform_row({}, 0, kPaintedTokens));
  for (Index layer = 0; layer < 4; ++layer) {
    std::vector<PaintedHead<float>>& painted = document.layer(layer).painted;
    painted.resize(128);
    for (Index i = 0; i < kPaintedTokens; ++i) painted[0].attention.push_back({i, row});
  }
  check_document(document);
  CHECK_THROWS_WITH(apply(document, {PaintAttention{0, 0, row}, 4}), fault_at("the painted rows", "at most 4194304"));
  Document designed = apply(apply(default_document(), SetModelWidth{128}), SetHeads{128});
  designed.layer(0).source.designs.assign(128, HeadDesign{});
  while (designed.layers.size() < 5) designed.layers.push_back(designed.layer(0));
  designed.layer(4).source.designs.clear();
  check_document(designed);
  CHECK_THROWS_WITH(apply(designed, {DesignHead{0, HeadDesign{}}, 4}), fault_at("513 heads", "at most 512"));
}

TEST_CASE("limits: a long list of tokens is to blame itself", "[core][file]") {
  std::string list;
  for (int k = 0; k < 40000; ++k) list += k > 0 ? ",\"ab\"" : "\"ab\"";
  CHECK_THROWS_WITH(parse_document("{\"hydrascope\": 1, \"tokens\": [" + list + "]}", "f"),
                    fault_at("f: /tokens", "40000 tokens; at most 4096"));
  CHECK_THROWS_WITH(parse_document("{\"hydrascope\": 1, \"sentence\": \"a\", \"tokens\": [" + list + "]}", "f"),
                    fault_at("f: /tokens", "at most 4096"));
}
