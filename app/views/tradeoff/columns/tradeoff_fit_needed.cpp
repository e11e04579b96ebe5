// Trade-off: can h heads do it? The error over h where every query must hand on several tokens at once, what each head
// came to look at, and the one head that was asked for two.
#include "app/views/tradeoff/columns/tradeoff_fit.h"

namespace hydra::tradeoff {

namespace {

class NeededPage : FitDrawing {
 public:
  explicit NeededPage(Frame& frame)
      : FitDrawing(frame), shown_(*fitted_heads(frame).value), curve_(*shown_.curve), told_(told()) {
    chosen_ = place_of(view_.tradeoff.fit.heads);
  }

  // In less it is scrolled: the chart and the paragraphs are in sight together, the small ones may be below.
  float least_height(ImVec2 size) {
    if (!is_wide(size.x)) return 38 * em_ + told_height(size.x, true);
    const float left = left_of(size.x), beside = size.y - 3 * u_ - told_height(left, false);
    chart_ = std::clamp(beside, 9 * em_, std::max(11 * em_, 0.46f * size.y));
    return std::max(22 * em_, chart_ + 3 * u_ + told_height(left, true));
  }

  void draw(ImVec2 pos, ImVec2 size) {
    area_ = {pos, size};
    const float gap = 6 * u_;
    if (is_wide(size.x)) {
      const float left = left_of(size.x), chart = chart_;
      error({area_.pos, {left, chart}});
      explanation({{area_.pos.x, area_.pos.y + chart + 3 * u_}, {left, area_.size.y - chart - 3 * u_}});
      heads({{area_.pos.x + left + gap, area_.pos.y}, {area_.size.x - left - gap, area_.size.y}});
    } else {
      const float chart = 12 * em_, pictures = 22 * em_;
      error({area_.pos, {area_.size.x, chart}});
      heads({{area_.pos.x, area_.pos.y + chart + gap}, {area_.size.x, pictures}});
      const float top = chart + pictures + 2 * gap;
      explanation({{area_.pos.x, area_.pos.y + top}, {area_.size.x, area_.size.y - top}});
    }
    pale(area_);
  }

 private:
  bool is_wide(float width) const { return width >= 44 * em_; }
  static float left_of(float width) { return std::round(0.45f * width); }

  Index relations() const { return curve_.problem.relations; }
  int place_of(Index heads) const {
    const Index wanted = heads > 0 ? heads : relations();
    for (int k = 0; k < int_size(curve_.points); ++k)
      if (nth(curve_.points, k).heads == wanted) return k;
    return 0;
  }

  void error(const Box& area) {
    std::vector<double> counts;
    std::vector<std::vector<double>> errors;
    std::vector<double> bound;
    for (const learn::HeadsPoint& point : curve_.points) {
      counts.push_back(static_cast<double>(point.heads));
      errors.push_back(point.errors);
      bound.push_back(std::max(0.0, 1 - static_cast<double>(point.heads) / static_cast<double>(relations())));
    }
    Plot plot = plot_of(counts, errors, chosen_);
    plot.y.high = 1;
    plot.keyed = true;
    plot.series[0].label = wording("tradeoff:needed.found");
    plot.series.push_back(
        {std::move(bound), theme_.ink_soft, PlotSeries::Kind::rings, say(wording("tradeoff:needed.bound"))});
    const PlotResult hit = show("tradeoff/fit/heads", area, plot,
                                {wording("tradeoff:needed.error"),
                                 say(wording("tradeoff:needed.error.below",
                                             {{"d_model", curve_.problem.d_model}, {"seeds", curve_.seeds.size()}})),
                                 wording("tradeoff:needed.error.tip")});
    if (hit.place < 0) return;
    const learn::HeadsPoint& point = nth(curve_.points, hit.place);
    if (hit.clicked) frame_.choose(view_.tradeoff.fit.heads, point.heads);
    const Spread spread = spread_of(point.errors);
    ui::tooltip(frame_, {wording("tradeoff:needed.width", {{"n", point.heads}, {"d_k", point.d_k}}),
                         wording("tradeoff:needed.range",
                                 {{"least", share_text(spread.least)}, {"most", share_text(spread.most)}}),
                         wording("tradeoff:needed.click")});
  }

  // What the heads of the chosen number look at: their patterns, and how much of it is each relation's token.
  void heads(const Box& area) {
    const learn::HeadsPoint& point = nth(curve_.points, chosen_);
    const auto count = static_cast<int>(point.heads);
    float y = title(frame_, "tradeoff/fit/patterns/title", area.pos, area.size.x,
                    wording("tradeoff:needed.patterns",
                            {{"n", point.heads}, {"d_k", point.d_k}, {"error", share_text(point.best.error)}}),
                    wording("tradeoff:needed.patterns.tip"));
    y += u_;
    const Index m = relations();
    const float across = area.size.x;
    const ThumbGrid grid = thumb_grid(count, across, std::max(5 * em_, 0.58f * (area.bottom() - y)), u_);
    for (int h = 0; h < count; ++h) {
      const ImVec2 at = grid.at(h), corner{area.pos.x + at.x, y + at.y};
      if (grid.strip > 0)
        canvas_.fill({corner.x, corner.y - grid.strip}, {corner.x + grid.side, corner.y - 1}, head_color(frame_, h));
      picture(ui::words("tradeoff/fit/pattern/", h), wording("tradeoff:needed.pattern", {{"head", head_name(h)}}),
              nth(nth(shown_.patterns, chosen_), h), corner, {grid.side, grid.side}, [&](Index i, Index j) {
                return wording("tradeoff:needed.pair", {{"head", head_name(h)}, {"query", i + 1}, {"key", j + 1}});
              });
    }
    y += grid.height(count) + 4 * u_;
    served({{area.pos.x, y}, {across, area.bottom() - y}}, point, m);
  }

  // A row per relation, a column per head.
  void served(const Box& area, const learn::HeadsPoint& point, Index m) {
    const float label = std::min(6.5f * em_, 0.34f * area.size.x), top = area.pos.y + 1.5f * em_;
    if (area.size.y < 3 * em_) return;
    canvas_.text_at(fonts_.text, area.pos, theme_.ink, wording("tradeoff:needed.served"), area.size.x);
    const float high = std::min((area.bottom() - top) / real(m), 3 * em_),
                wide = std::min((area.size.x - label) / real(point.heads), high);
    const Array<float>& served = nth(shown_.served, chosen_);
    for (Index r = 0; r < m; ++r) {
      const float at = top + real(r) * high;
      if (high >= small_)
        canvas_.text_at(fonts_.small, {area.pos.x, at + 0.5f * (high - small_)}, theme_.ink_soft,
                        wording("tradeoff:needed.token", {{"n", r + 1}}), label);
      for (Index h = 0; h < point.heads; ++h) {
        const float x = area.pos.x + label + real(h) * wide;
        const float weight = std::clamp((*served)(h, r), 0.0f, 1.0f), side = std::sqrt(weight) * 0.5f;
        const ImVec2 centre{x + 0.5f * (wide + 1), at + 0.5f * (high + 1)}, half{side * (wide - 1), side * (high - 1)};
        canvas_.fill({x + 1, at + 1}, {x + wide, at + high}, theme_.line);
        canvas_.fill({centre.x - half.x, centre.y - half.y}, {centre.x + half.x, centre.y + half.y},
                     head_color(frame_, h));
        if (canvas_.over({x, at}, {x + wide, at + high}))
          ui::tooltip(frame_,
                      {wording("tradeoff:needed.gives",
                               {{"head", head_name(h)}, {"n", r + 1}, {"weight", ui::number(weight, As::brief)}})});
      }
    }
    ui::probe("tradeoff/fit/served", {area.pos.x + label, top},
              {area.pos.x + label + real(point.heads) * wide, top + real(m) * high});
  }

  struct Said {
    std::string text;
    bool soft = false;
  };

  std::vector<Said> told() const {
    const Index m = relations();
    std::vector<Said> all{{wording("tradeoff:needed.task", {{"tokens", curve_.problem.tokens}, {"relations", m}})}};
    const learn::HeadsPoint &best = *std::min_element(curve_.points.begin(), curve_.points.end(), by_median),
                            &last = curve_.points.back();
    const Spread low = spread_of(best.errors), high = spread_of(last.errors);
    all.push_back({wording("tradeoff:needed.ends", {{"relations", m},
                                                    {"n", best.heads},
                                                    {"d_k", best.d_k},
                                                    {"error", share_text(low.median)},
                                                    {"last", last.heads},
                                                    {"last_d_k", last.d_k},
                                                    {"last_error", share_text(high.median)}})});
    const auto number = [](double value) { return ui::number(value, As::brief); };
    const learn::TwoTargets& two = curve_.two;
    if (two.half_way > 0) {
      const std::string first = number(two.on_first), second = number(two.on_second);
      all.push_back({wording("tradeoff:needed.two", {{"first", number(two.to_first)},
                                                     {"second", number(two.to_second)},
                                                     {"average", number(two.to_average)}}) +
                     " " +
                     (two.to_average < 0.05 * two.half_way
                          ? wording("tradeoff:needed.two.settles", {{"first", first}, {"second", second}})
                          : wording("tradeoff:needed.two.near", {{"first", first}, {"second", second}}))});
      all.push_back(
          {wording("tradeoff:needed.means", {{"d_model", curve_.problem.d_model}, {"half_way", number(two.half_way)}}),
           true});
    }
    all.push_back({wording("tradeoff:needed.scores"), true});
    return all;
  }

  float told_height(float width, bool soft) const {
    float high = 0;
    for (const Said& said : told_)
      if (soft || !said.soft)
        high += paragraph_height(frame_, said.soft ? fonts_.small : fonts_.text, width, said.text) + 1.5f * u_;
    return high;
  }

  void explanation(const Box& area) {
    float y = area.pos.y;
    for (const Said& said : told_) y = words(area, y, said.text, said.soft);
    ui::probe("tradeoff/fit/words", area.pos, {area.right(), y});
  }

  static bool by_median(const learn::HeadsPoint& a, const learn::HeadsPoint& b) {
    return spread_of(a.errors).median < spread_of(b.errors).median;
  }

  const FitHeadsMeasure::Result& shown_;
  const learn::HeadsCurve& curve_;
  std::vector<Said> told_;
  float chart_ = 0;  // its height where the words stand beside the patterns
  Box area_;
  int chosen_ = 0;
};

}  // namespace

void draw_fit_needed(Frame& frame, ImVec2 pos, ImVec2 size) {
  const Canvas::Part part(frame.canvas, "tradeoff.needed");
  if (const auto& fit = fitted_heads(frame); !fit.value) return ui::waiting_text(frame, fit.failure);
  NeededPage page(frame);
  in_room(frame, "tradeoff/fit/room", pos, size, page.least_height(size),
          [&](ImVec2 at, ImVec2 room) { page.draw(at, room); });
}

}  // namespace hydra::tradeoff
