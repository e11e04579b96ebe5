// Design: what the focused head asks for and what it writes, in named columns, and the form that designs it.
#include "app/views/change/change_marks.h"
#include "app/views/design/design_form.h"
#include "app/views/design/design_layout.h"
#include "app/views/ui.h"
#include "app/views/views.h"

namespace hydra {

namespace {

constexpr float kWholeCell = 12;  // cells are whole pixels from here on; smaller ones take all the room

struct FormEntry {
  Quantity quantity;
  const char* name;
  const char* title;
  const char* rows;  // what the rows are, and the columns
};
constexpr FormEntry kForms[] = {
    {Quantity::query_key, "design/asks", "What asks for what", "row: query, column: key"},
    {Quantity::value_output, "design/writes", "What is written where", "row: attended token, column: output"}};

std::vector<std::string> column_names(const Trace& trace, Index count) {
  std::vector<std::string> names;
  for (Index c = 0; c < count; ++c) names.push_back(axis_label(trace, Axis::model_dim, c));
  return names;
}

bool asks_for_features(const Frame& frame) {
  const Array<float> form = frame.derived.form({Quantity::query_key, frame.view.layer, frame.view.focused_head});
  const Index features = frame.trace.layout->features;
  return (form->topLeftCorner(features, features).array() != 0).any() || (form->array() == 0).all();
}

// Columns of the forms that are shown: the features alone, or all; all, too, where the head asks for positions alone.
Index shown_columns(const Frame& frame) {
  const Trace& trace = frame.trace;
  const bool features = trace.layout && !frame.view.design.all_columns && asks_for_features(frame);
  return features ? trace.layout->features : trace.X->cols();
}

// What it is, and where there is room by which formula.
void draw_title(Frame& frame, const char* name, const Site& ref, const FormPlace& at, const std::string& title) {
  ImFont* font = frame.fonts.strong;
  const std::string all = title + "   " + formula(frame.trace, ref);
  const float end =
      std::max(at.corner.x + at.side, at.title.x + std::min(at.width, text_width(font, all) + 24 * frame.unit));
  const float width = std::min(at.width, end - at.title.x) -
                      put_change_badge(frame, name, ref, {std::min(end, at.title.x + at.width), at.title.y}, font);
  math_at(ImGui::GetWindowDrawList(), font, frame.fonts.small, at.title, frame.theme.ink,
          text_width(font, all) <= width ? all : clipped(font, title, width));
}

class FormView {
 public:
  FormView(Frame& frame, const FormEntry& form, const FormPlace& at, const std::vector<std::string>& names)
      : frame_(frame),
        form_(form),
        at_(at),
        names_(names),
        ref_{form.quantity, frame.view.layer, frame.view.focused_head},
        list_(ImGui::GetWindowDrawList()) {}

  void draw() {
    const auto count = std::ssize(names_);
    title();
    const PictureResult picture =
        matrix_picture(frame_, form_.name, ref_, at_.corner, {at_.side, at_.side},
                       {.square_cells = at_.side >= kWholeCell * static_cast<float>(count), .first = count});
    const float step = (picture.tile.max.y - picture.tile.min.y) / static_cast<float>(count);
    ImFont* small = frame_.fonts.small;
    const TokenAxis rows{&names_, small, frame_.theme.ink_soft, frame_.theme.ink, marked(true)};
    row_labels(list_, rows, at_.corner.x - frame_.unit, at_.row_labels - frame_.unit, at_.corner.y, step);
    const TokenAxis columns{&names_, small, frame_.theme.ink_soft, frame_.theme.ink, marked(false)};
    column_labels(list_, columns, at_.corner.x, step, at_.corner.y - 0.5f * frame_.unit, at_.column_labels);
    if (frame_.trace.layout && count > frame_.trace.layout->features) groups(picture.tile, step);
    LegendOptions options;
    options.remark = range_before(frame_, ref_);
    options.remark_color = frame_.theme.change;
    if (at_.legend_width > 0)
      legend(scale_for(frame_, ref_), at_.legend, at_.legend_width, small, frame_.theme.ink_soft, options);
  }

 private:
  void title() {
    const Theme& theme = frame_.theme;
    draw_title(frame_, form_.name, ref_, at_, form_.title);
    text_at(list_, frame_.fonts.small, {at_.title.x, at_.title.y + frame_.fonts.strong->FontSize + frame_.unit},
            theme.ink_soft, form_.rows);
  }

  int marked(bool row) const {
    const std::optional<Cell>& cell = frame_.view.hover ? frame_.view.hover : frame_.view.selection;
    if (!cell || cell->site != ref_) return -1;
    return static_cast<int>(row ? cell->row : cell->col);
  }

  // Lines between features, identity and positions.
  void groups(const HeatmapTile& tile, float step) {
    for (const Index at : {frame_.trace.layout->identity_at(), frame_.trace.layout->position_at()}) {
      const float offset = std::round(static_cast<float>(at) * step);
      list_->AddLine({tile.min.x, tile.min.y + offset}, {tile.max.x, tile.min.y + offset}, frame_.theme.ink_faint);
      list_->AddLine({tile.min.x + offset, tile.min.y}, {tile.min.x + offset, tile.max.y}, frame_.theme.ink_faint);
    }
  }

  Frame& frame_;
  const FormEntry& form_;
  const FormPlace& at_;
  const std::vector<std::string>& names_;
  Site ref_;
  ImDrawList* list_;
};

// What the head makes of the sentence.
void pattern(Frame& frame, const FormPlace& at) {
  if (at.side <= 0) return;
  const Site A{Quantity::attention, frame.view.layer, frame.view.focused_head};
  const auto n = static_cast<float>(frame.trace.tokens.size());
  draw_title(frame, "design/attention", A, at, "Its attention in this sentence");
  const PictureResult picture = matrix_picture(frame, "design/attention", A, at.corner, {at.side, at.side},
                                               {.square_cells = at.side >= kWholeCell * n});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float step = (picture.tile.max.x - picture.tile.min.x) / n;
  const std::optional<Cell>& cell = frame.view.hover ? frame.view.hover : frame.view.selection;
  const bool of_pattern = cell && cell->site == A;
  ImFont* font = frame.fonts.small;
  row_labels(
      list,
      {&frame.trace.tokens, font, frame.theme.ink_soft, frame.theme.ink, of_pattern ? static_cast<int>(cell->row) : -1},
      at.corner.x - frame.unit, at.row_labels - frame.unit, at.corner.y, step);
  column_labels(
      list,
      {&frame.trace.tokens, font, frame.theme.ink_soft, frame.theme.ink, of_pattern ? static_cast<int>(cell->col) : -1},
      at.corner.x, step, at.corner.y - 0.5f * frame.unit, at.column_labels);
  if (at.legend_width > 0) legend(scale_for(frame, A), at.legend, at.legend_width, font, frame.theme.ink_soft, {});
}

void designer(Frame& frame, const DesignLayout& at) {
  ImGui::SetCursorScreenPos(at.designer);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  if (ImGui::BeginChild("design/form", at.designer_size)) {
    draw_design_form(frame);
    ui::heading(frame, "Pictures");
    bool all = frame.view.design.all_columns;
    if (frame.trace.layout &&
        ui::checkbox("design/all_columns", "all columns", all,
                     "Off: only the named features. On: the word's identity and the positions, too."))
      frame.view.design.all_columns = all;
    if (!at.both) {
      if (ui::chip(frame, "design/show/asks", "asks", !frame.view.design.writes, "What the head's queries ask for."))
        frame.view.design.writes = false;
      ImGui::SameLine(0, frame.unit);
      if (ui::chip(frame, "design/show/writes", "writes", frame.view.design.writes,
                   "What the head writes to the output."))
        frame.view.design.writes = true;
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace

void draw_design_view(Frame& frame) {
  const std::vector<std::string> names = column_names(frame.trace, shown_columns(frame));
  DesignInput in;
  in.pos = ImGui::GetCursorScreenPos();
  in.size = ImGui::GetContentRegionAvail();
  for (const std::string& name : names) in.longest = std::max(in.longest, text_width(frame.fonts.small, name));
  for (const std::string& token : frame.trace.tokens)
    in.longest_token = std::max(in.longest_token, text_width(frame.fonts.small, token));
  in.tokens = int_size(frame.trace.tokens);
  in.columns = int_size(names);
  in.text = frame.fonts.text->FontSize;
  in.small = frame.fonts.small->FontSize;
  in.unit = frame.unit;
  if (in.size.x < 20 * in.text || in.size.y < 10 * in.text) return;  // folded to nothing
  const DesignLayout at = design_layout(in);
  designer(frame, at);
  pattern(frame, at.pattern);
  if (at.both)
    for (std::size_t k = 0; k < 2; ++k) FormView(frame, kForms[k], at.forms[k], names).draw();
  else
    FormView(frame, kForms[frame.view.design.writes ? 1 : 0], at.forms[0], names).draw();
}

}  // namespace hydra
