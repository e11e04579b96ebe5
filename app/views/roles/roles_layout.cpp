#include "app/views/roles/roles_layout.h"

#include <algorithm>
#include <cmath>

#include "app/widgets/arrange.h"

namespace hydra {

namespace {

float width_of(const RolesInput& in, int first, int count) {
  float width = 0;
  for (int g = first; g < first + count; ++g) width += nth(in.groups, g) + in.gap;
  return width;
}

float header_of(const RolesInput& in, int group) { return in.headers.empty() ? in.header : nth(in.headers, group); }

// Under each other, with rows of this height.
void stack(const RolesInput& in, std::vector<RolesBand>& bands, float row) {
  float top = 0;
  for (RolesBand& band : bands) {
    band.top = top;
    top += band.header + real(in.heads) * row + in.gap;
  }
}

// As many groups to a band as fit beside the label.
std::vector<RolesBand> bands_for(const RolesInput& in, float row) {
  const float room = in.size.x - in.label;
  std::vector<RolesBand> bands;
  for (int g = 0; g < int_size(in.groups); ++g) {
    const bool fits =
        !bands.empty() && (in.one_band || width_of(in, bands.back().first_group, bands.back().groups + 1) <= room);
    if (!fits) bands.push_back({g, 0, 0, 0, 0});
    RolesBand& band = bands.back();
    ++band.groups;
    band.width = width_of(in, band.first_group, band.groups);
    band.header = std::max(band.header, header_of(in, g));
  }
  stack(in, bands, row);
  return bands;
}

float widest_of(const std::vector<RolesBand>& bands) {
  float widest = 0;
  for (const RolesBand& band : bands) widest = std::max(widest, band.width);
  return widest;
}

// All at once, with rows of this height.
bool seen(const RolesInput& in, const std::vector<RolesBand>& bands, float row) {
  return widest_of(bands) <= in.size.x - in.label &&
         bands.back().top + bands.back().header + real(in.heads) * row <= in.size.y;
}

}  // namespace

RolesLayout roles_layout(const RolesInput& in) {
  RolesLayout out;
  // Where they scroll in any case rows are low: more heads are seen at once.
  const float scrolled = in.one_band ? in.tight_row : in.row;
  for (const float row : {in.row, in.tight_row}) {
    out.row = row;
    out.bands = bands_for(in, row);
    if (seen(in, out.bands, row)) break;
  }
  if (!seen(in, out.bands, out.row)) {
    RolesInput narrower = in;
    narrower.size.x -= in.scrollbar;
    out.row = scrolled;
    out.bands = bands_for(narrower, scrolled);
    out.scrolls = true;
    out.sideways = widest_of(out.bands) > narrower.size.x - in.label;
  }
  if (!out.scrolls) {  // taller rows where there is room
    const auto rows = real(out.bands.size()) * real(in.heads);
    float room = in.size.y;
    for (const RolesBand& band : out.bands) room -= band.header + in.gap;
    out.row = std::clamp(std::floor(room / rows), out.row, std::max(out.row, 1.5f * in.row));
    stack(in, out.bands, out.row);
  }
  const float left = in.size.x - widest_of(out.bands) - (out.scrolls ? in.scrollbar : 0);
  out.label = std::clamp(left, in.label, std::max(in.label, in.longest));
  return out;
}

float height_of(const RolesInput& in) {
  return least_height(in, [](const RolesInput& one) {
    const RolesLayout at = roles_layout(one);
    const float bottom = at.bands.back().top + at.bands.back().header + real(one.heads) * at.row;
    return std::array{real(int{bottom + (at.sideways ? one.scrollbar : 0) <= one.size.y})};
  });
}

}  // namespace hydra
