#include "app/widgets/plot/chart_labels.h"
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

// Less its number times apart, heights need only ascend: neighbours that do not are given their mean (isotonic
// regression).
void spread(std::vector<float>& heights, float apart, float top, float bottom) {
  struct Run {
    float sum = 0;
    int count = 0;
    float mean() const { return sum / static_cast<float>(count); }
  };
  std::vector<Run> runs;
  for (std::size_t k = 0; k < heights.size(); ++k) {
    runs.push_back({heights[k] - static_cast<float>(k) * apart, 1});
    for (; runs.size() > 1 && runs.back().mean() < runs[runs.size() - 2].mean(); runs.pop_back())
      runs[runs.size() - 2].sum += runs.back().sum, runs[runs.size() - 2].count += runs.back().count;
  }
  const float lowest = bottom - static_cast<float>(heights.size() - 1) * apart;
  std::size_t k = 0;
  for (const Run& run : runs)
    for (int j = 0; j < run.count; ++j, ++k)
      heights[k] = std::min(std::max(run.mean(), top), lowest) + static_cast<float>(k) * apart;
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
