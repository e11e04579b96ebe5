// Trade-off: one column per head count, with its patterns and its numbers.
#include <algorithm>
#include <cmath>

#include "app/views/frame/ui.h"
#include "app/views/tradeoff/columns/tradeoff_column_page.h"
#include "core/document/models.h"

namespace hydra::tradeoff {

namespace {

Index tokens_in(const SweepEntry& entry) { return std::ssize(entry.trace->tokens); }

TableCell kv_heads(const Frame&, const SweepTable&, const SweepEntry& entry) {
  return {std::to_string(entry.kv_heads), of(entry.heads),
          static_cast<double>(entry.kv_heads) / static_cast<double>(entry.heads)};
}
TableCell entropy(const Frame&, const SweepTable& table, const SweepEntry& entry) {
  const TableCell cell{or_none(entry.entropy_fraction, As::brief), "", entry.entropy_fraction};
  return over_seeds(cell, table, entry, SweptNumber::entropy_fraction, 1, As::brief);
}
TableCell rank(const Frame&, const SweepTable& table, const SweepEntry& entry) {
  const auto n = static_cast<double>(tokens_in(entry));
  const Index most = std::min(entry.d_k, tokens_in(entry));
  const Spread& ranks = entry.scores_over_heads.rank;
  const std::string text = ranks.least == ranks.most
                               ? ui::number(ranks.median, As::axis)
                               : ui::number(ranks.least, As::axis) + "–" + ui::number(ranks.most, As::axis);
  TableCell cell{text, of(most), ranks.median / n, static_cast<double>(most) / n};
  cell.said.push_back(wording("tradeoff:rank.said", {{"heads", ranks.count}, {"ranks", in_words(ranks, As::whole)}}));
  return over_seeds(cell, table, entry, SweptNumber::score_rank, 1 / n, As::tenths);
}
TableCell shares(const Frame&, const SweepTable& table, const SweepEntry& entry) {
  const double largest = *std::max_element(entry.shares.begin(), entry.shares.end());
  const TableCell cell{or_none(largest, As::percent), "", std::numeric_limits<double>::quiet_NaN()};
  return over_seeds(cell, table, entry, SweptNumber::largest_share, 1, As::percent);
}

TableCell accuracy(const Frame&, const SweepTable&, const SweepEntry& entry) {
  return {or_none(entry.accuracy, As::brief), "", entry.accuracy};
}

Row accuracy_row() {
  return {"accuracy", wording("tradeoff:row.accuracy"), wording("tradeoff:row.accuracy.below"),
          wording("tradeoff:row.accuracy.tip"), accuracy};
}
Row kv_heads_row() {
  return {"kv_heads", wording("tradeoff:row.kv_heads"), wording("tradeoff:row.kv_heads.below"),
          wording("tradeoff:row.kv_heads.tip"), kv_heads};
}
Row entropy_row(const SweepTable& table) {
  const bool masked = table.entries.front().layer().input.masks(kNoHead);
  return {"entropy", wording("tradeoff:row.entropy"),
          wording(masked ? "tradeoff:row.entropy.below_masked" : "tradeoff:row.entropy.below"),
          wording("tradeoff:row.entropy.tip"), entropy};
}
Row rank_row() {
  return {"rank", wording("tradeoff:row.rank"), wording("tradeoff:row.rank.below"), wording("tradeoff:row.rank.tip"),
          rank};
}
Row shares_row() {
  return {"shares", wording("tradeoff:row.shares"), wording("tradeoff:row.shares.below"),
          wording("tradeoff:row.shares.tip"), shares};
}
// Which heads share is among the rows where some do.
std::vector<Row> rows_for(const SweepTable& table) {
  std::vector<Row> rows;
  if (std::ranges::any_of(table.entries, [](const SweepEntry& e) { return std::isfinite(e.accuracy); }))
    rows.push_back(accuracy_row());
  if (shares_keys(table)) rows.push_back(kv_heads_row());
  for (const Row& row :
       {entropy_row(table), effective_row(), cosine_row(), divergence_row(), rank_row(), shares_row(), change_row()})
    rows.push_back(row);
  return rows;
}

class HeadCountColumns : public ColumnPage {
 public:
  HeadCountColumns(Frame& frame, const SweepTable& table)
      : ColumnPage(frame, table, rows_for(table), {wording("tradeoff:columns.heads"), cut_text(table)}) {}

 private:
  void header(std::size_t k, ImVec2 a, ImVec2 b) override {
    const SweepEntry& e = entry(k);
    const bool own = present(k);
    const auto [under, pressed] =
        press(k, a, b, own ? wording("tradeoff:columns.document", {{"n", e.heads}}) : heads_text(e));
    if (under && !own) canvas_.fill({a.x - u_, a.y}, {b.x + u_, b.y}, theme_.raised);
    const std::string d_k = "d_k = " + std::to_string(e.d_k), badged = d_k + ", " + badge(own);
    words(k, a, b, std::to_string(e.heads), wording("tradeoff:columns.of_heads", {{"n", e.heads}}),
          text_width(fonts_.small, badged) <= b.x - a.x ? badged : d_k,
          ink_for(frame_, e.any_pattern == AnyPattern::yes));
    if (under)
      ui::tooltip(frame_, {own ? wording("tradeoff:columns.as_it_is", {{"n", e.heads}})
                               : wording("tradeoff:columns.click", {{"n", e.heads}}),
                           badge_tip(own), possible_text(e)});
    if (pressed) apply_heads(frame_, table_, e.heads);
  }

  // Where the column's weights come from: they are the document's, or those cut into another number of heads.
  std::string badge(bool own) const {
    if (!own) return wording("tradeoff:columns.cut", {{"n", cut_from()}});
    constexpr const char* kinds[] = {"tradeoff:columns.untrained", "tradeoff:columns.designed",
                                     "tradeoff:columns.trained", "tradeoff:columns.given"};
    return wording(kinds[static_cast<std::size_t>(kind_of(frame_.document))]);
  }
  std::string badge_tip(bool own) const {
    return own ? wording("tradeoff:columns.own.tip", {{"kind", badge(true)}, {"n", cut_from()}})
               : wording("tradeoff:columns.cut.tip", {{"kind", badge(true)}, {"n", cut_from()}});
  }
  Index cut_from() const { return frame_.document.layer(view_.layer).heads; }

  bool picture(const Row& row, const SweepEntry& e, ImVec2 pos, float width, float height) override {
    if (row.cell == shares) share_bar(e, pos, width, height);
    return row.cell == shares;
  }

  void share_bar(const SweepEntry& e, ImVec2 pos, float width, float height) {
    double sum = 0;
    for (std::size_t h = 0; h < e.shares.size(); ++h) {
      if (!std::isfinite(e.shares[h])) return;
      const float from = pos.x + real(sum) * width;
      const float to = pos.x + real(sum += e.shares[h]) * width;
      const float gap = to - from >= 4 ? 1.0f : 0.0f;  // between neighbours of like colours
      canvas_.fill({from, pos.y}, {to - gap, pos.y + height}, head_color(frame_, h));
      if (canvas_.over({from, pos.y}, {to, pos.y + height}))
        ui::tooltip(frame_,
                    {wording("tradeoff:columns.share", {{"head", head_name(h)},
                                                        {"heads", e.heads},
                                                        {"share", ui::number(100 * e.shares[h], As::tenths)}})});
    }
  }
};

}  // namespace

void draw_columns(Frame& frame, const SweepTable& table, ImVec2 pos, ImVec2 size) {
  const Canvas::Part part(frame.canvas, "tradeoff.columns");
  HeadCountColumns(frame, table).draw(pos, size);
}

}  // namespace hydra::tradeoff
