// A row of attention as bars, one per token, that can be dragged or typed over. Data in, what the user did out: how the
// other bars follow is the caller's business.
#pragma once
#include <imgui.h>

#include <functional>
#include <string>
#include <vector>

#include "app/draw/canvas.h"
#include "app/platform/theme.h"
#include "core/linalg/types.h"

namespace hydra {

struct RowBars {
  const std::vector<std::string>* tokens = nullptr;
  MatView<float> weights;                                           // [1 x n], each 0..1
  std::function<bool(Index)> allowed = [](Index) { return true; };  // else masked: shown, but not held
  Index marked = -1;                                                // its token is strong
  ImFont *text = nullptr, *numbers = nullptr;
  const Theme* theme = nullptr;
  ImU32 color = 0;
  float unit = 4, width = 0;
  int most_rows = 12;             // more are scrolled to
  std::string* draft = nullptr;   // text being typed in the place of a number; null when none is
  Index typed = -1;               // whose
  bool start_typing = false;      // the first frame of typing: takes the keyboard
  const char* probe_prefix = "";  // names "prefix/3", the track of a bar from 0 to 1, and "prefix/3/number"

  explicit RowBars(const MatView<float>& row) : weights(row) {}
};

struct RowBarsResult {
  Index hovered = -1;         // the token under the pointer
  Index held = -1;            // whose bar the pointer went down on and holds
  bool pressed = false;       // this frame
  float value = 0;            // where the pointer holds it, 0..1
  Index number_clicked = -1;  // to type there
  enum class Typing { none, submitted, dropped } typing = Typing::none;
};

RowBarsResult row_bars(Canvas& canvas, const char* id, const RowBars& bars);

}  // namespace hydra
