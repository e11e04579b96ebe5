#include "app/views/roles/roles_layout.h"

#include <algorithm>
#include <cmath>

namespace hydra {

namespace {

float width_of(const RolesInput& in, int first, int count) {
  float width = 0;
  for (int g = first; g < first + count; ++g) width += in.groups[static_cast<std::size_t>(g)] + in.gap;
  return width;
}

// As many groups to a band as fit beside the label.
std::vector<RolesBand> bands_for(const RolesInput& in, float row) {
  const float room = in.size.x - in.label, height = in.header + static_cast<float>(in.heads) * row + in.gap;
  std::vector<RolesBand> bands;
  for (int g = 0; g < static_cast<int>(in.groups.size()); ++g) {
    const bool fits = !bands.empty() && width_of(in, bands.back().first_group, bands.back().groups + 1) <= room;
    if (!fits) bands.push_back({g, 0, static_cast<float>(bands.size()) * height, 0});
    ++bands.back().groups;
    bands.back().width = width_of(in, bands.back().first_group, bands.back().groups);
  }
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
         bands.back().top + in.header + static_cast<float>(in.heads) * row <= in.size.y;
}

}  // namespace

RolesLayout roles_layout(const RolesInput& in) {
  RolesLayout out;
  for (const float row : {in.row, in.tight_row}) {
    out.row = row;
    out.bands = bands_for(in, row);
    if (seen(in, out.bands, row)) break;
  }
  if (!seen(in, out.bands, out.row)) {
    RolesInput narrower = in;
    narrower.size.x -= in.scrollbar;
    out.row = in.row;
    out.bands = bands_for(narrower, in.row);
    out.scrolls = true;
    out.sideways = widest_of(out.bands) > narrower.size.x - in.label;
  }
  if (!out.scrolls) {  // taller rows where there is room
    const auto bands = static_cast<float>(out.bands.size());
    const float room = in.size.y / bands - in.header - in.gap;
    out.row = std::clamp(std::floor(room / static_cast<float>(in.heads)), out.row, std::max(out.row, 1.5f * in.row));
    const float height = in.header + static_cast<float>(in.heads) * out.row + in.gap;
    for (std::size_t b = 0; b < out.bands.size(); ++b) out.bands[b].top = static_cast<float>(b) * height;
  }
  const float left = in.size.x - widest_of(out.bands) - (out.scrolls ? in.scrollbar : 0);
  out.label = std::clamp(left, in.label, std::max(in.label, in.longest));
  return out;
}

}  // namespace hydra
