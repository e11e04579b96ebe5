// Trade-off: the singular values of a head's scores before softmax and of its pattern after it, per head count.
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/ui.h"
#include "app/widgets/line_chart.h"
#include "core/analysis/diversity.h"

namespace hydra {

ImU32 spectrum_shade(bool dark, int k, int count) {
  constexpr float kFirst = 0.44f;  // of the value colours; those before are too near the ground
  const float t = count > 1 ? real(k) / real(count - 1) : 0.5f;
  return to_u32(color_at(dark ? ColorMap::sequential_dark : ColorMap::sequential_light, kFirst + (1 - kFirst) * t));
}

double spectra_foot(Index n) {
  return std::pow(10, std::floor(std::log10(0.1 * zero_level(std::max<Index>(1, n), n)) + 1e-9));
}

namespace tradeoff {

namespace {

class Spectra : Drawing {
 public:
  Spectra(Frame& frame, const SweepTable& table, int strong)
      : Drawing(frame), table_(table), n_(static_cast<Index>(tokens_of(table).size())), strong_(strong) {}

  int draw(const Box& before, const Box& after) {
    spectrum(
        "tradeoff/spectrum/scores", "Singular values of Q Kᵀ", "before softmax, of the largest",
        "Of each head, divided by its largest: a line is the median over the heads, the band around the strong one the "
        "least to the most. A head of width d_k has at most d_k above zero.",
        &SweepEntry::scores_over_heads, before);
    spectrum(
        "tradeoff/spectrum/pattern", "Singular values of A", "after softmax, of the largest",
        "Softmax is not linear: where the scores have a rank below n the patterns may have a higher one. Lines and "
        "band as before softmax.",
        &SweepEntry::pattern_over_heads, after);
    return next_;
  }

 private:
  const SweepEntry& entry(int k) const { return nth(table_.entries, k); }
  int count() const { return int_size(table_.entries); }

  ImU32 shade(int k) const { return spectrum_shade(theme_.dark, k, count()); }

  void spectrum(const char* name, const char* text, const char* below, const char* tip,
                RanksOverHeads SweepEntry::*ranks, const Box& area) {
    const float head =
        chart_heading(frame_, (std::string(name) + "/title").c_str(), area, text, below, tip) + second_key_line(area);
    counts_key(area, em_ + 0.5f * u_ + 1.25f * small_);
    if (area.size.y < head + 5 * em_) return;
    auto c = styled<LineChart>(frame_);
    c.title = text;
    for (int k = 0; k < count(); ++k) {
      const RanksOverHeads& over = entry(k).*ranks;
      c.lines.push_back({&over.median, shade(k), k == strong_, &over.least, &over.most});
    }
    if (strong_ >= 0 && entry(strong_).d_k < n_)
      c.limits.push_back({static_cast<double>(entry(strong_).d_k), "d_k = " + std::to_string(entry(strong_).d_k)});
    c.limits.push_back({static_cast<double>(n_), "n = " + std::to_string(n_)});
    c.last = static_cast<int>(std::max<Index>(2, n_));
    c.logarithmic = view_.spectra_log;
    c.weak = 1;  // the strong one is told by its breadth; all keep the colours of the key
    if (c.logarithmic) {
      c.low = spectra_foot(n_);
      c.thresholds.push_back({zero_level(n_, n_), "below: counts as 0"});
    }
    c.unicode = fonts_.unicode;
    const LineChartResult hit =
        draw_line_chart(canvas_, name, c, {area.pos.x, area.pos.y + head}, {area.size.x, area.size.y - head});
    if (hit.line < 0) return;
    next_ = hit.line;
    const RanksOverHeads& over = entry(hit.line).*ranks;
    ui::tooltip(frame_,
                {ui::words(heads_text(entry(hit.line)), ": singular value ", hit.index + 1, " is ",
                           ui::number(nth(over.median, hit.index)), " of the largest, the median over heads; ",
                           ui::number(nth(over.least, hit.index)), " to ", ui::number(nth(over.most, hit.index))),
                 "Rank " + in_words(over.rank, 0) + ": what is not above " + ui::number(zero_level(n_, n_), 2) +
                     " of the largest counts as 0, being rounding."});
    if (hit.clicked) apply_heads(frame_, table_, entry(hit.line).heads);
  }

  // The head counts in the colours of their lines.
  void counts_key(const Box& area, float head) {
    ImFont* font = fonts_.small;
    const float line = 1.25f * small_, stroke = kStroke * u_;
    float x = area.pos.x, y = area.pos.y + head;
    for (int k = 0; k < count(); ++k) {
      const std::string text = std::to_string(entry(k).heads);
      const float width = key_width(k);
      if (x > area.pos.x && x + width > area.right()) x = area.pos.x, y += line;
      const bool strong = k == strong_;
      const float middle = std::round(y + 0.55f * small_), half = (strong ? 0.8f : 0.45f) * u_;
      canvas_.fill({x, middle - half}, {x + stroke, middle + half}, shade(k));
      canvas_.text_at(font, {x + stroke + u_, y}, ink_for(frame_, strong), text);
      if (ui::under_pointer({x, y}, {x + width, y + line})) next_ = k;
      x += width + kApart * u_;
    }
  }
  static constexpr float kStroke = 2.5f,
                         kApart = 1.75f;  // in units: the length of a sample of a line, what parts two of them
  float key_width(int k) const { return (kStroke + 1) * u_ + text_width(fonts_.small, std::to_string(entry(k).heads)); }
  // Height that the key needs beyond its first line.
  float second_key_line(const Box& area) const {
    float x = 0, more = 0;
    for (int k = 0; k < count(); ++k) {
      if (x > 0 && x + key_width(k) > area.size.x) x = 0, more += 1.25f * small_;
      x += key_width(k) + kApart * u_;
    }
    return more;
  }

  const SweepTable& table_;
  Index n_;
  int strong_;     // the column whose line stands out; -1: none
  int next_ = -1;  // pointed at
};

}  // namespace

int draw_spectra(Frame& frame, const SweepTable& table, const Box& before, const Box& after, int strong) {
  return Spectra(frame, table, strong).draw(before, after);
}

}  // namespace tradeoff

}  // namespace hydra
