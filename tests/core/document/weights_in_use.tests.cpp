#include "core/document/weights_in_use.h"

#include <catch2/catch.hpp>

#include "core/document/edit.h"
#include "core/document/opening.h"

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
  CHECK(words(opening_document()) == eight("designed"));
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
  CHECK(words(hydra::apply(opening_document(), SetHeads{4})) == Words(4, "designed, cut anew"));
  CHECK(words(hydra::apply(untrained, SetKvHeads{2}))[0] == "untrained, edited");  // each the mean of four
  CHECK(words(hydra::apply(opening_document(), SwapWeights{})) == eight("untrained"));
}
