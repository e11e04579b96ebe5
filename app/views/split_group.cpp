// What each head sees: the whole embedding or a slice of it, and both side by side for one head.
#include "app/views/pictured.h"
#include "app/views/ui.h"
#include "app/views/views.h"

namespace hydra {

namespace {

// A slice is a few of many inputs: without a factor scores shrink, and heads attend evenly for that reason alone.
void slice_factor_line(Frame& frame) {
  const Layer& layer = document_layer(frame);
  if (layer.split != Split::slice) return;
  bool keep = layer.slice_factor.has_value();
  // As short as the panel is narrow.
  const std::string label = keep ? "scores × " + ui::number(*layer.slice_factor) : "keep score spread";
  if (ui::checkbox(frame, "model/split/keep", spelled(frame, label).c_str(), keep,
                   "Multiplies all scores by one number, so that on this sentence they spread as far as when each head "
                   "sees the whole embedding. Without it attention flattens because fewer inputs are summed, whatever "
                   "they are."))
    frame.out.apply(SetSplit{Split::slice, keep});
  const std::string read = ui::words(layer.d_k(frame.document.d_model), " of ", frame.document.d_model, " inputs");
  const std::string spread = ui::number(frame.derived.score_spread(frame.view.layer), As::rough);
  ui::soft_text(frame, !layer.slice_factor ? "Scores of " + read + " spread by " + spread +
                                                 ": how evenly heads attend says little about slices."
                       : *layer.slice_factor == 1
                           ? "The weights read no more than " + read + " anyway: scores spread by " + spread + "."
                           : "Scores of " + read + " are smaller; multiplied, they spread by " + spread + " again.");
  ui::probe("model/split/spread");
}

struct Strip {
  const char* name;
  const char* title;
  Split split;
};
constexpr Strip kStrips[] = {{"model/sight/slice", "its slice", Split::slice},
                             {"model/sight/projection", "whole embedding", Split::projection}};

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
  const std::string name = named ? " (" + column_name(*layout, col) + ")" : "";
  const auto length = [&](Index row) { return ui::number(sight(row, col)); };
  ui::tooltip(frame, {ui::words("column ", col, " of X", name, ": length ", length(0), " in W_Q, ", length(1),
                                " in W_K, ", length(2), " in W_V")});
}

void draw_strip(Frame& frame, const Strip& strip, const Array<float>& sight, const ValueScale& scale) {
  const Layer& layer = document_layer(frame);
  const float u = frame.unit, small = frame.fonts.small->FontSize, row = std::round(small);
  const bool on = layer.split == strip.split;
  ImVec2 pos = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, letters = text_width(frame.fonts.small, "Q") + u;
  frame.canvas.text_at(frame.fonts.small, pos, ink_for(frame, on), std::string(strip.title) + (on ? ": in use" : ""));
  pos.y += small + 1.75f * u;
  const auto [hit, heatmap] =
      picture(frame, strip.name, {.name = strip.name, .title = strip.title, .shown = whole(sight), .scale = scale},
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
  ui::heading(frame, "Each head sees");
  ui::Chips chips(frame);
  const auto split_chip = [&](const char* name, const char* label, Split split, const char* tip) {
    if (chips.picked(name, label, layer.split == split, tip)) frame.out.apply(SetSplit{split, true});
  };
  split_chip("model/split/projection", "whole embedding", Split::projection,
             "Each head multiplies all of X by its own W_Q, W_K and W_V: this is what transformers do, and cutting X "
             "W_Q into heads afterwards gives the same.");
  const bool slices = layer.group_size == 1 && layer.own_width == 0;
  if (slices)
    split_chip("model/split/slice", "its slice", Split::slice,
               "Head i reads only its own d_k columns of X, as some texts tell it: the same as a projection whose "
               "other weights are zero.");
  else
    ui::soft_text(frame, layer.own_width != 0 ? "Slices are for heads of d_model / heads numbers."
                                              : "Slices are for heads with keys and values of their own.");
  slice_factor_line(frame);
  const int head = frame.view.focused_head;
  if (layer.heads <= head) return;  // the trace is a moment older
  ui::soft_text(frame, ui::words("What head ", head + 1, " can see, column by column of X:"));
  ui::tip(frame,
          "The length of each row of its W_Q, W_K and W_V: how far its query, key and value move when that column of X "
          "grows by 1.");
  const Array<float> whole = frame.derived.head_sight(layer.weights, layer.heads, head, Split::projection);
  const float largest = frame.derived.max_abs(whole);
  const ValueScale scale{sequential(frame), 0, largest > 0 ? largest : 1};
  for (const Strip& strip : kStrips) {
    if (strip.split == Split::slice && !slices) continue;
    draw_strip(frame, strip, frame.derived.head_sight(layer.weights, layer.heads, head, strip.split), scale);
  }
}

}  // namespace hydra
