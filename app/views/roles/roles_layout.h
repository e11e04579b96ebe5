// Where the parts of the role table stand: pure arithmetic, so that it can be tested for every size.
//
//   head   effect  shape ...   position ...      a band: its groups of columns, the heads as rows
//   1 prev
//   2 mixed
//
//   head   content ...  relations ...            the next one
//
// Where they are not seen all at once, they scroll down, each under its header. Of the heads of all layers there is one
// band, which scrolls sideways as well.
#pragma once
#include <vector>

#include "app/widgets/geometry.h"

namespace hydra {

struct RolesInput : LayoutInput {  // below the toolbar
  int heads = 1;
  std::vector<float> groups;     // the widths of the groups of columns
  float label = 0, longest = 0;  // of the head's label: the least, and what the longest would take
  float row = 26, header = 50;   // heights
  std::vector<float> headers;    // of the groups, where they differ: a band's is that of its highest
  float tight_row = 22;          // where that shows everything at once
  float gap = 12;                // between groups, and between bands
  bool one_band = false;         // all groups beside each other, however wide
};

struct RolesBand {
  int first_group = 0, groups = 0;
  float top = 0;     // of the header, from pos
  float width = 0;   // of the columns
  float header = 0;  // height
};

struct RolesLayout {
  std::vector<RolesBand> bands;
  float row = 0;          // height
  float label = 0;        // width of the head column
  bool scrolls = false;   // all bands are higher than the room
  bool sideways = false;  // and a single group wider
};

RolesLayout roles_layout(const RolesInput& in);
// The least height at which all bands are seen at once; what scrolls sideways has its scrollbar below them.
float height_of(const RolesInput& in);

}  // namespace hydra
