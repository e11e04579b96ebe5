// Words along the edge of a matrix.
#pragma once
#include <imgui.h>

#include <string>
#include <vector>

#include "app/draw/canvas.h"
#include "app/widgets/plot/label_steps.h"

namespace hydra {

// Words that are marked: by a dotted line below, or above; and pads, which are dim.
struct LabelMarks {
  static constexpr std::uint8_t kBelow = 1, kAbove = 2, kPad = 4;
  std::vector<std::uint8_t> of;  // word by word; none: no word is
  std::string below, above;      // what the lines say
  std::string pad;               // what it means to be one
  bool any() const { return !of.empty(); }
  std::vector<std::string> told(int word) const;  // of that word
  bool is_pad(int word) const;
};
// Around a word so large that begins at its lower left corner and goes on by degrees to the right and up.
void draw_marks(Canvas& canvas, const LabelMarks* marks, int word, ImVec2 corner, float width, float size, ImU32 color,
                float degrees = 0);

struct TokenAxis {
  const std::vector<std::string>* tokens = nullptr;
  ImFont* font = nullptr;
  ImU32 ink = 0, strong = 0;  // strong: the marked token
  int marked = -1;
  const LabelMarks* marks = nullptr;
  float least = kLeastLabel;  // height of a label, which shrinks to it before any is left out; see label_steps.h
};
// Whether a token has its label where there is room for every stride-th only: the marked one has, and those that would
// run into it have none.
bool is_labelled(int token, int stride, int marked);
// Row labels: right-aligned, ending at x; row i spans [top + i * step, top + (i + 1) * step). When rows are lower than
// the text, only every k-th label is drawn.
void row_labels(Canvas& canvas, const TokenAxis& axis, float x, float width, float top, float step);
// Column labels: rising to the right from the top edge y of the columns, at most height high.
void column_labels(Canvas& canvas, const TokenAxis& axis, float left, float step, float y, float height);

}  // namespace hydra
