// One output as the sum of what each head adds: Z_1 + Z_2 + ... + b_O = Y, and Y before the gates.
#include <algorithm>

#include "app/views/frame/ui.h"
#include "app/views/mixing/mixing_parts.h"
#include "app/views/shared/head_marks.h"
#include "app/views/shared/pictured.h"
#include "app/widgets/matrix/least_picture.h"

namespace hydra::mixing {

namespace {

class Sum : Drawing {
 public:
  Sum(Frame& frame, const OutputPage& at) : Drawing(frame), at_(at), layer_(layer_of(frame)) {}

  void draw() {
    const int heads = static_cast<int>(layer_.input.heads), l = view_.layer;
    title_line(heads);
    if (std::min(at_.part.x, at_.part.y) < kLeastPicture) {
      canvas_.text_at(fonts_.small, at_.sum.pos, theme_.ink_soft, wording("mixing:sum.no_room", {{"parts", heads}}),
                      at_.sum.size.x);
      return;
    }
    for (int h = 0; h < heads; ++h, ++place_) part(h);
    if (layer_.input.weights.b_O) {
      const ImVec2 pos = next("b_O", "+");
      matrix_picture(frame_, "mixing/sum/b_O", {Quantity::b_O, l, kNoHead}, pos,
                     {at_.part.x, std::max(2.0f, at_.part.y / real(layer_.input.n()))}, options());
      ++place_;
    }
    const ImVec2 pos = next("Y", "=");
    matrix_picture(frame_, "mixing/sum/Y", {Quantity::Y, l, kNoHead}, pos, at_.part, options());
    ++place_;
    if (!layer_.input.gates.empty()) before();
  }

 private:
  static PictureOptions options() { return {.square_cells = false, .values = false}; }

  void title_line(int heads) const {
    const Site Z{Quantity::contribution, view_.layer, 0}, Y{Quantity::Y, view_.layer, kNoHead};
    std::string text = "Y = Z_1";
    if (heads > 1) text += heads > 2 ? " + … + Z_" + std::to_string(heads) : " + Z_2";
    if (layer_.input.weights.b_O) text += " + b_O";
    title(frame_, "mixing/sum/title", at_.sum_title, text, wording("mixing:sum.tip"));
    const float x = at_.sum_title.pos.x + text_width(fonts_.strong, text) + 4 * u_;
    const std::string of_Z = range_text(scale_for(frame_, Z)), of_Y = range_text(scale_for(frame_, Y));
    ImFont* font = fonts_.small;
    for (const std::string& note :
         {wording("mixing:sum.colours", {{"of_z", of_Z}, {"of_y", of_Y}}), "Z " + of_Z + "; Y " + of_Y}) {
      if (text_width(font, say(note)) > at_.sum_title.right() - x) continue;
      canvas_.text_at(font, {x, at_.sum_title.pos.y + 0.2f * font->FontSize}, theme_.ink_soft, say(note));
      break;
    }
  }

  // Where the next picture stands; what it is over it, its sign before it.
  ImVec2 next(const std::string& name, const char* sign) const {
    const ImVec2 pos = place();
    if (at_.numbered) canvas_.text_at(fonts_.small, {pos.x, pos.y - at_.caption}, theme_.ink_soft, name, at_.part.x);
    operation(pos, sign);
    return pos;
  }

  ImVec2 place() const {
    return {at_.sum.pos.x + at_.indent + real(place_ % at_.columns) * at_.step.x,
            at_.sum.pos.y + at_.caption + real(place_ / at_.columns) * at_.step.y};
  }

  void operation(ImVec2 pos, const char* sign) const {
    const float gap = at_.step.x - at_.part.x;
    if (place_ == 0 || gap < 0.8f * small_) return;
    canvas_.text_centered(fonts_.text, {pos.x - 0.5f * gap, pos.y + 0.5f * at_.part.y}, theme_.ink_soft, sign);
  }

  void part(int h) {
    const ImVec2 pos = place();
    const std::string number = std::to_string(h + 1);
    const bool focused = h == marked_head(frame_);
    matrix_picture(frame_, ("mixing/sum/" + number).c_str(), {Quantity::contribution, view_.layer, h}, pos, at_.part,
                   options());
    const ImVec2 a{pos.x, pos.y - 1.25f * u_}, b{pos.x + at_.part.x, pos.y - 0.25f * u_};
    gate_box(frame_, h, a, b);
    const ImVec2 top{pos.x, pos.y - at_.caption};
    if (at_.numbered) caption(h, {top.x, top.y - 0.75f * u_}, focused);  // its subscript hangs low
    if (focused) canvas_.frame({a.x - 2, a.y - 1}, {b.x + 2, pos.y + at_.part.y + 2}, theme_.accent, 2);
    ui::probe({"mixing/sum/focus/", number}, top, b);
    if (canvas_.over(top, b)) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      const float gate = gate_of(frame_, h);
      tooltip(frame_, {wording("mixing:sum.adds", {{"head", head_called(frame_, h)}, {"number", number}}),
                       gate == 1 ? "" : wording("mixing:gate.at", {{"gate", ui::number(gate, As::brief)}})});
      if (ui::clicked()) focus_head(frame_, h);
    }
    operation(pos, "+");
  }

  // "Z_3", and where it fits what the head's gate is.
  void caption(int h, ImVec2 pos, bool focused) const {
    ImFont* font = fonts_.small;
    const ImU32 ink = ink_for(frame_, focused);
    const std::string number = std::to_string(h + 1), name = "Z_" + number;
    const bool whole = text_width(font, name) <= at_.part.x;
    canvas_.math_at(font, fonts_.mono_small, pos, ink, whole ? name : number);
    const float gate = gate_of(frame_, h);
    const float after = pos.x + text_width(font, name + " ");
    if (gate == 1) return role_mark(frame_, "mixing/sum/role/", h, {after, pos.y}, pos.x + at_.part.x);
    const std::string text = gate == 0 ? wording("mixing:silent") : "× " + ui::number(gate, As::brief);
    if (text_width(font, name + "  " + text) > at_.part.x) return;
    canvas_.text_at(font, {pos.x + at_.part.x - text_width(font, text), pos.y}, theme_.warning, say(text));
  }

  // The output as it would be with all gates at 1.
  void before() const {
    const Mixing* mixing = measured(frame_);
    if (!mixing) return;
    const ImVec2 pos = place();
    if (at_.numbered)
      canvas_.text_at(fonts_.small, {pos.x, pos.y - at_.caption}, theme_.ink_soft, say(wording("mixing:sum.ungated")),
                      at_.part.x + 2 * u_);
    const auto [hit, heatmap] = picture(frame_, "mixing/sum/before",
                                        {.name = "ungated",
                                         .title = wording("mixing:sum.ungated.title"),
                                         .shown = whole(mixing->ungated),
                                         .scale = scale_for(frame_, {Quantity::Y, view_.layer, kNoHead})},
                                        pos, at_.part, {.square_cells = false, .values = false});
    if (!hit.hovered) return;
    const float was = (*heatmap.matrix)(hit.row, hit.col), is = (*layer_.output)(hit.row, hit.col);
    tooltip(frame_, {wording("mixing:sum.ungated.title"),
                     wording("mixing:sum.ungated.number", {{"token", nth(frame_.trace.tokens, hit.row)},
                                                           {"column", hit.col},
                                                           {"was", ui::number(was)},
                                                           {"is", ui::number(is)}})});
  }

  const OutputPage& at_;
  const LayerTrace<float>& layer_;
  int place_ = 0;
};

}  // namespace

void draw_sum(Frame& frame, const OutputPage& at) {
  const Canvas::Part part(frame.canvas, "mixing.sum");
  Sum(frame, at).draw();
}

}  // namespace hydra::mixing
