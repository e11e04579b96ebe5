#include "core/document/edits/edit.h"

#include <catch2/catch.hpp>
#include <limits>

#include "core/document/evaluate.h"
#include "core/document/fingerprints.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/linalg/same_bits.h"
#include "core/text/embedding.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using test::fault_at;

namespace {

Document explicit_document() {
  Document document = default_document();
  const auto n = static_cast<Index>(tokens_of(document).size());
  document.embedding.kind = Embedding::Kind::explicit_values;
  document.embedding.X = share(Mat<float>(Mat<float>::Constant(n, document.d_model, 0.5f)));
  document.layers[0].source.kind = WeightSource::Kind::explicit_values;
  document.layers[0].weights.b_Q = share(RowVec<float>(RowVec<float>::Ones(document.d_model)));
  return document;
}

Array<std::uint8_t> ones(Index n) { return share(Mat<std::uint8_t>(Mat<std::uint8_t>::Ones(n, n))); }

}  // namespace

TEST_CASE("edit: a sentence keeps hand-made X only where its word stays in place", "[core][edit]") {
  Document document = default_document();  // The animal didn't cross ...
  document = apply(document, set_cell(Quantity::X, 1, 3, 2.0f));
  document = apply(document, set_cell(Quantity::X, 2, 5, 3.0f));
  const Document changed = apply(document, SetSentence{"The animal wanted food"});
  REQUIRE(changed.embedding.edits.size() == 1);
  CHECK(changed.embedding.edits[0] == CellValue{1, 3, 2.0f});
  check_document(changed);
  CHECK((*evaluate(changed)->X)(1, 3) == 2.0f);
}

TEST_CASE("edit: a sentence keeps rows of an explicit X, others come from the hashed word", "[core][edit]") {
  const Document document = explicit_document();
  const Document changed = apply(document, SetSentence{"The cat didn't"});
  const MatView<float> X = *changed.embedding.X;
  REQUIRE(X.rows() == 3);
  CHECK(X.row(0).isConstant(0.5f, 0));
  CHECK(X.row(1) == hashed_embedding({"cat"}, 64, 1).row(0));
  CHECK(X.row(2).isConstant(0.5f, 0));
  // Only white space differs: the very same matrix.
  CHECK(apply(document, SetSentence{document.sentence + " "}).embedding.X == document.embedding.X);
}

TEST_CASE("edit: a sentence drops the token list and resizes a custom mask", "[core][edit]") {
  Document document = apply(default_document(), SetSentence{"one two three"});
  document.tokens = std::vector<std::string>{"a", "b"};
  Mat<std::uint8_t> allowed(2, 2);
  allowed << 1, 0, 0, 1;
  document = apply(document, SetMask{{Mask::Kind::custom, share(std::move(allowed))}});
  const Document changed = apply(document, SetSentence{"one two three"});
  CHECK_FALSE(changed.tokens);
  REQUIRE(changed.layers[0].mask.allowed->rows() == 3);
  CHECK_FALSE(changed.layers[0].mask.allows(0, 1));
  CHECK(changed.layers[0].mask.allows(0, 2));
  check_document(changed);
}

TEST_CASE("edit: sentences that make no document are refused", "[core][edit]") {
  const Document document = default_document();
  CHECK_THROWS_AS(apply(document, SetSentence{""}), InputError);
  CHECK_THROWS_AS(apply(document, SetSentence{" \n\t "}), InputError);
  CHECK_THROWS_AS(apply(document, SetSentence{"\xff"}), InputError);
  std::string long_sentence;
  for (int k = 0; k < 4097; ++k) long_sentence += "a ";
  CHECK_THROWS_WITH(apply(document, SetSentence{long_sentence}), fault_at("the sentence", "4097", "4096"));
  CHECK_THROWS_AS(apply(document, SetSentence{std::string(kMaxSentenceBytes + 1, 'a')}), InputError);
  // Many tokens and many heads make more patterns than are held, from whichever side they come.
  long_sentence.resize(2 * 4096);
  const Document heads = apply(document, SetHeads{64}), tokens = apply(document, SetSentence{long_sentence});
  CHECK(tokens_of(tokens).size() == 4096);
  CHECK_THROWS_WITH(apply(heads, SetSentence{long_sentence}),
                    fault_at("64 heads", "4096 tokens", "at most 2048 tokens"));
  CHECK_THROWS_WITH(apply(tokens, SetHeads{64}), fault_at("64 heads", "4096 tokens", "at most 2048 tokens"));
  CHECK_NOTHROW(apply(tokens, SetHeads{16}));
}

TEST_CASE("edit: a model width makes new weights and the nearest head count", "[core][edit]") {
  const Document narrow = apply(default_document(), SetModelWidth{12});
  CHECK(narrow.layers[0].heads == 6);  // divisors of 12: 6 and 12 about 8, 6 is nearer
  CHECK(same_bits<float>(*narrow.layers[0].weights.W_Q, *initial_weights({12, 12, 12}, Init::xavier, 7).W_Q));
  CHECK(apply(default_document(), SetModelWidth{10}).layers[0].heads == 10);
  const Document wide = apply(apply(explicit_document(), SetWeightSource{Init::xavier, 9, SetWeightSource::Gain::none}),
                              SetModelWidth{128});
  CHECK(wide.embedding.kind == Embedding::Kind::hashed);
  WeightSource seeded;
  seeded.seed = 9;
  CHECK(wide.layers[0].source == seeded);
  CHECK_FALSE(wide.layers[0].weights.b_Q);
  check_document(wide);
  CHECK(same_document(apply(explicit_document(), SetModelWidth{64}), explicit_document()) == true);
  CHECK_THROWS_AS(apply(wide, SetModelWidth{0}), InputError);
  CHECK_THROWS_AS(apply(wide, SetModelWidth{1025}), InputError);
}

TEST_CASE("edit: the head count re-cuts the very same matrices", "[core][edit]") {
  const Document document = default_document();
  const Document changed = apply(document, SetHeads{4});
  CHECK(changed.layers[0].heads == 4);
  CHECK(changed.layers[0].weights.W_Q == document.layers[0].weights.W_Q);
  CHECK(changed.layers[0].weights.W_O == document.layers[0].weights.W_O);
  CHECK_THROWS_WITH(apply(document, SetHeads{5}), fault_at("heads", "1, 2, 4, 8, 16, 32, 64"));
  CHECK_THROWS_AS(apply(document, SetHeads{0}), InputError);
}

TEST_CASE("edit: masks, temperature and positions are checked", "[core][edit]") {
  const Document document = default_document();
  const auto n = static_cast<Index>(tokens_of(document).size());
  CHECK(apply(document, SetMask{{Mask::Kind::causal, ones(2)}}).layers[0].mask.allowed == nullptr);
  CHECK_THROWS_AS(apply(document, SetMask{{Mask::Kind::custom, ones(n + 1)}}), InputError);
  CHECK_THROWS_AS(apply(document, SetMask{{Mask::Kind::custom, nullptr}}), InputError);
  check_document(apply(document, SetMask{{Mask::Kind::custom, ones(n)}}));
  CHECK(apply(document, SetSetting{LayerSetting::temperature, 0.5f}).layers[0].settings.temperature == 0.5f);
  for (const float bad :
       {0.0f, -1.0f, 101.0f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
    CHECK_THROWS_AS(apply(document, SetSetting{LayerSetting::temperature, bad}), InputError);
  CHECK_FALSE(apply(document, SetSetting{LayerSetting::scale, false}).layers[0].settings.scale);
  CHECK(evaluate(apply(document, SetPositions{Embedding::Positions::none}))->positions == nullptr);
  CHECK_THROWS_AS(apply(explicit_document(), SetPositions{Embedding::Positions::none}), InputError);
}

TEST_CASE("edit: a cell changes one matrix and shares the others", "[core][edit]") {
  const Document document = default_document();
  const Document changed = apply(document, set_cell(Quantity::W_V, 3, 12, 0.25f));
  CHECK((*changed.layers[0].weights.W_V)(3, 12) == 0.25f);
  CHECK((*document.layers[0].weights.W_V)(3, 12) != 0.25f);
  CHECK(changed.layers[0].weights.W_Q == document.layers[0].weights.W_Q);
  const Document again = apply(changed, set_cell(Quantity::W_V, 3, 12, 0.25f));
  CHECK(again.layers[0].weights.W_V == changed.layers[0].weights.W_V);
  CHECK(changed.layers[0].source == document.layers[0].source);
}

TEST_CASE("edit: a bias that is not there starts as zeros", "[core][edit]") {
  const Document changed = apply(default_document(), set_cell(Quantity::b_K, 0, 5, -1.5f));
  const Array<float>& b = changed.layers[0].weights.b_K;
  REQUIRE(b);
  CHECK((*b)(0, 5) == -1.5f);
  CHECK(b->cwiseAbs().sum() == 1.5f);
  CHECK_FALSE(changed.layers[0].weights.b_Q);
  CHECK_THROWS_AS(apply(changed, set_cell(Quantity::b_K, 1, 0, 1.0f)), InputError);
}

TEST_CASE("edit: cells of a hashed X are listed once, in order, and only when they differ", "[core][edit]") {
  const Document first = default_document();
  const auto trace = evaluate(first);
  CHECK(same_document(apply(first, set_cell(Quantity::X, 4, 7, (*trace->X)(4, 7))), first));
  Document document = first;
  for (const auto& [row, col] : {std::pair<Index, Index>{4, 7}, {0, 9}, {4, 2}, {0, 9}})
    document = apply(document, set_cell(Quantity::X, row, col, static_cast<float>(row + col)));
  CHECK(document.embedding.edits == std::vector<CellValue>{{0, 9, 9}, {4, 2, 6}, {4, 7, 11}});
  const Document block = apply(document, SetBlock{Quantity::X, 3, 6, share(Mat<float>(Mat<float>::Zero(2, 3)))});
  CHECK(block.embedding.edits ==
        std::vector<CellValue>{{0, 9, 9}, {3, 6, 0}, {3, 7, 0}, {3, 8, 0}, {4, 2, 6}, {4, 6, 0}, {4, 7, 0}, {4, 8, 0}});
  check_document(block);
  CHECK(evaluate(block)->X->block(3, 6, 2, 3).isZero(0));
}

TEST_CASE("edit: blocks outside, and numbers that are not finite, are refused", "[core][edit]") {
  const Document document = default_document();
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  for (const Quantity p : {Quantity::X, Quantity::W_Q, Quantity::W_O, Quantity::b_O}) {
    CHECK_THROWS_AS(apply(document, set_cell(p, 0, 64, 1.0f)), InputError);
    CHECK_THROWS_AS(apply(document, set_cell(p, -1, 0, 1.0f)), InputError);
    CHECK_THROWS_AS(apply(document, set_cell(p, 64, 0, 1.0f)), InputError);
    CHECK_THROWS_WITH(apply(document, set_cell(p, 0, 3, nan)), Contains(entry_of(p).key) && Contains("3]"));
    CHECK_THROWS_AS(apply(document, set_cell(p, 0, 3, infinity)), InputError);
  }
}

TEST_CASE("edit: seeds bring back seeded numbers, hand-made ones go", "[core][edit]") {
  Document document = apply(default_document(), set_cell(Quantity::W_Q, 0, 0, 5.0f));
  document = apply(document, set_cell(Quantity::b_Q, 0, 0, 5.0f));
  document = apply(document, set_cell(Quantity::X, 0, 0, 5.0f));
  CHECK(
      same_document(apply(apply(document, SetWeightSource{Init::xavier, 7}), SetEmbedding{Embedding::Kind::hashed, 1}),
                    default_document()));
  const Document identity = apply(document, SetWeightSource{Init::identity, 7});
  CHECK(identity.layers[0].weights.W_K->isIdentity(0));
  const Document hashed = apply(explicit_document(), SetEmbedding{Embedding::Kind::hashed, 3});
  CHECK(hashed.embedding.X == nullptr);
  check_document(hashed);
}

TEST_CASE("edit: replacing the document checks it", "[core][edit]") {
  Document broken = default_document();
  broken.layers[0].heads = 7;
  CHECK_THROWS_AS(apply(default_document(), ReplaceDocument{broken, "x.json"}), InputError);
  const Document other = explicit_document();
  CHECK(same_document(apply(default_document(), ReplaceDocument{other, "x.json"}), other));
}

TEST_CASE("edit: every edit has a short description", "[core][edit]") {
  CHECK(describe(set_cell(Quantity::W_Q, 3, 12, 0.25f)) == "W_Q[3, 12] = 0.25");
  CHECK(describe(set_cell(Quantity::b_O, 0, 4, -1)) == "b_O[4] = -1");
  CHECK(describe(SetBlock{Quantity::W_K, 2, 0, share(Mat<float>(Mat<float>::Zero(1, 64)))}) ==
        "1 x 64 numbers at W_K[2, 0]");
  CHECK(describe(SetHeads{4}) == "heads 4");
  CHECK(describe(SetMask{{Mask::Kind::causal, nullptr}}) == "causal mask");
  CHECK(describe(SetWeightSource{Init::identity, 3}) == "identity weights");
  CHECK(describe(SetSentence{"Hi"}) == "sentence \"Hi\"");
  std::string sentence(39, 'a');
  sentence += "ééé";  // the 40th byte is within the first é
  CHECK(describe(SetSentence{sentence}) == "sentence \"" + sentence.substr(0, 39) + "…\"");
  CHECK(describe(ReplaceDocument{default_document(), "lesson.json"}) == "open lesson.json");
}

TEST_CASE("edit: gates belong to heads as they are cut", "[core][edit][gates]") {
  const Document document = default_document();
  const Document half = apply(document, SetGate{2, 0.5f});
  CHECK(half.layers[0].gates == std::vector<float>{1, 1, 0.5f, 1, 1, 1, 1, 1});
  CHECK(apply(half, SetGate{2, 1}).layers[0].gates.empty());
  CHECK(apply(half, SetHeads{8}).layers[0].gates == half.layers[0].gates);
  CHECK(apply(half, SetHeads{4}).layers[0].gates.empty());
  CHECK(apply(half, SetModelWidth{32}).layers[0].gates == half.layers[0].gates);
  CHECK(apply(half, SetModelWidth{12}).layers[0].gates.empty());
  CHECK(apply(half, SetSentence{"another one"}).layers[0].gates == half.layers[0].gates);
  CHECK_FALSE(same_document(half, document));
  CHECK_THROWS_WITH(apply(document, SetGate{8, 1}), fault_at("head 9", "the layer has 8"));
  CHECK_THROWS_WITH(apply(document, SetGate{0, 2.5f}), fault_at("a gate", "from 0 to 2"));
  CHECK_THROWS_WITH(apply(document, SetGates{{1, 0}}), fault_at("a gate", "each of the 8 heads, not 2"));
  CHECK(describe(SetGate{2, 0.5f}) == "gate of head 3 = 0.5");
  CHECK(describe(SetGates{{0, 1, 0}}) == "only head 2");
  CHECK(describe(SetGates{}) == "all gates 1");
}

TEST_CASE("edit: weights made by a tool come as one edit", "[core][edit]") {
  const Document document = default_document();
  AttentionWeights<float> weights = document.layers[0].weights;
  weights.W_O = share(Mat<float>(*weights.W_O * 2));
  weights.W_K = share(Mat<float>(*weights.W_K));
  const Document changed = apply(document, SetWeights{weights, "collapse", "0.4"});
  CHECK(changed.layers[0].weights.W_O == weights.W_O);
  CHECK(changed.layers[0].weights.W_K == document.layers[0].weights.W_K);  // equal numbers stay the same matrix
  CHECK(describe(SetWeights{weights, "collapse", "0.4"}) == "collapse 0.4");

  const Document slices = apply(document, SetSplit{Split::slice});
  CHECK(apply(slices, SetWeights{weights, "solve W_O", ""}).layers[0].weights.W_O == weights.W_O);
  weights.W_Q = share(Mat<float>(*weights.W_Q * 2));
  CHECK_THROWS_WITH(apply(slices, SetWeights{weights, "repel", ""}),
                    fault_at("heads", "let each head see the whole embedding"));
  weights.W_Q = share(Mat<float>(*weights.W_Q * std::numeric_limits<float>::infinity()));
  CHECK_THROWS_WITH(apply(document, SetWeights{weights, "repel", ""}), fault_at("W_Q", "finite"));
}

TEST_CASE("edit: all parameters of the model at once, with gates", "[document]") {
  const Document document = hydra::apply(default_document(), {AddLayer{}, 0});
  Document other = hydra::apply(hydra::apply(document, {SetWeightSource{Init::xavier, 99}, 0}),
                                {SetWeightSource{Init::xavier, 100}, 1});
  SetParameters set;
  set.weights = other.weights;
  for (const Layer& layer : other.layers) set.layers.push_back({layer.source, layer.weights, {}});
  mark(other.layers[0], WeightSource::Kind::trained);
  set.layers[0].source = other.layers[0].source;
  set.layers[1].gates = std::vector<float>(8, 1);
  set.layers[1].gates[3] = 0;
  set.what = "train: step 7";
  const Document changed = hydra::apply(document, {set, 0});
  CHECK(same_bits(changed.layers[0].weights.W_Q, other.layers[0].weights.W_Q));
  CHECK(same_bits(changed.layers[1].weights.W_O, other.layers[1].weights.W_O));
  CHECK(changed.layers[0].gates.empty());
  CHECK(changed.layers[1].gates[3] == 0);
  CHECK(changed.layers[0].source.kind == WeightSource::Kind::trained);
  CHECK(changed.layers[1].source == other.layers[1].source);
  CHECK(changed.sentence == document.sentence);
  CHECK(describe(Edit(set, 0)) == "train: step 7");
  CHECK(one_gesture(Edit(set, 0), Edit(set, 0)));
  CHECK(same_document(parse_document(document_text(changed), "f"), changed));
  // Not of another model.
  CHECK_THROWS_WITH(hydra::apply(default_document(), {set, 0}),
                    fault_at("the weights", "2 layers; the document has 1"));
  set.layers[0].weights.W_Q = set.layers[0].weights.b_Q;
  CHECK_THROWS_AS(hydra::apply(document, {set, 0}), InputError);
}
