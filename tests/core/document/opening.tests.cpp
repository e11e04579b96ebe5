#include "core/document/opening.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/document/edit.h"
#include "core/document/evaluate.h"
#include "core/document/file.h"

using namespace hydra;

namespace {

constexpr int kHead = 0;  // the focused one when the program starts

Document with_drag(const Document& document, const Cell& cell, float by) {
  const Index d_k = document.d_model / document.layers.front().heads, col = cell.site.head * d_k + cell.col;
  const float value = (*document.layers.front().weights.W_Q)(cell.row, col);
  return hydra::apply(document, set_cell(Quantity::W_Q, cell.row, col, value + by));
}

// Half the sum of what the weights of a row change by.
double moved(const Trace& before, const Trace& after, Index query) {
  const auto row = [&](const Trace& t) { return t.layers.front().heads[kHead].attention->row(query); };
  return 0.5 * static_cast<double>((row(after) - row(before)).cwiseAbs().sum());
}

}  // namespace

TEST_CASE("opening document: the default sentence, eight designed heads", "[core][opening]") {
  const Document opening = opening_document();
  CHECK(opening.sentence == default_document().sentence);
  CHECK(opening.embedding.kind == Embedding::Kind::features);
  REQUIRE(opening.layers.front().source.designs.size() == 8);
  for (const auto& design : opening.layers.front().source.designs) CHECK(design);
  CHECK(same_document(read_document(""), opening));
  // What a file leaves out is as before.
  CHECK(same_document(parse_document(R"({"hydrascope": 1})", "f"), default_document()));
}

TEST_CASE("opening document: dragging the weight it offers moves a row by more than a fifth", "[core][opening]") {
  const Document opening = opening_document();
  const auto before = evaluate(opening);
  const MatView<float> W_Q = *opening.layers.front().weights.W_Q;
  const float step = 0.5f * W_Q.cwiseAbs().maxCoeff();  // about 60 pixels of a plain drag
  const OfferedWeight offered = offered_weight(*before, 0, kHead, step);
  REQUIRE(offered.up > 0.2);
  REQUIRE(offered.down > 0.2);
  // What it foretells is what the forward pass gives.
  double up = 0, down = 0;
  const auto raised = evaluate(with_drag(opening, offered.cell, step));
  const auto lowered = evaluate(with_drag(opening, offered.cell, -step));
  for (Index i = 0; i < static_cast<Index>(before->tokens.size()); ++i) {
    up = std::max(up, moved(*before, *raised, i));
    down = std::max(down, moved(*before, *lowered, i));
  }
  CHECK(up == Approx(offered.up).margin(1e-4));
  CHECK(down == Approx(offered.down).margin(1e-4));
  CHECK(moved(*before, *lowered, offered.query) == Approx(offered.down).margin(1e-4));
}
