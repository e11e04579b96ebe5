// Beside what is trained here: what Vaswani et al. measured with few and with many heads, quoted.
#include <array>

#include "app/views/tradeoff/trained_parts.h"
#include "app/views/ui.h"
#include "core/analysis/published_quality.h"

namespace hydra::tradeoff {

namespace {

constexpr const char* kQuotedTitle = "Quoted, not trained here";
constexpr const char* kQuotedSource = "Vaswani et al. 2017, table 3 (A)";
constexpr const char* kQuotedTip =
    "Attention is all you need, table 3, rows (A) and the base model (h = 8): d_model 512, d_k = d_v = 512 / h, "
    "English "
    "to German, development set newstest2013. PPL: perplexity by word piece, the lower the better. BLEU: agreement "
    "with "
    "a translator's words, the higher the better. One head is worst, 32 are worse than 8 and 16.";
constexpr std::array<const char*, 4> kQuotedColumns = {"h", "d_k", "PPL", "BLEU"};

}  // namespace

float quoted_width(const Frame& frame) {
  return std::max(text_width(frame.fonts.small, kQuotedSource), text_width(frame.fonts.strong, kQuotedTitle)) +
         2 * frame.unit;
}

float quoted_height(const Frame& frame) {
  const auto rows = real(published_head_counts().size());
  return frame.fonts.strong->FontSize + 3.75f * frame.fonts.small->FontSize + rows * 1.1f * frame.fonts.mono->FontSize +
         3 * frame.unit;
}

void draw_quoted(Frame& frame, const Box& area) {
  ImFont *small = frame.fonts.small, *mono = frame.fonts.mono;
  const float u = frame.unit;
  const float top = ui::title(frame, "tradeoff/trained/quoted/title", area.pos, area.size.x, kQuotedTitle, kQuotedTip);
  float y = top + 0.5f * u;
  frame.canvas.text_at(small, {area.pos.x, y}, frame.theme.ink_soft, kQuotedSource, area.size.x);
  y += 1.25f * small->FontSize;
  frame.canvas.text_at(small, {area.pos.x, y}, frame.theme.ink_soft,
                       fitting(small, area.size.x, {"translation, d_model 512, dev set", "translation, d_model 512"}),
                       area.size.x);
  y += 1.25f * small->FontSize + u;

  const std::span<const PublishedQuality> rows = published_head_counts();
  const float width = std::min(area.size.x, 16 * mono->FontSize), column = width / real(kQuotedColumns.size());
  const auto right = [&](std::size_t k) { return area.pos.x + real(k + 1) * column - u; };
  for (std::size_t k = 0; k < kQuotedColumns.size(); ++k)
    frame.canvas.text_up_to(small, {right(k), y}, frame.theme.ink_soft, kQuotedColumns[k]);
  y += 1.25f * small->FontSize;
  frame.canvas.line({area.pos.x, y}, {area.pos.x + width, y}, frame.theme.line);
  y += 0.5f * u;
  const float row = std::clamp((area.bottom() - y) / real(rows.size()), 1.1f * mono->FontSize, 1.7f * mono->FontSize);
  double best = 0;
  for (const PublishedQuality& q : rows) best = std::max(best, q.bleu);
  for (const PublishedQuality& q : rows) {
    const std::array<std::string, 4> texts = {std::to_string(q.heads), std::to_string(q.d_k),
                                              ui::fixed(q.perplexity, 2), ui::fixed(q.bleu, 1)};
    const bool pointed = q.heads == frame.was.head_count;
    if (pointed) frame.canvas.fill({area.pos.x, y}, {area.pos.x + width, y + row}, frame.theme.raised);
    for (std::size_t k = 0; k < texts.size(); ++k)
      frame.canvas.text_up_to(mono, {right(k), y + 0.5f * (row - mono->FontSize)},
                              k == 3 && q.bleu == best ? frame.theme.accent : frame.theme.ink, texts[k]);
    y += row;
  }
  ui::explain_here("tradeoff/trained/quoted", {area.pos.x, top}, {width, y - top}, kQuotedTip);
}

}  // namespace hydra::tradeoff
