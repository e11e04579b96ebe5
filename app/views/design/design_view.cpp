// Design: what the focused head asks for and what it writes, in named columns, and the designer.
#include "app/views/change/change_marks.h"
#include "app/views/design/design_layout.h"
#include "app/views/frame/ui.h"
#include "app/views/model_panel/column_groups.h"
#include "app/views/shell/views.h"
#include "app/widgets/plot/chart_labels.h"
#include "app/widgets/plot/label_steps.h"
#include "core/document/models.h"

namespace hydra {

namespace {

constexpr float kWholeCell = 12;  // cells are whole pixels from here on; smaller ones take all the room

struct FormEntry {
  Quantity quantity;
  const char* name;
  const char* title;  // the key of a text, as the next one
  const char* rows;   // what the rows are, and the columns
};
constexpr FormEntry kForms[] = {{Quantity::query_key, "design/asks", "design:asks.title", "design:asks.rows"},
                                {Quantity::value_output, "design/writes", "design:writes.title", "design:writes.rows"}};

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
  frame.canvas.math_at(font, frame.fonts.small, at.title, frame.theme.ink,
                       text_width(font, all) <= width ? all : clipped(font, title, width));
}

// Of a form the rows and columns in which something stands.
struct Told {
  std::vector<Index> rows, cols;
};
Told told_of(const Frame& frame, const FormEntry& form, Index count) {
  const Array<float> values = frame.derived.form({form.quantity, frame.view.layer, frame.view.focused_head});
  const auto block = values->topLeftCorner(count, count).array();
  Told told;
  for (Index k = 0; k < count; ++k) {
    if ((block.row(k) != 0).any()) told.rows.push_back(k);
    if ((block.col(k) != 0).any()) told.cols.push_back(k);
  }
  return told;
}

class FormView : Drawing {
 public:
  // told: only these have their names, as large as other words; null: all have, as large as the rows let them be.
  FormView(Frame& frame, const FormEntry& form, const FormPlace& at, const std::vector<std::string>& names,
           const Told* told)
      : Drawing(frame),
        form_(form),
        at_(at),
        names_(names),
        told_(told),
        ref_{form.quantity, frame.view.layer, frame.view.focused_head} {}

  void draw() {
    const auto count = std::ssize(names_);
    title();
    const PictureResult picture =
        matrix_picture(frame_, form_.name, ref_, at_.corner, {at_.side, at_.side},
                       {.square_cells = at_.side >= kWholeCell * real(count), .first = count});
    const float step = (picture.heatmap.max.y - picture.heatmap.min.y) / real(count);
    if (told_)
      told_names(picture.heatmap, step);
    else
      edge_labels(frame_, {&names_, at_.corner, step, at_.row_labels, at_.column_labels, marked(true), marked(false)});
    if (frame_.trace.layout && count > frame_.trace.layout->features) column_group_lines(frame_, picture.heatmap, step);
    if (at_.legend_width > 0) site_legend(frame_, ref_, at_.legend, at_.legend_width);
  }

 private:
  void title() {
    draw_title(frame_, form_.name, ref_, at_, wording(form_.title));
    canvas_.text_at(fonts_.small, {at_.title.x, at_.title.y + fonts_.strong->FontSize + u_}, theme_.ink_soft,
                    wording(form_.rows));
  }

  // Moved apart where they are higher than their rows, each with a line to its own.
  static std::vector<float> places(const std::vector<Index>& told, float from, float step, float apart, float end) {
    std::vector<float> at;
    for (const Index k : told) at.push_back(from + (real(k) + 0.5f) * step);
    spread(at, apart, from, end - 0.5f * apart);
    return at;
  }
  void told_names(const Heatmap& picture, float step) const {
    ImFont* font = fonts_.small;
    const float leader = 3 * u_, x = picture.min.x - leader, y = picture.min.y - leader;
    const int row = marked(true), col = marked(false);
    std::vector<float> at = places(told_->rows, picture.min.y, step, font->FontSize, picture.max.y);
    for (std::size_t k = 0; k < at.size(); ++k) {
      const Index own = told_->rows[k];
      const std::string text = clipped(font, nth(names_, own), at_.row_labels - leader);
      const ImVec2 end{x - 0.5f * u_, at[k] - 0.5f * font->FontSize};
      canvas_.text_up_to(font, end, ink_for(frame_, own == row), text);
      canvas_.line({x, at[k]}, {picture.min.x - 0.5f * u_, picture.min.y + (real(own) + 0.5f) * step},
                   theme_.ink_faint);
      ui::probe({form_.name, "/row/", own}, {end.x - text_width(font, text), end.y}, {end.x, end.y + font->FontSize});
    }
    const float apart = font->FontSize * kColumnStep / kLabelSine;
    at = places(told_->cols, picture.min.x, step, apart, picture.max.x);
    for (std::size_t k = 0; k < at.size(); ++k) {
      const Index own = told_->cols[k];
      const float longest = (at_.column_labels - leader - 0.6f * font->FontSize) / kLabelSine;
      const ImVec2 pos{at[k] + 0.3f * font->FontSize, y - 0.5f * u_};
      canvas_.text_turned(font, font->FontSize, pos, 55, ink_for(frame_, own == col),
                          clipped(font, nth(names_, own), longest));
      canvas_.line({at[k], y}, {picture.min.x + (real(own) + 0.5f) * step, picture.min.y - 0.5f * u_},
                   theme_.ink_faint);
      ui::probe({form_.name, "/column/", own}, {pos.x, pos.y - font->FontSize}, {pos.x + font->FontSize, pos.y});
    }
  }

  int marked(bool row) const {
    const std::optional<Cell>& cell = pointed_at(frame_);
    if (!cell || cell->site != ref_) return -1;
    return static_cast<int>(row ? cell->row : cell->col);
  }

  const FormEntry& form_;
  const FormPlace& at_;
  const std::vector<std::string>& names_;
  const Told* told_;
  Site ref_;
};

// What the head makes of the sentence.
void pattern(Frame& frame, const FormPlace& at) {
  if (at.side <= 0) return;
  const Site A{Quantity::attention, frame.view.layer, frame.view.focused_head};
  const auto n = real(frame.trace.tokens.size());
  draw_title(frame, "design/attention", A, at,
             fitting(frame.fonts.strong, at.width, {wording("design:attention"), wording("design:attention.brief")}));
  const PictureResult picture = matrix_picture(frame, "design/attention", A, at.corner, {at.side, at.side},
                                               {.square_cells = at.side >= kWholeCell * n});
  const float step = (picture.heatmap.max.x - picture.heatmap.min.x) / n;
  const std::optional<Cell>& cell = pointed_at(frame);
  const bool of_pattern = cell && cell->site == A;
  edge_labels(frame, {&frame.trace.tokens, at.corner, step, at.row_labels, at.column_labels,
                      of_pattern ? static_cast<int>(cell->row) : -1, of_pattern ? static_cast<int>(cell->col) : -1});
  if (at.legend_width > 0) legend(frame, scale_for(frame, A), at.legend, at.legend_width);
}

bool has_designed_twin(const Frame& frame) {
  return kind_of(frame.document) != ModelKind::designed && can_switch(frame.document, ModelKind::designed);
}

float nothing_named_height(const Frame& frame) {
  return 3 * frame.fonts.text->FontSize + (has_designed_twin(frame) ? ImGui::GetFrameHeight() : 0) + 6 * frame.unit;
}

// Where X has no named columns, and the forms would be noise.
void nothing_named(Frame& frame, const FormPlace& at) {
  const float high =
      ui::paragraph(frame, frame.fonts.text, at.title, at.width, frame.theme.ink, wording("design:nothing_named"));
  ui::probe("design/not_designed", at.title, {at.title.x + at.width, at.title.y + high});
  if (!has_designed_twin(frame)) return;
  ImGui::SetCursorScreenPos({at.title.x, at.title.y + high + 2 * frame.unit});
  if (ui::button(frame, "design/twin", wording("design:twin"), wording("design:twin.tip")))
    frame.out.apply(SwitchModel{ModelKind::designed});
}

void designer(Frame& frame, const DesignLayout& at) {
  if (frame.canvas.begin_room("design/form", at.designer, at.designer_size, Scrolls::down)) {
    draw_designer(frame);
    if (frame.trace.layout) {
      ui::heading(frame, wording("design:pictures"));
      ui::checkbox(frame, "design/all_columns", wording("design:all_columns"), frame.view.design.all_columns,
                   wording("design:all_columns.tip"));
    }
    if (!at.both && frame.trace.layout) {
      const bool& writes = frame.view.design.writes;
      auto chips = ui::Chips::in_line(frame);
      chips.choice("design/show/asks", wording("design:asks"), writes, false, wording("design:asks.tip"));
      chips.choice("design/show/writes", wording("design:writes"), writes, true, wording("design:writes.tip"));
    }
  }
  frame.canvas.end_room();
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
  const bool both = both_forms_fit(in);
  const int only = frame.view.design.writes ? 1 : 0;
  // From afar small names cannot be read: those that matter stand there large, where they are few.
  Told told[2];
  if (frame.view.presentation && named) {
    std::size_t most = 0;
    float longest = 0;
    for (const int k : both ? std::vector<int>{0, 1} : std::vector<int>{only}) {
      told[k] = told_of(frame, kForms[k], std::ssize(names));
      for (const std::vector<Index>& some : {told[k].rows, told[k].cols}) {
        most = std::max(most, some.size());
        for (const Index name : some) longest = std::max(longest, text_width(frame.fonts.small, nth(names, name)));
      }
    }
    in.whole = real(most) * in.small <= 0.5f * in.size.y;
    if (in.whole) in.longest = longest + 3 * in.unit;
  }
  const DesignLayout at = design_layout(in);
  designer(frame, at);
  std::optional<Canvas::Part> part;
  if (named) part.emplace(frame.canvas, "design.forms");
  pattern(frame, at.pattern);
  if (!named)
    nothing_named(frame, at.forms[0]);
  else
    for (const int k : {0, 1})
      if (both || k == only)
        FormView(frame, kForms[k], at.forms[both ? k : 0], names, in.whole ? &told[k] : nullptr).draw();
}

}  // namespace hydra
