// Where the parts of the Heads view stand: pure arithmetic, so that it can be tested for every size.
//
//   toolbar
//   all heads' patterns, as many to a row as fit
//   title                              title, threshold
//   what the head does
//          key tokens           sink   query   key
//   query  the large pattern           arcs: their rows continue those of the pattern when these are high enough
//          legend                      caption
//
// In a low room the pattern takes the height, and all else stands right of it: title, what the head does, legend, arcs.
#pragma once
#include <imgui.h>

#include "app/widgets/geometry.h"

namespace hydra {

struct HeadsInput : LayoutInput {  // below the toolbar
  int heads = 1, tokens = 1;
  int group = 1;      // heads in order that share keys and values: where it can be, in one row
  float longest = 0;  // width of the longest token
  bool sink = false;  // a column more, apart from the keys'
};

struct HeadsLayout {
  ImVec2 grid_pos, grid_size;  // scrolls when grid_content is higher
  float grid_content = 0, inset = 0;
  int columns = 1;
  float thumb = 0, caption = 0, step_x = 0, step_y = 0;  // of the thumbnails; captions stand above them

  Box main;                          // all but the thumbnails
  ImVec2 title, role;                // of the large pattern; what the head does, a small line under it
  float title_right = 0;             // where both end
  ImVec2 large;                      // its cells' corner
  float side = 0;                    // its room; whole-pixel cells may need less
  float row_labels = 0;              // width left of it
  float column_labels = 0;           // height above it
  bool level = false;                // column labels fit without turning
  float sink_x = 0, sink_width = 0;  // of the sink's column, as high as the pattern; 0: none
  ImVec2 legend;
  float legend_room = 0;  // how wide it may be

  ImVec2 arcs_title;
  ImVec2 arcs, arcs_size;
  float arcs_row = 0;  // height of a token
  bool arcs_shown = true;
};

HeadsLayout heads_layout(const HeadsInput& in);
// The least height at which neither thumbnails nor arcs scroll, and the rows of the pattern have their words, as far as
// the width allows it.
float height_of(const HeadsInput& in);

}  // namespace hydra
