// Trade-off: can a head of width d_k do it? Its error over d_k, and the best pattern beside what it was asked for.
#include "app/views/tradeoff/columns/tradeoff_fit.h"

namespace hydra::tradeoff {

namespace {

class WidthPage : FitDrawing {
 public:
  WidthPage(Frame& frame, ImVec2 pos, ImVec2 size)
      : FitDrawing(frame), shown_(*fitted_widths(frame).value), curve_(*shown_.curve), area_{pos, size} {
    chosen_ = place_of(view_.tradeoff.fit.width);
  }

  void draw() {
    const float gap = 6 * u_;
    if (area_.size.x >= 44 * em_) {
      const float left = std::round(0.43f * area_.size.x), chart = std::max(11 * em_, 0.52f * area_.size.y);
      error({area_.pos, {left, chart}});
      explanation({{area_.pos.x, area_.pos.y + chart + 3 * u_}, {left, area_.size.y - chart - 3 * u_}});
      pictures({{area_.pos.x + left + gap, area_.pos.y}, {area_.size.x - left - gap, area_.size.y}});
    } else {
      const float chart = 12 * em_, square = std::min(17 * em_, 0.5f * area_.size.x + 5 * em_);
      error({area_.pos, {area_.size.x, chart}});
      pictures({{area_.pos.x, area_.pos.y + chart + gap}, {area_.size.x, square}});
      const float top = chart + square + 2 * gap;
      explanation({{area_.pos.x, area_.pos.y + top}, {area_.size.x, area_.size.y - top}});
    }
    pale(area_);
  }

 private:
  // The place of a width; where none was chosen, the widest below n - 1 that misses a twentieth, else the narrowest.
  int place_of(Index width) const {
    int found = 0;
    for (int k = 0; k < int_size(curve_.points); ++k) {
      const learn::WidthPoint& point = nth(curve_.points, k);
      if (width > 0 && point.d_k == width) return k;
      if (width == 0 && point.best.misplaced > 0.05) found = k;
    }
    return found;
  }
  bool any_zero() const {
    for (Index i = 0; i < curve_.target.rows(); ++i)
      if (curve_.target.row(i).sum() > 0 && curve_.target.row(i).minCoeff() <= 0) return true;
    return false;
  }

  void error(const Box& area) {
    std::vector<double> counts;
    std::vector<std::vector<double>> misplaced;
    for (const learn::WidthPoint& point : curve_.points) {
      counts.push_back(static_cast<double>(point.d_k));
      misplaced.push_back(point.misplaced);
    }
    Plot plot = plot_of(counts, misplaced, chosen_);
    plot.marks.push_back({static_cast<double>(curve_.n - 1), say("n − 1")});
    plot.marks.push_back({static_cast<double>(curve_.n), "n"});
    const PlotResult hit =
        show("tradeoff/fit/width", area, plot,
             {wording("tradeoff:width.error"),
              wording("tradeoff:width.error.below", {{"n", curve_.n}, {"seeds", curve_.seeds.size()}}),
              wording("tradeoff:width.error.tip")});
    if (hit.place < 0) return;
    const learn::WidthPoint& point = nth(curve_.points, hit.place);
    if (hit.clicked) frame_.choose(view_.tradeoff.fit.width, point.d_k);
    const Spread misses = spread_of(point.misplaced), nats = spread_of(point.divergence);
    ui::tooltip(
        frame_,
        {say(wording("tradeoff:width.misses",
                     {{"d_k", point.d_k}, {"least", share_text(misses.least)}, {"most", share_text(misses.most)}})),
         say(wording("tradeoff:width.divergence",
                     {{"least", ui::number(nats.least)}, {"most", ui::number(nats.most)}})),
         wording("tradeoff:width.click")});
  }

  // The target and the pattern of the chosen width, beside each other or one below the other, as they are larger.
  void pictures(const Box& area) {
    const float gap = 4 * u_, labels = std::min(5.5f * small_, 0.18f * area.size.x), head = 2.6f * em_;
    const float beside = std::min(0.5f * (area.size.x - labels - gap), area.size.y - head - labels - 3 * small_);
    const float below = std::min(area.size.x - labels, 0.5f * (area.size.y - 2 * head - labels - gap - 3 * small_));
    const bool stacked = below > beside;
    const float most = std::max(4 * em_, stacked ? below : beside), cell = std::floor(most / real(curve_.n));
    const float side = cell >= 2 ? cell * real(curve_.n) : most;
    const ImVec2 first{area.pos.x + labels, area.pos.y + head + labels};
    const ImVec2 second{stacked ? first.x : first.x + side + gap, stacked ? first.y + side + gap + head : first.y};
    const learn::WidthPoint& point = nth(curve_.points, chosen_);
    const std::string share = share_text(point.best.misplaced);
    one(first, side, labels, "tradeoff/fit/target", shown_.target, wording("tradeoff:width.target"),
        fitting(fonts_.small, side,
                {wording("tradeoff:width.asked", {{"asked", curve_.asked}, {"n", curve_.n}}),
                 wording("tradeoff:width.asked.short", {{"asked", curve_.asked}, {"n", curve_.n}}),
                 wording("tradeoff:width.asked.least", {{"asked", curve_.asked}})}),
        true);
    one(second, side, stacked ? 0 : labels, "tradeoff/fit/made", nth(shown_.made, chosen_),
        ui::words("d_k = ", point.d_k),
        fitting(fonts_.small, side,
                {wording("tradeoff:width.made", {{"share", share}}),
                 wording("tradeoff:width.made.short", {{"share", share}}),
                 wording("tradeoff:width.made.least", {{"share", share}}), share}),
        stacked);
    legend(frame_, {sequential(frame_), 0, 1}, {first.x, second.y + side + 2 * u_}, std::min(side, 12 * em_));
  }

  // labels: the room for the words over its columns, none without them; rows: with words beside them.
  void one(ImVec2 corner, float side, float labels, const char* name, const Array<float>& matrix,
           const std::string& heading, const std::string& below, bool rows) {
    const std::vector<std::string>& tokens = frame_.trace.tokens;
    const float top = corner.y - labels - 2.6f * em_;
    canvas_.text_at(fonts_.text, {corner.x, top}, theme_.ink, say(heading), side);
    canvas_.text_at(fonts_.small, {corner.x, top + 1.2f * em_}, theme_.ink_soft, say(below), side);
    const bool named = static_cast<Index>(tokens.size()) == curve_.n;  // else it is of an older sentence
    picture(name, heading, matrix, corner, {side, side}, [&](Index i, Index j) {
      return named ? quoted(frame_, nth(tokens, i)) + " → " + quoted(frame_, nth(tokens, j))
                   : ui::words(i + 1, " → ", j + 1);
    });
    if (!named) return;
    const EdgeLabels words{&tokens, corner, side / real(curve_.n), 5.5f * small_, labels};
    if (rows) row_labels(frame_, words);
    if (labels > 0) column_labels(frame_, words);
  }

  void explanation(const Box& area) {
    const learn::WidthPoint &point = nth(curve_.points, chosen_), &last = curve_.points.back();
    const Spread now = spread_of(point.misplaced);
    float y = area.pos.y;
    std::string share = share_text(now.least);
    if (const std::string most = share_text(now.most); most != share)
      share = wording("tradeoff:width.range", {{"least", share}, {"most", most}});
    y = words(area, y,
              chosen_ + 1 < int_size(curve_.points)
                  ? wording("tradeoff:width.puts.beside", {{"d_k", point.d_k},
                                                           {"share", share},
                                                           {"last", last.d_k},
                                                           {"last_share", share_text(spread_of(last.misplaced).most)}})
                  : wording("tradeoff:width.puts", {{"d_k", point.d_k}, {"share", share}}));
    const Index n = curve_.n;
    if (curve_.rank >= n)
      y = words(area, y, wording("tradeoff:width.enough", {{"least", n - 1}}));
    else
      y = words(area, y, wording("tradeoff:width.not_every", {{"rank", curve_.rank}, {"n", n}}));
    if (any_zero()) y = words(area, y, wording("tradeoff:width.zeros"));
    y = words(area, y, wording("tradeoff:width.lines"), true);
    if (!canvas_.stands_alone()) y = words(area, y, wording("tradeoff:width.own"), true);
    ui::probe("tradeoff/fit/words", area.pos, {area.right(), y});
  }

  const FitWidthsMeasure::Result& shown_;
  const learn::WidthCurve& curve_;
  Box area_;
  int chosen_ = 0;
};

}  // namespace

void draw_fit_width(Frame& frame, ImVec2 pos, ImVec2 size) {
  const Canvas::Part part(frame.canvas, "tradeoff.width");
  if (const auto& fit = fitted_widths(frame); !fit.value) return ui::waiting_text(frame, fit.failure);
  const float em = frame.fonts.text->FontSize;
  const float least = size.x >= 44 * em ? 24 * em : 44 * em + 0.5f * size.x;
  in_room(frame, "tradeoff/fit/room", pos, size, least,
          [&](ImVec2 at, ImVec2 room) { WidthPage(frame, at, room).draw(); });
}

}  // namespace hydra::tradeoff
