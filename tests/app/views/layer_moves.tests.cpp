#include "app/scene/layer_moves.h"

#include <catch2/catch.hpp>

#include "core/document/edits/edit.h"

using namespace hydra;

namespace {

Document stack(int layers) {
  Document document = default_document();
  for (int k = 1; k < layers; ++k) document = hydra::apply(document, {AddLayer{}, k - 1});
  return document;
}

LayerMoves moves(const Document& before, const Document& now) { return {layers_of(before), layers_of(now)}; }

}  // namespace

TEST_CASE("layer moves: an added layer is looked at, and those after it move on", "[layers]") {
  const Document document = stack(3);
  const LayerMoves added = moves(document, hydra::apply(document, {AddLayer{}, 0}));
  CHECK(added.moved(0) == 0);
  CHECK(added.moved(1) == 2);
  CHECK(added.moved(2) == 3);
  for (int k = 0; k < 3; ++k) CHECK(added.focus(k) == 1);
  CHECK(moves(document, hydra::apply(document, {AddLayer{}, 2})).focus(0) == 3);
}

TEST_CASE("layer moves: of a removed layer the one before it is looked at, the others stay in focus", "[layers]") {
  const Document document = stack(4);
  const LayerMoves removed = moves(document, hydra::apply(document, {RemoveLayer{}, 2}));
  CHECK(removed.moved(1) == 1);
  CHECK_FALSE(removed.moved(2));
  CHECK(removed.moved(3) == 2);
  CHECK(removed.focus(0) == 0);
  CHECK(removed.focus(2) == 1);
  CHECK(removed.focus(3) == 2);
  CHECK(moves(document, hydra::apply(document, {RemoveLayer{}, 0})).focus(0) == 0);
}

TEST_CASE("layer moves: what changes within layers moves none, and another document has none of them", "[layers]") {
  const Document document = stack(3);
  const LayerMoves same = moves(document, hydra::apply(document, {set_cell(Quantity::W_O, 0, 0, 4), 1}));
  for (int k = 0; k < 3; ++k) {
    CHECK(same.moved(k) == k);
    CHECK(same.focus(k) == k);
  }
  const LayerMoves other = moves(document, stack(2));
  for (int k = 0; k < 3; ++k) CHECK_FALSE(other.moved(k));
  CHECK(other.focus(2) == 1);
  CHECK(other.focus(0) == 0);
}

TEST_CASE("layer moves: a selection stays with its layer, or goes with it", "[layers]") {
  const Document document = stack(3);
  const LayerMoves removed = moves(document, hydra::apply(document, {RemoveLayer{}, 1}));
  const auto view_of = [](int layer) {
    ViewState view;
    view.layer = layer;
    view.inspected = {Quantity::W_V, layer, 0};
    view.selection = Cell{view.inspected, 2, 3};
    view.breadcrumb = {Cell{{Quantity::Y, 2, kNoHead}, 1, 1}, Cell{{Quantity::Y, 1, kNoHead}, 1, 1}};
    return view;
  };
  ViewState last = view_of(2);
  follow_layers(last, removed, removed.focus(2));
  CHECK(last.layer == 1);
  REQUIRE(last.selection);
  CHECK(last.selection->site == Site{Quantity::W_V, 1, 0});
  CHECK(last.inspected.layer == 1);
  REQUIRE(last.breadcrumb.size() == 1);
  CHECK(last.breadcrumb[0].site.layer == 1);
  ViewState gone = view_of(1);
  follow_layers(gone, removed, removed.focus(1));
  CHECK(gone.layer == 0);
  CHECK(gone.inspected.layer == 0);
  CHECK_FALSE(gone.selection);
}
