#include "app/views/tradeoff/trained_layout.h"

#include <algorithm>
#include <cmath>

#include "app/draw/nth.h"

namespace hydra {

TrainedLayout trained_layout(const TrainedInput& in) {
  TrainedLayout at;
  const float u = in.unit, em = in.text, gap = 3 * u;
  const float header = 1.5f * em, caption = 1.35f * in.small, questions = 1.7f * em, rates = in.rates ? 1.4f * em : 0;
  const float column = std::floor((in.size.x - gap * real(in.counts - 1)) / real(in.counts));

  // What stands fixed, and what shares the rest: charts, curves, patterns.
  const float words = in.sentence + in.note + 2 * u, fixed = words + 3 * u + header + rates + questions + 5 * u;
  const float least_charts = std::max(9 * em, in.charts), least_curve = 3 * em, least_patterns = 4.5f * em;
  const float captions = (in.rates ? 4 : 3) * caption;
  at.captions = in.size.y >= fixed + captions + least_charts + least_curve + least_patterns;
  const float lines = at.captions ? captions : 0;
  const float spare = std::max(0.0f, in.size.y - fixed - lines - least_charts - least_curve - least_patterns);
  // One head's pattern is as wide as its column; more height would stay empty.
  const float patterns = std::min(least_patterns + 0.55f * spare, std::max(least_patterns, column));
  const float curve = std::min(least_curve + 0.3f * spare, std::max(least_curve, 0.8f * column));
  const float charts =
      std::min(least_charts + least_curve + least_patterns + spare - patterns - curve, std::max(least_charts, 22 * em));

  float y = in.pos.y;
  at.sentence = {in.pos.x, y};
  at.note = {in.pos.x, y += in.sentence + u};
  y += in.note + u + 2 * u;
  const float table = std::min(in.quoted, 0.36f * in.size.x), wide = in.size.x - table - 2 * 2 * gap;
  at.accuracy = {{in.pos.x, y}, {std::floor(0.58f * wide), charts}};
  at.loss = {{at.accuracy.right() + 2 * gap, y}, {std::floor(0.42f * wide), charts}};
  at.quoted = {{at.loss.right() + 2 * gap, y}, {table, charts}};
  y += charts + u;
  for (int k = 0; k < in.counts; ++k) {
    const float x = in.pos.x + real(k) * (column + gap);
    TrainedLayout::Column c;
    float top = y;
    const auto next = [&](float height) {
      const Box box{{x, top}, {column, height}};
      top += height;
      return box;
    };
    c.header = next(header);
    at.caption_rates = top;
    if (at.captions && in.rates) top += caption;
    c.rates = next(rates);
    if (in.rates) top += u;
    at.caption_curve = top;
    if (at.captions) top += caption;
    c.curve = next(curve);
    top += u;
    at.caption_questions = top;
    if (at.captions) top += caption;
    c.questions = next(questions);
    top += 2 * u;
    at.caption_patterns = top;
    if (at.captions) top += caption;
    c.patterns = next(patterns);
    c.all = {{x, y}, {column, top - y}};
    at.bottom = top;
    at.columns.push_back(c);
  }
  return at;
}

}  // namespace hydra
