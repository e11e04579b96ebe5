#include "app/views/likeness/likeness_parts.h"

#include "app/views/ui.h"
#include "app/widgets/point_map.h"

namespace hydra {

const LikenessEntry& entry_of(Likeness measure) { return nth(likenesses(), measure); }

bool is_present(const Frame& frame, int head) { return head < static_cast<int>(layer_of(frame).heads.size()); }

void focus_if_present(Frame& frame, int head) {
  if (is_present(frame, head)) focus_head(frame.view, head);
}

std::string likeness_value(const Frame& frame, double value) {
  if (std::isnan(value)) return "n/a";
  if (std::isinf(value)) return frame.fonts.unicode ? "∞" : "infinite";
  return std::abs(value) < 10 ? ui::fixed(value, 3) : ui::number(value);
}

float head_title(const Frame& frame, ImFont* font, ImVec2 pos, int head, const std::string& text) {
  const float side = std::round(0.8f * font->FontSize), top = std::round(pos.y + 0.12f * font->FontSize);
  pen::fill({pos.x, top}, {pos.x + side, top + side}, head_color(frame, head));
  const float x = pos.x + side + 1.5f * frame.unit;
  text_at(font, {x, pos.y}, frame.theme.ink, text);
  return x + text_width(font, text);
}

ValueScale likeness_scale(const Frame& frame, const LikenessMotion& motion) {
  const LikenessEntry& entry = entry_of(motion.table()->ordered_by);
  const bool dark = frame.theme.dark;
  const double largest = std::max(std::abs(motion.least()), std::abs(motion.most()));
  if (entry.low < 0) {
    const auto end = real(frame.view.likeness.fitted ? ui::nice_ceiling(largest) : entry.high);
    return {dark ? ColorMap::diverging_dark : ColorMap::diverging_light, -end, end};
  }
  double low = entry.low, high = entry.high;
  if (entry.measure == Likeness::kl_bits) {
    high = motion.most() > 0 || motion.infinite() ? motion.largest() : entry.high;
  } else if (frame.view.likeness.fitted && motion.heads() > 1) {
    const double step = ui::nice_ceiling(0.2 * (motion.most() - motion.least()) + 1e-6);
    low = std::floor(motion.least() / step + 1e-6) * step;
    high = std::ceil(motion.most() / step - 1e-6) * step;
    if (low > 0 && low < 0.35 * high) low = 0;
    if (high <= low) high = low + step;
  }
  return {dark ? ColorMap::sequential_dark : ColorMap::sequential_light, real(low), real(high)};
}

void draw_likeness_map(LikenessParts& parts) {
  Frame& frame = parts.frame;
  const LikenessLayout& at = parts.at;
  if (!at.map_shown || at.map_side < 4 * frame.fonts.text->FontSize) return;
  text_at(frame.fonts.strong, at.map_title, frame.theme.ink, "Map of the heads");
  const std::string stress =
      "stress " + ui::fixed(parts.table.map.stress, 2) + ", " + stress_in_words(parts.table.map.stress);
  const float x = at.map_title.x + text_width(frame.fonts.strong, "Map of the heads") + 3 * frame.unit;
  float end = at.map.x + std::max(at.map_side, 15 * frame.fonts.text->FontSize);
  if (at.tools.x > at.map.x + frame.unit) end = std::min(end, at.tools.x - 2 * frame.unit);  // beside the map
  if (x + text_width(frame.fonts.text, stress) <= end) {
    text_at(frame.fonts.text, {x, at.map_title.y}, frame.theme.ink_soft, stress);
    ui::explain_here(
        "likeness/stress", {x, at.map_title.y}, {text_width(frame.fonts.text, stress), frame.fonts.text->FontSize},
        spelled(
            frame,
            "How far the distances d' on the map are from the distances d between the heads: √(Σ (d − d')² / Σ d²), "
            "from 0, exact, to 1. Kruskal (1964) calls 0.025 excellent, 0.05 good, 0.1 fair and 0.2 poor: above "
            "0.1 read the matrix and the tree, and of the map the rough groups only."));
  }
  std::vector<MapPoint> points;
  const LikenessMotion& motion = parts.motion();
  for (int k = 0; k < parts.heads(); ++k) points.push_back({real(motion.x(k)), real(motion.y(k)), parts.color(k)});
  auto map = styled<PointMap>(frame);
  map.points = &points;
  map.half_side = motion.half_side();
  map.marked = parts.hover.first;
  map.paired = parts.hover.second;
  map.focused = frame.view.focused_head;
  const PointMapResult result = draw_point_map("likeness/map", map, at.map, at.map_side);
  if (result.hovered < 0) return;
  parts.next = {result.hovered, -1};
  ui::tooltip(frame, {head_name(result.hovered)});
  if (result.clicked) focus_if_present(frame, result.hovered);
}

}  // namespace hydra
