#include "app/views/roles_layout.h"

#include <algorithm>

namespace hydra {

namespace {

float width_of(const RolesInput& in, int first, int count) {
  float width = 0;
  for (int g = first; g < first + count; ++g) width += in.groups[static_cast<std::size_t>(g)] + in.gap;
  return width;
}

// As many groups to a band as fit beside the label.
std::vector<RolesBand> bands_for(const RolesInput& in, float room) {
  std::vector<RolesBand> bands;
  const auto height = in.header + static_cast<float>(in.heads) * in.row + in.gap;
  for (int g = 0; g < static_cast<int>(in.groups.size()); ++g) {
    const bool fits = !bands.empty() && width_of(in, bands.back().first_group, bands.back().groups + 1) <= room;
    if (!fits) bands.push_back({g, 0, static_cast<float>(bands.size()) * height, 0});
    ++bands.back().groups;
    bands.back().width = width_of(in, bands.back().first_group, bands.back().groups);
  }
  return bands;
}

}  // namespace

RolesLayout roles_layout(const RolesInput& in) {
  RolesLayout out;
  out.label = in.label;
  out.bands = bands_for(in, in.size.x - in.label);
  const auto rows = static_cast<float>(in.heads) * in.row;
  float widest = 0;
  for (const RolesBand& band : out.bands) widest = std::max(widest, band.width);
  const bool seen = widest <= in.size.x - in.label && out.bands.back().top + in.header + rows <= in.size.y;
  if (!seen) {
    const auto groups = static_cast<int>(in.groups.size());
    out.bands = {{0, groups, 0, width_of(in, 0, groups)}};
    widest = out.bands.front().width;
    out.scrolls = widest > in.size.x - in.label || in.header + rows > in.size.y;
  }
  const float left = in.size.x - widest - (out.scrolls ? in.scrollbar : 0);
  out.label = std::clamp(left, in.label, std::max(in.label, in.longest));
  return out;
}

}  // namespace hydra
