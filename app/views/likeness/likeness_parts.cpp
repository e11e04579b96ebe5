#include "app/views/likeness/likeness_parts.h"

#include "app/views/frame/ui.h"
#include "app/views/shared/head_roles.h"
#include "app/widgets/point_map.h"

namespace hydra {

ImU32 layer_color(const Frame& frame, int layer) {
  constexpr float kFirst = 0.25f;  // of the map: not the colour of the ground
  const auto layers = real(std::max<std::size_t>(2, frame.trace.layers.size()));
  const ValueScale scale{sequential(frame), 0, 1};
  return to_u32(scale.color(kFirst + (1 - kFirst) * std::min(1.0f, real(layer) / (layers - 1))));
}

ImU32 LikenessParts::color(int head) const {
  return all() ? layer_color(frame, place(head).layer) : head_color(frame, head);
}

std::string LikenessParts::name(int head) const {
  const HeadPlace found = place(head);
  return all() ? wording("likeness:layer_head", {{"layer", found.layer + 1}, {"head", found.head + 1}})
               : head_called(frame, head);
}

std::string LikenessParts::number(int head) const {
  const HeadPlace found = place(head);
  return all() ? ui::words(found.layer + 1, ".", found.head + 1) : std::to_string(head + 1);
}

namespace {
// Of the layer in focus: what they are measured by is on its way.
bool names_are_measured(const Frame& frame) {
  const RoleTable& naming = roles_of(frame).table->naming();
  return naming.jobs.empty() && !naming.bounds;
}
}  // namespace

std::string LikenessParts::label(int head) const {
  const HeadLabel* label = all() ? nullptr : label_of(frame, head);
  if (!label || label->name.empty() || names_are_measured(frame)) return number(head);
  return number(head) + " " + label->name;
}

std::string LikenessParts::pair_name(int row, int col) const {
  if (!all()) return wording("likeness:heads", {{"first", row + 1}, {"second", col + 1}});
  const HeadPlace a = place(row), b = place(col);
  return wording(frame.fonts.unicode ? "likeness:layer_heads" : "likeness:layer_heads.plain",
                 {{"layer", a.layer + 1}, {"head", a.head + 1}, {"to_layer", b.layer + 1}, {"to_head", b.head + 1}});
}

bool LikenessParts::is_present(int head) const {
  if (head >= heads()) return false;
  const HeadPlace found = place(head);
  return found.layer < int_size(frame.trace.layers) && found.head < int_size(frame.trace.layer(found.layer).heads);
}

void LikenessParts::focus_if_present(int head) const {
  if (!is_present(head)) return;
  const HeadPlace found = place(head);
  frame.out.act(act::GoTo{found.layer, found.head});
}

std::string why_undefined(const LikenessParts& parts, Likeness measure, int row, int col) {
  const LikenessEntry& entry = entry_of(measure);
  if (entry.of_weights) return wording("likeness:undefined.weights");
  if (measure != Likeness::cka) return wording("likeness:undefined.no_query");
  for (const int head : {row, col})
    if (head < int_size(parts.table.no_cka) && !nth(parts.table.no_cka, head).empty())
      return parts.name(head) + ": " + nth(parts.table.no_cka, head) + ".";
  return wording("likeness:undefined.few_tokens");
}

float head_title(const Frame& frame, ImFont* font, ImVec2 pos, ImU32 color, const std::string& text) {
  const float side = std::round(0.8f * font->FontSize), top = std::round(pos.y + 0.12f * font->FontSize);
  frame.canvas.fill({pos.x, top}, {pos.x + side, top + side}, color);
  const float x = pos.x + side + 1.5f * frame.unit;
  frame.canvas.text_at(font, {x, pos.y}, frame.theme.ink, text);
  return x + text_width(font, text);
}

ValueScale likeness_scale(const Frame& frame, const LikenessMotion& motion) {
  const LikenessEntry& entry = entry_of(motion.table()->ordered_by);
  const double largest = std::max(std::abs(motion.least()), std::abs(motion.most()));
  if (entry.low < 0 || motion.has_negative()) {  // cosines where heads talk, and unbiased CKA, may be negative as well
    const auto end = real(frame.view.likeness.fitted ? ui::nice_ceiling(largest) : entry.high);
    return {diverging(frame), -end, end};
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
  return {sequential(frame), real(low), real(high)};
}

void draw_likeness_map(LikenessParts& parts) {
  Frame& frame = parts.frame;
  const LikenessLayout& at = parts.at;
  if (!at.map_shown || at.map_side < 4 * frame.fonts.text->FontSize) return;
  float end = at.map.x + std::max(at.map_side, 15 * frame.fonts.text->FontSize);
  if (at.tools.x > at.map.x + frame.unit) end = std::min(end, at.tools.x - 2 * frame.unit);  // beside the map
  const Canvas::Part part(frame.canvas, "likeness.map");
  // How far the map can be trusted goes before its whole title.
  const std::string number =
      wording("likeness:map.stress", {{"stress", ui::number(parts.table.map.stress, As::brief)}});
  const std::string words = number + ", " + stress_in_words(parts.table.map.stress);
  const auto behind = [&](const std::string& title) {
    return at.map_title.x + text_width(frame.fonts.strong, title) + 3 * frame.unit;
  };
  const bool whole = behind(wording("likeness:map.title")) + text_width(frame.fonts.text, words) <= end;
  const std::string& title = wording(whole ? "likeness:map.title" : "likeness:map.title.brief");
  frame.canvas.text_at(frame.fonts.strong, at.map_title, frame.theme.ink, title);
  const float x = behind(title);
  const std::string stress = fitting(frame.fonts.text, end - x, {words, number});
  if (!stress.empty()) {
    frame.canvas.text_at(frame.fonts.text, {x, at.map_title.y}, frame.theme.ink_soft, stress);
    ui::explain_here(frame, "likeness/stress", {x, at.map_title.y},
                     {text_width(frame.fonts.text, stress), frame.fonts.text->FontSize},
                     spelled(frame, wording("likeness:map.stress.tip")));
  }
  std::vector<MapPoint> points;
  const LikenessMotion& motion = parts.motion();
  for (int k = 0; k < parts.heads(); ++k)
    points.push_back({real(motion.x(k)), real(motion.y(k)), parts.color(k), parts.all() ? parts.number(k) : ""});
  auto map = styled<PointMap>(frame);
  map.points = &points;
  map.title = title;
  map.half_side = motion.half_side();
  map.marked = parts.hover.first;
  map.paired = parts.hover.second;
  for (int k = 0; k < parts.heads(); ++k)
    if (parts.is_focused(k)) map.focused = k;
  const PointMapResult result = draw_point_map(frame.canvas, "likeness/map", map, at.map, at.map_side);
  if (result.hovered < 0) return;
  parts.next = {result.hovered, -1};
  ui::tooltip(frame, {parts.name(result.hovered)});
  if (result.clicked) parts.focus_if_present(result.hovered);
}

}  // namespace hydra
