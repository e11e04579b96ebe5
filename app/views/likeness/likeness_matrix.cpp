// Likeness: heads by heads in the order of their tree, with the tree beside them.
#include "app/views/change/change_marks.h"
#include "app/views/frame/ui.h"
#include "app/views/likeness/likeness_parts.h"
#include "app/views/shared/pictured.h"
#include "app/widgets/dendrogram.h"

namespace hydra {

namespace {

// What the tree's axis measures: as distances() makes it.
std::string distance_caption(const Frame& frame, Likeness measure) {
  if (measure == Likeness::js_bits) return frame.fonts.unicode ? "√JS" : "sqrt JS";
  if (measure == Likeness::kl_bits) return wording("likeness:tree.mean_kl");
  return spelled(frame, "1 − ") + (measure == Likeness::cosine ? "cos" : entry_of(measure).brief);
}

class MatrixPart : Drawing {
 public:
  explicit MatrixPart(LikenessParts& parts)
      : Drawing(parts.frame),
        p_(parts),
        motion_(parts.motion()),
        entry_(entry_of(parts.table.ordered_by)),
        h_(parts.heads()),
        cell_(parts.at.side / real(h_)) {
    const ImVec2 corner = p_.at.matrix;
    heatmap_ = heatmap_of(whole(motion_.cells()), corner, {corner.x + p_.at.side, corner.y + p_.at.side},
                          likeness_scale(frame_, motion_));
  }

  void draw() {
    if (motion_.reordering()) {
      moving_cells();
      frame_around(frame_, heatmap_);
      ui::probe("likeness/matrix", heatmap_.min, heatmap_.max);
    } else {
      resting_cells();
    }
    const MatrixChange& changed = change();
    draw_change(frame_, "likeness/matrix", changed, heatmap_);
    title(changed.size ? 7 * small_ : 0);
    const float chip = p_.at.tree + p_.at.tree_width - ui::chip_width(wording("likeness:fit")) - 2 * u_;
    draw_change_number(frame_, "likeness/matrix", changed, {chip, p_.at.title.y}, fonts_.strong);
    outlines();
    labels();
    draw_legend();
    tree();
  }

 private:
  static constexpr int kFewNumbered = 64;  // more have no room for their numbers

  int head_at(Index place) const { return nth(motion_.order(), place); }
  float top_of(int head) const { return p_.at.matrix.y + motion_.row(head) * cell_; }
  float left_of(int head) const { return p_.at.matrix.x + motion_.row(head) * cell_; }

  void title(float badge) {
    const float end = p_.at.tree + p_.at.tree_width, chip = ui::chip_width(wording("likeness:fit"));
    const float room = end - p_.at.title.x - chip - 2 * u_ - badge;
    canvas_.math_at(fonts_.strong, fonts_.small, p_.at.title, theme_.ink,
                    clipped(fonts_.strong, say(wording(entry_.title)), room));
    ImGui::SetCursorScreenPos({end - chip, p_.at.title.y - ImGui::GetStyle().FramePadding.y});
    const bool fitted = view_.likeness.fitted;
    if (ui::chip(frame_, "likeness/fit", wording("likeness:fit"), fitted, wording("likeness:fit.tip")))
      frame_.choose(view_.likeness.fitted, !fitted);
  }

  // What the last edit did to the measure, where it was measured before and is measured after.
  const MatrixChange& change() {
    static const MatrixChange none;
    const std::shared_ptr<const LikenessTable> before = likeness_before(frame_);
    const std::shared_ptr<const LikenessTable>& now = likeness_of(frame_).value->table;
    if (!before || motion_.reordering() || motion_.table() != now.get() || before->sentences != now->sentences)
      return none;
    const Array<double>&was = before->matrix(now->ordered_by), &is = now->matrix(now->ordered_by);
    if (!was || !is || was->rows() != is->rows() || is->rows() != h_) return none;
    return frame_.changes.of_made("likeness", before->stamp, now->stamp, [&] {
      const auto in_order = [&](MatIn<double> values) {
        Mat<float> cells(h_, h_);
        for (Index r = 0; r < h_; ++r)
          for (Index c = 0; c < h_; ++c) cells(r, c) = r == c ? 0 : real(values(head_at(r), head_at(c)));
        return Backing{share(std::move(cells)), 0, 0, h_, h_};
      };
      return change_between(in_order(*was), in_order(*is));
    });
  }

  void resting_cells() {
    const Pictured shown{
        .name = "likeness",
        .title = wording(entry_.title),
        .shown = whole(motion_.cells()),
        .scale = heatmap_.scale,
        .place = [this](Index row, Index col) { return p_.label(head_at(row)) + " → " + p_.label(head_at(col)); }};
    const CellHit hit = picture(frame_, "likeness/matrix", shown, heatmap_.min, {p_.at.side, p_.at.side},
                                {.square_cells = false, .values = false, .clickable = false})
                            .hit;
    ImFont* font = values_fit(heatmap_, fonts_.mono) ? fonts_.mono : fonts_.mono_small;
    if (cell_ >= 12) draw_cell_grid(canvas_, heatmap_, with_alpha(theme_.ground, 90));
    if (values_fit(heatmap_, font)) draw_cell_values(canvas_, heatmap_, font);
    if (motion_.missing() || motion_.infinite()) hatched_values(font);
    for (Index k = 0; k < h_; ++k) diagonal(cell_min(heatmap_, k, k), cell_max(heatmap_, k, k));
    if (p_.all() && !view_.likeness.by_tree) layer_borders();
    if (hit.hovered) pointed(hit);
  }

  // Between the heads of one layer and the next.
  void layer_borders() {
    const float layer = p_.at.side / real(frame_.trace.layers.size());
    const ImU32 color = layer >= 5 * u_ ? theme_.ink_faint : with_alpha(theme_.ink_faint, 90);  // many are quiet
    for (int k = 1; k < h_; ++k) {
      if (p_.place(k).layer == p_.place(k - 1).layer) continue;
      const float x = left_of(k), y = top_of(k);
      canvas_.line({x, heatmap_.min.y}, {x, heatmap_.max.y}, color);
      canvas_.line({heatmap_.min.x, y}, {heatmap_.max.x, y}, color);
    }
  }

  // What has no number says why, where there is room.
  void hatched_values(ImFont* font) {
    const MatView<double> values = *p_.table.matrix(p_.table.ordered_by);
    for (Index r = 0; r < h_; ++r)
      for (Index c = 0; c < h_; ++c) {
        const double value = values(head_at(r), head_at(c));
        if (std::isfinite(value)) continue;
        const std::string text = std::isnan(value) ? wording("likeness:not_defined") : fonts_.unicode ? "∞" : "inf";
        if (text_width(font, text) + 2 > cell_ || font->FontSize > cell_) return;
        const ImVec2 at = cell_min(heatmap_, r, c);
        canvas_.text_centered(font, {at.x + 0.5f * cell_, at.y + 0.5f * cell_}, theme_.ink_soft, text);
      }
  }

  // While heads change places every cell goes its own way.
  void moving_cells() {
    for (Index r = 0; r < h_; ++r)
      for (Index c = 0; c < h_; ++c) {
        const ImVec2 a{left_of(head_at(c)), top_of(head_at(r))}, b{a.x + cell_, a.y + cell_};
        const float value = (*heatmap_.matrix)(r, c);
        if (r == c)
          diagonal(a, b);
        else if (std::isfinite(value))
          canvas_.fill(a, b, to_u32(heatmap_.scale.color(value)));
        else
          canvas_.fill(a, b, theme_.line);
      }
  }

  void diagonal(ImVec2 a, ImVec2 b) { canvas_.fill(a, b, theme_.ground); }

  void pointed(const CellHit& hit) {
    const int row = head_at(hit.row), col = head_at(hit.col);
    p_.next = {row, col};
    tooltip(hit, row, col);
    if (!hit.clicked) return;
    p_.focus_if_present(row);
    p_.compare(row == col || p_.compared == std::pair(row, col) ? std::nullopt : std::optional(std::pair(row, col)));
  }

  void tooltip(const CellHit& hit, int row, int col) const {
    std::vector<std::string> lines{row == col ? p_.name(row) : p_.pair_name(row, col)};
    if (row != col) {
      const double number = (*p_.table.matrix(p_.table.ordered_by))(row, col);
      const std::string value = likeness_value(frame_, number);
      lines.push_back(
          entry_.measure == Likeness::kl_bits
              ? wording("likeness:kl_of", {{"row", p_.number(row)}, {"column", p_.number(col)}, {"value", value}})
              : ui::words(wording(entry_.brief), " ", value));
      if (std::isnan(number)) lines.push_back(why_undefined(p_, entry_.measure, row, col));
    }
    ui::tooltip_beside(frame_, cell_min(heatmap_, hit.row, hit.col), cell_max(heatmap_, hit.row, hit.col), lines);
  }

  // The row and the column of the heads under the pointer; the pair that is compared.
  void outlines() {
    const float thick = std::max(1.0f, 0.375f * u_);
    const std::optional<std::pair<int, int>>& compared = p_.compared;
    if (motion_.reordering()) return;
    const auto place = [&](int head) { return static_cast<Index>(std::lround(motion_.row(head))); };
    if (canvas_.marks_focus() && compared && compared->first < h_ && compared->second < h_) {
      const Index r = place(compared->first), c = place(compared->second);
      draw_cell_outline(canvas_, heatmap_, r, r + 1, c, c + 1, theme_.accent, 1.3f * thick);
    }
    if (p_.hover.first < 0 || p_.hover.first >= h_) return;
    const Index r = place(p_.hover.first);
    if (p_.hover.second >= 0 && p_.hover.second < h_) {
      const Index c = place(p_.hover.second);
      draw_cell_outline(canvas_, heatmap_, r, r + 1, c, c + 1, theme_.hover, thick);
    } else {
      draw_cell_outline(canvas_, heatmap_, r, r + 1, 0, h_, theme_.hover, thick);
    }
  }

  // Strips in the heads' colours along both edges, and their numbers where there is room; of all layers those of
  // layers.
  void labels() {
    const float strip = 1.5f * u_, gap = std::round(0.5f * u_);
    ImFont* font = fonts_.small;
    const bool all_rows = cell_ >= 0.95f * font->FontSize, all_columns = cell_ >= widest_number() + 2;
    const bool by_layer = p_.all() && !view_.likeness.by_tree && !(all_rows && all_columns);
    for (int k = 0; k < h_; ++k) {
      const float x = left_of(k), y = top_of(k);
      const float inset = cell_ >= 8 ? 1.0f : 0.0f;
      const ImVec2 row{p_.at.matrix.x - gap - strip, y}, col{x, p_.at.matrix.y - gap - strip};
      canvas_.fill({row.x, y + inset}, {row.x + strip, y + cell_ - inset}, p_.color(k));
      canvas_.fill({x + inset, col.y}, {x + cell_ - inset, col.y + strip}, p_.color(k));
      const bool focused = p_.is_focused(k), strong = p_.hover.has(k) || focused;
      const bool row_alone = shown_alone(focused, k, p_.hover.first),
                 col_alone = shown_alone(focused, k, p_.hover.second >= 0 ? p_.hover.second : p_.hover.first);
      const std::string number = p_.number(k), called = p_.label(k), label = p_.at.named ? called : number;
      const ImU32 ink = ink_for(frame_, strong);
      const auto row_number = [&] {
        canvas_.text_up_to(font, {row.x - u_, y + 0.5f * (cell_ - font->FontSize)}, ink, label);
      };
      const auto col_number = [&] {
        canvas_.text_centered(font, {x + 0.5f * cell_, col.y - 0.5f * u_ - 0.5f * font->FontSize}, ink,
                              text_width(font, called) + 2 < cell_ ? called : number);
      };
      if (by_layer ? row_alone && p_.hover.first >= 0 : all_rows || row_alone) row_number();
      if (by_layer ? col_alone && p_.hover.first >= 0 : all_columns || col_alone) col_number();
      if (focused && (all_rows || by_layer))
        canvas_.fill({row.x - 2, y + inset}, {row.x - 1, y + std::max(cell_ - inset, 2.0f)}, theme_.accent);
      head_button(k, row);
    }
    if (by_layer && p_.hover.first < 0) layer_numbers(strip + gap);
  }

  float widest_number() const {
    if (!p_.all()) return text_width(fonts_.small, "00");
    float width = 0;
    for (int k = 0; k < std::min(h_, kFewNumbered); ++k)
      width = std::max(width, text_width(fonts_.small, p_.number(k)));
    return h_ > kFewNumbered ? text_width(fonts_.small, "00.00") : width;
  }

  // In the middle of each layer's heads, as many as there is room for.
  void layer_numbers(float strips) {
    ImFont* font = fonts_.small;
    const float least = 1.2f * std::max(font->FontSize, text_width(font, "00"));
    float last = -kNoLimit;
    for (int first = 0, end = 0; first < h_; first = end) {
      const int layer = p_.place(first).layer;
      while (end < h_ && p_.place(end).layer == layer) ++end;
      const float middle = 0.5f * real(first + end) * cell_;
      const bool focused = layer == marked_layer(frame_);
      if (middle - last < least) continue;
      last = middle;
      const std::string number = std::to_string(layer + 1);
      const ImU32 ink = ink_for(frame_, focused);
      canvas_.text_up_to(font, {p_.at.matrix.x - strips - u_, p_.at.matrix.y + middle - 0.5f * font->FontSize}, ink,
                         number);
      canvas_.text_centered(
          font, {p_.at.matrix.x + middle, p_.at.matrix.y - strips - 0.5f * u_ - 0.5f * font->FontSize}, ink, number);
    }
  }

  // Where numbers have no room, only that of the head under the pointer stands, or of the focused one.
  static bool shown_alone(bool focused, int head, int hovered) { return hovered >= 0 ? head == hovered : focused; }

  void head_button(int head, ImVec2 strip) {
    const ImVec2 a{p_.at.matrix.x - p_.at.row_labels, strip.y}, b{p_.at.matrix.x, strip.y + cell_};
    if (p_.all())
      ui::probe({"likeness/row/", p_.place(head).layer + 1, ".", p_.place(head).head + 1}, a, b);
    else
      ui::probe({"likeness/row/", head + 1}, a, b);
    if (!canvas_.over(a, b)) return;
    p_.next = {head, -1};
    if (ui::clicked()) p_.focus_if_present(head);
  }

  void draw_legend() {
    LegendOptions options;
    options.masked = motion_.missing() || motion_.infinite();
    options.masked_label = wording(motion_.infinite() ? "likeness:infinite" : "likeness:not_defined").c_str();
    const float least = (options.masked ? 16 : 10) * small_;
    const float width = std::max(p_.at.side, least);
    const ImVec2 pos{p_.at.matrix.x, p_.at.legend};
    legend(frame_, heatmap_.scale, pos, width, options);
    const ImVec2 end{pos.x + width, pos.y + small_};
    ui::probe("likeness/legend", pos, end);
    if (!canvas_.over(pos, end)) return;
    ui::tooltip_beside(frame_, pos, end,
                       {wording(entry_.range), motion_.infinite() ? wording("likeness:infinite.tip") : "",
                        motion_.missing() ? wording("likeness:not_defined.tip") : ""});
  }

  void tree() {
    constexpr float kLeast = 1.5f;  // below that its lines are one
    if (h_ < 2 || (p_.all() && (!view_.likeness.by_tree || cell_ < kLeast))) return;
    std::vector<float> middles;
    for (int k = 0; k < h_; ++k) middles.push_back(top_of(k) + 0.5f * cell_);
    auto d = styled<Dendrogram>(frame_);
    d.tree = &motion_.tree();
    d.leaves = &middles;
    d.left = p_.at.tree;
    d.width = p_.at.tree_width;
    d.end = motion_.distance();
    d.axis = p_.at.matrix.y + p_.at.side + 1.5f * u_;
    d.caption = distance_caption(frame_, p_.table.ordered_by);
    d.marked = p_.hover.first;
    const int join = draw_dendrogram(canvas_, "likeness/tree", d, p_.at.matrix.y, p_.at.matrix.y + p_.at.side);
    if (join < 0) return;
    const Merge& merge = nth(motion_.tree().merges, join);
    std::string heads;
    for (const int leaf : leaves_of(motion_.tree(), join)) heads += (heads.empty() ? "" : ", ") + p_.number(leaf);
    ui::tooltip(frame_, {wording("likeness:tree.join", {{"heads", heads}, {"distance", ui::number(merge.distance)}})});
  }

  LikenessParts& p_;
  const LikenessMotion& motion_;
  const LikenessEntry& entry_;
  int h_;
  float cell_;
  Heatmap heatmap_;
};

}  // namespace

void draw_likeness_matrix(LikenessParts& parts) {
  const Canvas::Part part(parts.frame.canvas, "likeness.matrix");
  MatrixPart(parts).draw();
}

}  // namespace hydra
