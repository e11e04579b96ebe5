// Beside what is trained here: what Vaswani et al. measured with few and with many heads, quoted.
#include <array>

#include "app/views/frame/ui.h"
#include "app/views/tradeoff/trained/trained_parts.h"
#include "app/widgets/table.h"
#include "core/analysis/cost/published.h"

namespace hydra::tradeoff {

namespace {

constexpr std::array<const char*, 4> kQuotedColumns = {"h", "d_k", "PPL", "BLEU"};

}  // namespace

float quoted_width(const Frame& frame) {
  return std::max(text_width(frame.fonts.small, published_head_counts().source),
                  text_width(frame.fonts.strong, wording("tradeoff:trained.quoted"))) +
         2 * frame.unit;
}

float quoted_height(const Frame& frame) {
  const auto rows = real(published_head_counts().rows.size());
  return frame.fonts.strong->FontSize + 3.75f * frame.fonts.small->FontSize + rows * 1.1f * frame.fonts.mono->FontSize +
         3 * frame.unit;
}

void draw_quoted(Frame& frame, const Box& area) {
  ImFont *small = frame.fonts.small, *mono = frame.fonts.mono;
  const float u = frame.unit;
  const std::string& tip = wording("tradeoff:trained.quoted.tip");
  const float top =
      ui::title(frame, "tradeoff/trained/quoted/title", area.pos, area.size.x, wording("tradeoff:trained.quoted"), tip);
  float y = top + 0.5f * u;
  frame.canvas.text_at(small, {area.pos.x, y}, frame.theme.ink_soft, published_head_counts().source, area.size.x);
  y += 1.25f * small->FontSize;
  frame.canvas.text_at(
      small, {area.pos.x, y}, frame.theme.ink_soft,
      fitting(small, area.size.x, {wording("tradeoff:trained.quoted.of"), wording("tradeoff:trained.quoted.of.brief")}),
      area.size.x);
  y += 1.25f * small->FontSize + u;

  const std::vector<PublishedQuality>& rows = published_head_counts().rows;
  const auto best = std::ranges::max_element(rows, {}, &PublishedQuality::bleu);
  auto table = styled<Table>(frame);
  table.name = "tradeoff/trained/quoted";
  table.numbers = mono;
  const float width = std::min(area.size.x, 16 * mono->FontSize), column = width / real(kQuotedColumns.size());
  for (std::size_t k = 0; k < kQuotedColumns.size(); ++k)
    table.columns.push_back({kQuotedColumns[k], {kQuotedColumns[k]}, real(k) * column, real(k + 1) * column});
  table.rows = std::ssize(rows);
  table.header = 1.25f * small->FontSize + u;
  const float left = (area.bottom() - y - table.header) / real(rows.size());
  table.row = std::clamp(left, 1.1f * mono->FontSize, 1.7f * mono->FontSize);
  for (Index k = 0; k < table.rows; ++k)
    if (nth(rows, k).heads == frame.was.head_count) table.marked = k;
  table.points = false;
  table.marked_ground = frame.theme.raised;
  table.cell = [&](Index row, int k) {
    const PublishedQuality& q = nth(rows, row);
    const std::array<std::string, 4> texts = {std::to_string(q.heads), std::to_string(q.d_k),
                                              ui::number(q.perplexity, As::brief), ui::number(q.bleu, As::tenths)};
    return TableCell{nth(texts, k), k == 3 && q.bleu == best->bleu ? frame.theme.accent : 0};
  };
  const float high = table.header + real(table.rows) * table.row;
  if (draw_table(frame.canvas, table, {{area.pos.x, y}, {width, high}}).row >= 0) ui::tooltip(frame, {tip});
  y += high;
  ui::explain_here(frame, "tradeoff/trained/quoted", {area.pos.x, top}, {width, y - top}, tip);
}

}  // namespace hydra::tradeoff
