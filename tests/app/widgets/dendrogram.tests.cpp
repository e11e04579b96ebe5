// The tree beside what was clustered: where its joins stand, what the pointer finds.
#include "app/widgets/dendrogram.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/ui_driver.h"

using namespace hydra;

namespace {

// Heads 0 and 2 join at 0.2, then 1 joins them at 1.
Clustering small_tree() {
  Clustering tree;
  tree.merges = {{0, 2, 0.2, 2}, {1, 3, 1, 3}};
  tree.leaves = {1, 0, 2};
  return tree;
}

}  // namespace

TEST_CASE("dendrogram: the leaves under a join, in the tree's order", "[widgets][dendrogram]") {
  const Clustering tree = small_tree();
  CHECK(leaves_of(tree, 0) == std::vector<int>{0, 2});
  CHECK(leaves_of(tree, 1) == std::vector<int>{1, 0, 2});
}

TEST_CASE("dendrogram: the pointer finds a join at its distance", "[widgets][dendrogram]") {
  UiDriver ui({400, 300});
  const Clustering tree = small_tree();
  const std::vector<float> leaves{100, 50, 150};
  int found = -1;
  ui.draw_each_frame([&] {
    Dendrogram d;
    d.tree = &tree;
    d.leaves = &leaves;
    d.left = 100;
    d.width = 200;
    d.end = 2;
    d.axis = 180;
    d.theme = &theme(false);
    d.font = ImGui::GetFont();
    found = draw_dendrogram(ui.canvas, "tree", d, 25, 175);
  });
  ui.move(ImVec2{120, 125});  // 0.2 of 2 along 200 pixels, between the leaves at 100 and 150
  CHECK(found == 0);
  ui.move(ImVec2{200, 80});  // 1 of 2, between the leaf at 50 and the first join at 125
  CHECK(found == 1);
  ui.move(ImVec2{160, 125});
  CHECK(found == -1);
  ui.move(ImVec2{20, 80});
  CHECK(found == -1);
}

TEST_CASE("dendrogram: one leaf, and joins at no distance at all", "[widgets][dendrogram]") {
  UiDriver ui({400, 300});
  Clustering tree;
  tree.leaves = {0};
  std::vector<float> leaves{60};
  ui.draw_each_frame([&] {
    Dendrogram d;
    d.tree = &tree;
    d.leaves = &leaves;
    d.left = 100;
    d.width = 200;
    d.axis = 180;
    d.theme = &theme(false);
    d.font = ImGui::GetFont();
    CHECK(draw_dendrogram(ui.canvas, "tree", d, 25, 175) <= 0);
  });
  ui.move(ImVec2{150, 60});
  tree.leaves = {0, 1};
  tree.merges = {{0, 1, 0, 2}};
  leaves = {60, 90};
  ui.frames(2);
  CHECK(ui.exists("tree"));
}
