// Words along the edge of a matrix.
#pragma once
#include <imgui.h>

#include <string>
#include <vector>

namespace hydra {

struct TokenAxis {
  const std::vector<std::string>* tokens = nullptr;
  ImFont* font = nullptr;
  ImU32 ink = 0, strong = 0;  // strong: the marked token
  int marked = -1;
};
// Whether a token has its label where there is room for every stride-th only: the marked one has, and those that would
// run into it have none.
bool is_labelled(int token, int stride, int marked);
// Row labels: right-aligned, ending at x; row i spans [top + i * step, top + (i + 1) * step). When rows are lower than
// the text, only every k-th label is drawn.
void row_labels(const TokenAxis& axis, float x, float width, float top, float step);
// Column labels: rising to the right from the top edge y of the columns, at most height high.
void column_labels(const TokenAxis& axis, float left, float step, float y, float height);

}  // namespace hydra
