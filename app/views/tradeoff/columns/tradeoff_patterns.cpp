// Trade-off: all patterns of all columns, and the row of one query in each of them.
#include "app/views/change/change_marks.h"
#include "app/views/frame/ui.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/widgets/mouse_area.h"

namespace hydra::tradeoff {

namespace {

struct Hit {
  Index head = -1, row = 0, col = 0;
};

constexpr Index kMostMarked = Index{1} << 20;  // weights in a column: more would hold much memory for small pictures

class Patterns : Drawing {
 public:
  Patterns(Frame& frame, const SweepTable& table, const TradeoffLayout& at, ImVec2 origin)
      : Drawing(frame), table_(table), at_(at), origin_(origin), colors_(pattern_colors(frame, table)) {}

  void draw() {
    const Box in_sight = canvas_.visible();
    const ImVec2 low = in_sight.pos, high = in_sight.end();
    const auto visible = [&](std::size_t k) { return left(k) <= high.x && left(k) + at_.column >= low.x; };
    for_visible(visible, [&](std::size_t k) { listen(k); });
    // All pictures first, so that they share draw calls.
    for_visible(visible, [&](std::size_t k) {
      for (int h = 0; h < heads(k); ++h)
        if (Heatmap picture = heatmap(k, h); use_strongest(frame_.derived, picture)) canvas_.cells(picture);
    });
    if (frame_.changes.marked()) {
      before_ = swept_before();
      for_visible(visible, [&](std::size_t k) { changes(k); });
    }
    query_ = shown_query(frame_, table_);
    asked_ |= view_.tradeoff.query.has_value();
    for_visible(visible, [&](std::size_t k) { marks(k); });
  }

 private:
  template <class Visible, class Task>
  void for_visible(const Visible& visible, const Task& task) {
    for (std::size_t k = 0; k < table_.entries.size(); ++k)
      if (visible(k)) task(k);
  }
  int heads(std::size_t k) const { return static_cast<int>(table_.entries[k].heads); }
  Index n() const { return static_cast<Index>(tokens_of(table_).size()); }
  float left(std::size_t k) const { return origin_.x + real(k) * (at_.column + at_.gap); }
  ImVec2 corner(std::size_t k, int head) const {
    const ImVec2 within = at_.grids[k].at(head);
    return {left(k) + within.x, origin_.y + within.y};
  }

  Heatmap heatmap(std::size_t k, int head) const {
    const ImVec2 a = corner(k, head);
    const float side = at_.grids[k].side;
    const Array<float>& pattern = nth(table_.entries[k].layer().heads, head).attention;
    const Array<float>& hidden =  // of the same sentence, and of the same mask for the same head
        frame_.derived.mask_of({Quantity::attention, view_.layer, head}).hidden;
    const bool fits = hidden && hidden->rows() == pattern->rows();
    return {a, {a.x + side, a.y + side}, pattern, 0, 0, n(), n(), colors_, 1, 0, fits ? hidden : nullptr};
  }

  std::shared_ptr<const SweepTable> swept_before() const {
    const std::optional<Source> before = frame_.changes.before_source();
    if (!before) return nullptr;
    return table_.swept == Swept::heads ? before->known<SweepMeasure<Swept::heads>>(table_.asked)
                                        : before->known<SweepMeasure<Swept::kv_heads>>(table_.asked);
  }

  // What the last edit did to each pattern, where the same columns stood there before.
  void changes(std::size_t k) {
    if (!before_ || before_->document == table_.document) return;
    const SweepEntry& now = table_.entries[k];
    if (now.heads * n() * n() > kMostMarked) return;
    const auto same = [&](const SweepEntry& e) {
      return e.heads == now.heads && e.kv_heads == now.kv_heads && e.rescaled == now.rescaled;
    };
    const auto was = std::ranges::find_if(before_->entries, same);
    if (was == before_->entries.end() || was->trace->tokens.size() != now.trace->tokens.size()) return;
    for (int h = 0; h < heads(k); ++h) {
      const auto pattern = [&](const SweepEntry& e) { return nth(e.layer().heads, h).attention; };
      const Array<float> a = pattern(*was), b = pattern(now);
      const std::string name = ui::words(name_in(table_, "patterns", now), "/", h + 1);
      const MatrixChange& change =
          frame_.changes.of_made(name, a.stamp(), b.stamp(), [&] { return change_between(whole(a), whole(b)); });
      const Heatmap picture = heatmap(k, h);
      draw_change(frame_, name, change, picture);
      if (at_.grids[k].side >= 5 * small_)
        draw_change_number(frame_, name, change, {picture.max.x, picture.min.y}, fonts_.small);
    }
  }

  Hit hit(std::size_t k) const {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const ThumbGrid& grid = at_.grids[k];
    const int col = static_cast<int>((mouse.x - left(k)) / grid.step_x);
    const int line = static_cast<int>((mouse.y - origin_.y) / grid.step_y), head = line * grid.across + col;
    if (col >= grid.across || head >= heads(k)) return {};
    const ImVec2 a = corner(k, head);
    const auto cell = [&](float offset) { return static_cast<Index>(std::floor(offset / grid.side * real(n()))); };
    const Hit found{head, cell(mouse.y - a.y), cell(mouse.x - a.x)};
    const bool inside = found.row >= 0 && found.row < n() && found.col >= 0 && found.col < n();
    return inside ? found : Hit{};
  }

  void listen(std::size_t k) {
    const ThumbGrid& grid = at_.grids[k];
    const std::string name = name_in(table_, "patterns", table_.entries[k]);
    ImGui::SetCursorScreenPos({left(k), origin_.y});
    ui::mouse_area(name.c_str(), {std::max(1.0f, grid.width(heads(k))), std::max(1.0f, grid.height(heads(k)))});
    if (ui::probe_recorder()) {
      ui::probe(name);
      for (int h = 0; h < heads(k); ++h) {
        const ImVec2 a = corner(k, h);
        ui::probe({name, "/", h + 1}, a, {a.x + grid.side, a.y + grid.side});
      }
    }
    if (!ImGui::IsItemHovered()) return;
    const Hit at = hit(k);
    if (at.head >= 0) pointed(k, at);
  }

  void pointed(std::size_t k, const Hit& at) {
    const SweepEntry& entry = table_.entries[k];
    const bool clicked = ui::clicked();
    asked_ = true;
    if (clicked) {
      frame_.choose(view_.tradeoff.query, view_.tradeoff.query == at.row ? std::nullopt : std::optional(at.row));
    }
    if (!view_.tradeoff.query) frame_.hands.of<PointedQuery>().last = at.row;
    const LayerTrace<float>& layer = layer_of(frame_);
    if (is_present(frame_, table_, entry) && layer.input.heads == entry.heads && layer.input.n() == n()) {
      const Site pattern{Quantity::attention, view_.layer, static_cast<int>(at.head)};
      frame_.next.cell = Cell{pattern, at.row, at.col};
      if (clicked) focus_head(frame_, static_cast<int>(at.head));
    }
    const MatView<float> pattern = *nth(entry.layer().heads, at.head).attention;
    const std::vector<std::string>& tokens = tokens_of(table_);
    const auto token = [&](Index t) { return quoted(frame_, nth(tokens, t)); };
    ui::tooltip(
        frame_,
        {wording("tradeoff:patterns.head", {{"head", head_name(at.head)}, {"heads", entry.heads}}),
         wording("tradeoff:patterns.pair",
                 {{"query", token(at.row)}, {"key", token(at.col)}, {"weight", ui::number(pattern(at.row, at.col))}})});
  }

  // Bars in head colours, and the query's row.
  void marks(std::size_t k) {
    const ThumbGrid& grid = at_.grids[k];
    for (int h = 0; h < heads(k); ++h) {
      const ImVec2 a = corner(k, h);
      if (grid.strip > 0) canvas_.fill({a.x, a.y - grid.strip}, {a.x + grid.side, a.y}, head_color(frame_, h));
      outline(k, h);
    }
  }

  // Around the query's row; where rows are low, outside of it, so that nothing of it is hidden, in a colour that no
  // weight has, and the other rows dimmed while one is asked for.
  void outline(std::size_t k, int head) const {
    const float side = at_.grids[k].side, cell = side / real(n());
    const Heatmap picture = heatmap(k, head);
    if (cell >= u_)
      return draw_cell_outline(canvas_, picture, query_, query_ + 1, 0, n(),
                               view_.tradeoff.query ? theme_.accent : theme_.hover, std::max(1.0f, 0.3f * u_));
    const ImU32 color = theme_.accent;
    const float middle = picture.min.y + (real(query_) + 0.5f) * cell;
    const float half = std::max(0.5f * cell, 0.25f * u_), top = middle - half, bottom = middle + half;
    if (asked_) {
      const ImU32 veil = with_alpha(theme_.ground, 180);
      canvas_.fill(picture.min, {picture.max.x, std::max(picture.min.y, top)}, veil);
      canvas_.fill({picture.min.x, std::min(picture.max.y, bottom)}, picture.max, veil);
    }
    const float beside = std::max(1.0f, std::min(0.5f * u_, 0.5f * (at_.grids[k].step_x - side)));
    const float over = std::round(top) - 1, under = std::round(bottom);
    const float left = picture.min.x - beside, right = picture.max.x + beside;
    canvas_.fill({left, over}, {picture.min.x, under + 1}, color);
    canvas_.fill({picture.max.x, over}, {right, under + 1}, color);
    // Of very small pictures the two ends alone: lines across would hide what they are drawn around.
    if (asked_ || side >= 10 * u_)
      for (const float y : {over, under}) canvas_.fill({left, y}, {right, y + 1}, color);
    ui::probe({name_in(table_, "outline", table_.entries[k]), "/", head + 1}, {left, over}, {right, under + 1});
  }

  const SweepTable& table_;
  const TradeoffLayout& at_;
  ImVec2 origin_;
  ValueScale colors_;
  std::shared_ptr<const SweepTable> before_;  // the same columns, before the last step
  Index query_ = 0;
  bool asked_ = false;  // its row is pointed at or kept
};

}  // namespace

ValueScale pattern_colors(const Frame& frame, const SweepTable& table) {
  const bool may_be_negative = !table.entries.empty() && is_signed(table.entries.front().layer().input.settings);
  const bool fitted = (frame.view.tradeoff.patterns_fitted || may_be_negative) && table.largest_weight > 0;
  const float most = fitted ? real(ui::nice_ceiling(table.largest_weight)) : 1;
  if (may_be_negative) return {diverging(frame), -most, most};
  return {sequential(frame), 0, most};
}

void draw_patterns(Frame& frame, const SweepTable& table, const TradeoffLayout& at, ImVec2 origin) {
  Patterns(frame, table, at, origin).draw();
}

}  // namespace hydra::tradeoff
