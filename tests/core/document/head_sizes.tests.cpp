// Heads with a d_k of their own: reading, writing, edits of the sizes, and what must stay with them.
#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/io/document_text.h"
#include "core/io/file.h"
#include "core/linalg/same_bits.h"
#include "tests/support/faults.h"

using namespace hydra;
using Catch::Contains;
using test::fault_at;

namespace {

Document document_of(const std::string& layer, const std::vector<std::string>& sets = {}) {
  return parse_document(R"({"hydrascope": 1, "sentence": "one two three", "d_model": 12, "layers": [{)" + layer + "}]}",
                        "here", sets);
}

Document with(const Document& document, const Edit& edit) {
  Document changed = apply(document, edit);
  check_document(changed);
  CHECK(same_document(changed, parse_document(document_text(changed), "again")));
  return changed;
}

float largest_apart(const Document& a, const Document& b) {
  return (*evaluate(a)->layer(0).output - *evaluate(b)->layer(0).output).cwiseAbs().maxCoeff();
}

// The part of W that is of one head's first so many numbers.
Mat<float> columns(const Array<float>& W, Index first, Index count) { return W->middleCols(first, count); }

}  // namespace

TEST_CASE("head sizes: a d_k of its own is read, used and written", "[core][document][head_sizes]") {
  const Document document = document_of(R"("heads": 5, "d_k": 3)");
  const Layer& layer = document.layer(0);
  CHECK(layer.own_width == 15);
  CHECK(layer.weights.W_Q->cols() == 15);
  CHECK(layer.weights.W_O->rows() == 15);
  CHECK(layer.weights.W_O->cols() == 12);
  const std::shared_ptr<const Trace> trace = evaluate(document);
  CHECK(trace->layer(0).heads.size() == 5);
  CHECK(trace->layer(0).concat->cols() == 15);
  CHECK(trace->layer(0).output->cols() == 12);
  CHECK(trace->layer(0).input.score_factor(0) == Approx(1 / std::sqrt(3.0)));
  CHECK(document_text(document).find("\"d_k\": 3") != std::string::npos);
  CHECK(same_document(document, parse_document(document_text(document), "again")));
  CHECK(document_of(R"("heads": 5, "d_k": 3)", {"/layers/0/d_k=7"}).layer(0).own_width == 35);
  // With that of d_model / heads it is what it always was.
  const Document usual = document_of(R"("heads": 4, "d_k": 3)");
  CHECK(usual.layer(0).own_width == 0);
  CHECK(same_document(usual, document_of(R"("heads": 4)")));
}

TEST_CASE("head sizes: what cannot be is refused with a sentence", "[core][document][head_sizes]") {
  CHECK_THROWS_WITH(document_of(R"("heads": 5)"), fault_at("/layers/0/heads", "do not divide d_model 12"));
  CHECK_THROWS_WITH(document_of(R"("heads": 5, "d_k": 0)"), fault_at("/layers/0/d_k", "from 1 to 3276"));
  CHECK_THROWS_WITH(document_of(R"("heads": 5, "d_k": 3277)"), fault_at("/layers/0/d_k", "from 1 to 3276"));
  CHECK_THROWS_WITH(document_of(R"("heads": 5, "d_k": "three")"), fault_at("/layers/0/d_k", "whole number"));
  CHECK_THROWS_WITH(document_of(R"("heads": 129, "d_k": 1)"), fault_at("/layers/0/d_k", "heads is 129"));
  CHECK_THROWS_WITH(document_of(R"("heads": 5, "d_k": 3, "split": "slice")"), fault_at("/layers/0/d_k", "slices"));
  CHECK_THROWS_WITH(document_of(R"("heads": 5, "d_k": 3, "rotary": {"width": 4})"),
                    fault_at("/layers/0", "3 numbers of a head"));
  CHECK_THROWS_WITH(document_of(R"("heads": 5, "d_k": 3, "kv_heads": 2)"), fault_at("/layers/0/kv_heads", "divisor"));
  const Document document = document_of(R"("heads": 5, "d_k": 3)");
  CHECK_THROWS_WITH(apply(document, SetHeads{4}), fault_at("4 heads", "do not divide the 15 numbers", "1, 3, 5"));
  CHECK_THROWS_WITH(apply(document, SetSplit{Split::slice}), fault_at("d_k", "slices"));
  CHECK_THROWS_WITH(apply(document, SetHeadSizes{5, 3277}), fault_at("d_k", "from 1 to 3276"));
  Document wide = apply(apply(default_document(), SetModelWidth{512}), SetHeadSizes{32, 128});
  for (int k = 1; k < 24; ++k) wide.layers.push_back(wide.layers.front());
  CHECK_NOTHROW(check_document(wide));
  wide.layers.push_back(wide.layers.front());
  CHECK_THROWS_WITH(check_document(wide),
                    fault_at("all layers", "102400 numbers for each token", "d_model 512 at most 98304"));
}

TEST_CASE("head sizes: weights that nobody changed are those of the seed at any size", "[core][document][head_sizes]") {
  const Document document = document_of(R"("heads": 4, "weights": {"seed": 9})");
  const Document own = with(document, SetHeadSizes{5, 3});
  CHECK(same_document(own, document_of(R"("heads": 5, "d_k": 3, "weights": {"seed": 9})")));
  CHECK(same_document(with(own, SetHeadSizes{4, 3}), document));
  for (const char* init : {"identity", "zero"}) {
    const std::string weights = std::string(R"(, "weights": {"init": ")") + init + "\"}";
    CHECK(same_document(with(document_of(R"("heads": 4)" + weights), SetHeadSizes{2, 9}),
                        document_of(R"("heads": 2, "d_k": 9)" + weights)));
  }
}

TEST_CASE("head sizes: of changed weights each head keeps what it has", "[core][document][head_sizes]") {
  Document document = document_of(R"("heads": 4, "kv_heads": 2, "qk_norm": true, "output_gate": "element",
                                     "sink": "learned", "gates": [1, 0.5, 0, 2])");
  document = apply(document, set_cell(Quantity::W_Q, 2, 7, 5));     // of head 3
  document = apply(document, set_cell(Quantity::W_O, 7, 11, 6));    // of head 3
  document = apply(document, set_cell(Quantity::b_K, 0, 4, 7));     // of the second group
  document = apply(document, set_cell(Quantity::gain_K, 0, 5, 8));  // of the second group
  document = apply(document, set_cell(Quantity::W_G, 1, 6, 9));
  document = apply(document, set_cell(Quantity::sink, 0, 3, 10));
  document = apply(document, PaintAttention{1, 2, share(RowVec<float>(RowVec<float>::Constant(3, 1)))});
  document = apply(document, PaintValue{1, 2, share(RowVec<float>(RowVec<float>::Constant(3, 1)))});
  const Layer& before = document.layer(0);

  const Document wider = with(document, SetHeadSizes{4, 5});
  const Layer& after = wider.layer(0);
  const AttentionWeights<float>&w = after.weights, &old = before.weights;
  CHECK(after.kv_heads() == 2);
  CHECK(w.W_K->cols() == 10);
  for (Index h = 0; h < 4; ++h) {
    CHECK(columns(w.W_Q, 5 * h, 3) == columns(old.W_Q, 3 * h, 3));
    CHECK(w.W_O->middleRows(5 * h, 3) == old.W_O->middleRows(3 * h, 3));
    CHECK(columns(w.W_G, 5 * h, 3) == columns(old.W_G, 3 * h, 3));
    CHECK(columns(w.gain_Q, 5 * h, 3) == columns(old.gain_Q, 3 * h, 3));
    CHECK(columns(w.gain_Q, 5 * h + 3, 2).isConstant(1, 0));  // as gains begin
    CHECK_FALSE(columns(w.W_Q, 5 * h + 3, 2).isZero(0));
  }
  CHECK((*w.b_K)(0, 6) == 7);
  CHECK((*w.b_K).cwiseAbs().sum() == 7);
  CHECK((*w.gain_K)(0, 7) == 8);
  CHECK(*w.sink == *old.sink);
  CHECK(after.gates == before.gates);
  CHECK(after.painted[1].attention.size() == 1);
  CHECK(after.painted[1].values.empty());
  // Back again: what was cut off begins anew, the rest is there.
  CHECK(same_bits<float>(*with(wider, SetHeadSizes{4, 3}).layer(0).weights.W_Q, *old.W_Q));

  const Document more = with(document, SetHeadSizes{6, 3});
  CHECK(more.layer(0).kv_heads() == 3);
  CHECK(columns(more.layer(0).weights.W_Q, 0, 12) == *old.W_Q);
  CHECK(columns(more.layer(0).weights.sink, 0, 4) == *old.sink);
  CHECK(more.layer(0).gates.empty());
  CHECK(with(document, SetHeadSizes{5, 3}).layer(0).kv_heads() == 5);  // groups of two come apart
}

TEST_CASE("head sizes: a number that is 0 everywhere changes nothing, nor does a head that writes nothing",
          "[core][document][head_sizes]") {
  Document document = document_of(R"("heads": 4, "scale": false, "weights": {"seed": 3})");
  document = apply(document, set_cell(Quantity::W_Q, 0, 0, 2));
  Document wider = with(document, SetHeadSizes{4, 5});
  for (const Quantity q : {Quantity::W_Q, Quantity::W_K, Quantity::W_V})
    for (Index h = 0; h < 4; ++h)
      wider = apply(wider, SetBlock{q, 0, 5 * h + 3, share(Mat<float>(Mat<float>::Zero(12, 2)))});
  CHECK(largest_apart(document, wider) < 1e-6f);
  Document more = with(document, SetHeadSizes{5, 3});
  CHECK(largest_apart(document, more) > 1e-3f);
  more = apply(more, SetBlock{Quantity::W_O, 12, 0, share(Mat<float>(Mat<float>::Zero(3, 12)))});
  CHECK(largest_apart(document, more) < 1e-6f);
}

TEST_CASE("head sizes: another number of heads cuts the same matrices", "[core][document][head_sizes]") {
  const Document document = document_of(R"("heads": 5, "d_k": 6)");
  const Document cut = with(document, SetHeads{10});
  CHECK(cut.layer(0).d_k(12) == 3);
  CHECK(cut.layer(0).weights.W_Q == document.layer(0).weights.W_Q);
  const Document other = with(document, SetModelWidth{20});
  CHECK(other.layer(0).heads == 5);
  CHECK(other.layer(0).d_k(20) == 6);
  CHECK(with(document, SetModelWidth{30}).layer(0).own_width == 0);  // d_k is d_model / heads there
}

TEST_CASE("head sizes: differential attention goes with a width that has no halves", "[core][document][head_sizes]") {
  Document document = document_of(R"("heads": 3, "differential": {"lambda_0": 0.3})");
  document = apply(document, set_cell(Quantity::lambda_q1, 0, 1, 2));
  const Document wider = with(document, SetHeadSizes{3, 6});
  CHECK(wider.layer(0).settings.differential);
  CHECK(wider.layer(0).weights.lambda_q1->cols() == 3);
  CHECK((*wider.layer(0).weights.lambda_q1)(0, 1) == 2);
  const Document odd = with(document, SetHeadSizes{3, 5});
  CHECK_FALSE(odd.layer(0).settings.differential);
  CHECK_FALSE(odd.layer(0).weights.lambda_q1);
}

TEST_CASE("head sizes: designed heads are built anew for another width", "[core][document][head_sizes]") {
  Document document = apply(default_document(), SetEmbedding{Embedding::Kind::features, 1});
  const HeadDesign previous = preset_design(HeadPreset::previous);
  document = apply(document, DesignHead{2, previous});
  for (const Index d_k : {4, 20}) {
    const Document sized = with(document, SetHeadSizes{8, d_k});
    const HeadWeights head = designed_head(previous, sized.columns(), d_k);
    CHECK(columns(sized.layer(0).weights.W_Q, 2 * d_k, d_k) == head.W_Q);
    CHECK(Mat<float>(sized.layer(0).weights.W_O->middleRows(2 * d_k, d_k)) == head.W_O);
    CHECK(sized.layer(0).source.designs[2].has_value());
  }
  const Document fewer = with(document, SetHeadSizes{2, 8});
  CHECK(fewer.layer(0).source.designs.size() == 2);
  // One designed where d_k is its own already.
  Document own = apply(apply(default_document(), SetEmbedding{Embedding::Kind::features, 1}), SetHeadSizes{3, 24});
  own = with(own, DesignHead{1, previous});
  CHECK(columns(own.layer(0).weights.W_K, 24, 24) == designed_head(previous, own.columns(), 24).W_K);
  CHECK(describe(SetHeadSizes{3, 24}) == "heads 3 of 24");
}
