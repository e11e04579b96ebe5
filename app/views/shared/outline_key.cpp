#include "app/views/shared/outline_key.h"

#include "app/views/change/changes.h"
#include "app/views/frame/ui.h"

namespace hydra {

namespace {

// In the order of outline_meanings.
std::vector<bool> outlined_now(const Frame& frame) {
  const std::optional<Cell>&selected = frame.view.selection, &hover = frame.was.cell;
  const bool any = selected || hover;
  const bool feeds = (selected && is_editable(selected->site)) || (hover && is_editable(hover->site));
  const bool pictures = frame.view.view == ViewId::flow || frame.view.view == ViewId::heads;
  return {selected.has_value(), any, feeds, pictures && !shown_gold(frame).empty(), frame.changes.drawn()};
}

}  // namespace

void draw_outline_square(const Frame& frame, ImVec2 corner, float side, const OutlineMeaning& meaning) {
  const ImVec2 end{corner.x + side, corner.y + side};
  if (meaning.filled) frame.canvas.fill(corner, end, meaning.color);
  frame.canvas.frame(corner, end, meaning.color, 0.5f * frame.unit);
}

std::vector<OutlineMeaning> outline_meanings(const Frame& frame) {
  const Theme& theme = frame.theme;
  return {{theme.accent, "selected", "panels:outline.selected", "panels:outline.selected.text"},
          {theme.link_input, "reads", "panels:outline.reads", "panels:outline.reads.text"},
          {theme.link_affected, "feeds", "panels:outline.feeds", "panels:outline.feeds.text"},
          {theme.gold, "relation", "panels:outline.relation", "panels:outline.relation.text"},
          {theme.change, "changed", "panels:outline.changed", "panels:outline.changed.text", true}};
}

float draw_outline_key(const Frame& frame, float right, float middle, float room) {
  ImFont* font = frame.view.presentation ? frame.fonts.text : frame.fonts.small;
  const std::vector<OutlineMeaning> all = outline_meanings(frame);
  const std::vector<bool> now = outlined_now(frame);
  const float side = std::round(0.6f * font->FontSize), gap = frame.unit, apart = 2.5f * frame.unit;
  float width = 0;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (now[k]) width += side + gap + text_width(font, wording(all[k].word)) + apart;
  if (width == 0 || width > room) return 0;
  float x = right - width;
  const float left = x, y = std::round(middle - 0.5f * side);
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!now[k]) continue;
    draw_outline_square(frame, {std::round(x), y}, side, all[k]);
    x += side + gap;
    frame.canvas.text_at(font, {x, middle - 0.5f * font->FontSize}, frame.theme.ink_soft, wording(all[k].word));
    x += text_width(font, wording(all[k].word)) + apart;
  }
  ui::probe("status/outlines", {left, middle - 0.5f * font->FontSize}, {right, middle + 0.5f * font->FontSize});
  return width;
}

}  // namespace hydra
