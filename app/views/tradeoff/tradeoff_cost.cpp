// Trade-off: what stays and what moves over head counts, and the rank of a head's scores and of its pattern.
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/ui.h"
#include "app/widgets/count_chart.h"
#include "core/document/model.h"

namespace hydra::tradeoff {

namespace {

struct Part {
  double MultiplyAdds::*value;
  const char* name;
  const char* formula;
  const char* of_own_width;  // where the heads' d_k is their own
  float cover;               // of the ground by the accent
};
constexpr Part kParts[] = {
    {&MultiplyAdds::projections, "projections", "3 n d_model²", "3 n d_model h d_k", 1.0f},
    {&MultiplyAdds::scores, "scores", "h n² d_k = n² d_model", "h n² d_k", 0.74f},
    {&MultiplyAdds::weighted_sum, "weighted sum", "h n² d_k = n² d_model", "h n² d_k", 0.54f},
    {&MultiplyAdds::output, "output", "n d_model²", "n d_model h d_k", 0.38f},
    {&MultiplyAdds::feed_forward, "feed-forward", "2 n d_model hidden, gated 3", "2 n d_model hidden, gated 3", 0.24f}};

class CostPage : Drawing {
 public:
  CostPage(Frame& frame, const SweepTable& table, ImVec2 pos, ImVec2 size)
      : Drawing(frame),
        table_(table),
        ends_(model_program_of(frame.document)),
        widths_(widths_of(frame.document)),
        at_(cost_layout(pos, size, frame.fonts.text->FontSize, frame.unit)),
        n_(static_cast<Index>(tokens_of(table).size())) {
    for (std::size_t k = 0; k < table.entries.size(); ++k) {
      if (is_present(frame, table, table.entries[k])) present_ = static_cast<int>(k);
      if (table.entries[k].heads == frame.was.head_count) pointed_ = static_cast<int>(k);
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
    frame_.next.head_count = next_ >= 0 ? entry(next_).heads : 0;
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

  CountChart chart(std::string title) const {
    auto chart = styled<CountChart>(frame_);
    chart.title = std::move(title);
    chart.counts = over_counts([](const SweepEntry& e) { return e.heads; });
    chart.say = axis_number;
    chart.marked = present_;
    chart.hovered = pointed_;
    return chart;
  }

  // The chart below its title and a soft line; says which count is pointed at, which the other charts mark too.
  int show(const char* name, const Box& area, const CountChart& chart, float head) {
    const CountChartResult hit =
        count_chart(canvas_, name, chart, {area.pos.x, area.pos.y + head}, {area.size.x, area.size.y - head});
    if (hit.hovered < 0) return -1;
    next_ = hit.hovered;
    if (hit.clicked) apply_heads(frame_, table_, entry(hit.hovered).heads);
    return hit.hovered;
  }

  void weights() {
    const float head =
        chart_heading(frame_, "tradeoff/weights/title", at_.weights, "Weights",
                      are_slices(table_)    ? std::string("that count:\n3 d_model d_k + d_model²")
                      : shares_keys(table_) ? "W_Q and W_O whole,\nW_K, W_V shared"
                                            : std::string(weights_formula(table_)) + ",\nwhatever h",
                      "Numbers in W_Q, W_K, W_V and W_O without biases: how they are cut does not change how "
                      "many they are, unless heads share keys and values or see only a slice of X.");
    CountChart c = chart("Weights");
    c.series.push_back({over_counts([](const SweepEntry& e) { return weight_count(e.sizes); }), theme_.accent});
    c.high = ui::nice_ceiling(*std::max_element(c.series[0].values.begin(), c.series[0].values.end()));
    if (const int k = show("tradeoff/weights", at_.weights, c, head); k >= 0)
      ui::tooltip(frame_, {heads_text(entry(k)) + ": " + ui::grouped(nth(c.series[0].values, k)) + " weights",
                           of_ends("tables and readout", ends_weight_count(ends_, widths_), "weights")});
  }

  void products() {
    const std::string text = "Multiply-adds, n = " + std::to_string(n_);
    const float head =
        chart_heading(frame_, "tradeoff/products/title", at_.products, text.c_str(), "",
                      has_own_width(table_)
                          ? "h heads of d_k numbers multiply as much as one of h d_k: the scores take h n² d_k."
                          : "h heads of width d_model / h multiply as much as one of width d_model: the scores take "
                            "h n² d_k = n² d_model.");
    CountChart c = chart(text);
    for (const Part& part : parts())
      c.series.push_back({over_counts([&](const SweepEntry& e) { return e.multiply_adds.*part.value; }), shade(part)});
    const std::vector<double> totals = over_counts([](const SweepEntry& e) { return e.multiply_adds.total(); });
    c.high = ui::nice_ceiling(*std::max_element(totals.begin(), totals.end()));
    const float end = key(at_.products, em_ + 0.5f * u_);
    const int k = show("tradeoff/products", at_.products, c, std::max(head, end + 1.5f * u_));
    if (k < 0) return;
    std::vector<std::string> lines{heads_text(entry(k)) + ": " + ui::grouped(entry(k).multiply_adds.total())};
    for (const Part& part : parts())
      lines.push_back(say(std::string(part.name) + ", " + formula_of(part) + ": " +
                          ui::grouped(entry(k).multiply_adds.*part.value)));
    lines.push_back(
        of_ends("readout, n d_model words", static_cast<double>(n_) * readout_multiply_adds(ends_, widths_), ""));
    ui::tooltip(frame_, lines);
  }

  // What the model has around its layers, at any head count; nothing of what it has not.
  std::string of_ends(const std::string& what, double count, const std::string& unit) const {
    if (count == 0) return {};
    return say("Around the layers, whatever h: " + what + ", " + ui::grouped(count) + (unit.empty() ? "" : " " + unit));
  }

  // Those that there are.
  std::span<const Part> parts() const {
    const bool feed_forward = entry(0).sizes.settings.feed_forward;
    return std::span(kParts).first(std::size(kParts) - (feed_forward ? 0 : 1));
  }

  // The same over the document's band as in the key.
  ImU32 shade(const Part& part) const { return mixed(theme_.ground, theme_.accent, part.cover); }

  const char* formula_of(const Part& part) const {
    const char* formula = has_own_width(table_) ? part.of_own_width : part.formula;
    if (part.value != &MultiplyAdds::projections) return formula;
    return are_slices(table_) ? "3 n d_model d_k" : shares_keys(table_) ? "n d_model (h + 2 h_KV) d_k" : formula;
  }

  // What the shades mean, in as many lines as that takes; returns where they end.
  float key(const Box& area, float head) const {
    const float line = 1.25f * small_, side = std::round(0.7f * small_);
    float x = area.pos.x, y = area.pos.y + head;
    for (const Part& part : parts()) {
      const float width = side + u_ + text_width(fonts_.small, part.name);
      if (x > area.pos.x && x + width > area.right()) x = area.pos.x, y += line;
      const float top = std::round(y + 0.15f * small_);
      canvas_.fill({x, top}, {x + side, top + side}, shade(part));
      canvas_.text_at(fonts_.small, {x + side + u_, y}, theme_.ink_soft, part.name);
      x += width + 2.5f * u_;
    }
    ui::probe("tradeoff/products/key", {area.pos.x, area.pos.y + head}, {area.right(), y + line});
    return y + line - area.pos.y;
  }

  void memory() {
    const float head =
        chart_heading(frame_, "tradeoff/memory/title", at_.memory, "Patterns", "numbers kept:\nh n²",
                      "Every head has a pattern of n rows and n columns of its own: this is what many heads "
                      "cost.");
    CountChart c = chart("Patterns");
    c.series.push_back(
        {over_counts([&](const SweepEntry& e) { return pattern_count(e.sizes, static_cast<double>(n_)); }),
         theme_.accent});
    c.high = ui::nice_ceiling(*std::max_element(c.series[0].values.begin(), c.series[0].values.end()));
    if (const int k = show("tradeoff/memory", at_.memory, c, head); k >= 0) {
      const double numbers = nth(c.series[0].values, k);
      ui::tooltip(frame_, {heads_text(entry(k)) + ": " + ui::grouped(numbers) + " numbers, " + bytes_text(4 * numbers) +
                           " in fp32"});
    }
  }

  // --- the width of a head, and the ranks it allows

  void width() {
    const Box& area = at_.width;
    const std::string marks =
        fonts_.unicode ? "line: d_k   ● rank of Q Kᵀ   ○ of A" : "line: d_k  dots: rank of Q K^T  rings: of A";
    const Index rank = entry(0).input_rank;  // of X
    std::string below = marks + "\nd_k ≥ n − 1: a head can make any positive pattern";
    if (text_width(fonts_.small, below.substr(marks.size() + 1)) > area.size.x)
      below = marks + "\nd_k ≥ n − 1: any positive pattern";
    if (rank >= 0 && rank < n_) {
      const bool known = entry(0).any_pattern == AnyPattern::no;
      below = ui::words(marks, "\nX has rank ", rank, known ? " < n: not every pattern at any d_k" : " < n");
    }
    if (const std::string bound = pattern_bound(entry(0)); !bound.empty()) below = marks + "\n" + bound;
    const float head = chart_heading(
        frame_, "tradeoff/width/title", area, "Width of a head and rank", below,
        "The rank of a head's scores is at most d_k and at most n. Bhojanapalli et al. 2020, theorem 1: where d_k ≥ n "
        "and "
        "X has rank n, some W_Q and W_K make any pattern without zeros, and where d_k < n, there are X and patterns "
        "for "
        "which none do. As softmax ignores a constant in each row, d_k = n − 1 is enough for every X of rank n; below "
        "that, without a mask or with a causal one, there are patterns that none make, whatever X is. All this holds "
        "where a pattern is one softmax of scores that nothing bounds. Dots and rings: the median over heads, singular "
        "values "
        "above rounding; upright lines: least to most over heads, and of the medians over seeds.");
    CountChart c = chart("Width of a head and rank");
    c.logarithmic = true;
    c.low = 1;
    c.high = std::exp2(std::ceil(std::log2(std::max<double>(2, static_cast<double>(std::max(entry(0).d_k, n_))))));
    c.say = [](double value) { return ui::short_number(value); };
    using Kind = CountSeries::Kind;
    c.series.push_back({over_counts([](const SweepEntry& e) { return e.d_k; }), theme_.accent, Kind::line});
    c.series.push_back(ranks(&SweepEntry::pattern_over_heads, SweptNumber::pattern_rank, Kind::rings));
    c.series.push_back(ranks(&SweepEntry::scores_over_heads, SweptNumber::score_rank, Kind::dots));
    c.levels.push_back({static_cast<double>(n_), "n = " + std::to_string(n_)});
    while (c.shaded < count() && entry(c.shaded).any_pattern == AnyPattern::yes) ++c.shaded;
    c.shaded_label = say("d_k ≥ n − 1");
    const int k = show("tradeoff/width", area, c, head);
    if (k < 0) return;
    const SweepEntry& e = entry(k);
    ui::tooltip(frame_, {ui::words(heads_text(entry(k)), ": d_k = ", e.d_k),
                         "Rank of Q Kᵀ over heads: " + in_words(e.scores_over_heads.rank, 0) +
                             "; of the patterns: " + in_words(e.pattern_over_heads.rank, 0) + ".",
                         seeds_said(e), possible_text(e)});
  }

  // The median over heads, with the least and the most over heads and over seeds.
  CountSeries ranks(RanksOverHeads SweepEntry::*which, SweptNumber number, CountSeries::Kind kind) const {
    CountSeries series{over_counts([&](const SweepEntry& e) { return (e.*which).rank.median; }), theme_.ink, kind};
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
    return say(ui::words("Their medians over ", scores->count, " seeds: ", in_words(*scores, 1), "; ",
                         in_words(*pattern, 1), "."));
  }

  const SweepTable& table_;
  const ModelProgram& ends_;
  ModelWidths widths_;
  CostLayout at_;
  Index n_;
  int present_ = -1, pointed_ = -1;  // columns: the document's own; pointed at in the last frame
  int next_ = -1;                    // in this one
};

}  // namespace

void draw_cost(Frame& frame, const SweepTable& table, ImVec2 pos, ImVec2 size) {
  const Canvas::Part part(frame.canvas, "tradeoff.cost");
  in_room(frame, "tradeoff/cost", pos, size, 29 * frame.fonts.text->FontSize,
          [&](ImVec2 at, ImVec2 room) { CostPage(frame, table, at, room).draw(); });
}

}  // namespace hydra::tradeoff
