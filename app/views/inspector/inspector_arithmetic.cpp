// The arithmetic of the selected number: steps of terms, each number a way one step deeper.
#include "app/views/change/change_marks.h"
#include "app/views/frame/ui.h"
#include "app/views/inspector/inspector_parts.h"
#include "app/widgets/mouse_area.h"

namespace hydra::inspector {

const Signs& signs_of(Combine combine) {
  static constexpr Signs kSigns[] = {
      // by Combine
      {"", "·", ""},        {"", "/", ""},      {"exp(", "", ")"},       {"exp(", "−", ")"}, {"sin(", "", ")"},
      {"cos(", "", ")"},    {"√(", "", ")"},    {"tanh(", "", ")"},      {"(", "−", ")²"},   {"sigmoid(", "", ")"},
      {"max(0, ", "", ")"}, {"gelu(", "", ")"}, {"gelu_tanh(", "", ")"}, {"silu(", "", ")"}, {"max(0, ", "", ")²"}};
  static_assert(std::size(kSigns) == kCombines);
  return nth(kSigns, combine);
}

namespace {

constexpr int kFew = 16;    // so many terms are listed whole
constexpr int kShort = 10;  // of more, so many; the rest is summed

// Where the columns of a step stand, from the left edge of the panel.
struct Columns {
  float label = 0;              // width of the labels
  std::vector<float> factor;    // right edges
  float equals = 0, value = 0;  // left edge of "=", right edge of the values
  float bar0 = 0, bar1 = 0;     // room for bars; none when bar1 <= bar0
  bool shows_factors = true;    // a lone factor is its own value
};

class StepView : Drawing {
 public:
  StepView(Frame& frame, const Explained& explained, std::size_t index, ImFont* numbers, const char* probes)
      : Drawing(frame),
        probes_(std::string(probes) + "/"),
        index_(index),
        step_(explained.explanation.steps[index]),
        layout_(explained.steps[index]),
        last_(index + 1 == explained.steps.size()),
        numbers_(numbers),
        width_(ImGui::GetContentRegionAvail().x),
        char_width_(text_width(numbers, "0")),
        signs_(signs_of(step_.combine)),
        columns_(columns()) {}

  // What the widest row needs, bars included; for choosing the size of the numbers.
  float needed() const { return columns_.value + 8 * char_width_; }

  void draw(bool switches) {
    heading();
    if (step_.terms.empty()) return;
    if (switches) draw_switches();
    if (step_.terms.size() == 1) {
      term_row(0, true);
      return;
    }
    const int count = int_size(step_.terms);
    if (count <= kFew)
      for (int k = 0; k < count; ++k) term_row(ordered(k), false);
    else if (view_.inspector.all_terms)
      scrolled_rows(count);
    else
      shortened_rows(count);
    sum_row();
  }

 private:
  float op_width(const char* sign) const { return *sign ? text_width(fonts_.small, sign) : 0; }
  float row_height() const { return std::ceil(numbers_->FontSize + 1.5f * u_); }

  Columns columns() const {
    Columns c;
    const float gap = u_;
    for (const Term& term : step_.terms) c.label = std::max(c.label, text_width(fonts_.small, say(term.label)));
    c.label = std::min(c.label, 0.26f * width_);
    if (step_.terms.size() > 1) c.label = std::max(c.label, text_width(fonts_.small, sum_label()));
    if (c.label > 0) c.label += 2 * gap;
    if (has_heads()) c.label += 2.5f * gap;
    c.shows_factors = layout_.factor_chars.size() > 1 || step_.combine != Combine::product;
    float x = c.label;
    if (c.shows_factors) {
      x += op_width(signs_.before);
      for (std::size_t f = 0; f < layout_.factor_chars.size(); ++f) {
        if (f > 0) x += op_width(signs_.between) + 2 * gap;
        x += real(layout_.factor_chars[f]) * char_width_;
        c.factor.push_back(x);
      }
      x += op_width(signs_.after) + 1.5f * gap;
      c.equals = x;
      x += op_width("=") + gap;
    }
    c.value = x + real(layout_.value_chars) * char_width_;
    c.bar0 = c.value + 2 * gap;
    c.bar1 = width_ - gap;
    if (c.bar1 - c.bar0 < 3 * char_width_) c.bar1 = c.bar0;
    return c;
  }

  std::string sum_label() const { return wording("inspector:sum", {{"n", step_.terms.size()}}); }

  // Whether it is a sum over heads.
  bool has_heads() const {
    const auto head_of = [](const Term& term) {
      const std::optional<Cell>& source = term.factors.front().source;
      return source ? source->site.head : kNoHead;
    };
    return step_.terms.size() > 1 && head_of(step_.terms[0]) != kNoHead &&
           head_of(step_.terms[0]) != head_of(step_.terms[1]);
  }

  int ordered(int k) const {
    const bool by_size = view_.inspector.terms_by_size && std::ssize(step_.terms) > kFew;
    return by_size ? nth(layout_.strongest, k) : k;
  }

  void heading() {
    ui::soft_text(frame_, step_.text);
    if (step_.formula.empty()) return;
    ui::text(frame_, step_.formula, {.font = fonts_.small, .ink = theme_.ink, .wraps = true});
  }

  void draw_switches() {
    ImGui::PushFont(fonts_.small);
    auto chips = ui::Chips::in_line(frame_);
    chips.toggle("inspector/by_size", wording("inspector:by_size"), view_.inspector.terms_by_size,
                 wording("inspector:by_size.tip"));
    chips.toggle("inspector/all_terms", wording("inspector:all_terms", {{"n", step_.terms.size()}}),
                 view_.inspector.all_terms, wording("inspector:all_terms.tip"));
    ImGui::PopFont();
  }

  void scrolled_rows(int count) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::BeginChild(static_cast<ImGuiID>(index_ + 1), {0, real(kFew) * row_height()}, false,
                      ImGuiWindowFlags_NavFlattened);
    ImGuiListClipper clipper;
    clipper.Begin(count, row_height());
    while (clipper.Step())
      for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) term_row(ordered(k), false);
    ImGui::EndChild();
    ImGui::PopStyleVar(2);
  }

  void shortened_rows(int count) {
    double rest = 0;
    for (int k = kShort; k < count; ++k) rest += nth(step_.terms, ordered(k)).value;
    for (int k = 0; k < kShort; ++k) term_row(ordered(k), false);
    const ImVec2 pos = begin_row("rest");
    if (ImGui::IsItemClicked()) frame_.choose(view_.inspector.all_terms, true);
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    ui::probe(ui::words(probes_, "rest/", index_));
    const std::string label = wording("inspector:more_terms", {{"n", count - kShort}});
    const std::string sum = ui::in_column(rest, layout_.value_digits);
    const float room = columns_.shows_factors ? columns_.equals : columns_.value - text_width(numbers_, sum) - u_;
    put(fonts_.small, pos, 0, theme_.ink_soft, clipped(fonts_.small, label, room));
    if (columns_.shows_factors) put(fonts_.small, pos, columns_.equals, theme_.ink_soft, "=");
    put_right(pos, columns_.value, theme_.ink, sum);
    draw_bar(pos, rest);
    end_row();
  }

  // A row of the full width; what is drawn on it is placed from its left end.
  ImVec2 begin_row(const char* id) {
    const ImVec2 pos = ImGui::GetCursorScreenPos();
    row_y_ = pos.y;
    ui::mouse_area(id, {ImGui::GetContentRegionAvail().x, row_height()});
    ImGui::SetItemAllowOverlap();
    row_end_ = ImGui::GetCursorScreenPos();
    if (ImGui::IsItemHovered())
      canvas_.fill(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), ImGui::GetColorU32(ImGuiCol_HeaderHovered),
                   0.5f * u_);
    return pos;
  }
  void end_row() { ImGui::SetCursorScreenPos({row_end_.x, row_y_ + row_height()}); }

  void put(ImFont* font, ImVec2 row, float x, ImU32 color, const std::string& text) {
    canvas_.text_at(font, {row.x + x, row.y + 0.5f * (row_height() - font->FontSize)}, color, text);
  }
  // The result of the step; that of the last step is the number that is explained.
  void put_result(ImVec2 row, double value) {
    const std::string text = ui::in_column(value, layout_.value_digits);
    if (last_) {
      const float width = text_width(numbers_, text), pad = u_;
      canvas_.fill({row.x + columns_.value - width - pad, row.y}, {row.x + columns_.value + pad, row.y + row_height()},
                   theme_.accent_soft, pad);
    }
    put_right(row, columns_.value, theme_.ink, text);
  }
  void put_right(ImVec2 row, float right, ImU32 color, const std::string& text) {
    put(numbers_, row, right - text_width(numbers_, text), color, text);
  }

  void term_row(int t, bool alone) {
    const Term& term = nth(step_.terms, t);
    ImGui::PushID(static_cast<int>(index_));
    ImGui::PushID(t);
    const ImVec2 pos = begin_row("term");
    if (ImGui::IsItemHovered()) hover_first_source(term);
    draw_label(pos, term);
    if (columns_.shows_factors) {
      put(fonts_.small, pos, columns_.label, theme_.ink_soft, say(signs_.before));
      for (std::size_t f = 0; f < term.factors.size(); ++f) draw_factor(pos, t, f, term.factors[f]);
      put(fonts_.small, pos, columns_.factor.back(), theme_.ink_soft, signs_.after);
      put(fonts_.small, pos, columns_.equals, theme_.ink_soft, "=");
      if (alone)
        put_result(pos, term.value);
      else
        put_right(pos, columns_.value, theme_.ink, ui::in_column(term.value, layout_.value_digits));
    } else {
      draw_operand(pos, t, 0, term.factors.front(), columns_.value, layout_.value_digits);
    }
    if (!alone) draw_bar(pos, term.value);
    end_row();
    ImGui::PopID();
    ImGui::PopID();
  }

  void draw_label(ImVec2 pos, const Term& term) {
    float x = 0;
    if (has_heads()) {
      const float side = 1.5f * u_, y = pos.y + 0.5f * (row_height() - side);
      if (const auto& source = term.factors.front().source; source && source->site.head != kNoHead)
        canvas_.fill({pos.x, y}, {pos.x + side, y + side}, head_color(frame_, source->site.head));
      x = 2.5f * u_;
    }
    const std::string label = say(term.label);
    put(fonts_.small, pos, x, theme_.ink_soft, clipped(fonts_.small, label, columns_.label - x));
  }

  void draw_factor(ImVec2 pos, int t, std::size_t f, const Operand& operand) {
    const float right = columns_.factor[f];
    if (f > 0) {
      const float width = real(layout_.factor_chars[f]) * char_width_;
      const float x = right - width - u_ - op_width(signs_.between);
      put(fonts_.small, pos, x, theme_.ink_soft, say(signs_.between));
    }
    draw_operand(pos, t, f, operand, right, layout_.factor_digits[f]);
  }

  // A number; with a source it can be opened.
  void draw_operand(ImVec2 pos, int t, std::size_t f, const Operand& operand, float right, int digits) {
    const std::string text = ui::in_column(operand.value, digits);
    const float width = text_width(numbers_, text), x = right - width;
    const Canvas::Item item = canvas_.item({probes_, "term/", index_, "/", t, "/", f},
                                           {{pos.x + x - 0.5f * u_, pos.y}, {width + u_, row_height()}});
    if (item.over) describe(operand);
    if (!operand.source) {
      put(numbers_, pos, x, theme_.ink, text);
      return;
    }
    put(numbers_, pos, x, theme_.accent, text);
    if (item.over) {
      const float y = pos.y + 0.5f * (row_height() + numbers_->FontSize);
      canvas_.line({pos.x + x, y}, {pos.x + right, y}, theme_.accent);
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      frame_.next.cell = operand.source;
    }
    if (item.clicked) step_into(frame_, *operand.source);
  }

  void describe(const Operand& operand) const {
    const std::string what = operand.source ? cell_title(frame_.trace, *operand.source) : operand.label;
    ui::tooltip(frame_, {what + " = " + ui::number(operand.value, As::exact)});
  }

  void hover_first_source(const Term& term) {
    for (const Operand& factor : term.factors) {
      if (!factor.source) continue;
      frame_.next.cell = factor.source;
      return;
    }
  }

  // Signed, on a scale common to the step; zero stands where all terms find room.
  void draw_bar(ImVec2 pos, double value) {
    const float room = columns_.bar1 - columns_.bar0;
    const double range = layout_.most - layout_.least;
    if (room <= 0 || !(range > 0) || !std::isfinite(value)) return;
    const auto place = [&](double v) {
      const double share = (std::clamp(v, layout_.least, layout_.most) - layout_.least) / range;
      return pos.x + columns_.bar0 + real(share) * room;
    };
    const float zero = place(0), x = place(value), y0 = pos.y + 0.22f * row_height(), y1 = pos.y + 0.78f * row_height();
    const ColorMap map = diverging(frame_);
    canvas_.fill({std::min(zero, x), y0}, {std::max(zero, x), y1}, to_u32(color_at(map, value < 0 ? 0.1f : 0.9f)));
    if (layout_.least < 0) canvas_.line({zero, pos.y}, {zero, pos.y + row_height()}, theme_.ink_faint);
  }

  void sum_row() {
    const ImVec2 pos = ImGui::GetCursorScreenPos();
    const float width = real(layout_.value_chars) * char_width_;
    canvas_.line({pos.x + columns_.value - width, pos.y}, {pos.x + columns_.value, pos.y}, theme_.ink_soft);
    put(fonts_.small, pos, 0, theme_.ink_soft, sum_label());
    if (columns_.shows_factors) put(fonts_.small, pos, columns_.equals, theme_.ink_soft, "=");
    put_result(pos, step_.result);
    ImGui::Dummy({width_, row_height()});
    ui::probe(ui::words(probes_, "sum/", index_));
  }

  std::string probes_;
  std::size_t index_;
  const Step& step_;
  const StepLayout& layout_;
  bool last_;
  ImFont* numbers_;
  float width_, char_width_;
  Signs signs_;
  Columns columns_;
  float row_y_ = 0;
  ImVec2 row_end_;
};

void draw_value(Frame& frame, const Cell& cell, const Explanation& e) {
  ui::text(frame, e.title, {.wraps = true});
  const float value = shown_values(frame, cell.site)(cell.row, cell.col);
  const ImVec2 pos = ImGui::GetCursorScreenPos();
  const std::string text =
      e.masked && std::isinf(value) ? wording("inspector:masked") : ui::number(static_cast<double>(value), As::exact);
  frame.canvas.text_at(frame.fonts.large, pos, frame.theme.ink, text);
  if (const std::optional<float> before = value_before(frame, cell)) {
    const float x = pos.x + text_width(frame.fonts.large, text) + 3 * frame.unit;
    const float y = pos.y + frame.fonts.large->FontSize - frame.fonts.text->FontSize - 0.5f * frame.unit;
    const std::string was =
        wording("inspector:before", {{"value", ui::number(static_cast<double>(*before), As::exact)}});
    frame.canvas.text_at(frame.fonts.text, {x, y}, frame.theme.ink_soft, was);
    ui::probe("inspector/before", {x, y}, {x + text_width(frame.fonts.text, was), y + frame.fonts.text->FontSize});
  }
  ImGui::Dummy({ImGui::GetContentRegionAvail().x, frame.fonts.large->FontSize});
  ui::probe("inspector/value");
}

}  // namespace

void draw_steps(Frame& frame, const Explained& explained, const char* probes) {
  const Explanation& e = explained.explanation;
  ImFont* numbers = frame.fonts.mono;
  for (std::size_t s = 0; s < e.steps.size(); ++s)
    if (StepView(frame, explained, s, numbers, probes).needed() > ImGui::GetContentRegionAvail().x)
      numbers = frame.fonts.mono_small;
  bool switched = false;
  for (std::size_t s = 0; s < e.steps.size(); ++s) {
    const bool many = std::ssize(e.steps[s].terms) > kFew;
    StepView(frame, explained, s, numbers, probes).draw(many && !switched);
    switched |= many;
    ImGui::Dummy({0, 0.5f * frame.unit});
  }
}

void draw_arithmetic(Frame& frame, const Cell& cell) {
  const Explained& explained = frame.derived.explained(cell, frame.view.selected_heads);
  draw_value(frame, cell, explained.explanation);
  draw_steps(frame, explained, "inspector");
}

}  // namespace hydra::inspector
