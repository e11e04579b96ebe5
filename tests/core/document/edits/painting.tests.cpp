// Painted rows and the split in documents: edits, files, evaluation, arithmetic.
#include <catch2/catch.hpp>

#include "core/document/edits/history.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/explain/explain.h"
#include "core/explain/links.h"
#include "core/io/file.h"
#include "core/linalg/same_bits.h"
#include "tests/core/document/shipped/designed_stacks.h"
#include "tests/support/data.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using test::fault_at;

namespace {

Array<float> row_of(std::initializer_list<float> numbers) {
  RowVec<float> row(static_cast<Index>(numbers.size()));
  Index k = 0;
  for (const float number : numbers) row(k++) = number;
  return share(std::move(row));
}

// "the cat sat", d_model 4, two heads; a row of the attention of the first and a value of the second are painted.
Document painted_document() {
  Document document = apply(apply(default_document(), SetModelWidth{4}), SetSentence{"the cat sat"});
  document = apply(document, SetHeads{2});
  document = apply(document, PaintAttention{0, 1, row_of({1, 1, 2})});
  return apply(document, PaintValue{1, 2, row_of({5, -6})});
}

const Layer& painted_layer(const Document& document) { return document.layers.front(); }
const Array<float>* attention_of(const Document& document, Index head, Index row) {
  const PaintedHead<float>* painted = painted_head(painted_layer(document).painted, head);
  return painted ? painted_row(painted->attention, row) : nullptr;
}
const Array<float>* values_of(const Document& document, Index head, Index row) {
  const PaintedHead<float>* painted = painted_head(painted_layer(document).painted, head);
  return painted ? painted_row(painted->values, row) : nullptr;
}

Document paper_exercise() { return read_document(test::data("../../assets/documents/paper_exercise.json")); }

}  // namespace

TEST_CASE("painting: the exercise on paper gives its true numbers", "[core][painting]") {
  const auto trace = evaluate(paper_exercise());
  const LayerTrace<float>& layer = trace->layers.front();
  constexpr Index it = 3;
  REQUIRE(trace->tokens[it] == "it");
  // Head 1: 0.70 animal + 0.05 road + 0.10 because + 0.05 was + 0.10 tired
  //   0.56 + 0.005 + 0.02 + 0.005 + 0.03 = 0.62      0.07 + 0.035 + 0.02 + 0.005 + 0.06 = 0.19
  //   0 + 0.005 + 0.06 + 0.01 + 0.01 = 0.085         0.14 + 0 + 0.01 + 0.04 + 0.02 = 0.21
  // Head 2: 0.20 animal + 0.55 tired + 0.05 road + 0.15 was + 0.05 because
  //   0.16 + 0.165 + 0.005 + 0.015 + 0.01 = 0.355    0.02 + 0.33 + 0.035 + 0.015 + 0.01 = 0.41
  //   0 + 0.055 + 0.005 + 0.03 + 0.03 = 0.12         0.04 + 0.11 + 0 + 0.12 + 0.005 = 0.275
  const double expected[] = {0.62, 0.19, 0.085, 0.21, 0.355, 0.41, 0.12, 0.275};
  CHECK(test::says(paper_exercise(), "Head 1: [0.62, 0.19, 0.085, 0.21]. Head 2: [0.355, 0.41, 0.12, 0.275]."));
  for (Index k = 0; k < 8; ++k) {
    CHECK(static_cast<double>((*layer.concat)(it, k)) == Approx(expected[k]).margin(1e-6));
    CHECK((*layer.output)(it, k) == (*layer.concat)(it, k));  // W_O is the identity
  }
}

TEST_CASE("painting: a painted row is normalized, replaced, let go", "[core][painting]") {
  const Document document = painted_document();
  check_document(document);
  REQUIRE(attention_of(document, 0, 1));
  CHECK(**attention_of(document, 0, 1) == *row_of({0.25f, 0.25f, 0.5f}));
  CHECK(**values_of(document, 1, 2) == *row_of({5, -6}));
  const auto trace = evaluate(document);
  CHECK(trace->layers[0].heads[0].attention->row(1) == *row_of({0.25f, 0.25f, 0.5f}));
  CHECK(trace->layers[0].heads[1].V->row(2) == *row_of({5, -6}));
  const Document again = apply(document, PaintAttention{0, 1, row_of({1, 0, 0})});
  CHECK(painted_layer(again).painted[0].attention.size() == 1);
  CHECK(painted_layer(apply(document, PaintAttention{0, 0, row_of({1, 0, 0})})).painted[0].attention[0].row == 0);
  // Letting go of the last row leaves the document as if nothing had been painted.
  const Document plain = apply(apply(document, Unpaint{0, 1}), Unpaint{1, std::nullopt});
  CHECK(painted_layer(plain).painted.empty());
  CHECK(same_document(apply(apply(plain, PaintValue{0, 0, row_of({1, 2})}), Unpaint{0, 0}), plain));
}

TEST_CASE("painting: letting go of a part leaves the other", "[core][painting]") {
  const Document document = apply(painted_document(), PaintValue{0, 1, row_of({1, 2})});
  const Document attention = apply(document, Unpaint{0, 1, Unpaint::Part::attention});
  CHECK_FALSE(attention_of(attention, 0, 1));
  CHECK(values_of(attention, 0, 1));
  const Document values = apply(document, Unpaint{0, 1, Unpaint::Part::values});
  CHECK(attention_of(values, 0, 1));
  CHECK_FALSE(values_of(values, 0, 1));
  CHECK(same_document(apply(document, Unpaint{0, 0}), document));
}

TEST_CASE("painting: edits that paint nothing possible are refused", "[core][painting]") {
  const Document document = painted_document();
  CHECK_THROWS_WITH(apply(document, PaintAttention{2, 0, row_of({1, 0, 0})}), fault_at("head 2", "there are 2"));
  CHECK_THROWS_WITH(apply(document, PaintAttention{0, 3, row_of({1, 0, 0})}), fault_at("row 3", "3 tokens"));
  CHECK_THROWS_WITH(apply(document, PaintAttention{0, 0, row_of({1, 0})}), fault_at("row of attention", "3 numbers"));
  CHECK_THROWS_WITH(apply(document, PaintAttention{0, 0, row_of({0, 0, 0})}), fault_at("all weights", "0"));
  CHECK_THROWS_AS(apply(document, PaintAttention{0, 0, row_of({2, -1, 0})}), InputError);
  CHECK_THROWS_AS(apply(document, PaintAttention{0, 0, nullptr}), InputError);
  CHECK_THROWS_WITH(apply(document, PaintValue{0, 0, row_of({1, 2, 3})}), fault_at("row of values", "2 numbers"));
  CHECK_THROWS_AS(apply(document, PaintValue{0, 0, row_of({1, INFINITY})}), InputError);
  CHECK_THROWS_AS(apply(document, Unpaint{0, -1}), InputError);
  CHECK_THROWS_AS(apply(document, Unpaint{-1, 0}), InputError);
  const Document causal = apply(document, SetMask{{Mask::Kind::causal, nullptr}});
  CHECK_THROWS_WITH(apply(causal, PaintAttention{0, 0, row_of({1, 1, 0})}),
                    fault_at("the mask", "hides token 1 from token 0"));
}

TEST_CASE("painting: a mask drops the rows that break it, undo has them", "[core][painting]") {
  const Document document = apply(painted_document(), PaintAttention{0, 2, row_of({1, 1, 2})});
  History history(document);
  history.apply(SetMask{{Mask::Kind::causal, nullptr}});
  check_document(history.current());
  CHECK_FALSE(attention_of(history.current(), 0, 1));
  CHECK(attention_of(history.current(), 0, 2));
  CHECK(values_of(history.current(), 1, 2));
  history.undo();
  CHECK(same_document(history.current(), document));
}

TEST_CASE("painting: a sentence keeps what still means something", "[core][painting]") {
  const Document document = painted_document();
  const Document spaces = apply(document, SetSentence{" the  cat sat "});  // the same tokens
  CHECK(attention_of(spaces, 0, 1));
  const Document longer = apply(document, SetSentence{"the dog sat down"});
  check_document(longer);
  CHECK_FALSE(attention_of(longer, 0, 1));
  CHECK(values_of(longer, 1, 2));  // "sat" stays in place
  const Document moved = apply(document, SetSentence{"a cat and sat"});
  CHECK(painted_layer(moved).painted.empty());
  check_document(apply(document, SetSentence{"the"}));
}

TEST_CASE("painting: other heads drop it, another width its values", "[core][painting]") {
  const Document document = painted_document();
  CHECK(painted_layer(apply(document, SetHeads{1})).painted.empty());
  CHECK(same_document(apply(document, SetHeads{2}), document));
  const Document wide = apply(document, SetModelWidth{8});
  REQUIRE(painted_layer(wide).heads == 2);
  check_document(wide);
  CHECK(attention_of(wide, 0, 1));
  CHECK_FALSE(values_of(wide, 1, 2));
  const Document odd = apply(document, SetModelWidth{7});
  CHECK(painted_layer(odd).painted.empty());
  check_document(odd);
}

TEST_CASE("painting: an unchanged painting is not computed again", "[core][painting]") {
  const Document document = painted_document();
  const auto before = evaluate(document);
  const auto same = evaluate(apply(document, PaintAttention{0, 1, row_of({0.25f, 0.25f, 0.5f})}), before.get());
  CHECK(same->layers[0].output == before->layers[0].output);
  const auto other = evaluate(apply(document, PaintAttention{0, 1, row_of({1, 0, 0})}), before.get());
  CHECK(other->layers[0].heads[0].scores == before->layers[0].heads[0].scores);
  CHECK(other->layers[0].heads[0].V == before->layers[0].heads[0].V);
  CHECK(other->layers[0].heads[1].contribution == before->layers[0].heads[1].contribution);
}

TEST_CASE("painting: written canonically, read back to the same document", "[core][painting]") {
  const Document document = apply(painted_document(), SetSplit{Split::slice});
  CHECK_THAT(document_text(document), Contains(R"("scale": true,
      "split": "slice",
      "weights": {"kind": "random", "seed": 7},
      "painted": [
        {
          "head": 0,
          "attention": [
            [1, [0.25, 0.25, 0.5]]
          ]
        },
        {
          "head": 1,
          "values": [
            [2, [5, -6]]
          ]
        }
      ]
    }
)"));
  CHECK(same_document(parse_document(document_text(document), "f"), document));
  CHECK_FALSE(same_document(document, painted_document()));
  CHECK_FALSE(same_document(apply(document, PaintValue{1, 2, row_of({5, -7})}), document));
}

TEST_CASE("painting: arithmetic says what is set by hand, and stops there", "[core][painting]") {
  const auto trace = evaluate(painted_document());
  const Cell weight{{Quantity::attention, 0, 0}, 1, 2}, value{{Quantity::V, 0, 1}, 2, 1};
  for (const Cell& cell : {weight, value}) {
    const Explanation e = explain(*trace, cell);
    REQUIRE(e.steps.size() == 1);
    CHECK_THAT(e.steps[0].text, Contains("set by hand"));
    CHECK(e.steps[0].result == e.value);
    CHECK(e.steps[0].terms.empty());
    for (const Quantity earlier : {Quantity::X, Quantity::W_Q, Quantity::W_V})
      CHECK(linked(*trace, cell, {earlier}).empty());
  }
  CHECK(explain(*trace, {{Quantity::attention, 0, 0}, 0, 2}).steps.size() == 3);
  CHECK(explain(*trace, {{Quantity::attention, 0, 1}, 1, 2}).steps.size() == 3);
  CHECK(explain(*trace, {{Quantity::V, 0, 0}, 2, 1}).steps[0].terms.size() == 4);
  CHECK(linked(*trace, weight, {Quantity::scores, 0, 0}).empty());
}

TEST_CASE("split: slices equal a projection with zeroed blocks, bit for bit", "[core][split]") {
  const Document document = apply(default_document(), SetSplit{Split::slice});
  Document zeroed = default_document();
  AttentionWeights<float>& weights = zeroed.layers[0].weights;
  for (Array<float>* W : {&weights.W_Q, &weights.W_K, &weights.W_V}) {
    Mat<float> values = **W;
    for (Index i = 0; i < 64; ++i)
      for (Index j = 0; j < 64; ++j)
        if (i / 8 != j / 8) values(i, j) = 0;
    *W = share(std::move(values));
  }
  const auto a = evaluate(document), b = evaluate(zeroed);
  CHECK(same_bits<float>(a->layers[0].output, b->layers[0].output));
  CHECK(same_bits<float>(a->layers[0].input.weights.W_K, weights.W_K));
  CHECK_FALSE(same_bits<float>(a->layers[0].output, evaluate(default_document())->layers[0].output));
}

TEST_CASE("split: switching back loses nothing, what is used is shared while it stays", "[core][split]") {
  const Document document = apply(default_document(), SetSplit{Split::slice});
  CHECK(same_document(apply(document, SetSplit{Split::projection}), default_document()));
  const auto before = evaluate(document);
  const auto after = evaluate(apply(document, SetSetting{LayerSetting::temperature, 2}), before.get());
  CHECK(after->layers[0].input.weights.W_Q == before->layers[0].input.weights.W_Q);
  CHECK(after->layers[0].heads[0].Q == before->layers[0].heads[0].Q);
  const Document identity = apply(default_document(), SetWeightSource{Init::identity, 1});
  CHECK(same_bits<float>(evaluate(apply(identity, SetSplit{Split::slice}))->layers[0].output,
                         evaluate(identity)->layers[0].output));
}

TEST_CASE("split: a weight that no slice reads refuses a number and keeps its own", "[core][split]") {
  const Document document = apply(default_document(), SetSplit{Split::slice});  // d_k = 8
  CHECK_THROWS_WITH(apply(document, set_cell(Quantity::W_Q, 3, 20, 0.5f)),
                    fault_at("W_Q[3, 20]", "does not count", "whole embedding"));
  CHECK_THROWS_AS(apply(document, set_cell(Quantity::W_V, 3, 20, 0.0f)), InputError);
  CHECK_NOTHROW(apply(document, set_cell(Quantity::W_O, 3, 20, 0.5f)));
  CHECK((*painted_layer(apply(document, set_cell(Quantity::W_K, 17, 20, 0.5f))).weights.W_K)(17, 20) == 0.5f);
  // A whole row at once: the slice's part changes, the rest stays under zeros and refuses other numbers.
  const Document zeroed = apply(document, SetBlock{Quantity::W_Q, 3, 0, share(Mat<float>(Mat<float>::Zero(1, 64)))});
  CHECK(painted_layer(zeroed).weights.W_Q->row(3).head(8).isZero(0));
  CHECK(painted_layer(zeroed).weights.W_Q->row(3).tail(56) == painted_layer(document).weights.W_Q->row(3).tail(56));
  CHECK_THROWS_AS(apply(document, SetBlock{Quantity::W_Q, 3, 0, share(Mat<float>(Mat<float>::Ones(1, 64)))}),
                  InputError);
}

TEST_CASE("split: arithmetic and links know the slice", "[core][split]") {
  const auto trace = evaluate(apply(default_document(), SetSplit{Split::slice}));
  const Cell unread{{Quantity::W_Q, 0, 2}, 3, 4}, read{{Quantity::W_Q, 0, 2}, 17, 4};
  CHECK_THAT(explain(*trace, unread).steps[0].text, Contains("counts as 0"));
  CHECK(explain(*trace, unread).value == 0);
  CHECK_THAT(explain(*trace, read).steps[0].text, Contains("an input number"));
  CHECK(linked(*trace, unread, {Quantity::Q, 0, 2}).empty());
  CHECK(linked(*trace, read, {Quantity::Q, 0, 2}).size() == 1);
  const Cell query{{Quantity::Q, 0, 2}, 5, 1};
  CHECK(linked(*trace, query, {Quantity::X}) == std::vector<Region>{{5, 6, 16, 24, Region::Role::input}});
  CHECK(linked(*trace, query, {Quantity::W_Q, 0, 2}) == std::vector<Region>{{16, 24, 1, 2, Region::Role::input}});
  CHECK(linked(*trace, {{Quantity::X}, 5, 17}, {Quantity::Q, 0, 2}).size() == 1);
  CHECK(linked(*trace, {{Quantity::X}, 5, 17}, {Quantity::Q, 0, 3}).empty());
}

TEST_CASE("painting: edits have short descriptions", "[core][painting]") {
  CHECK(describe(PaintAttention{1, 3, nullptr}) == "attention by hand of head 2, row 3");
  CHECK(describe(PaintValue{0, 2, nullptr}) == "values by hand of head 1, row 2");
  CHECK(describe(Unpaint{0, std::nullopt}) == "clear painting of head 1");
  CHECK(describe(Unpaint{0, 3, Unpaint::Part::attention}) == "clear attention by hand of head 1, row 3");
  CHECK(describe(SetSplit{Split::slice}) == "each head sees its slice");
}
