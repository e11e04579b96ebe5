// Trade-off: what stays and what moves over head counts, and the rank of a head's scores and of its pattern.
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/ui.h"
#include "app/widgets/count_chart.h"

namespace hydra::tradeoff {

namespace {

struct Part {
  double MultiplyAdds::*value;
  const char* name;
  const char* formula;
  float cover;  // of the ground by the accent
};
constexpr Part kParts[] = {{&MultiplyAdds::projections, "projections", "3 n d_model²", 1.0f},
                           {&MultiplyAdds::scores, "scores", "h n² d_k = n² d_model", 0.74f},
                           {&MultiplyAdds::weighted_sum, "weighted sum", "h n² d_k = n² d_model", 0.54f},
                           {&MultiplyAdds::output, "output", "n d_model²", 0.38f}};

class CostPage {
 public:
  CostPage(Frame& frame, const SweepTable& table, ImVec2 pos, ImVec2 size)
      : frame_(frame),
        table_(table),
        at_(cost_layout(pos, size, frame.fonts.text->FontSize, frame.unit)),
        em_(frame.fonts.text->FontSize),
        small_(frame.fonts.small->FontSize),
        n_(static_cast<Index>(tokens_of(table).size())) {
    for (std::size_t k = 0; k < table.entries.size(); ++k) {
      if (is_present(frame, table, table.entries[k])) present_ = static_cast<int>(k);
      if (table.entries[k].heads == frame.view.tradeoff.pointed_heads) pointed_ = static_cast<int>(k);
    }
  }

  void draw() {
    weights();
    products();
    memory();
    width();
    const int strong = pointed_ >= 0 ? pointed_ : present_;
    const int in_spectra = draw_spectra(frame_, table_, at_.before, at_.after, strong);
    if (in_spectra >= 0) next_ = in_spectra;
    draw_extremes(frame_, table_, at_.extremes.pos, at_.extremes.size);
    frame_.view.tradeoff.pointed_heads = next_ >= 0 ? entry(next_).heads : 0;
  }

 private:
  const SweepEntry& entry(int k) const { return nth(table_.entries, k); }
  int count() const { return int_size(table_.entries); }

  template <class Value>
  std::vector<double> over_counts(const Value& value) const {
    std::vector<double> values;
    for (const SweepEntry& e : table_.entries) values.push_back(static_cast<double>(value(e)));
    return values;
  }

  CountChart chart() const {
    CountChart chart;
    chart.counts = over_counts([](const SweepEntry& e) { return e.heads; });
    chart.say = axis_number;
    chart.marked = present_;
    chart.hovered = pointed_;
    chart.theme = &frame_.theme;
    chart.font = frame_.fonts.small;
    chart.unit = frame_.unit;
    return chart;
  }

  // The chart below its title and a soft line; says which count is pointed at, which the other charts mark too.
  int show(const char* name, const TradeoffArea& area, const CountChart& chart, float head) {
    const CountChartResult hit =
        count_chart(name, chart, {area.pos.x, area.pos.y + head}, {area.size.x, area.size.y - head});
    if (hit.hovered < 0) return -1;
    next_ = hit.hovered;
    if (hit.clicked) apply_heads(frame_, table_, entry(hit.hovered).heads);
    return hit.hovered;
  }

  void weights() {
    const float head =
        chart_heading(frame_, "tradeoff/weights/title", at_.weights, "Weights",
                      are_slices(table_)    ? "that count:\n3 d_model d_k + d_model²"
                      : shares_keys(table_) ? "W_Q and W_O whole,\nW_K, W_V shared"
                                            : "4 d_model²,\nwhatever h",
                      "Numbers in W_Q, W_K, W_V and W_O without biases: how they are cut does not change how "
                      "many they are, unless heads share keys and values or see only a slice of X.");
    CountChart c = chart();
    c.series.push_back({over_counts([](const SweepEntry& e) { return weight_count(e.sizes); }), frame_.theme.accent});
    c.high = ui::nice_ceiling(*std::max_element(c.series[0].values.begin(), c.series[0].values.end()));
    if (const int k = show("tradeoff/weights", at_.weights, c, head); k >= 0)
      tooltip({heads_text(entry(k)) + ": " + ui::grouped(nth(c.series[0].values, k)) + " weights"});
  }

  void products() {
    const std::string text = "Multiply-adds, n = " + std::to_string(n_);
    const float head =
        chart_heading(frame_, "tradeoff/products/title", at_.products, text.c_str(), "",
                      "h heads of width d_model / h multiply as much as one of width d_model: the scores take "
                      "h n² d_k = n² d_model.");
    CountChart c = chart();
    for (const Part& part : kParts)
      c.series.push_back({over_counts([&](const SweepEntry& e) { return e.multiply_adds.*part.value; }), shade(part)});
    const std::vector<double> totals = over_counts([](const SweepEntry& e) { return e.multiply_adds.total(); });
    c.high = ui::nice_ceiling(*std::max_element(totals.begin(), totals.end()));
    const float end = key(at_.products, em_ + 0.5f * frame_.unit);
    const int k = show("tradeoff/products", at_.products, c, std::max(head, end + 1.5f * frame_.unit));
    if (k < 0) return;
    std::vector<std::string> lines{heads_text(entry(k)) + ": " + ui::grouped(entry(k).multiply_adds.total())};
    for (const Part& part : kParts)
      lines.push_back(spelled(frame_, std::string(part.name) + ", " + formula_of(part) + ": " +
                                          ui::grouped(entry(k).multiply_adds.*part.value)));
    tooltip(lines);
  }

  // The same over the document's band as in the key.
  ImU32 shade(const Part& part) const { return mixed(frame_.theme.ground, frame_.theme.accent, part.cover); }

  const char* formula_of(const Part& part) const {
    if (part.value != &MultiplyAdds::projections) return part.formula;
    return are_slices(table_) ? "3 n d_model d_k" : shares_keys(table_) ? "n d_model (h + 2 h_KV) d_k" : part.formula;
  }

  // What the shades mean, in as many lines as that takes; returns where they end.
  float key(const TradeoffArea& area, float head) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float line = 1.25f * small_, side = std::round(0.7f * small_);
    float x = area.pos.x, y = area.pos.y + head;
    for (const Part& part : kParts) {
      const float width = side + frame_.unit + text_width(frame_.fonts.small, part.name);
      if (x > area.pos.x && x + width > area.pos.x + area.size.x) x = area.pos.x, y += line;
      const float top = std::round(y + 0.15f * small_);
      list->AddRectFilled({x, top}, {x + side, top + side}, shade(part));
      text_at(list, frame_.fonts.small, {x + side + frame_.unit, y}, frame_.theme.ink_soft, part.name);
      x += width + 2.5f * frame_.unit;
    }
    ui::probe("tradeoff/products/key", {area.pos.x, area.pos.y + head}, {area.pos.x + area.size.x, y + line});
    return y + line - area.pos.y;
  }

  void memory() {
    const float head =
        chart_heading(frame_, "tradeoff/memory/title", at_.memory, "Patterns", "numbers kept:\nh n²",
                      "Every head has a pattern of n rows and n columns of its own: this is what many heads "
                      "cost.");
    CountChart c = chart();
    c.series.push_back(
        {over_counts([&](const SweepEntry& e) { return pattern_count(e.sizes, static_cast<double>(n_)); }),
         frame_.theme.accent});
    c.high = ui::nice_ceiling(*std::max_element(c.series[0].values.begin(), c.series[0].values.end()));
    if (const int k = show("tradeoff/memory", at_.memory, c, head); k >= 0) {
      const double numbers = nth(c.series[0].values, k);
      tooltip(
          {heads_text(entry(k)) + ": " + ui::grouped(numbers) + " numbers, " + bytes_text(4 * numbers) + " in fp32"});
    }
  }

  // --- the width of a head, and the ranks it allows

  void width() {
    const TradeoffArea& area = at_.width;
    const std::string marks =
        frame_.fonts.unicode ? "line: d_k   ● rank of Q Kᵀ   ○ of A" : "line: d_k  dots: rank of Q K^T  rings: of A";
    const Index rank = entry(0).input_rank;  // of X
    std::string below = marks + "\nd_k ≥ n − 1: a head can make any positive pattern";
    if (text_width(frame_.fonts.small, below.substr(marks.size() + 1)) > area.size.x)
      below = marks + "\nd_k ≥ n − 1: any positive pattern";
    if (rank >= 0 && rank < n_)
      below = marks + "\nX has rank " + std::to_string(rank) + " < n: not every pattern at any d_k";
    const float head = chart_heading(
        frame_, "tradeoff/width/title", area, "Width of a head and rank", below,
        "The rank of a head's scores is at most d_k and at most n. Bhojanapalli et al. 2020, theorem 1: where d_k ≥ n "
        "and "
        "X has rank n, some W_Q and W_K make any pattern without zeros, and where d_k < n, there are X and patterns "
        "for "
        "which none do. As softmax ignores a constant in each row, d_k = n − 1 is enough for every X of rank n; below "
        "that there are patterns that none make, whatever X is. Dots and rings: the median over heads, singular values "
        "above rounding; upright lines: least to most over heads, and of the medians over seeds.");
    CountChart c = chart();
    c.logarithmic = true;
    c.low = 1;
    c.high = std::exp2(std::ceil(std::log2(std::max<double>(2, static_cast<double>(std::max(entry(0).d_k, n_))))));
    c.say = [](double value) { return ui::short_number(value); };
    using Kind = CountSeries::Kind;
    c.series.push_back({over_counts([](const SweepEntry& e) { return e.d_k; }), frame_.theme.accent, Kind::line});
    c.series.push_back(ranks(&SweepEntry::pattern_over_heads, SweptNumber::pattern_rank, Kind::rings));
    c.series.push_back(ranks(&SweepEntry::scores_over_heads, SweptNumber::score_rank, Kind::dots));
    c.levels.push_back({static_cast<double>(n_), "n = " + std::to_string(n_)});
    while (c.shaded < count() && entry(c.shaded).any_pattern) ++c.shaded;
    c.shaded_label = spelled(frame_, "d_k ≥ n − 1");
    const int k = show("tradeoff/width", area, c, head);
    if (k < 0) return;
    const SweepEntry& e = entry(k);
    tooltip({heads_text(entry(k)) + ": d_k = " + std::to_string(e.d_k),
             spelled(frame_, "Rank of Q Kᵀ over heads: " + in_words(e.scores_over_heads.rank, 0) +
                                 "; of the patterns: " + in_words(e.pattern_over_heads.rank, 0) + "."),
             seeds_said(e), spelled(frame_, reach_text(e))});
  }

  // The median over heads, with the least and the most over heads and over seeds.
  CountSeries ranks(RanksOverHeads SweepEntry::*which, SweptNumber number, CountSeries::Kind kind) const {
    CountSeries series{over_counts([&](const SweepEntry& e) { return (e.*which).rank.median; }), frame_.theme.ink,
                       kind};
    for (const SweepEntry& e : table_.entries) {
      const Spread& heads = (e.*which).rank;
      const Spread* seeds = over_seeds(table_, e, number);
      series.low.push_back(seeds ? std::min(heads.least, seeds->least) : heads.least);
      series.high.push_back(seeds ? std::max(heads.most, seeds->most) : heads.most);
    }
    return series;
  }

  std::string seeds_said(const SweepEntry& e) const {
    const Spread *scores = over_seeds(table_, e, SweptNumber::score_rank),
                 *pattern = over_seeds(table_, e, SweptNumber::pattern_rank);
    if (!scores || !pattern) return seeds_note(table_);
    return spelled(frame_, "Their medians over " + std::to_string(scores->count) + " seeds: " + in_words(*scores, 1) +
                               "; " + in_words(*pattern, 1) + ".");
  }

  Frame& frame_;
  const SweepTable& table_;
  CostLayout at_;
  float em_, small_;
  Index n_;
  int present_ = -1, pointed_ = -1;  // columns: the document's own; pointed at in the last frame
  int next_ = -1;                    // in this one
};

}  // namespace

void draw_cost(Frame& frame, const SweepTable& table, ImVec2 pos, ImVec2 size) {
  in_room(frame, "tradeoff/cost", pos, size, 29 * frame.fonts.text->FontSize,
          [&](ImVec2 at, ImVec2 room) { CostPage(frame, table, at, room).draw(); });
}

}  // namespace hydra::tradeoff
