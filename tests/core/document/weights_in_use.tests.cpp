#include "core/document/weights_in_use.h"

#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"
#include "core/document/fingerprints.h"
#include "tests/support/examples.h"

using namespace hydra;

namespace {
using Words = std::vector<std::string>;

Words words(const Document& document) {
  const Layer& layer = document.layers.front();
  return weights_in_use(layer, weights_of_source(layer, document.d_model));
}

Words eight(const std::string& word) { return Words(8, word); }
}  // namespace

TEST_CASE("weights in use: where they come from, head by head", "[core][weights]") {
  const Document untrained = default_document();
  CHECK(words(untrained) == eight("untrained"));
  CHECK(words(hydra::apply(untrained, SetWeightSource{Init::identity, 7})) == eight("identity"));
  CHECK(words(hydra::apply(untrained, SetWeightSource{Init::zero, 7})) == eight("zero"));
  CHECK(words(test::designed_heads()) == eight("designed"));
  Document given = untrained;
  given.layers.front().source.kind = WeightSource::Kind::explicit_values;
  CHECK(words(given) == eight("given"));
}

TEST_CASE("weights in use: an edit is of the heads whose numbers it changes", "[core][weights]") {
  const Document untrained = default_document();
  Words third = eight("untrained");
  third[2] = "untrained, edited";
  for (const Quantity p : {Quantity::W_Q, Quantity::W_K, Quantity::W_V})
    CHECK(words(hydra::apply(untrained, set_cell(p, 5, 17, 0.5f))) == third);
  CHECK(words(hydra::apply(untrained, set_cell(Quantity::W_O, 17, 5, 0.5f))) == third);
  CHECK(words(hydra::apply(untrained, set_cell(Quantity::b_O, 0, 5, 0.5f))) == eight("untrained, edited"));
  Words first = eight("untrained");
  const Document features = hydra::apply(untrained, SetEmbedding{Embedding::Kind::features, 1});
  HeadDesign design;
  design.place = 0;
  first[0] = "designed";
  CHECK(words(hydra::apply(features, DesignHead{0, design})) == first);
  CHECK(words(hydra::apply(test::designed_heads(), SetHeads{4})) == Words(4, "designed, cut anew"));
  CHECK(words(hydra::apply(untrained, SetKvHeads{2}))[0] == "untrained, edited");  // each the mean of four
  CHECK(words(hydra::apply(test::designed_heads(), SwitchModel{ModelKind::untrained})) == eight("untrained"));
}

TEST_CASE("weights in use: trained is what the document says, and edits since then are known by head",
          "[core][weights]") {
  Document trained = default_document();
  mark(trained.layers.front(), WeightSource::Kind::trained);
  CHECK(words(trained) == eight("trained"));
  Document edited = hydra::apply(trained, set_cell(Quantity::W_V, 5, 17, 0.5f));
  Words third = eight("trained");
  third[2] = "trained, edited";
  CHECK(words(edited) == third);
  CHECK(words(hydra::apply(edited, SetBlock{Quantity::W_V, 0, 0, trained.layers[0].weights.W_V})) == eight("trained"));
  CHECK(words(parse_document(document_text(edited), "f")) == third);
  CHECK(same_document(parse_document(document_text(edited), "f"), edited));
  // Without fingerprints a file says that the numbers are, as they stand, what training left.
  CHECK(words(parse_document(document_text(trained), "f")) == eight("trained"));
  CHECK(words(hydra::apply(trained, SetHeads{4})) == Words(4, "trained, cut anew"));
  CHECK(words(hydra::apply(hydra::apply(trained, SetHeads{4}), SetHeads{8})) == eight("trained"));
  CHECK(words(hydra::apply(trained, SetWeightSource{Init::xavier, 3})) == eight("untrained"));
  third[2] = "designed";
  const Document featured = hydra::apply(trained, SetEmbedding{Embedding::Kind::features, 1});
  const Document with_design = hydra::apply(featured, DesignHead{2, preset_design(HeadPreset::previous)});
  CHECK(words(with_design) == third);
  third[2] = "designed, edited";
  CHECK(words(hydra::apply(with_design, set_cell(Quantity::W_V, 5, 17, 0.5f))) == third);
  mark(trained.layers.front(), WeightSource::Kind::drawn);  // as a run of training begins
  CHECK(words(trained) == eight("untrained"));
}
