// The heads one by one: gate, share of the output, what its silencing changes, and how large its rows of W_O are.
#include "app/platform/input.h"
#include "app/views/head_marks.h"
#include "app/views/mixing/mixing_parts.h"
#include "app/views/ui.h"
#include "app/widgets/track_slider.h"

namespace hydra::mixing {

namespace {

struct HeldGate {
  std::optional<int> head;  // whose gate the pointer holds
};

struct Column {
  const char *key = "", *title = "", *under = "", *tip = "";
  float x = 0, width = 0;
};

class Table : Drawing {
 public:
  Table(Frame& frame, const SharesPage& at)
      : Drawing(frame),
        at_(at),
        mixing_(measured(frame)),
        numbers_(mixing_numbers(frame)),
        heads_(static_cast<int>(layer_of(frame).input.heads)) {}

  void draw() {
    title(frame_, "mixing/table/title", at_.table_title, "Heads: gate, share of the output, removal",
          "A gate multiplies a head's output: 1 as it is, 0 silent, 2 twice as loud. Drag it; double click sets it to "
          "1.");
    if (mixing_) {
      const std::string both = say(numbers_.gates + "   " + numbers_.constant);
      const bool gated = !layer_of(frame_).input.gates.empty();
      canvas_.text_at(fonts_.small, at_.gates.pos, theme_.ink,
                      fitting(fonts_.small, at_.gates.size.x, {both, say(gated ? numbers_.gates : numbers_.constant)}),
                      at_.gates.size.x);
      ui::probe("mixing/gates", at_.gates.pos, {at_.gates.right(), at_.gates.bottom()});
    }
    scrolls_ = at_.table_content > at_.table.size.y + 0.5f;
    place_columns();
    header();
    const ImVec2 pos{at_.table.pos.x, at_.table.pos.y + at_.header};
    const ImVec2 size{at_.table.size.x, std::max(1.0f, at_.table.bottom() - pos.y)};
    ui::room(canvas_, "mixing/table", pos, size, scrolls_, [&](ImVec2 corner) { return rows(corner); });
  }

 private:
  void place_columns() {
    const float u = u_, width = at_.table.size.x - (scrolls_ ? ImGui::GetStyle().ScrollbarSize : 0);
    const float number = small_ + text_width(fonts_.text, heads_ > 99 ? "128" : "96") + 3 * u;
    const float gate = text_width(fonts_.mono, "0.00") + 1.5f * u;
    const float numbers = std::max(4.4f * small_, 0.16f * width);
    // What is left is for the names, up to the longest, and for the sliders.
    const float left = width - number - gate - 3 * (numbers + 2 * u);
    float longest = 0;
    for (int h = 0; h < heads_; ++h) longest = std::max(longest, text_width(fonts_.text, called(frame_, h)));
    const float head = std::max(number, std::min(small_ + longest + 3 * u, number + left - 5 * small_));
    const float slider = std::max(3 * small_, width - head - gate - 3 * (numbers + 2 * u));
    float x = head;
    slider_ = {"gate", "gate", "", "", x, slider};
    x += slider;
    gate_.x = x;
    gate_.width = gate;
    x += gate;
    const bool size = view_.mixing.by_size;
    columns_[0] = {"share", "share", size ? "by size" : "along Y",
                   size
                       ? "‖Z_i‖² / Σ ‖Z_g‖² over all tokens, 0 to 100 %: how much the head writes, whether it adds or "
                         "cancels; sums to 100 %."
                       : "⟨Z_i, Y⟩ / ⟨Y, Y⟩ over all tokens: the head's part of Y, negative where it works against it; "
                         "sums to 100 % with b_O."};
    columns_[1] = {"ablation", "removal", "here",
                   "‖Z_i‖ / ‖Y‖, from 0 up: how much Y changes, relative to its length, when this head alone is "
                   "silenced: in this sentence. Roles has it over many."};
    columns_[2] = {"norm", "norm", "of W_O^i",
                   "The Frobenius norm of the head's rows of W_O, from 0 up: how large these weights are. What passes "
                   "is Z_i, which "
                   "the head's output decides, too."};
    for (Column& column : columns_) {
      column.x = x + 2 * u;
      column.width = numbers;
      x = column.x + column.width;
    }
  }

  void header() const {
    const ImVec2 origin = at_.table.pos;
    const auto put = [&](const Column& column, bool right, const char* tip) {
      const float width = column.width;
      const auto line = [&](const char* words, float y, ImU32 ink) {
        const std::string text = clipped(fonts_.small, say(words), width);
        const float x = origin.x + column.x + (right ? width - text_width(fonts_.small, text) : 1.6f * u_);
        canvas_.text_at(fonts_.small, {x, y}, ink, text);
      };
      line(column.title, origin.y, theme_.ink_soft);
      line(column.under, origin.y + 1.1f * small_, theme_.ink_faint);
      const ImVec2 a{origin.x + column.x, origin.y}, b{a.x + width, origin.y + at_.header};
      ui::probe({"mixing/column/", column.key}, a, b);
      if (ui::under_pointer(a, b)) tooltip(frame_, {std::string(column.title) + " " + column.under, tip});
    };
    put(slider_, false, "What the head's output is multiplied by, 0 to 2.");
    for (const Column& column : columns_) put(column, true, column.tip);
    scale_marks(origin);
    const float y = origin.y + at_.header - 1;
    canvas_.line({origin.x, y}, {origin.x + at_.table.size.x, y}, theme_.line);
  }

  // 0, 1 and 2 over the sliders.
  void scale_marks(ImVec2 origin) const {
    const float inset = 1.6f * u_, width = slider_.width - 2 * inset;
    for (const int k : {0, 1, 2})
      canvas_.text_centered(fonts_.mono_small,
                            {origin.x + slider_.x + inset + 0.5f * real(k) * width,
                             origin.y + at_.header - 0.6f * fonts_.mono_small->FontSize - u_},
                            theme_.ink_faint, std::to_string(k));
  }

  float rows(ImVec2 origin) {
    const Box in_sight = canvas_.visible();
    const float low = in_sight.pos.y, high = in_sight.bottom();
    for (int h = 0; h < heads_; ++h) {
      const ImVec2 pos{origin.x, origin.y + real(h) * at_.row};
      const bool held = frame_.hands.of<HeldGate>().head == h;  // goes on being held where it is scrolled away
      ui::probe({"mixing/head/", h + 1}, pos, {origin.x + slider_.x, pos.y + at_.row});
      if (held || (pos.y + at_.row >= low && pos.y <= high))
        row(h, pos);
      else if (ui::probe_recorder())
        note_slider(h, pos);
    }
    group_row_lines(frame_, "mixing/group/", view_.layer, origin, at_.row);
    return real(heads_) * at_.row;
  }

  void row(int h, ImVec2 pos) {
    const ImVec2 end{at_.table.right() - (scrolls_ ? ImGui::GetStyle().ScrollbarSize : 0), pos.y + at_.row};
    const bool focused = h == view_.focused_head, under = ui::under_pointer(pos, end);
    if (focused)
      canvas_.fill(pos, end, theme_.accent_soft);
    else if (under)
      canvas_.fill(pos, end, theme_.raised);
    head_mark(frame_, h, {pos.x + u_, pos.y + 0.5f * (at_.row - em_)}, fonts_.text, ink_for(frame_, focused),
              slider_.x - 2 * u_);
    gate(h, pos);
    if (under && ui::clicked()) focus_head(frame_, h);
    if (!mixing_) return;
    const Mat<double>& shares = view_.mixing.by_size ? numbers_.by_size : numbers_.along;
    const double share = shares(0, h), ablation = nth(mixing_->ablation, h), norm = nth(mixing_->block_norm, h);
    const double same = nth(mixing_->constant, h);
    const float x = pos.x + columns_[0].x;
    if (std::isfinite(same) && ui::under_pointer({x, pos.y}, {x + columns_[0].width, pos.y + at_.row}))
      tooltip(frame_, {head_called(frame_, h), percent(same) + " of what it writes is the same for every token"});
    cell(columns_[0], pos, h, percent(share), share, view_.mixing.by_size ? 1 : numbers_.largest_share,
         !view_.mixing.by_size && numbers_.along.row(0).minCoeff() < 0);
    if (view_.guessing)
      cell(columns_[1], pos, h, "?", std::numeric_limits<double>::quiet_NaN(), 1, false);
    else
      cell(columns_[1], pos, h, percent(ablation), ablation, numbers_.largest_ablation, false);
    cell(columns_[2], pos, h, ui::number(norm), norm, numbers_.largest_norm, false);
  }

  void note_slider(int h, ImVec2 pos) const {
    ui::probe({"mixing/gate/", h + 1}, {pos.x + slider_.x, pos.y},
              {pos.x + slider_.x + slider_.width, pos.y + at_.row});
  }

  void gate(int h, ImVec2 pos) {
    auto slider = styled<TrackSlider>(frame_);
    slider.pos = {pos.x + slider_.x, pos.y};
    slider.size = {slider_.width, at_.row};
    slider.value = gate_of(frame_, h);
    slider.high = kMaxGate;
    slider.rest = 1;
    slider.color = head_color(frame_, h);
    ImGui::PushID(h);
    const TrackSliderResult result = track_slider(canvas_, "gate", slider);
    ImGui::PopID();
    if (ui::probe_recorder()) note_slider(h, pos);
    edit(h, slider.value, result);
    const std::string text = ui::fixed(slider.value, 2);
    canvas_.text_up_to(fonts_.mono, {pos.x + gate_.x + gate_.width, pos.y + 0.5f * (at_.row - fonts_.mono->FontSize)},
                       slider.value == 1 ? theme_.ink_faint : theme_.ink, text);
  }

  // A drag is one undo step; Esc within it takes it back; a double click ends at 1.
  void edit(int h, float shown, const TrackSliderResult& result) {
    std::optional<int>& held = frame_.hands.of<HeldGate>().head;
    if (result.double_clicked) {
      frame_.out.apply(SetGate{h, 1});
      let_go();
      return;
    }
    if (result.held && ui::clicked()) held = h;
    if (held != h) return;
    if (result.held) frame_.hands.hold();
    if (result.held && ui::key_pressed(key::escape)) {
      frame_.out.cancel();
      let_go();
    } else if (result.held && result.value != shown) {
      frame_.out.preview(SetGate{h, result.value});
    }
    if (result.released) {
      frame_.out.commit();
      let_go();
    }
  }
  void let_go() const {
    frame_.hands.of<HeldGate>().head.reset();
    frame_.hands.let_go();
  }

  void cell(const Column& column, ImVec2 pos, int h, const std::string& text, double value, double largest,
            bool signed_bar) const {
    ImFont* font = fonts_.mono;
    const float u = u_, thick = std::max(2.0f, 0.625f * u), gap = 0.25f * u;
    const float top = pos.y + 0.5f * (at_.row - font->FontSize - gap - thick);
    const float left = pos.x + column.x, right = left + column.width;
    const bool known = std::isfinite(value);
    canvas_.text_up_to(font, {right, top}, known ? theme_.ink : theme_.ink_faint, text);
    ui::probe({"mixing/cell/", h + 1, "/", column.key}, {left, pos.y}, {right, pos.y + at_.row});
    if (!known) return;
    const float y = top + font->FontSize + gap, zero = signed_bar ? 0.5f * (left + right) : left;
    const auto length = real(std::clamp(value / largest, -1.0, 1.0)) * (right - zero);
    canvas_.fill({left, y + 0.5f * thick - 0.5f}, {right, y + 0.5f * thick + 0.5f}, theme_.line);
    canvas_.fill({std::min(zero, zero + length), y}, {std::max(zero, zero + length), y + thick}, head_color(frame_, h));
    if (signed_bar) canvas_.fill({zero - 0.5f, y - 1}, {zero + 0.5f, y + thick + 1}, theme_.ink_soft);
  }

  const SharesPage& at_;
  const Mixing* mixing_;
  const MixingNumbers& numbers_;
  int heads_;
  bool scrolls_ = false;
  Column slider_{}, gate_{}, columns_[3]{};
};

}  // namespace

void draw_table(Frame& frame, const SharesPage& at) {
  const Canvas::Part part(frame.canvas, "mixing.table");
  Table(frame, at).draw();
}

}  // namespace hydra::mixing
