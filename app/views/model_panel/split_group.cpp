// What each head sees: the whole embedding or a slice of it, and both side by side for one head.
#include "app/views/frame/ui.h"
#include "app/views/shared/pictured.h"
#include "app/views/shell/views.h"

namespace hydra {

namespace {

// A slice is a few of many inputs: without a factor scores shrink, and heads attend evenly for that reason alone.
void slice_factor_line(Frame& frame) {
  const Layer& layer = document_layer(frame);
  if (layer.split != Split::slice) return;
  bool keep = layer.slice_factor.has_value();
  // As short as the panel is narrow.
  const std::string label =
      keep ? wording("panels:split.kept", {{"factor", ui::number(*layer.slice_factor)}}) : wording("panels:split.keep");
  if (ui::checkbox(frame, "model/split/keep", spelled(frame, label), keep, wording("panels:split.keep.tip")))
    frame.out.apply(SetSplit{Split::slice, keep});
  const Index read = layer.d_k(frame.document.d_model), all = frame.document.d_model;
  const std::string spread = ui::number(frame.derived.score_spread(frame.view.layer), As::rough);
  ui::soft_text(frame, !layer.slice_factor
                           ? wording("panels:split.spread", {{"read", read}, {"all", all}, {"spread", spread}})
                       : *layer.slice_factor == 1
                           ? wording("panels:split.spread.same", {{"read", read}, {"all", all}, {"spread", spread}})
                           : wording("panels:split.spread.kept", {{"read", read}, {"all", all}, {"spread", spread}}));
  ui::probe("model/split/spread");
}

struct Strip {
  const char* name;
  const char* title;  // a text
  Split split;
};
constexpr Strip kStrips[] = {{"model/sight/slice", "panels:split.slice", Split::slice},
                             {"model/sight/projection", "panels:split.projection", Split::projection}};

// Column numbers under a strip, as many as have room.
void column_numbers(const Frame& frame, const Heatmap& heatmap) {
  ImFont* font = frame.fonts.small;
  const float step = (heatmap.max.x - heatmap.min.x) / real(heatmap.cols);
  const float least = text_width(font, std::to_string(heatmap.cols)) + 2 * frame.unit;
  Index stride = 1;
  for (const Index next : {2, 4, 8, 16, 32, 64, 128, 256, 512})
    if (real(stride) * step < least) stride = next;
  for (Index k = 0; k < heatmap.cols; k += stride) {
    const std::string number = std::to_string(k);
    const float inset = std::max(0.0f, 0.5f * (step - text_width(font, number)));  // in the middle of a wide cell
    frame.canvas.text_at(font, {cell_min(heatmap, 0, k).x + inset, heatmap.max.y + 0.25f * frame.unit},
                         frame.theme.ink_faint, number);
  }
}

void describe_column(const Frame& frame, MatIn<float> sight, Index col) {
  const std::optional<FeatureLayout>& layout = frame.trace.layout;
  const bool named = layout && layout->d_model() == sight.cols();
  const std::string column =
      named ? wording("panels:split.column.named", {{"column", col}, {"name", column_name(*layout, col)}})
            : wording("panels:split.column", {{"column", col}});
  const auto length = [&](Index row) { return ui::number(sight(row, col)); };
  ui::tooltip(frame, {wording("panels:split.lengths",
                              {{"column", column}, {"w_q", length(0)}, {"w_k", length(1)}, {"w_v", length(2)}})});
}

void draw_strip(Frame& frame, const Strip& strip, const Array<float>& sight, const ValueScale& scale) {
  const Layer& layer = document_layer(frame);
  const float u = frame.unit, small = frame.fonts.small->FontSize, row = std::round(small);
  const bool on = layer.split == strip.split;
  const std::string& title = wording(strip.title);
  ImVec2 pos = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, letters = text_width(frame.fonts.small, "Q") + u;
  frame.canvas.text_at(frame.fonts.small, pos, ink_for(frame, on),
                       on ? wording("panels:split.in_use", {{"split", title}}) : title);
  pos.y += small + 1.75f * u;
  const auto [hit, heatmap] =
      picture(frame, strip.name, {.name = strip.name, .title = title, .shown = whole(sight), .scale = scale},
              {pos.x + letters, pos.y}, {width - letters, 3 * row},
              {.square_cells = false, .values = false, .clickable = false});
  for (int k = 0; k < 3; ++k)
    frame.canvas.text_at(frame.fonts.small, {pos.x, pos.y + (real(k) + 0.5f) * row - 0.5f * small},
                         frame.theme.ink_soft, std::string(1, "QKV"[k]));
  const Index d_k = sight->cols() / layer.heads, first = frame.view.focused_head * d_k;
  const ImVec2 low = cell_min(heatmap, 0, first), high = cell_min(heatmap, 0, first + d_k);
  if (layer.own_width == 0)
    frame.canvas.fill({low.x, low.y - 1.25f * u}, {high.x, low.y - 0.25f * u},
                      head_color(frame, frame.view.focused_head));  // the columns of its slice
  column_numbers(frame, heatmap);
  if (hit.hovered) describe_column(frame, *sight, hit.col);
  ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x, heatmap.max.y});
  ImGui::Dummy({width, small + u});
}

}  // namespace

void draw_split_group(Frame& frame) {
  const Layer& layer = document_layer(frame);
  ui::heading(frame, wording("panels:split.title"));
  ui::Chips chips(frame);
  const auto split_chip = [&](const char* name, const char* label, Split split, const char* tip) {
    if (chips.picked(name, wording(label), layer.split == split, wording(tip))) frame.out.apply(SetSplit{split, true});
  };
  split_chip("model/split/projection", "panels:split.projection", Split::projection, "panels:split.projection.tip");
  const bool slices = !layer.key_groups().shares() && layer.own_width == 0;
  if (slices)
    split_chip("model/split/slice", "panels:split.slice", Split::slice, "panels:split.slice.tip");
  else
    ui::soft_text(frame,
                  wording(layer.own_width != 0 ? "panels:split.no_slice.width" : "panels:split.no_slice.shared"));
  slice_factor_line(frame);
  const int head = frame.view.focused_head;
  if (layer.heads <= head) return;  // the trace is a moment older
  ui::soft_text(frame, wording("panels:split.sight", {{"head", head + 1}}));
  ui::tip(frame, wording("panels:split.sight.tip"));
  const Array<float> whole = frame.derived.head_sight(layer.weights, layer.heads, head, Split::projection);
  const float largest = frame.derived.max_abs(whole);
  const ValueScale scale{sequential(frame), 0, largest > 0 ? largest : 1};
  for (const Strip& strip : kStrips) {
    if (strip.split == Split::slice && !slices) continue;
    draw_strip(frame, strip, frame.derived.head_sight(layer.weights, layer.heads, head, strip.split), scale);
  }
}

}  // namespace hydra
