// Likeness: the patterns of two heads side by side, and their difference.
#include "app/views/change/change_marks.h"
#include "app/views/likeness/likeness_parts.h"
#include "app/views/ui.h"

namespace hydra {

namespace {

class Comparison {
 public:
  Comparison(LikenessParts& parts, int first, int second)
      : p_(parts),
        frame_(parts.frame),
        at_(parts.at.comparison),
        first_(first),
        second_(second),
        list_(ImGui::GetWindowDrawList()) {}

  void draw() {
    const Theme& theme = frame_.theme;
    if (p_.at.map_shown)
      list_->AddLine({at_.pos.x, at_.pos.y - 2 * frame_.unit}, {at_.pos.x + at_.size.x, at_.pos.y - 2 * frame_.unit},
                     theme.line);
    header();
    if (at_.side < 2 * frame_.fonts.small->FontSize) return;
    if (at_.scrolls)
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
    ImGui::SetCursorScreenPos({at_.pos.x, at_.title});
    return ImGui::BeginChild("likeness/compare", {at_.size.x, at_.pos.y + at_.size.y - at_.title}, false,
                             ImGuiWindowFlags_NoNav | ImGuiWindowFlags_HorizontalScrollbar);
  }

  // The same in a window of their own, moved by what it is scrolled.
  void scrolled() {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    if (begin_scrolled()) {
      list_ = ImGui::GetWindowDrawList();
      scroll_ = ImGui::GetScrollX();
      const ImVec2 corner = ImGui::GetCursorScreenPos();
      pictures();
      ImGui::SetCursorScreenPos({corner.x + at_.content - 1, corner.y});
      ImGui::Dummy({1, 1});
    }
    ImGui::EndChild();
    list_ = ImGui::GetWindowDrawList();
    // To the difference, where it is out of sight, and back.
    const bool there = at_.pictures[2].x + 0.5f * at_.side - scroll_ < at_.pos.x + at_.size.x;
    const float right = at_.pos.x + at_.size.x - ui::chip_width("Close") - 2 * frame_.unit;
    const char* label = there ? "Both heads" : "Difference";
    ImGui::SetCursorScreenPos({right - ui::chip_width(label), at_.header.y - 0.5f * frame_.unit});
    if (ui::chip(frame_, "likeness/compare/scroll", label, false,
                 "Scrolls to the difference of the two patterns, and back.")) {
      begin_scrolled();
      ImGui::SetScrollX(there ? 0 : at_.content - at_.size.x);
      ImGui::EndChild();
    }
    ImGui::PopStyleVar();
  }

  // Which heads, what all measures that are known say of them, and how to be rid of it.
  void header() {
    const float unit = frame_.unit, close = ui::chip_width("Close");
    const float room = close + (at_.scrolls ? ui::chip_width("Both heads") + 2 * unit : 0);
    ImGui::SetCursorScreenPos({at_.pos.x + at_.size.x - close, at_.header.y - 0.5f * unit});
    if (ui::chip(frame_, "likeness/compare/close", "Close", false, "Back to the matrix and the map alone. Key: Esc"))
      frame_.view.likeness.compared.reset();
    const std::string name = "Heads " + std::to_string(first_ + 1) + " and " + std::to_string(second_ + 1);
    text_at(list_, frame_.fonts.strong, at_.header, frame_.theme.ink, name);
    const bool below = at_.values_below;
    const float x = below ? at_.header.x : at_.header.x + text_width(frame_.fonts.strong, name) + 3 * unit;
    const float y = below ? at_.header.y + 1.4f * frame_.fonts.text->FontSize : at_.header.y;
    const float end = at_.pos.x + at_.size.x - (below ? 0 : room + 2 * unit);
    const std::string all =
        values() + (p_.table.sentences.empty() ? "" : "   (over all sentences; the patterns are of this one)");
    ImFont* font = text_width(frame_.fonts.text, all) <= end - x ? frame_.fonts.text : frame_.fonts.small;
    text_at(list_, font, {x, y}, frame_.theme.ink_soft, clipped(font, all, end - x));
    ui::probe("likeness/compare/values", {x, y}, {end, y + font->FontSize});
  }

  std::string values() const {
    std::string text;
    for (const LikenessEntry& entry : likenesses()) {
      const Array<double>& matrix = p_.table.matrix(entry.measure);
      if (!matrix || std::max(first_, second_) >= matrix->rows()) continue;
      text += (text.empty() ? "" : "   ") + std::string(entry.brief) + " " +
              likeness_value(frame_, (*matrix)(first_, second_));
      if (entry.measure == Likeness::kl_bits)
        text += " and " + likeness_value(frame_, (*matrix)(second_, first_)) + " back";
    }
    return spelled(frame_, text);
  }

  float width() const {
    return at_.pictures[1].x - at_.pictures[0].x - (at_.shared_rows ? 0 : at_.row_labels) - 2 * frame_.unit;
  }
  // On the screen: where the layout has it, less what is scrolled.
  ImVec2 corner_of(int k) const {
    const ImVec2 corner = nth(at_.pictures, k);
    return {corner.x - scroll_, corner.y};
  }
  ImVec2 title_of(int k) const { return {corner_of(k).x, at_.title}; }

  void pattern(int k, const char* name, int head) {
    const Site ref{Quantity::attention, frame_.view.layer, head};
    head_title(frame_, frame_.fonts.text, title_of(k), head, "Head " + std::to_string(head + 1));
    put_change_badge(frame_, name, ref, {corner_of(k).x + at_.side, at_.title}, frame_.fonts.text);
    const PictureResult drawn =
        matrix_picture(frame_, name, ref, corner_of(k), {at_.side, at_.side}, {.square_cells = false});
    around(k, drawn.tile, drawn.hit, {});
  }

  void difference() {
    const auto attention = [&](int head) {
      return backing_of(frame_.trace, {Quantity::attention, frame_.view.layer, head}).matrix;
    };
    const Array<float> first = attention(first_), second = attention(second_);
    PatternDifference& kept = frame_.view.likeness.difference;
    const Array<float>& cells = kept.of(first, second);
    const auto range = kept.largest() > 0 ? static_cast<float>(round_ceiling(kept.largest())) : 1;
    const ImVec2 pos = corner_of(2);
    const HeatmapTile tile{pos,
                           {pos.x + at_.side, pos.y + at_.side},
                           cells,
                           0,
                           0,
                           cells->rows(),
                           cells->cols(),
                           {frame_.theme.dark ? ColorMap::diverging_dark : ColorMap::diverging_light, -range, range},
                           1};
    const std::string minus = frame_.fonts.unicode ? " − " : " - ", second_number = std::to_string(second_ + 1);
    const std::string brief = "Head " + std::to_string(first_ + 1) + minus;
    const float badge = frame_.changes.marked() ? 6 * frame_.fonts.small->FontSize : 0;
    const bool whole = badge == 0 || text_width(frame_.fonts.text, brief + "head " + second_number) + badge <= at_.side;
    text_at(list_, frame_.fonts.text, title_of(2), frame_.theme.ink, brief + (whole ? "head " : "") + second_number);
    const CellHit hit = heatmap("likeness/compare/difference", frame_.heatmaps, tile);
    ui::probe("likeness/compare/difference", tile.min, tile.max);
    list_->AddRect({tile.min.x - 1, tile.min.y - 1}, {tile.max.x + 1, tile.max.y + 1}, frame_.theme.line);
    change(tile, first, second);
    if (values_fit(tile, frame_.fonts.mono_small)) draw_cell_values(list_, tile, frame_.fonts.mono_small);
    std::string text;
    if (hit.hovered) {
      frame_.view.next_hover = Cell{{Quantity::attention, frame_.view.layer, first_}, hit.row, hit.col};
      text = ui::fixed((*first)(hit.row, hit.col), 3) + (frame_.fonts.unicode ? " − " : " - ") +
             ui::fixed((*second)(hit.row, hit.col), 3) + " = " + ui::fixed((*cells)(hit.row, hit.col), 3);
    }
    around(2, tile, hit, text);
  }

  // What the last edit did to the difference.
  void change(const HeatmapTile& tile, const Array<float>& first, const Array<float>& second) {
    const std::optional<Source> source = frame_.changes.marked() ? frame_.changes.before_source() : std::nullopt;
    if (!source) return;
    const char* name = "likeness/compare/difference";
    const auto attention = [&](int head) {
      return backing_of(source->trace, {Quantity::attention, frame_.view.layer, head}).matrix;
    };
    const Array<float> first_before = attention(first_), second_before = attention(second_);
    const auto pair = [](const Array<float>& a, const Array<float>& b) {
      return (Key("pair") << a.stamp() << b.stamp()).stamp();
    };
    const Stamp before = pair(first_before, second_before), now = pair(first, second);
    const MatrixChange& change = frame_.changes.of_made(name, before, now, [&] {
      return change_between(whole(share(Mat<float>(*first_before - *second_before))),
                            whole(share(Mat<float>(*first - *second))));
    });
    draw_change(frame_, name, change, tile);
    draw_change_number(frame_, name, change, {tile.max.x, at_.title}, frame_.fonts.text);
  }

  // Tokens, grid and legend; and what the pointer is over.
  void around(int k, const HeatmapTile& tile, const CellHit& hit, const std::string& text) {
    const std::vector<std::string>& tokens = frame_.trace.tokens;
    const ImVec2 pos = corner_of(k);
    const float step = at_.side / static_cast<float>(tokens.size());
    if (step >= 12) draw_cell_grid(list_, tile, with_alpha(frame_.theme.ground, 90));
    if (at_.row_labels > 0) {
      const bool pair = frame_.view.hover && is_pair(frame_.view.hover->site.quantity);
      TokenAxis axis{&tokens, frame_.fonts.small, frame_.theme.ink_soft, frame_.theme.ink, -1};
      axis.marked = pair ? static_cast<int>(frame_.view.hover->row) : -1;
      if (k == 0 || !at_.shared_rows)
        row_labels(list_, axis, pos.x - frame_.unit, at_.row_labels - frame_.unit, pos.y, step);
      axis.marked = pair ? static_cast<int>(frame_.view.hover->col) : -1;
      column_labels(list_, axis, pos.x, step, pos.y - 0.5f * frame_.unit, at_.column_labels);
    }
    LegendOptions options;
    const float least = 9 * frame_.fonts.small->FontSize;
    legend(tile.scale, {pos.x, at_.legend}, std::min(std::max(at_.side, least), std::max(width(), least)),
           frame_.fonts.small, frame_.theme.ink_soft, options);
    if (!hit.hovered) return;
    p_.next = k == 0 ? HeadPair{first_, -1} : k == 1 ? HeadPair{second_, -1} : HeadPair{first_, second_};
    ui::begin_tooltip_beside(cell_min(tile, hit.row, hit.col), cell_max(tile, hit.row, hit.col));
    ImGui::PushFont(frame_.fonts.strong);
    ImGui::TextUnformatted(
        imgui_text(nth(tokens, hit.row) + (frame_.fonts.unicode ? " → " : " > ") + nth(tokens, hit.col)));
    ImGui::PopFont();
    ImGui::TextUnformatted(text.empty() ? ui::fixed((*tile.matrix)(tile.row0 + hit.row, tile.col0 + hit.col), 3).c_str()
                                        : text.c_str());
    ui::end_tooltip();
  }

  LikenessParts& p_;
  Frame& frame_;
  const LikenessComparison& at_;
  int first_, second_;
  ImDrawList* list_;
  float scroll_ = 0;
};

}  // namespace

void draw_head_comparison(LikenessParts& parts) {
  const auto [first, second] = *parts.frame.view.likeness.compared;
  if (!is_present(parts.frame, std::max(first, second))) return;
  Comparison(parts, first, second).draw();
}

}  // namespace hydra
