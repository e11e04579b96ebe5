#include "app/measures/stream/routing.h"

namespace hydra {

namespace {

constexpr double kMultiplyAdds = 2e9;  // some seconds in double; a layer of a class takes far less for all its columns

Array<float> drawn(const Mat<double>& derivatives) {
  return derivatives.size() == 0 ? Array<float>() : share(Mat<float>(derivatives.cast<float>()));
}

}  // namespace

double RoutingMeasure::cost(const Moment& now, const Wanted& wanted) {
  const LayerTrace<float>& layer = now.trace->layer(wanted.layer);
  return static_cast<double>(affordable_columns(layer, kMultiplyAdds)) * cost_of_column(layer);
}

RoutingMeasure::Result RoutingMeasure::compute(const MeasuredOf& of, const Wanted& wanted, const JobTurn<Kept>& turn) {
  const LayerTrace<float>& layer = of.trace->layer(wanted.layer);
  Routing made = routing(layer, of.trace->block(wanted.layer), affordable_columns(layer, kMultiplyAdds),
                         &turn.kept.pool, turn.stop);
  Array<float> attention = drawn(made.attention), feed_forward = drawn(made.feed_forward);
  return {std::move(made), std::move(attention), std::move(feed_forward)};
}

}  // namespace hydra
