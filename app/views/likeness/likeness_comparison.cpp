// Likeness: the patterns of two heads side by side, and their difference.
#include "app/views/change/change_marks.h"
#include "app/views/frame/ui.h"
#include "app/views/likeness/likeness_parts.h"
#include "app/views/shared/pictured.h"

namespace hydra {

namespace {

class Comparison : Drawing {
 public:
  Comparison(LikenessParts& parts, int first, int second)
      : Drawing(parts.frame), p_(parts), at_(parts.at.comparison), first_(first), second_(second) {}

  void draw() {
    if (p_.at.map_shown) canvas_.line({at_.pos.x, at_.pos.y - 2 * u_}, {at_.right(), at_.pos.y - 2 * u_}, theme_.line);
    header();
    if (at_.side < 2 * small_) return;
    if (!is_kept(first_) || !is_kept(second_))
      canvas_.text_at(fonts_.text, {at_.pos.x, at_.title}, theme_.ink_soft, wording("likeness:compare.not_kept"),
                      at_.size.x);
    else if (at_.scrolls)
      scrolled();
    else
      pictures();
  }

 private:
  void pictures() {
    pattern(0, "likeness/compare/first", first_);
    pattern(1, "likeness/compare/second", second_);
    difference();
  }

  bool begin_scrolled() {
    return canvas_.begin_room("likeness/compare", {at_.pos.x, at_.title}, {at_.size.x, at_.bottom() - at_.title},
                              Scrolls::sideways);
  }

  // The same in a window of their own, moved by what it is scrolled.
  void scrolled() {
    if (begin_scrolled()) {
      scroll_ = ImGui::GetScrollX();
      const ImVec2 corner = ImGui::GetCursorScreenPos();
      pictures();
      ImGui::SetCursorScreenPos({corner.x + at_.content - 1, corner.y});
      ImGui::Dummy({1, 1});
    }
    canvas_.end_room();
    // To the difference, where it is out of sight, and back.
    const bool there = at_.pictures[2].x + 0.5f * at_.side - scroll_ < at_.right();
    const float right = at_.right() - ui::chip_width(wording("likeness:compare.close")) - 2 * u_;
    const std::string& label = wording(there ? "likeness:compare.both" : "likeness:compare.difference");
    ImGui::SetCursorScreenPos({right - ui::chip_width(label), at_.header.y - 0.5f * u_});
    if (ui::chip(frame_, "likeness/compare/scroll", label, false, wording("likeness:compare.scroll.tip"))) {
      begin_scrolled();
      ImGui::SetScrollX(there ? 0 : at_.content - at_.size.x);
      canvas_.end_room();
    }
  }

  // Which heads, what all measures that are known say of them, and how to be rid of it.
  void header() {
    const float unit = u_, close = ui::chip_width(wording("likeness:compare.close"));
    const float room = close + (at_.scrolls ? ui::chip_width(wording("likeness:compare.both")) + 2 * unit : 0);
    ImGui::SetCursorScreenPos({at_.right() - close, at_.header.y - 0.5f * unit});
    if (ui::chip(frame_, "likeness/compare/close", wording("likeness:compare.close"), false,
                 wording("likeness:compare.close.tip")))
      frame_.choose(view_.likeness.compared, std::nullopt);
    const std::string name = p_.pair_name(first_, second_);
    canvas_.text_at(fonts_.strong, at_.header, theme_.ink, name);
    const bool below = at_.values_below;
    const float x = below ? at_.header.x : at_.header.x + text_width(fonts_.strong, name) + 3 * unit;
    const float y = below ? at_.header.y + 1.4f * em_ : at_.header.y;
    const float end = at_.right() - (below ? 0 : room + 2 * unit);
    const std::string all =
        values() + (p_.table.sentences.empty() ? "" : "   " + wording("likeness:compare.all_sentences"));
    ImFont* font = text_width(fonts_.text, all) <= end - x ? fonts_.text : fonts_.small;
    canvas_.text_at(font, {x, y}, theme_.ink_soft, all, end - x);
    ui::probe("likeness/compare/values", {x, y}, {end, y + font->FontSize});
  }

  std::string values() const {
    std::string text;
    for (const LikenessEntry& entry : likenesses()) {
      const Array<double>& matrix = p_.table.matrix(entry.measure);
      if (!matrix || std::max(first_, second_) >= matrix->rows()) continue;
      const std::string value = likeness_value(frame_, (*matrix)(first_, second_));
      text += text.empty() ? "" : "   ";
      if (entry.measure == Likeness::kl_bits) {
        const std::string back = likeness_value(frame_, (*matrix)(second_, first_));
        text += wording("likeness:compare.back", {{"measure", wording(entry.brief)}, {"value", value}, {"back", back}});
        continue;
      }
      text += wording(entry.brief) + " " + value;
      if (entry.measure == Likeness::cka && std::isnan((*matrix)(first_, second_)))
        text += " (" + why_undefined(p_, entry.measure, first_, second_) + ")";
    }
    return say(text);
  }

  Site pattern_of(int head) const {
    const HeadPlace at = p_.place(head);
    return {Quantity::attention, at.layer, at.head};
  }
  bool is_kept(int head) const { return frame_.trace.layer(p_.place(head).layer).is_whole(); }

  float width() const {
    return at_.pictures[1].x - at_.pictures[0].x - (at_.shared_rows ? 0 : at_.row_labels) - 2 * u_;
  }
  // On the screen: where the layout has it, less what is scrolled.
  ImVec2 corner_of(int k) const {
    const ImVec2 corner = nth(at_.pictures, k);
    return {corner.x - scroll_, corner.y};
  }
  ImVec2 title_of(int k) const { return {corner_of(k).x, at_.title}; }

  void pattern(int k, const char* name, int head) {
    const Site ref = pattern_of(head);
    head_title(frame_, fonts_.text, title_of(k), p_.color(head),
               are_called() ? p_.name(head)
               : p_.all()   ? p_.number(head)
                            : head_name(head));
    put_change_badge(frame_, name, ref, {corner_of(k).x + at_.side, at_.title}, fonts_.text);
    const PictureResult drawn =
        matrix_picture(frame_, name, ref, corner_of(k), {at_.side, at_.side}, {.square_cells = false});
    around(k, drawn.heatmap, drawn.hit, {});
  }

  // Both by what they do, or none.
  bool are_called() const {
    const float names = std::max(text_width(fonts_.text, p_.name(first_)), text_width(fonts_.text, p_.name(second_)));
    return names + 1.5f * em_ <= corner_of(1).x - corner_of(0).x;
  }

  std::string difference_title() const {
    const std::string first = p_.number(first_), second = p_.number(second_);
    if (p_.all()) return say(first + " − " + second);
    const std::string whole = say(wording("likeness:compare.heads", {{"first", first}, {"second", second}}));
    const float badge = frame_.changes.marked() ? 6 * small_ : 0;
    if (badge == 0 || text_width(fonts_.text, whole) + badge <= at_.side) return whole;
    return say(wording("likeness:compare.heads.brief", {{"first", first}, {"second", second}}));
  }

  void difference() {
    const auto attention = [&](int head) { return backing_of(frame_.trace, pattern_of(head)).matrix; };
    const Array<float> first = attention(first_), second = attention(second_);
    PatternDifference& kept = frame_.made.of<LikenessPictures>().difference;
    const Array<float>& cells = kept.of(first, second);
    const auto range = kept.largest() > 0 ? real(ui::close_ceiling(kept.largest())) : 1;
    const ImVec2 pos = corner_of(2);
    canvas_.text_at(fonts_.text, title_of(2), theme_.ink, difference_title());
    PatternDifference& kept_before = frame_.made.of<LikenessPictures>().difference_before;
    const auto difference_of = [&](const Source& source) {
      const auto attention_of = [&](int head) { return backing_of(source.trace, pattern_of(head)).matrix; };
      const Array<float> a = attention_of(first_), b = attention_of(second_);
      if (!a || !b) return Backing{};
      const bool is_shown = a.stamp() == first.stamp() && b.stamp() == second.stamp();
      return hydra::whole((is_shown ? kept : kept_before).of(a, b));
    };
    const auto [hit, heatmap] = picture(
        frame_, "likeness/compare/difference",
        {"difference",
         wording("likeness:compare.picture"),
         hydra::whole(cells),
         {diverging(frame_), -range, range},
         difference_of,
         [&](Index row, Index col) { return nth(frame_.trace.tokens, row) + " → " + nth(frame_.trace.tokens, col); }},
        pos, {at_.side, at_.side}, {.square_cells = false, .badge = ImVec2{pos.x + at_.side, at_.title}});
    std::string text;
    if (hit.hovered) {
      frame_.next.cell = Cell{pattern_of(first_), hit.row, hit.col};
      text = ui::number((*first)(hit.row, hit.col), As::share) + (fonts_.unicode ? " − " : " - ") +
             ui::number((*second)(hit.row, hit.col), As::share) + " = " +
             ui::number((*cells)(hit.row, hit.col), As::share);
    }
    around(2, heatmap, hit, text);
  }

  // Tokens, grid and legend; and what the pointer is over.
  void around(int k, const Heatmap& heatmap, const CellHit& hit, const std::string& text) {
    const std::vector<std::string>& tokens = frame_.trace.tokens;
    const ImVec2 pos = corner_of(k);
    const float step = at_.side / real(tokens.size());
    if (step >= 12) draw_cell_grid(canvas_, heatmap, with_alpha(theme_.ground, 90));
    if (at_.row_labels > 0) {
      const bool pair = frame_.was.cell && is_pair(frame_.was.cell->site.quantity);
      const EdgeLabels labels{&tokens,
                              pos,
                              step,
                              at_.row_labels,
                              at_.column_labels,
                              pair ? static_cast<int>(frame_.was.cell->row) : -1,
                              pair ? static_cast<int>(frame_.was.cell->col) : -1};
      if (k == 0 || !at_.shared_rows) row_labels(frame_, labels);
      column_labels(frame_, labels);
    }
    const float least = 9 * small_;
    legend(frame_, heatmap.scale, {pos.x, at_.legend}, std::min(std::max(at_.side, least), std::max(width(), least)));
    if (!hit.hovered) return;
    p_.next = k == 0 ? HeadPair{first_, -1} : k == 1 ? HeadPair{second_, -1} : HeadPair{first_, second_};
    const float value = (*heatmap.matrix)(heatmap.row0 + hit.row, heatmap.col0 + hit.col);
    ui::tooltip_beside(frame_, cell_min(heatmap, hit.row, hit.col), cell_max(heatmap, hit.row, hit.col),
                       {nth(tokens, hit.row) + (fonts_.unicode ? " → " : " > ") + nth(tokens, hit.col),
                        text.empty() ? ui::number(value, As::share) : text});
  }

  LikenessParts& p_;
  const LikenessComparison& at_;
  int first_, second_;
  float scroll_ = 0;
};

}  // namespace

void draw_head_comparison(LikenessParts& parts) {
  const auto [first, second] = *parts.compared;
  if (!parts.is_present(first) || !parts.is_present(second)) return;
  const Canvas::Part part(parts.frame.canvas, "likeness.pair");
  Comparison(parts, first, second).draw();
}

}  // namespace hydra
