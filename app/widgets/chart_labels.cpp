#include "app/widgets/chart_labels.h"
#include "app/draw/nth.h"

#include <algorithm>

namespace hydra {

std::vector<int> thinned(const std::vector<float>& places, float apart, int own) {
  const auto count = int_size(places);
  std::vector<int> found;
  if (count == 0) return found;
  const int start = own >= 0 && own < count ? own : count - 1;
  const auto at = [&](int k) { return nth(places, k); };
  for (int k = start - 1, last = start; k >= 0; --k)
    if (at(last) - at(k) >= apart) found.push_back(last = k);
  std::reverse(found.begin(), found.end());
  found.push_back(start);
  for (int k = start + 1, last = start; k < count; ++k)
    if (at(k) - at(last) >= apart) found.push_back(last = k);
  return found;
}

void spread(std::vector<float>& heights, float apart, float bottom) {
  for (std::size_t k = 1; k < heights.size(); ++k) heights[k] = std::max(heights[k], heights[k - 1] + apart);
  for (std::size_t k = heights.size(); k-- > 0; bottom -= apart) bottom = heights[k] = std::min(heights[k], bottom);
}

std::optional<ImVec2> free_place(ImVec2 size, const LabelBox& room, const std::vector<LabelBox>& taken) {
  const float right = room.max.x - size.x;
  if (right < room.min.x) return std::nullopt;
  for (float y = room.max.y - size.y; y >= room.min.y; y -= 0.25f * size.y)
    for (const float x : {room.min.x, 0.5f * (room.min.x + right), right}) {
      const LabelBox box{{x, y}, {x + size.x, y + size.y}};
      if (std::none_of(taken.begin(), taken.end(), [&](const LabelBox& other) { return box.meets(other); }))
        return box.min;
    }
  return std::nullopt;
}

}  // namespace hydra
