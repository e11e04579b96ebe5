#include "core/explain/quantity.h"

#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/document/evaluate.h"

using namespace hydra;

namespace {

// "it saw it" with 2 heads of width 3; weights number their own entries so that a wrong block is seen at once.
Document counted_document() {
  Document document = default_document();
  document.sentence = "it saw it";
  document.d_model = 6;
  Mat<float> W(6, 6);
  for (Index k = 0; k < W.size(); ++k) W.data()[k] = static_cast<float>(k) / 8;
  Layer& layer = document.layers.front();
  layer.heads = 2;
  layer.weights.W_Q = layer.weights.W_K = layer.weights.W_V = layer.weights.W_O = share(std::move(W));
  RowVec<float> b(6);
  b << 10, 11, 12, 13, 14, 15;
  layer.weights.b_K = share(std::move(b));
  return document;
}

}  // namespace

TEST_CASE("quantity: the blocks of a head are columns of W_Q and rows of W_O", "[core][quantity]") {
  const auto trace = evaluate(counted_document());
  const MatView<float> W = *trace->layers[0].input.weights.W_Q;
  CHECK(Mat<float>(values_of(*trace, {Quantity::W_Q, 0, 1})) == Mat<float>(W.rightCols(3)));
  CHECK(Mat<float>(values_of(*trace, {Quantity::W_O, 0, 1})) == Mat<float>(W.bottomRows(3)));
  CHECK(Mat<float>(values_of(*trace, {Quantity::W_O})) == W);
  CHECK(values_of(*trace, {Quantity::W_Q, 0, 1}).data() == W.data() + 3);  // a view, no copy
  const Backing block = backing_of(*trace, {Quantity::W_O, 0, 1});
  CHECK(block.matrix->data() == W.data());
  CHECK(block.row0 == 3);
  CHECK(block.col0 == 0);
  CHECK(block.rows == 3);
  CHECK(block.cols == 6);
}

TEST_CASE("quantity: biases are rows, and exist only where the document has them", "[core][quantity]") {
  const auto trace = evaluate(counted_document());
  const MatView<float> part = values_of(*trace, {Quantity::b_K, 0, 1});
  REQUIRE(part.rows() == 1);
  REQUIRE(part.cols() == 3);
  CHECK(part(0, 2) == 15);
  CHECK(backing_of(*trace, {Quantity::b_K}).matrix == trace->layers[0].input.weights.b_K);
  CHECK_FALSE(exists(*trace, {Quantity::b_Q}));
  CHECK(exists(*trace, {Quantity::b_K, 0, 0}));
}

TEST_CASE("quantity: refs are in range and name a picture in one way only", "[core][quantity]") {
  Document document = counted_document();
  const auto trace = evaluate(document);
  CHECK(exists(*trace, {Quantity::attention, 0, 1}));
  CHECK_FALSE(exists(*trace, {Quantity::attention, 0, 2}));
  CHECK_FALSE(exists(*trace, {Quantity::attention}));
  CHECK_FALSE(exists(*trace, {Quantity::Y, 0, 0}));
  CHECK_FALSE(exists(*trace, {Quantity::Y, 1}));
  CHECK(exists(*trace, {Quantity::positions}));
  document.embedding.positions = Embedding::Positions::none;
  CHECK_FALSE(exists(*evaluate(document), {Quantity::positions}));
}

TEST_CASE("quantity: shapes are those of the values", "[core][quantity]") {
  const auto trace = evaluate(counted_document());
  for (int q = 0; q <= static_cast<int>(Quantity::Y); ++q) {
    for (int head = kNoHead; head < 2; ++head) {
      const Site ref{static_cast<Quantity>(q), 0, head};
      if (!exists(*trace, ref) || ref.quantity == Quantity::value_weighted ||
          ref.quantity == Quantity::mean_attention || is_form(ref.quantity))
        continue;
      const Shape shape = shape_of(*trace, ref);
      INFO(symbol(ref, true));
      CHECK(values_of(*trace, ref).rows() == shape.rows);
      CHECK(values_of(*trace, ref).cols() == shape.cols);
    }
  }
}

TEST_CASE("quantity: names", "[core][quantity]") {
  const auto trace = evaluate(counted_document());
  CHECK(symbol({Quantity::W_Q, 0, 1}) == "W_Q²");
  CHECK(symbol({Quantity::scores, 0, 11}) == "S₁₂");
  CHECK(symbol({Quantity::scores, 0, 11}, true) == "S_12");
  CHECK(symbol({Quantity::W_O, 0, 9}, true) == "W_O^10");
  CHECK(symbol({Quantity::W_O}) == "W_O");
  CHECK(description({Quantity::W_Q, 0, 2}) == "query weights of head 3");
  CHECK(description({Quantity::attention, 0, 2}) == "attention of head 3");
  CHECK(cell_label(*trace, {{Quantity::attention, 0, 0}, 0, 1}) == "it → saw");
  CHECK(cell_label(*trace, {{Quantity::W_Q, 0, 0}, 3, 2}) == "[3, 2]");
  CHECK_FALSE(exists(*trace, {Quantity::rotated_Q, 0, 0}));  // there is no such number, and no name for it
  const auto read_out = evaluate(apply(counted_document(), SetModelSetting{ModelSetting::readout, 2}));
  CHECK(cell_title(*read_out, {{Quantity::probabilities}, 2, 1}) == "p[it → saw]");
  CHECK(cell_title(*read_out, {{Quantity::W_U}, 4, 1}) == "W_U[4, saw]");
}

TEST_CASE("quantity: formulas tell scale, temperature, mask and biases", "[core][quantity]") {
  Document document = counted_document();
  const Site scores{Quantity::scores, 0, 1};
  CHECK(formula(*evaluate(document), scores) == "S₂ = Q₂ K₂ᵀ / √3");
  CHECK(ascii_spelling(formula(*evaluate(document), scores)) == "S_2 = Q_2 K_2^T / sqrt 3");
  CHECK(formula(*evaluate(document), {Quantity::K, 0, 1}) == "K₂ = X W_K² + b_K²");
  CHECK(formula(*evaluate(document), {Quantity::Q, 0, 1}) == "Q₂ = X W_Q²");
  CHECK(formula(*evaluate(document), {Quantity::concat}) == "C = [O₁ O₂]");
  CHECK(formula(*evaluate(document), {Quantity::W_O, 0, 1}) == "W_O² = rows 3–5 of W_O");
  document.layers[0].mask.kind = Mask::Kind::causal;
  document.layers[0].settings.temperature = 0.5f;
  CHECK(formula(*evaluate(document), scores) == "S₂ = Q₂ K₂ᵀ / (√3 · 0.5) + M");
  document.layers[0].settings.scale = false;
  CHECK(formula(*evaluate(document), scores) == "S₂ = Q₂ K₂ᵀ / 0.5 + M");
}

TEST_CASE("quantity: the formula of a head in one line writes out its products, and names what is more",
          "[core][quantity]") {
  Document document = counted_document();
  document.layers[0].mask.kind = Mask::Kind::causal;
  const auto of = [&] { return formula_of_head(*evaluate(document), 0, 1); };
  CHECK(of() == "O₂ = softmax((X W_Q²) (X W_K² + b_K²)ᵀ / √3 + M) (X W_V²),   C = [O₁ O₂],   Y = C W_O");
  document.layers[0].gates = {1, 0.5f};
  CHECK_THAT(of(), Catch::EndsWith("C = [g₁O₁ g₂O₂],   Y = C W_O"));
  document.layers[0].gates = {};
  document.layers[0].settings.sink = SinkKind::zero;
  CHECK_THAT(of(), Catch::StartsWith("O₂ = A₂ (X W_V²),"));
  document = apply(counted_document(), SetSetting{LayerSetting::output_gate, static_cast<double>(OutputGate::head)});
  CHECK(of().find("softmax") == std::string::npos);  // its output goes through gates
}

TEST_CASE("quantity: an edit goes to the combined matrix", "[core][quantity]") {
  const auto trace = evaluate(counted_document());
  for (const Quantity q : {Quantity::W_Q, Quantity::W_O, Quantity::b_K}) {
    const Shape shape = shape_of(*trace, {q, 0, 1});
    const Cell cell{{q, 0, 1}, shape.rows - 1, 1};
    const std::optional<Cell> edited = editable_cell(*trace, cell);
    REQUIRE(edited);
    CHECK(edited->site == Site{q});
    CHECK(value_at(*trace, *edited) == value_at(*trace, cell));
  }
  CHECK(editable_cell(*trace, {{Quantity::X}, 1, 2}) == Cell{{Quantity::X}, 1, 2});
  CHECK_FALSE(editable_cell(*trace, {{Quantity::Q, 0, 0}, 0, 0}));
  CHECK_FALSE(editable_cell(*trace, {{Quantity::embedding}, 0, 0}));
}

TEST_CASE("quantity: derived patterns have values too", "[core][quantity]") {
  const auto trace = evaluate(counted_document());
  const auto& layer = trace->layers[0];
  const float mean = ((*layer.heads[0].attention)(2, 1) + (*layer.heads[1].attention)(2, 1)) / 2;
  CHECK(value_at(*trace, {{Quantity::mean_attention}, 2, 1}) == Approx(mean));
  const RowVec<float> carried = layer.heads[1].V->row(1) * layer.input.weights.W_O->bottomRows(3);
  CHECK(value_at(*trace, {{Quantity::value_weighted, 0, 1}, 2, 1}) ==
        Approx((*layer.heads[1].attention)(2, 1) * carried.norm()));
}
