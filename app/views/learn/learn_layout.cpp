#include "app/views/learn/learn_layout.h"

#include <algorithm>

namespace hydra {

LearnLayout learn_layout(const LearnInput& in) {
  LearnLayout at;
  const float gap = 4 * in.unit, row = 1.7f * in.small;
  const int most = std::max(1, static_cast<int>((in.size.y < kLearnLow * in.small ? 0.12f : 0.2f) * in.size.y / row));
  at.shown_branches = std::clamp(in.branches, 1, most);
  const float strip = (static_cast<float>(at.shown_branches) + 0.4f) * row + 2 * in.unit;
  at.branches = {{in.pos.x, in.bottom() - strip}, {in.size.x, strip}};
  const float height = std::max(0.0f, at.branches.pos.y - gap - in.pos.y);
  if (height < kLearnCurvesAlone * in.small) {
    const float half = 0.5f * (in.size.x - gap);
    at.loss = {in.pos, {half, height}};
    at.accuracy = {{in.pos.x + half + gap, in.pos.y}, {half, height}};
    return at;
  }
  const float upper = std::max(0.0f, 0.56f * height - 0.5f * gap);
  const float left = 0.6f * in.size.x - 0.5f * gap, top = in.pos.y + upper + gap;
  const bool low = upper<18 * in.small, beside = left>(low ? 34 : 60) * in.small;
  // Low and narrow: the curves take all of the width, and the patterns stand beside what is told over time.
  const bool below = low && !beside;
  const float lower = std::max(0.0f, at.branches.pos.y - gap - top);
  at.detail = {{in.pos.x, top}, {below ? left : in.size.x, lower}};
  at.heads = {{in.pos.x + left + gap, below ? top : in.pos.y}, {in.size.x - left - gap, below ? lower : upper}};
  if (beside || below) {
    const float half = 0.5f * ((below ? in.size.x : left) - gap);
    at.loss = {in.pos, {half, upper}};
    at.accuracy = {{in.pos.x + half + gap, in.pos.y}, {half, upper}};
  } else {
    const float half = 0.5f * (upper - 0.5f * gap);
    at.loss = {in.pos, {left, half}};
    at.accuracy = {{in.pos.x, in.pos.y + half + 0.5f * gap}, {left, half}};
  }
  return at;
}

}  // namespace hydra
