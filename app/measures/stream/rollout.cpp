#include "app/measures/stream/rollout.h"

#include "core/model/mask.h"

namespace hydra {

namespace {

// As rollout_steps multiplies, with 1 for every pair that a layer lets see.
Array<float> hidden_after(const Trace& trace, int layers) {
  const Index n = trace.X->rows();
  const float never = -std::numeric_limits<float>::infinity();
  Mat<float> ways = Mat<float>::Identity(n, n);
  for (int l = 0; l < layers; ++l) {
    const LayerInput<float>& input = trace.layer(l).input;
    Mat<float> sees = Mat<float>::Zero(n, n);
    for (Index h = 0; h < (input.own.empty() ? 1 : input.heads); ++h) {  // what any head sees
      Mat<float> of_head = Mat<float>::Zero(n, n);
      apply_mask<float>(input.mask_of(h), 0, of_head);
      sees = (of_head.array() == 0).select(Mat<float>::Ones(n, n), sees);
    }
    if (input.settings.residual) sees.diagonal().setOnes();
    ways = Mat<float>(sees * ways).cwiseMin(1.0f);
  }
  if ((ways.array() > 0).all()) return nullptr;
  return share(Mat<float>((ways.array() > 0).select(Mat<float>::Zero(n, n), never)));
}

}  // namespace

RolloutMeasure::Result RolloutMeasure::compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn) {
  Rollout steps = rollout_steps(*of.trace, wanted.layers, wanted.kind, &turn.kept.pool, turn.stop);
  Array<float> reached = share(Mat<float>(steps.reached.cast<float>()));
  return {std::move(steps), std::move(reached), hidden_after(*of.trace, wanted.layers)};
}

}  // namespace hydra
