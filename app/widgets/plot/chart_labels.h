// Where the labels of a chart find room: pure arithmetic, so that it can be tested.
#pragma once
#include <imgui.h>

#include <optional>
#include <vector>

namespace hydra {

struct LabelBox {
  ImVec2 min, max;
  bool meets(const LabelBox& other) const {
    return min.x < other.max.x && other.min.x < max.x && min.y < other.max.y && other.min.y < max.y;
  }
};

// Of labels at ascending places those that are drawn, ascending: the own one always (-1: the last), and from there
// outwards each that is so far from the one before; where the places are even, so are those.
std::vector<int> thinned(const std::vector<float>& places, float apart, int own);

// Moves ascending heights apart, together as little as can be (least squares), within top and bottom; beyond the top
// where they have no room.
void spread(std::vector<float>& heights, float apart, float top, float bottom);

// The corner for a box of that size within the room that meets nothing that is taken: as low as it can be, then as far
// left. None where there is no such place.
std::optional<ImVec2> free_place(ImVec2 size, const LabelBox& room, const std::vector<LabelBox>& taken);

}  // namespace hydra
