// Trade-off: what stays and what moves over head counts, and the rank of a head's scores and of its pattern.
#include "app/views/frame/ui.h"
#include "app/views/shared/plotted.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "core/document/model.h"

namespace hydra::tradeoff {

namespace {

struct Part {
  double MultiplyAdds::*value;
  const char* name;          // a text
  const char* formula;       // null: a text
  const char* of_own_width;  // where the heads' d_k is their own
  float cover;               // of the ground by the accent
};
constexpr Part kParts[] = {
    {&MultiplyAdds::projections, "tradeoff:cost.projections", "3 n d_model²", "3 n d_model h d_k", 1.0f},
    {&MultiplyAdds::scores, "tradeoff:cost.scores", "h n² d_k = n² d_model", "h n² d_k", 0.74f},
    {&MultiplyAdds::weighted_sum, "tradeoff:cost.weighted_sum", "h n² d_k = n² d_model", "h n² d_k", 0.54f},
    {&MultiplyAdds::output, "tradeoff:cost.output", "n d_model²", "n d_model h d_k", 0.38f},
    {&MultiplyAdds::feed_forward, "tradeoff:cost.feed_forward", nullptr, nullptr, 0.24f}};

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

  Plot over_heads() const {
    auto plot = styled<Plot>(frame_);
    plot.places = over_counts([](const SweepEntry& e) { return e.heads; });
    plot.x.logarithmic = true;
    plot.y.say = axis_number;
    plot.marked = present_;
    plot.pointed = pointed_;
    return plot;
  }
  // Of one number for each count.
  Plot of_bars(std::vector<double> values) const {
    Plot plot = over_heads();
    plot.y.high = ui::nice_ceiling(*std::max_element(values.begin(), values.end()));
    plot.series.push_back({std::move(values), theme_.accent, PlotSeries::Kind::bars});
    return plot;
  }

  // Says which count is pointed at, which the other plots mark too.
  int show(const char* name, PlotHeading heading, const Box& area, Plot plot) {
    heading.lines = 2;
    const PlotResult hit = plotted(frame_, name, heading, area, std::move(plot));
    if (hit.place < 0) return -1;
    next_ = hit.place;
    if (hit.clicked) apply_heads(frame_, table_, entry(hit.place).heads);
    return hit.place;
  }

  void weights() {
    const PlotHeading heading{
        .title = wording("tradeoff:cost.weights"),
        .below = are_slices(table_)    ? wording("tradeoff:cost.weights.slices")
                 : shares_keys(table_) ? wording("tradeoff:cost.weights.shared")
                                       : wording("tradeoff:cost.weights.whole", {{"formula", weights_formula(table_)}}),
        .tip = wording("tradeoff:cost.weights.tip")};
    const Plot plot = of_bars(over_counts([](const SweepEntry& e) { return weight_count(e.sizes); }));
    const int k = show("tradeoff/weights", heading, at_.weights, plot);
    if (k < 0) return;
    const double ends = ends_weight_count(ends_, widths_);
    ui::tooltip(
        frame_,
        {wording("tradeoff:cost.weights.of",
                 {{"n", entry(k).heads}, {"weights", ui::number(plot.series[0].y.at(k), As::count)}}),
         ends == 0 ? "" : say(wording("tradeoff:cost.weights.ends", {{"weights", ui::number(ends, As::count)}}))});
  }

  void products() {
    Plot plot = over_heads();
    plot.keyed = true;
    for (const Part& part : parts())
      plot.series.push_back({over_counts([&](const SweepEntry& e) { return e.multiply_adds.*part.value; }), shade(part),
                             PlotSeries::Kind::bars, wording(part.name)});
    const std::vector<double> totals = over_counts([](const SweepEntry& e) { return e.multiply_adds.total(); });
    plot.y.high = ui::nice_ceiling(*std::max_element(totals.begin(), totals.end()));
    const std::string& tip =
        has_own_width(table_) ? wording("tradeoff:cost.products.tip.own_width") : wording("tradeoff:cost.products.tip");
    const int k =
        show("tradeoff/products", {wording("tradeoff:cost.products", {{"n", n_}}), "", tip}, at_.products, plot);
    if (k < 0) return;
    const SweepEntry& e = entry(k);
    std::vector<std::string> lines{wording(
        "tradeoff:cost.products.of", {{"n", e.heads}, {"products", ui::number(e.multiply_adds.total(), As::count)}})};
    for (const Part& part : parts())
      lines.push_back(say(
          wording("tradeoff:cost.products.part", {{"part", wording(part.name)},
                                                  {"formula", formula_of(part)},
                                                  {"products", ui::number(e.multiply_adds.*part.value, As::count)}})));
    if (const double ends = static_cast<double>(n_) * readout_multiply_adds(ends_, widths_); ends != 0)
      lines.push_back(say(wording("tradeoff:cost.products.ends", {{"products", ui::number(ends, As::count)}})));
    ui::tooltip(frame_, lines);
  }

  // Those that there are.
  std::span<const Part> parts() const {
    const bool feed_forward = entry(0).sizes.settings.feed_forward;
    return std::span(kParts).first(std::size(kParts) - (feed_forward ? 0 : 1));
  }

  // The same over the document's band as in the key.
  ImU32 shade(const Part& part) const { return mixed(theme_.ground, theme_.accent, part.cover); }

  std::string formula_of(const Part& part) const {
    if (!part.formula) return wording("tradeoff:cost.feed_forward.formula");
    const char* formula = has_own_width(table_) ? part.of_own_width : part.formula;
    if (part.value != &MultiplyAdds::projections) return formula;
    return are_slices(table_) ? "3 n d_model d_k" : shares_keys(table_) ? "n d_model (h + 2 h_KV) d_k" : formula;
  }

  void memory() {
    const Plot plot =
        of_bars(over_counts([&](const SweepEntry& e) { return pattern_count(e.sizes, static_cast<double>(n_)); }));
    const std::string& tip = wording("tradeoff:cost.patterns.tip");
    const PlotHeading heading{wording("tradeoff:cost.patterns"), wording("tradeoff:cost.patterns.below"), tip};
    if (const int k = show("tradeoff/memory", heading, at_.memory, plot); k >= 0) {
      const double numbers = plot.series[0].y.at(k);
      ui::tooltip(frame_, {wording("tradeoff:cost.patterns.of", {{"n", entry(k).heads},
                                                                 {"numbers", ui::number(numbers, As::count)},
                                                                 {"bytes", bytes_text(4 * numbers)}})});
    }
  }

  // --- the width of a head, and the ranks it allows

  void width() {
    const Index rank = entry(0).input_rank;  // of X
    std::string below = wording("tradeoff:cost.width.any");
    if (text_width(fonts_.small, below) > at_.width.size.x) below = wording("tradeoff:cost.width.any.brief");
    if (rank >= 0 && rank < n_) {
      const bool known = entry(0).any_pattern == AnyPattern::no;
      below = known ? wording("tradeoff:cost.width.not_every", {{"rank", rank}})
                    : wording("tradeoff:cost.width.rank", {{"rank", rank}});
    }
    if (const std::string bound = pattern_bound(entry(0)); !bound.empty()) below = bound;
    const std::string& tip = wording("tradeoff:cost.width.tip");
    Plot plot = over_heads();
    plot.keyed = true;
    plot.y = {.low = 1, .logarithmic = true, .base = 2, .zero = true};
    plot.y.high = std::exp2(std::ceil(std::log2(std::max<double>(2, static_cast<double>(std::max(entry(0).d_k, n_))))));
    using Kind = PlotSeries::Kind;
    plot.series.push_back({over_counts([](const SweepEntry& e) { return e.d_k; }), theme_.accent, Kind::line, "d_k"});
    plot.series.push_back(ranks(&SweepEntry::pattern_over_heads, SweptNumber::pattern_rank, Kind::rings,
                                wording("tradeoff:cost.width.pattern_rank")));
    plot.series.push_back(ranks(&SweepEntry::scores_over_heads, SweptNumber::score_rank, Kind::dots,
                                say(wording("tradeoff:cost.width.score_rank"))));
    plot.levels.push_back({static_cast<double>(n_), "n = " + std::to_string(n_)});
    while (plot.shaded < count() && entry(plot.shaded).any_pattern == AnyPattern::yes) ++plot.shaded;
    plot.shaded_label = say("d_k ≥ n − 1");
    const int k = show("tradeoff/width", {wording("tradeoff:cost.width"), below, tip}, at_.width, std::move(plot));
    if (k < 0) return;
    const SweepEntry& e = entry(k);
    ui::tooltip(frame_,
                {wording("tradeoff:cost.width.of", {{"n", e.heads}, {"d_k", e.d_k}}),
                 wording("tradeoff:cost.width.ranks", {{"scores", in_words(e.scores_over_heads.rank, As::whole)},
                                                       {"patterns", in_words(e.pattern_over_heads.rank, As::whole)}}),
                 seeds_said(e), possible_text(e)});
  }

  // The median over heads, with the least and the most over heads and over seeds.
  PlotSeries ranks(RanksOverHeads SweepEntry::*which, SweptNumber number, PlotSeries::Kind kind,
                   std::string label) const {
    std::vector<double> low, high;
    for (const SweepEntry& e : table_.entries) {
      const Spread& heads = (e.*which).rank;
      const Spread* seeds = over_seeds(table_, e, number);
      low.push_back(seeds ? std::min(heads.least, seeds->least) : heads.least);
      high.push_back(seeds ? std::max(heads.most, seeds->most) : heads.most);
    }
    return {.y = over_counts([&](const SweepEntry& e) { return (e.*which).rank.median; }),
            .color = theme_.ink,
            .kind = kind,
            .label = std::move(label),
            .low = std::move(low),
            .high = std::move(high)};
  }

  std::string seeds_said(const SweepEntry& e) const {
    const Spread *scores = over_seeds(table_, e, SweptNumber::score_rank),
                 *pattern = over_seeds(table_, e, SweptNumber::pattern_rank);
    if (!scores || !pattern) return seeds_note(table_);
    return say(wording("tradeoff:cost.width.seeds", {{"seeds", scores->count},
                                                     {"scores", in_words(*scores, As::tenths)},
                                                     {"patterns", in_words(*pattern, As::tenths)}}));
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
  in_room(frame, "tradeoff/cost", pos, size, cost_height(frame.fonts.text->FontSize),
          [&](ImVec2 at, ImVec2 room) { CostPage(frame, table, at, room).draw(); });
}

}  // namespace hydra::tradeoff
