#include "app/views/tradeoff/trained/trained_layout.h"

#include <algorithm>
#include <cmath>

#include "app/widgets/arrange.h"

namespace hydra {

TrainedLayout trained_layout(const TrainedInput& in) {
  TrainedLayout at;
  const float u = in.unit, em = in.text, gap = 3 * u;
  const float header = 1.5f * em, caption = 1.35f * in.small, questions = 1.7f * em, rates = in.rates ? 1.4f * em : 0;
  const float wide = std::floor((in.size.x - gap * real(in.counts - 1)) / real(in.counts));

  // What stands fixed, and what shares the rest: charts, curves, patterns.
  const float words = in.sentence + in.note + 2 * u, whole = words + 3 * u + header + rates + questions + 5 * u;
  const float least_charts = std::max(9 * em, in.charts), least_curve = 3 * em, least_patterns = 4.5f * em;
  const float captions = (in.rates ? 4 : 3) * caption;
  at.captions = in.size.y >= whole + captions + least_charts + least_curve + least_patterns;
  const float lines = at.captions ? captions : 0;
  const float spare = std::max(0.0f, in.size.y - whole - lines - least_charts - least_curve - least_patterns);
  // One head's pattern is as wide as its column; more height would stay empty.
  const float patterns = std::min(least_patterns + 0.55f * spare, std::max(least_patterns, wide));
  const float curve = std::min(least_curve + 0.3f * spare, std::max(least_curve, 0.8f * wide));
  const float charts =
      std::min(least_charts + least_curve + least_patterns + spare - patterns - curve, std::max(least_charts, 22 * em));

  const auto [sentence, note, upper, lower] =
      column(in, 0, {fixed(in.sentence).then(u), fixed(in.note).then(3 * u), fixed(charts).then(u), share(1)});
  at.sentence = sentence.pos, at.note = note.pos;
  const float table = std::min(in.quoted, 0.36f * in.size.x), drawn = in.size.x - table - 2 * 2 * gap;
  std::tie(at.accuracy, at.loss, at.quoted) =
      row(upper, 2 * gap, {fixed(std::floor(0.58f * drawn)), fixed(std::floor(0.42f * drawn)), fixed(table)});
  const float line = at.captions ? caption : 0;
  for (int k = 0; k < in.counts; ++k) {
    TrainedLayout::Column& c = at.columns.emplace_back();
    Box over_rates, over_curve, over_questions, over_patterns;
    c.all = {{in.pos.x + real(k) * (wide + gap), lower.pos.y}, {wide, 0}};
    std::tie(c.header, over_rates, c.rates, over_curve, c.curve, over_questions, c.questions, over_patterns,
             c.patterns) =
        column(c.all, 0,
               {fixed(header), fixed(in.rates ? line : 0), fixed(rates).then(u), fixed(line), fixed(curve).then(u),
                fixed(line), fixed(questions).then(2 * u), fixed(line), fixed(patterns)});
    at.caption_rates = over_rates.pos.y, at.caption_curve = over_curve.pos.y;
    at.caption_questions = over_questions.pos.y, at.caption_patterns = over_patterns.pos.y;
    at.bottom = c.patterns.bottom();
    c.all.size.y = at.bottom - c.all.pos.y;
  }
  return at;
}

float height_of(const TrainedInput& in) {
  return least_height(in, [](const TrainedInput& one) {
    const TrainedLayout at = trained_layout(one);
    return std::array{real(int{at.captions}), real(int{at.bottom <= one.bottom() + 0.5f})};
  });
}

}  // namespace hydra
