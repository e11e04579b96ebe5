// Where the parts of the Design view stand: pure arithmetic.
//
//   designer        | title, what asks for what     | title, what is written where
//   (scrolls)       |   turned column names         |   turned column names
//                   |   names  W_QK                 |   names  W_OV
//                   |   legend                      |   legend
//                   | the attention this makes of the sentence
//
// Where the view is narrow, only one of the forms is shown. The pattern stands below or beside, as large as leaves the
// rows of both the most of what their names need; where that is too little to see, not at all. Without named columns
// the forms say nothing, and the pattern has their room.
#pragma once
#include <imgui.h>

#include "app/widgets/geometry.h"

namespace hydra {

struct DesignInput : LayoutInput {
  float longest = 0;        // width of the longest column name
  float longest_token = 0;  // of the longest token
  int tokens = 1;
  int columns = 1;     // of the forms; 0: they are not shown
  float instead = 0;   // then the height of what stands in their place
  bool whole = false;  // the columns' names do not shrink with their rows: only some of them have one
};

struct FormPlace {
  ImVec2 title;             // of the picture
  ImVec2 corner;            // of its cells
  float side = 0;           // of its square
  float row_labels = 0;     // width left of it
  float column_labels = 0;  // height above it
  float width = 0;          // for the title
  ImVec2 legend;
  float legend_width = 0;  // 0: none
};

struct DesignLayout {
  ImVec2 designer, designer_size;
  bool both = true;
  FormPlace forms[2];  // the second only where both fit
  FormPlace pattern;   // side 0: no room
};

DesignLayout design_layout(const DesignInput& in);
// The least height at which the pattern is there, and rows of both have their names, as far as the width allows it.
float height_of(const DesignInput& in);
bool both_forms_fit(const DesignInput& in);

}  // namespace hydra
