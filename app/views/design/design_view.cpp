// Design: what the focused head asks for and what it writes, in named columns, and the designer.
#include "app/views/change/change_marks.h"
#include "app/views/column_groups.h"
#include "app/views/design/design_layout.h"
#include "app/views/ui.h"
#include "app/views/views.h"
#include "core/document/models.h"

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
  math_at(font, frame.fonts.small, at.title, frame.theme.ink,
          text_width(font, all) <= width ? all : clipped(font, title, width));
}

class FormView : Drawing {
 public:
  FormView(Frame& frame, const FormEntry& form, const FormPlace& at, const std::vector<std::string>& names)
      : Drawing(frame),
        form_(form),
        at_(at),
        names_(names),
        ref_{form.quantity, frame.view.layer, frame.view.focused_head} {}

  void draw() {
    const auto count = std::ssize(names_);
    title();
    const PictureResult picture =
        matrix_picture(frame_, form_.name, ref_, at_.corner, {at_.side, at_.side},
                       {.square_cells = at_.side >= kWholeCell * real(count), .first = count});
    const float step = (picture.heatmap.max.y - picture.heatmap.min.y) / real(count);
    edge_labels(frame_, {&names_, at_.corner, step, at_.row_labels, at_.column_labels, marked(true), marked(false)});
    if (frame_.trace.layout && count > frame_.trace.layout->features) column_group_lines(frame_, picture.heatmap, step);
    if (at_.legend_width > 0) site_legend(frame_, ref_, at_.legend, at_.legend_width);
  }

 private:
  void title() {
    draw_title(frame_, form_.name, ref_, at_, form_.title);
    text_at(fonts_.small, {at_.title.x, at_.title.y + fonts_.strong->FontSize + u_}, theme_.ink_soft, form_.rows);
  }

  int marked(bool row) const {
    const std::optional<Cell>& cell = pointed_at(frame_);
    if (!cell || cell->site != ref_) return -1;
    return static_cast<int>(row ? cell->row : cell->col);
  }

  const FormEntry& form_;
  const FormPlace& at_;
  const std::vector<std::string>& names_;
  Site ref_;
};

// What the head makes of the sentence.
void pattern(Frame& frame, const FormPlace& at) {
  if (at.side <= 0) return;
  const Site A{Quantity::attention, frame.view.layer, frame.view.focused_head};
  const auto n = real(frame.trace.tokens.size());
  draw_title(frame, "design/attention", A, at, "Its attention in this sentence");
  const PictureResult picture = matrix_picture(frame, "design/attention", A, at.corner, {at.side, at.side},
                                               {.square_cells = at.side >= kWholeCell * n});
  const float step = (picture.heatmap.max.x - picture.heatmap.min.x) / n;
  const std::optional<Cell>& cell = pointed_at(frame);
  const bool of_pattern = cell && cell->site == A;
  edge_labels(frame, {&frame.trace.tokens, at.corner, step, at.row_labels, at.column_labels,
                      of_pattern ? static_cast<int>(cell->row) : -1, of_pattern ? static_cast<int>(cell->col) : -1});
  if (at.legend_width > 0) legend(frame, scale_for(frame, A), at.legend, at.legend_width);
}

// Where X has no named columns, and the forms would be noise.
constexpr const char* kNothingNamed =
    "Not designed: the columns of X have no names, so what this head asks for and writes cannot be told in words.";

bool has_designed_twin(const Frame& frame) {
  return kind_of(frame.document) != ModelKind::designed && can_switch(frame.document, ModelKind::designed);
}

float nothing_named_height(const Frame& frame) {
  return 3 * frame.fonts.text->FontSize + (has_designed_twin(frame) ? ImGui::GetFrameHeight() : 0) + 6 * frame.unit;
}

void nothing_named(Frame& frame, const FormPlace& at) {
  const float high = ui::paragraph(frame, frame.fonts.text, at.title, at.width, frame.theme.ink, kNothingNamed);
  ui::probe("design/not_designed", at.title, {at.title.x + at.width, at.title.y + high});
  if (!has_designed_twin(frame)) return;
  ImGui::SetCursorScreenPos({at.title.x, at.title.y + high + 2 * frame.unit});
  if (ui::button(frame, "design/twin", "Show the designed model",
                 "The same sentence, read by heads that were designed. Key U goes on to the next model."))
    frame.out.apply(SwitchModel{ModelKind::designed});
}

void designer(Frame& frame, const DesignLayout& at) {
  if (ui::begin_room("design/form", at.designer, at.designer_size, ui::Scrolls::down)) {
    draw_designer(frame);
    ui::heading(frame, "Pictures");
    bool all = frame.view.design.all_columns;
    if (frame.trace.layout &&
        ui::checkbox("design/all_columns", "all columns", all,
                     "Off: only the named features. On: the word's identity and the positions, too."))
      frame.view.design.all_columns = all;
    if (!at.both && frame.trace.layout) {
      bool& writes = frame.view.design.writes;
      auto chips = ui::Chips::in_line(frame);
      chips.choice("design/show/asks", "asks", writes, false, "What the head's queries ask for.");
      chips.choice("design/show/writes", "writes", writes, true, "What the head writes to the output.");
    }
  }
  ui::end_room();
}

}  // namespace

void draw_design_view(Frame& frame) {
  const bool named = frame.trace.layout.has_value();
  const std::vector<std::string> names =
      named ? column_names(frame.trace, shown_columns(frame)) : std::vector<std::string>();
  auto in = room_for<DesignInput>(frame);
  in.instead = nothing_named_height(frame);
  in.longest = widest(frame.fonts.small, names);
  in.longest_token = widest(frame.fonts.small, frame.trace.tokens);
  in.tokens = int_size(frame.trace.tokens);
  in.columns = int_size(names);
  if (in.size.x < 20 * in.text || in.size.y < 10 * in.text) return;  // folded to nothing
  const DesignLayout at = design_layout(in);
  designer(frame, at);
  pattern(frame, at.pattern);
  if (!named)
    nothing_named(frame, at.forms[0]);
  else if (at.both)
    for (std::size_t k = 0; k < 2; ++k) FormView(frame, kForms[k], at.forms[k], names).draw();
  else
    FormView(frame, kForms[frame.view.design.writes ? 1 : 0], at.forms[0], names).draw();
}

}  // namespace hydra
