#include "app/work/fit_keeper.h"

namespace hydra {

namespace {

using From = FitChoice::From;

const HeadTrace<float>& head_of(const FitKeeper::WidthsWanted& wanted) {
  return wanted.trace.layer(wanted.layer).heads[static_cast<std::size_t>(wanted.head)];
}

Mask mask_of(const FitKeeper::WidthsWanted& wanted) {
  return wanted.choice.masked ? wanted.trace.layer(wanted.layer).input.mask : Mask{};
}

bool is_painted_row(const FitKeeper::WidthsWanted& wanted, Index row) {
  return is_painted(wanted.trace.layer(wanted.layer).input.painted, Quantity::attention, wanted.head, row);
}

// The pattern's rows, each brought to a sum of 1; what is negative, as of differential attention, is left out.
Mat<float> rows_of_head(const FitKeeper::WidthsWanted& wanted, bool painted_alone) {
  Mat<float> P = head_of(wanted).attention->cwiseMax(0.0f);
  for (Index i = 0; i < P.rows(); ++i) {
    const float sum = P.row(i).sum();
    if (!(sum > 0) || !std::isfinite(sum) || (painted_alone && !is_painted_row(wanted, i)))
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

Mat<float> fit_target_of(const FitKeeper::WidthsWanted& wanted) {
  const Index n = wanted.trace.layer(wanted.layer).input.X->rows();
  switch (wanted.choice.from) {
    case From::drawn:
      return learn::make_fit_target(wanted.choice.target, n, mask_of(wanted), 0);
    case From::painted:
      return rows_of_head(wanted, true);
    case From::head:
      return rows_of_head(wanted, false);
    case From::relation:
      break;
  }
  if (!wanted.marks) return Mat<float>::Zero(n, n);
  return rows_of_relation(wanted.marks->gold[static_cast<std::size_t>(wanted.choice.relation)], n, mask_of(wanted));
}

void FitKeeper::take() {
  widths_.poll([&](Widths found) {
    shown_.widths = std::move(found.curve);
    shown_.choice = found.choice;
    shown_.target = share(Mat<float>(shown_.widths->target));
    shown_.made.clear();
    for (const learn::WidthPoint& point : shown_.widths->points) shown_.made.push_back(share(Mat<float>(point.best.A)));
    shown_widths_ = widths_.asked();
  });
  heads_.poll([&](Heads found) {
    shown_.heads = std::move(found);
    shown_.served.clear();
    shown_.patterns.clear();
    for (const learn::HeadsPoint& point : shown_.heads->points) {
      shown_.served.push_back(share(Mat<float>(point.best.served)));
      std::vector<Array<float>>& patterns = shown_.patterns.emplace_back();
      for (const Mat<float>& pattern : point.best.patterns) patterns.push_back(share(Mat<float>(pattern)));
    }
  });
}

// What the page in view is told beside the curve.
template <class Job>
bool FitKeeper::finish_update(const Job& job, int fits, bool current, bool news) {
  const bool computing = job.computing();
  const float progress = computing ? std::min(1.0f, static_cast<float>(job.done()) / static_cast<float>(fits)) : 1.0f;
  news |= shown_.older == current || shown_.failure != job.failure() || shown_.progress != progress;
  shown_.older = !current;
  shown_.failure = job.failure();
  shown_.progress = progress;
  if (current) shown_.stopped = false;
  return news;
}

bool FitKeeper::update(const WidthsWanted& wanted, std::chrono::milliseconds patience) {
  const void* before = shown_.widths.get();
  take();
  const LayerInput<float>& input = wanted.trace.layer(wanted.layer).input;
  const bool of_head = wanted.choice.from == From::painted || wanted.choice.from == From::head;
  const WidthsKey key{input.X.stamp(), stamp_of(mask_of(wanted)), of_head ? head_of(wanted).attention.stamp() : Stamp{},
                      wanted.choice};
  if (widths_.asked() != key) {
    shown_.stopped = false;
    widths_.stop();
    const std::vector<Index> widths = learn::usual_fit_widths(input.X->rows());
    fits_ = static_cast<int>(widths.size()) * kSeeds;
    const auto fit = [X = input.X, mask = mask_of(wanted), P = fit_target_of(wanted), choice = wanted.choice,
                      widths](const auto& turn) {
      return Widths{std::make_shared<const learn::WidthCurve>(
                        learn::fit_widths(*X, mask, P, widths, 0, kSeeds, &turn.kept.pool, turn.progress())),
                    choice};
    };
    widths_.ask(key, fit, patience);
    take();
  }
  return finish_update(widths_, fits_, shown_.widths && shown_widths_ == key, before != shown_.widths.get());
}

bool FitKeeper::update(const learn::HeadsProblem& wanted, std::chrono::milliseconds patience) {
  const void* before = shown_.heads.get();
  take();
  const std::vector<Index> counts = learn::usual_fit_heads(wanted.d_model);
  if (heads_.asked() != wanted) {
    shown_.stopped = false;
    heads_.stop();
    const auto fit = [wanted, counts](const auto& turn) -> Heads {
      return std::make_shared<const learn::HeadsCurve>(
          learn::fit_heads_curve(wanted, counts, 0, kSeeds, &turn.kept.pool, turn.progress()));
    };
    heads_.ask(wanted, fit, patience);
    take();
  }
  return finish_update(heads_, static_cast<int>(counts.size()) * kSeeds + 1,
                       shown_.heads && shown_.heads->problem == wanted, before != shown_.heads.get());
}

void FitKeeper::stop() {
  if (widths_.computing()) widths_.stop(), shown_.stopped = true;
  if (heads_.computing()) heads_.stop(), shown_.stopped = true;
}

void FitKeeper::again() {
  widths_.forget();
  heads_.forget();
  shown_.stopped = false;
}

void FitKeeper::leave(const Trace& trace, int layer) {
  take();
  if (widths_.computing() && widths_.asked() && widths_.asked()->X != trace.layer(layer).input.X.stamp())
    widths_.forget();
}

}  // namespace hydra
