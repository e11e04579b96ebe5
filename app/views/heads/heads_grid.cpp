#include "app/views/heads/heads_grid.h"

#include "app/views/frame/ui.h"
#include "app/views/heads/head_picture.h"
#include "app/views/heads/heads_rollout.h"
#include "app/views/shared/head_marks.h"
#include "app/views/shared/head_roles.h"

namespace hydra {

Quantity shown_pattern(const ViewState& view) {
  constexpr Quantity kShown[] = {Quantity::scores, Quantity::attention, Quantity::value_weighted};  // by Pattern
  return view.average ? Quantity::attention : nth(kShown, view.pattern);
}

bool shows_beside(const ViewState& view) {
  return view.beside.in_heads && !view.average && !shows_rollout(view) && !shown_head_picture(view);
}

bool is_chosen(const ViewState& view, int head) { return nth(view.selected_heads, head); }

int chosen_heads(const ViewState& view) {
  return static_cast<int>(std::count(view.selected_heads.begin(), view.selected_heads.end(), true));
}

void choose_all_heads(Frame& frame) {
  frame.choose(frame.view.selected_heads, std::vector<bool>(frame.view.selected_heads.size(), true));
}

namespace {

// Of each head what is large of one, where it is a matrix of the model.
Quantity thumbnail_pattern(const Frame& frame) {
  const HeadPicture* picture = shown_head_picture(frame.view);
  if (!picture) return shown_pattern(frame.view);
  const bool has = picture->quantity && (!picture->offered || picture->offered(layer_of(frame).input));
  return has ? *picture->quantity : Quantity::attention;
}

// Into the average or out of it; the last one stays. The first choice starts the averaging, with the heads chosen
// before.
void toggle_head(Frame& frame, int head) {
  const ViewState& view = frame.view;
  frame.choose(view.average, true);
  if (is_chosen(view, head) && chosen_heads(view) == 1) return;
  std::vector<bool> heads = view.selected_heads;
  nth(heads, head) = !is_chosen(view, head);
  frame.choose(view.selected_heads, heads);
}

void draw_choice_box(const Frame& frame, float right, float top, ImU32 color, bool on) {
  const float size = frame.fonts.small->FontSize, side = std::round(0.7f * size);
  const ImVec2 a{right - side, std::round(top + 0.15f * size)}, b{right, a.y + side};
  frame.canvas.frame(a, b, frame.theme.ink_soft, 1, 2);
  if (on) frame.canvas.fill({a.x + 2, a.y + 2}, {b.x - 2, b.y - 2}, color);
}

// The best role, where it fits before right and no box stands there; in any case as a tip.
void draw_role(Frame& frame, const HeadsLayout& at, int head, ImVec2 pos, float right) {
  const float size = frame.fonts.small->FontSize;
  const float box = frame.view.average && at.thumb >= 3 * size ? 0.7f * size + frame.unit : 0;
  role_mark(frame, "heads/role/", head, pos, right - box);
  const ImVec2 low{right - at.thumb, pos.y}, high{right, pos.y + at.caption};
  const HeadLabel* label = label_of(frame, head);
  if (label && frame.canvas.over(low, high)) role_tip(frame, low, high, head_name(head), *label);
}

// The head's number, over a bar in its colour: a frame only for heads that the average leaves out.
void draw_caption(Frame& frame, const HeadsLayout& at, int head, ImVec2 pos, const Heatmap& heatmap) {
  const ViewState& view = frame.view;
  const Theme& theme = frame.theme;
  ImFont* font = frame.fonts.small;
  const bool focused = head == marked_head(frame), out = view.average && !is_chosen(view, head);
  const ImU32 color = head_color(frame, head);
  const ImVec2 a{heatmap.min.x, heatmap.min.y - 0.75f * frame.unit}, b{heatmap.max.x, heatmap.min.y};
  if (out)
    frame.canvas.frame(a, b, color);
  else
    frame.canvas.fill(a, b, color);
  const std::string number = std::to_string(head + 1);
  frame.canvas.text_at(font, pos, focused ? theme.ink : theme.ink_soft, number);
  float x = pos.x + text_width(font, number) + 1.5f * frame.unit;
  if (x + font->FontSize < heatmap.max.x && painted_mark(frame, "heads/painted/" + number, view.layer, head,
                                                         {x, pos.y + 0.5f * frame.unit}, 0.8f * font->FontSize))
    x += font->FontSize;
  x += gate_mark(frame, "heads/gate/" + number, view.layer, head, {x, pos.y}, font);
  x += own_mark(frame, "heads/own/" + number, view.layer, head, {x, pos.y}, font, pos.x + at.thumb - x);
  draw_role(frame, at, head, {x, pos.y}, pos.x + at.thumb);
  if (focused) frame.canvas.frame({a.x - 2, a.y - 1}, {heatmap.max.x + 2, heatmap.max.y + 2}, theme.accent, 2);
  if (!view.average) return;
  if (at.thumb >= 3 * font->FontSize) draw_choice_box(frame, pos.x + at.thumb, pos.y, color, !out);
  if (frame.canvas.item({"heads/choose/", head + 1}, {pos, {at.thumb, at.caption - frame.unit}}).clicked)
    toggle_head(frame, head);
  ui::tip(frame, wording(out ? "heads:average.take" : "heads:average.leave"));
}

Heatmap draw_thumbnail(Frame& frame, const HeadsLayout& at, int head, ImVec2 pos) {
  const ViewState& view = frame.view;
  const std::string name = "heads/grid/" + std::to_string(head + 1);
  const bool out = (view.average && !is_chosen(view, head)) || is_silent(frame, view.layer, head);
  const PictureResult result = matrix_picture(
      frame, name.c_str(), {thumbnail_pattern(frame), view.layer, head}, {pos.x, pos.y + at.caption},
      {at.thumb, at.thumb}, {.square_cells = false, .values = false, .clickable = false, .alpha = out ? 0.3f : 1.0f});
  draw_caption(frame, at, head, pos, result.heatmap);
  if (result.hit.clicked && ImGui::GetIO().KeyCtrl)
    toggle_head(frame, head);
  else if (result.hit.clicked || result.hit.chosen)
    focus_head(frame, head);  // ends averaging; the choice is kept for the next time
  return result.heatmap;
}

void draw_thumbnails(Frame& frame, const HeadsLayout& at, ImVec2 corner) {
  const Box in_sight = frame.canvas.visible();
  const float low = in_sight.pos.y, high = in_sight.bottom();
  const Canvas::Layers layers(frame.canvas);
  std::vector<Heatmap> heatmaps;
  for (int h = 0; h < int_size(frame.view.selected_heads); ++h) {
    const ImVec2 pos{corner.x + at.inset + real(h % at.columns) * at.step_x,
                     corner.y + real(h / at.columns) * at.step_y};
    if (pos.y + at.step_y >= low && pos.y <= high) {
      heatmaps.push_back(draw_thumbnail(frame, at, h, pos));
      continue;
    }
    ui::probe({"heads/grid/", h + 1}, pos, {pos.x + at.thumb, pos.y + at.step_y});
    Heatmap& unseen = heatmaps.emplace_back();
    unseen.min = {pos.x, pos.y + at.caption};
    unseen.max = {pos.x + at.thumb, unseen.min.y + at.thumb};
  }
  group_lines(frame, "heads/group/", frame.view.layer, heatmaps);
}

// The large pattern has one in the window.
void draw_grid_legend(const Frame& frame, const HeadsLayout& at) {
  const LegendOptions options{.masked = layer_of(frame).input.masks(marked_head(frame))};
  const float small = frame.fonts.small->FontSize, wide = real(at.columns) * at.step_x - 2 * frame.unit;
  const float width = std::clamp(wide, (options.masked ? 20 : 12) * small, 30 * small);
  legend(frame, scale_for(frame, {thumbnail_pattern(frame), frame.view.layer, 0}),
         {at.grid_pos.x + at.inset, at.grid_pos.y + at.grid_content}, width, options);
}

}  // namespace

void draw_heads_grid(Frame& frame, const HeadsLayout& at) {
  const Canvas::Part part(frame.canvas, "heads.grid");
  if (frame.canvas.stands_alone()) draw_grid_legend(frame, at);
  ui::room(frame.canvas, "heads/grid", at.grid_pos, at.grid_size, at.grid_content > at.grid_size.y + 0.5f,
           [&](ImVec2 corner) {
             draw_thumbnails(frame, at, corner);
             return at.grid_content;
           });
}

}  // namespace hydra
