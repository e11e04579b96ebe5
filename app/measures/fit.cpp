#include "app/measures/fit.h"

#include <algorithm>
#include <cmath>

#include "core/document/text/marks.h"
#include "core/text/annotated.h"
#include "core/weights/painting.h"

namespace hydra {

namespace {

using From = FitChoice::From;
using WidthsWanted = FitWidthsMeasure::Wanted;

const LayerInput<float>& input_of(const Trace& trace, const WidthsWanted& wanted) {
  return trace.layer(wanted.layer).input;
}

const HeadTrace<float>& head_of(const Trace& trace, const WidthsWanted& wanted) {
  return trace.layer(wanted.layer).heads[static_cast<std::size_t>(wanted.head)];
}

Mask mask_of(const Trace& trace, const WidthsWanted& wanted) {
  return wanted.choice.masked ? input_of(trace, wanted).mask_of(wanted.head) : Mask{};
}

// The pattern's rows, each brought to a sum of 1; what is negative, as of differential attention, is left out.
Mat<float> rows_of_head(const Trace& trace, const WidthsWanted& wanted, bool painted_alone) {
  Mat<float> P = head_of(trace, wanted).attention->cwiseMax(0.0f);
  const auto left_out = [&](Index i) {
    return painted_alone && !is_painted(input_of(trace, wanted).painted, Quantity::attention, wanted.head, i);
  };
  for (Index i = 0; i < P.rows(); ++i) {
    const float sum = P.row(i).sum();
    if (!(sum > 0) || !std::isfinite(sum) || left_out(i))
      P.row(i).setZero();
    else
      P.row(i) /= sum;
  }
  return P;
}

Mat<float> rows_of_relation(const std::vector<GoldPair>& pairs, Index n, const Mask& mask) {
  Mat<float> P = Mat<float>::Zero(n, n);
  for (const GoldPair& pair : pairs)
    if (pair.from < n && pair.to < n && mask.allows(pair.from, pair.to)) P(pair.from, pair.to) = 1;
  for (Index i = 0; i < n; ++i)
    if (const float sum = P.row(i).sum(); sum > 0) P.row(i) /= sum;
  return P;
}

}  // namespace

Mat<float> fit_target_of(const Trace& trace, const WidthsWanted& wanted, const AnnotatedSentence* marks) {
  const Index n = input_of(trace, wanted).X->rows();
  const Mask mask = mask_of(trace, wanted);
  switch (wanted.choice.from) {
    case From::drawn:
      return learn::make_fit_target(wanted.choice.target, n, mask, 0);
    case From::painted:
      return rows_of_head(trace, wanted, true);
    case From::head:
      return rows_of_head(trace, wanted, false);
    case From::relation:
      break;
  }
  if (!marks) return Mat<float>::Zero(n, n);
  return rows_of_relation(marks->gold[static_cast<std::size_t>(wanted.choice.relation)], n, mask);
}

FitWidthsMeasure::Key FitWidthsMeasure::key(const Moment& now, const Wanted& wanted) {
  const bool of_head = wanted.choice.from == From::painted || wanted.choice.from == From::head;
  return {input_of(*now.trace, wanted).X.stamp(), stamp_of(mask_of(*now.trace, wanted)),
          of_head ? head_of(*now.trace, wanted).attention.stamp() : Stamp{}, wanted.choice};
}

bool FitWidthsMeasure::is_kept(const Key& key, const Moment& now, bool computing) {
  return !computing || std::ranges::any_of(now.trace->layers, [&](const LayerTrace<float>& layer) {
    return layer.input.X.stamp() == key.X;
  });
}

bool FitWidthsMeasure::is_there(const Moment& now, const Wanted& wanted) {
  return has_whole(*now.trace, wanted.layer) && wanted.head < std::ssize(now.trace->layer(wanted.layer).heads);
}

std::size_t FitWidthsMeasure::bytes(const Result& result) {
  std::size_t bytes = 2 * bytes_of(result.target);
  for (const learn::WidthPoint& point : result.curve->points)
    bytes += bytes_of(point.best.W_Q) + bytes_of(point.best.W_K) + 2 * bytes_of(point.best.A);
  return bytes;
}

FitWidthsMeasure::Result FitWidthsMeasure::compute(const MeasuredOf& of, const Wanted& wanted,
                                                   const JobTurn<Kept>& turn) {
  const Trace& trace = *of.trace;
  const Array<float>& X = input_of(trace, wanted).X;
  const std::vector<Index> widths = learn::usual_fit_widths(X->rows());
  const Progress progress = turn.begin(static_cast<int>(widths.size()) * kFitSeeds);
  const auto marks = marked_here(find_annotated(*of.marked, trace.tokens), of.document.marks, trace.tokens);
  const Mat<float> P = fit_target_of(trace, wanted, marks ? &*marks : nullptr);
  auto curve = std::make_shared<const learn::WidthCurve>(
      learn::fit_widths(*X, mask_of(trace, wanted), P, widths, 0, kFitSeeds, &turn.kept.pool, progress));
  Result result{curve, wanted.choice, share(Mat<float>(curve->target)), {}};
  for (const learn::WidthPoint& point : curve->points) result.made.push_back(share(Mat<float>(point.best.A)));
  return result;
}

std::size_t FitHeadsMeasure::bytes(const Result& result) {
  std::size_t bytes = 0;
  for (const std::vector<Array<float>>& patterns : result.patterns)
    for (const Array<float>& pattern : patterns) bytes += 2 * bytes_of(pattern);
  return bytes;
}

FitHeadsMeasure::Result FitHeadsMeasure::compute(const MeasuredOf&, const Wanted& wanted, const JobTurn<Kept>& turn) {
  const std::vector<Index> counts = learn::usual_fit_heads(wanted.d_model);
  const Progress progress = turn.begin(static_cast<int>(counts.size()) * kFitSeeds + 1);
  auto curve = std::make_shared<const learn::HeadsCurve>(
      learn::fit_heads_curve(wanted, counts, 0, kFitSeeds, &turn.kept.pool, progress));
  Result result{curve, {}, {}};
  for (const learn::HeadsPoint& point : curve->points) {
    result.served.push_back(share(Mat<float>(point.best.served)));
    std::vector<Array<float>>& patterns = result.patterns.emplace_back();
    for (const Mat<float>& pattern : point.best.patterns) patterns.push_back(share(Mat<float>(pattern)));
  }
  return result;
}

}  // namespace hydra
