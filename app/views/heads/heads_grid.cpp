#include "app/views/heads/heads_grid.h"

#include "app/views/gate_mark.h"
#include "app/views/painted.h"
#include "app/views/sharing_mark.h"
#include "app/views/ui.h"

namespace hydra {

Quantity shown_pattern(const ViewState& view) {
  if (view.average) return Quantity::attention;
  switch (view.pattern) {
    case Pattern::scores:
      return Quantity::scores;
    case Pattern::attention:
      return Quantity::attention;
    case Pattern::value_weighted:
      return Quantity::value_weighted;
  }
  return Quantity::attention;
}

bool is_chosen(const ViewState& view, int head) { return nth(view.selected_heads, head); }

int chosen_heads(const ViewState& view) {
  return static_cast<int>(std::count(view.selected_heads.begin(), view.selected_heads.end(), true));
}

void choose_all_heads(ViewState& view) { view.selected_heads.assign(view.selected_heads.size(), true); }

void toggle_head(ViewState& view, int head) {
  view.average = true;
  if (is_chosen(view, head) && chosen_heads(view) == 1) return;
  nth(view.selected_heads, head) = !is_chosen(view, head);
}

namespace {

void draw_choice_box(const Frame& frame, ImDrawList* list, float right, float top, ImU32 color, bool on) {
  const float size = frame.fonts.small->FontSize, side = std::round(0.7f * size);
  const ImVec2 a{right - side, std::round(top + 0.15f * size)}, b{right, a.y + side};
  list->AddRect(a, b, frame.theme.ink_soft, 2);
  if (on) list->AddRectFilled({a.x + 2, a.y + 2}, {b.x - 2, b.y - 2}, color);
}

// The best role, where it fits before right and no box stands there; else as a tip.
void draw_role(Frame& frame, const HeadsLayout& at, int head, ImVec2 pos, float right) {
  const HeadLabel* label = label_of(frame.roles, head);
  if (!label) return;
  ImFont* font = frame.fonts.small;
  std::string text = spelled(frame, label->brief);
  const float box = frame.view.average && at.thumb >= 3 * font->FontSize ? 0.7f * font->FontSize + frame.unit : 0;
  const bool mixed = label->role.kind == Role::Kind::mixed;
  if (pos.x + text_width(font, text) > right - box) text.resize(std::min(text.size(), text.rfind(' ')));  // no score
  const float end = pos.x + text_width(font, text);
  if (end <= right - box) {
    text_at(ImGui::GetWindowDrawList(), font, pos, mixed ? frame.theme.ink_faint : frame.theme.ink_soft, text);
    ui::probe({"heads/role/", head + 1}, pos, {end, pos.y + font->FontSize});
  }
  const float left = right - at.thumb;
  if (ui::under_pointer({left, pos.y}, {right, pos.y + at.caption})) {
    ui::begin_tooltip_beside({left, pos.y}, {right, pos.y + at.caption});
    ImGui::TextUnformatted(imgui_text("Head " + std::to_string(head + 1) + ": " + role_sentence(frame.roles, head)));
    ui::end_tooltip();
  }
}

// The head's number, over a bar in its colour: a frame only for heads that the average leaves out.
void draw_caption(Frame& frame, const HeadsLayout& at, int head, ImVec2 pos, const HeatmapTile& tile) {
  ViewState& view = frame.view;
  const Theme& theme = frame.theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImFont* font = frame.fonts.small;
  const bool focused = head == view.focused_head, out = view.average && !is_chosen(view, head);
  const ImU32 color = head_color(head, theme.dark);
  const ImVec2 a{tile.min.x, tile.min.y - 0.75f * frame.unit}, b{tile.max.x, tile.min.y};
  if (out)
    list->AddRect(a, b, color);
  else
    list->AddRectFilled(a, b, color);
  const std::string number = std::to_string(head + 1);
  text_at(list, font, pos, focused ? theme.ink : theme.ink_soft, number);
  float x = pos.x + text_width(font, number) + 1.5f * frame.unit;
  if (x + font->FontSize < tile.max.x && painted_mark(frame, "heads/painted/" + number, view.layer, head,
                                                      {x, pos.y + 0.5f * frame.unit}, 0.8f * font->FontSize))
    x += font->FontSize;
  x += gate_mark(frame, "heads/gate/" + number, view.layer, head, {x, pos.y}, font);
  draw_role(frame, at, head, {x, pos.y}, pos.x + at.thumb);
  if (focused) list->AddRect({a.x - 2, a.y - 1}, {tile.max.x + 2, tile.max.y + 2}, theme.accent, 0, 0, 2);
  if (!view.average) return;
  if (at.thumb >= 3 * font->FontSize) draw_choice_box(frame, list, pos.x + at.thumb, pos.y, color, !out);
  ImGui::SetCursorScreenPos(pos);
  ImGui::PushID(head);
  if (ImGui::InvisibleButton("choose", {at.thumb, at.caption - frame.unit})) toggle_head(view, head);
  ui::probe({"heads/choose/", head + 1});
  ui::tip(out ? "Takes this head into the average." : "Leaves this head out of the average.");
  ImGui::PopID();
}

HeatmapTile draw_thumbnail(Frame& frame, const HeadsLayout& at, int head, ImVec2 pos) {
  ViewState& view = frame.view;
  const std::string name = "heads/grid/" + std::to_string(head + 1);
  const bool out = (view.average && !is_chosen(view, head)) || is_silent(frame, view.layer, head);
  const PictureResult result = matrix_picture(
      frame, name.c_str(), {shown_pattern(view), view.layer, head}, {pos.x, pos.y + at.caption}, {at.thumb, at.thumb},
      {.square_cells = false, .values = false, .clickable = false, .alpha = out ? 0.3f : 1.0f});
  draw_caption(frame, at, head, pos, result.tile);
  if (result.hit.clicked && ImGui::GetIO().KeyCtrl)
    toggle_head(view, head);
  else if (result.hit.clicked)
    focus_head(view, head);  // ends averaging; the choice is kept for the next time
  return result.tile;
}

void draw_thumbnails(Frame& frame, const HeadsLayout& at, ImVec2 corner) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float low = list->GetClipRectMin().y, high = list->GetClipRectMax().y;
  list->ChannelsSplit(2);  // all pictures below, so that they share draw calls
  list->ChannelsSetCurrent(1);
  std::vector<HeatmapTile> tiles;
  for (int h = 0; h < int_size(frame.view.selected_heads); ++h) {
    const ImVec2 pos{corner.x + at.inset + static_cast<float>(h % at.columns) * at.step_x,
                     corner.y + static_cast<float>(h / at.columns) * at.step_y};
    if (pos.y + at.step_y >= low && pos.y <= high) {
      tiles.push_back(draw_thumbnail(frame, at, h, pos));
      continue;
    }
    ui::probe({"heads/grid/", h + 1}, pos, {pos.x + at.thumb, pos.y + at.step_y});
    HeatmapTile& unseen = tiles.emplace_back();
    unseen.min = {pos.x, pos.y + at.caption};
    unseen.max = {pos.x + at.thumb, unseen.min.y + at.thumb};
  }
  group_lines(frame, "heads/group/", frame.view.layer, tiles);
  list->ChannelsMerge();
}

}  // namespace

void draw_heads_grid(Frame& frame, const HeadsLayout& at) {
  ui::room("heads/grid", at.grid_pos, at.grid_size, at.grid_content > at.grid_size.y + 0.5f, [&](ImVec2 corner) {
    draw_thumbnails(frame, at, corner);
    return at.grid_content;
  });
}

}  // namespace hydra
