#include "core/document/evaluate.h"

#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/text/embedding.h"

using namespace hydra;

namespace {

Document small_document() {
  Document document = default_document();
  document.tokens = std::vector<std::string>{"a", "b", "a", "c"};
  return document;
}

// The document with one number of one weight matrix changed.
Document with_cell(Document document, Array<float> AttentionWeights<float>::*W, Index row, Index col) {
  Array<float>& matrix = document.layers[0].weights.*W;
  Mat<float> values = *matrix;
  values(row, col) += 0.5f;
  matrix = replaced_block(matrix, std::move(values), row, col, 1, 1);
  return document;
}

}  // namespace

TEST_CASE("evaluate: X is embedding plus positions, entries set by hand replace the sum", "[core][evaluate]") {
  Document document = small_document();
  document.embedding.edits = {{1, 2, 7.5f}, {3, 0, -1}};
  const auto trace = evaluate(document);
  CHECK(*trace->embedding == hashed_embedding(*document.tokens, 64, 1));
  CHECK(*trace->positions == sinusoidal_positions(4, 64));
  Mat<float> X = *trace->embedding + *trace->positions;
  X(1, 2) = 7.5f;
  X(3, 0) = -1;
  CHECK(*trace->X == X);
  CHECK(trace->layers.at(0).input.X == trace->X);
}

TEST_CASE("evaluate: entries set by hand hold with positions off too", "[core][evaluate]") {
  Document document = small_document();
  document.embedding.positions = Embedding::Positions::none;
  const auto plain = evaluate(document);
  CHECK(plain->positions == nullptr);
  CHECK(plain->X == plain->embedding);
  document.embedding.edits = {{0, 63, 2}};
  const auto edited = evaluate(document, plain.get());
  CHECK(edited->embedding == plain->embedding);
  CHECK((*edited->X)(0, 63) == 2);
  CHECK((edited->X->array() != plain->X->array()).count() == 1);
}

TEST_CASE("evaluate: an explicit X is taken as it is", "[core][evaluate]") {
  Document document = small_document();
  document.embedding.kind = Embedding::Kind::explicit_values;
  document.embedding.X = share(Mat<float>(Mat<float>::Random(4, 64)));
  document.embedding.edits = {{0, 0, 9}};  // of the hashed embedding: waiting for its return
  const auto trace = evaluate(document, evaluate(small_document()).get());
  CHECK(trace->X == document.embedding.X);
  CHECK(trace->positions == nullptr);
}

TEST_CASE("evaluate: what an edit leaves alone is shared with the previous trace", "[core][evaluate]") {
  const Document document = small_document();
  const auto before = evaluate(document);
  SECTION("a cell of W_V: the head's values and what hangs on them") {
    const auto after = evaluate(with_cell(document, &AttentionWeights<float>::W_V, 5, 17), before.get());
    CHECK(after->X == before->X);
    for (std::size_t h = 0; h < 8; ++h) {
      const HeadTrace<float>&a = after->layers[0].heads[h], &b = before->layers[0].heads[h];
      CHECK((a.Q == b.Q && a.K == b.K && a.scores == b.scores && a.attention == b.attention));
      CHECK((a.V == b.V) == (h != 2));
      CHECK((a.output == b.output) == (h != 2));
      CHECK((a.contribution == b.contribution) == (h != 2));
    }
    CHECK(after->layers[0].concat != before->layers[0].concat);
    CHECK(after->layers[0].output != before->layers[0].output);
  }
  SECTION("a cell of W_O: the head's contribution and Y") {
    const auto after = evaluate(with_cell(document, &AttentionWeights<float>::W_O, 17, 5), before.get());
    for (std::size_t h = 0; h < 8; ++h) {
      CHECK(after->layers[0].heads[h].output == before->layers[0].heads[h].output);
      CHECK((after->layers[0].heads[h].contribution == before->layers[0].heads[h].contribution) == (h != 2));
    }
    CHECK(after->layers[0].concat == before->layers[0].concat);
    CHECK(after->layers[0].output != before->layers[0].output);
  }
  SECTION("nothing: everything, though the document is another object") {
    const auto after = evaluate(Document(document), before.get());
    CHECK(after->X == before->X);
    CHECK(after->positions == before->positions);
    CHECK(after->layers[0].heads[0].Q == before->layers[0].heads[0].Q);
    CHECK(after->layers[0].output == before->layers[0].output);
  }
}

TEST_CASE("evaluate: previous may be a trace of any other document", "[core][evaluate]") {
  const Document document = small_document();
  const auto scratch = evaluate(document);
  Document other = document;
  SECTION("more words") { other.tokens->push_back("d"); }
  SECTION("other words") { other.tokens->front() = "z"; }
  SECTION("another seed") { other.embedding.seed = 2; }
  SECTION("fewer heads") { other.layers[0].heads = 2; }
  SECTION("another width") {
    other.d_model = 16;
    other.layers[0].weights = initial_weights({16, 16, 16}, Init::xavier, 7);
  }
  SECTION("no positions") { other.embedding.positions = Embedding::Positions::none; }
  SECTION("an X of its own") {
    other.embedding.kind = Embedding::Kind::explicit_values;
    other.embedding.X = share(Mat<float>(Mat<float>::Ones(4, 64)));
  }
  const auto after = evaluate(document, evaluate(other).get());
  CHECK(after->tokens == scratch->tokens);
  CHECK(*after->X == *scratch->X);
  CHECK(*after->layers[0].output == *scratch->layers[0].output);
}

TEST_CASE("evaluate: the beginning of a deep stack, of which nothing else is looked at", "[core][evaluate]") {
  Document document = apply(default_document(), SetModelWidth{32});
  document = apply(document, SetModelSetting{ModelSetting::readout, static_cast<double>(ReadoutKind::own)});
  document = apply(document, SetModelSetting{ModelSetting::final_norm, 1});
  document.layers.assign(6, document.layers.front());
  int read = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    document.layers[k].weights = initial_weights({32, 32, 32}, Init::xavier, k);
    const Mat<float> values = *document.layers[k].weights.W_O;
    const auto later = std::make_shared<const ReadLater<float>>(32, 32, [&read, values](Mat<float>& out) {
      ++read;
      out = values;
      return out.data();
    });
    document.layers[k].weights.W_O = Array<float>(later, new_stamp());
  }
  const auto beginning = evaluate_beginning(document, nullptr, nullptr, {.focus = 1});
  CHECK(read == 2);
  REQUIRE(beginning->is_beginning());
  CHECK(beginning->layers.size() == 2);
  CHECK_FALSE(beginning->model.logits);
  CHECK_FALSE(beginning->model.final);
  // Another layer comes into focus before the rest is there: what is there is shared.
  const auto more = evaluate_first(document, *beginning, nullptr, {.focus = 3});
  CHECK(read == 4);
  REQUIRE(more->is_beginning());
  CHECK(more->layers.size() == 4);
  CHECK(more->layer(1).output.owner() == beginning->layer(1).output.owner());
  const auto whole = evaluate(document, more.get()), scratch = evaluate(document);
  CHECK_FALSE(whole->older_from);
  CHECK(whole->layer(3).output.owner() == more->layer(3).output.owner());
  for (Index k = 0; k < 6; ++k) CHECK(*whole->layer(k).output == *scratch->layer(k).output);
  CHECK(*whole->model.logits == *scratch->model.logits);
  // The last layer in focus: there is nothing to wait for.
  CHECK_FALSE(evaluate_first(document, *beginning, nullptr, {.focus = 5})->older_from);
}

TEST_CASE("evaluate: the layers up to the one in focus first, the later ones a moment older", "[core][evaluate]") {
  Document document = default_document();
  document.tokens.emplace();
  for (int k = 0; k < 400; ++k) document.tokens->push_back("w" + std::to_string(k));
  document.d_model = 128;
  document.layers.front().weights = initial_weights({128, 128, 128}, Init::xavier, 7);
  document.layers.assign(12, document.layers.front());
  const auto before = evaluate(document);
  const Keeping focus{.focus = 3};
  const Document edited = apply(document, {set_cell(Quantity::W_O, 2, 3, 5), 1});
  const auto first = evaluate_first(edited, *before, nullptr, focus), whole = evaluate(edited);
  REQUIRE(first->older_from == 4);
  for (Index k = 0; k < 12; ++k) CHECK((k < 4 ? whole : before)->layer(k).output == first->layer(k).output);
  const auto then = evaluate(edited, first.get(), nullptr, focus);
  CHECK_FALSE(then->older_from);
  CHECK(then->layer(2).output == first->layer(2).output);
  for (Index k = 0; k < 12; ++k) CHECK(*then->layer(k).output == *whole->layer(k).output);
  CHECK(with_later_layers(first, *whole)->layer(11).output == whole->layer(11).output);
  CHECK(with_later_layers(whole, *before) == whole);
  // An edit behind the layer in focus: what stands before it is what was there.
  const Document later = apply(document, {set_cell(Quantity::W_O, 2, 3, 5), 8});
  const auto of_later = evaluate_first(later, *before, nullptr, focus);
  for (Index k = 0; k < 8; ++k) CHECK(of_later->layer(k).output.owner() == before->layer(k).output.owner());
  CHECK(*of_later->layer(11).output == *evaluate(later)->layer(11).output);
  CHECK(of_later->sizes.size() == before->sizes.size());
  // An edit behind the layer in focus, other sizes, another sentence: nothing is left for later.
  CHECK_FALSE(
      evaluate_first(apply(document, {set_cell(Quantity::W_O, 2, 3, 5), 8}), *before, nullptr, focus)->older_from);
  CHECK_FALSE(evaluate_first(apply(document, {SetHeads{4}, 7}), *before, nullptr, focus)->older_from);
  Document shorter = document;
  shorter.tokens->pop_back();
  CHECK_FALSE(evaluate_first(shorter, *before, nullptr, focus)->older_from);
}
