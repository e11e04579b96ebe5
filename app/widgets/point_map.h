// Numbered points on a plane with equal axes: only distances mean something. Those that fall on each other stand beside
// each other, each joined with its place.
#pragma once
#include <imgui.h>

#include <string>
#include <vector>

#include "app/draw/canvas.h"
#include "app/widgets/geometry.h"

namespace hydra {

struct MapPoint {
  float x = 0, y = 0;  // y upwards
  ImU32 color = 0;
  std::string text = {};  // in it; empty: its number
};

struct PointMap : Look {
  std::string title = {};                         // for who listens
  const std::vector<MapPoint>* points = nullptr;  // numbered from 1
  double half_side = 1;                           // of the plane
  int marked = -1, focused = -1;                  // points with a ring; marked: the one under the pointer elsewhere
  int paired = -1;                                // joined with the marked one by a line
};

struct PointMapResult {
  int hovered = -1;
  bool clicked = false;  // it
};

// Probe names: name, and name/3 from 1.
PointMapResult draw_point_map(Canvas& canvas, const char* name, const PointMap& map, ImVec2 pos, float side);

}  // namespace hydra
