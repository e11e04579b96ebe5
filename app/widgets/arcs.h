// A pattern as curves between two columns of tokens: queries left, keys right; the wider and denser a curve, the larger
// its weight. Rows that do not fit scroll.
#pragma once
#include <imgui.h>

#include <string>
#include <utility>
#include <vector>

#include "app/draw/canvas.h"
#include "app/widgets/matrix/token_axis.h"
#include "core/linalg/array.h"

namespace hydra {

struct Arcs {
  const std::vector<std::string>* tokens = nullptr;
  const LabelMarks* marks = nullptr;
  Array<float> weights;      // [n x n], row = query
  ValueScale scale;          // its larger end is drawn widest
  float threshold = 0;       // in shares of that end: curves of a smaller magnitude are left out
  int query = -1, key = -1;  // isolated: a query's weights, a key's, or one pair within its query's
  float row = 0;             // height of a token's row
  std::vector<std::pair<int, int>>
      gold;  // pairs (query, key) with an outline of their own, drawn whatever their weight
  ImU32 gold_color = 0;
  ImU32 color = 0, negative = 0;  // of the curves, by sign
  ImU32 ink = 0, strong = 0, ground = 0;
  ImFont* font = nullptr;
  ImFont* number_font = nullptr;
};

struct ArcsResult {
  int query = -1, key = -1;  // the token under the pointer, in its column
  bool clicked = false;      // it
  int drawn = 0;             // curves
  int passed = 0;            // pairs in view that reach the threshold; more than drawn when there are too many
};

inline constexpr int kMostCurves = 500;

// What the isolated token's pairs are (highlight) comes from the caller or, first, from the pointer. Probe names:
// name/query/3 and name/key/3, from 1.
ArcsResult draw_arcs(Canvas& canvas, const char* name, const Arcs& arcs, ImVec2 pos, ImVec2 size);

}  // namespace hydra
