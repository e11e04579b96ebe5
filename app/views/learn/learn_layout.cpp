#include "app/views/learn/learn_layout.h"

#include <algorithm>

#include "app/widgets/arrange.h"

namespace hydra {

namespace {

constexpr float kLowCurves = 18;    // in heights of small text
constexpr float kLowAlone = 17;     // where charts take turns their chips take a line as well, likewise
constexpr float kPatternsRow = 9;   // of all patterns beside each other with their title, in heights of small text
constexpr float kLeastDetail = 14;  // under chips, likewise

// All of the room for the chosen chart, the patterns beside it or, where that leaves it too little width, under it.
void lay_out_low(LearnLayout& at, const LearnInput& in, const Box& shown, float gap) {
  const float left = 0.66f * in.size.x - 0.5f * gap, row_of_patterns = kPatternsRow * in.small;
  if (left > 34 * in.small)
    std::tie(at.detail, at.heads) = row(shown, gap, {fixed(left), share(1)});
  else if (shown.size.y - gap - row_of_patterns > kLeastDetail * in.small)
    std::tie(at.detail, at.heads) = column(shown, gap, {share(1), fixed(row_of_patterns)});
  else
    at.detail = shown;
}

}  // namespace

LearnLayout learn_layout(const LearnInput& in) {
  LearnLayout at;
  const float gap = 4 * in.unit, line = 1.7f * in.small;
  const int most = std::max(1, static_cast<int>((in.size.y < kLearnLow * in.small ? 0.12f : 0.2f) * in.size.y / line));
  at.shown_branches = std::clamp(in.branches, 1, most);
  const float note = in.low ? 0 : 0.4f * line + in.unit;  // what is kept of the steps
  const float strip = static_cast<float>(at.shown_branches) * line + note + in.unit;
  Box shown, curves;
  std::tie(shown, at.branches) = column(in, gap, {share(1), fixed(strip)});
  const auto beside_each_other = [&] { std::tie(at.loss, at.accuracy) = row(curves, gap, {share(1), share(1)}); };
  if (shown.size.y < (in.low ? kLowAlone : kLearnCurvesAlone) * in.small) {
    curves = shown;
    beside_each_other();
    return at;
  }
  if (in.low) {
    lay_out_low(at, in, shown, gap);
    return at;
  }
  std::tie(curves, at.detail) = column(shown, gap, {fixed(0.56f * shown.size.y - 0.5f * gap), share(1)});
  const float left = 0.6f * in.size.x - 0.5f * gap;
  const bool low = curves.size.y<kLowCurves * in.small, beside = left>(low ? 34 : 60) * in.small;
  // Low and narrow: the curves take all of the width, and the patterns stand beside what is told over time.
  const bool below = low && !beside;
  Box& halved = below ? at.detail : curves;
  std::tie(halved, at.heads) = row(halved, gap, {fixed(left), share(1)});
  if (beside || below)
    beside_each_other();
  else
    std::tie(at.loss, at.accuracy) = column(curves, 0.5f * gap, {share(1), share(1)});
  return at;
}

float height_of(const LearnInput& in) {
  return least_height(in, [](const LearnInput& one) {
    const LearnLayout at = learn_layout(one);
    const float curves = std::max(at.loss.bottom(), at.accuracy.bottom()) - one.pos.y;
    return std::array{real(int{at.heads.size.y > 0}), real(at.shown_branches),
                      std::min(curves, kLowCurves * one.small)};
  });
}

}  // namespace hydra
