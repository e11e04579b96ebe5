#include "app/work/routing_keeper.h"

namespace hydra {

namespace {

constexpr double kMultiplyAdds = 2e9;  // some seconds in double; a layer of a class takes far less for all its columns

Array<float> drawn(const Mat<double>& derivatives) {
  return derivatives.size() == 0 ? Array<float>() : share(Mat<float>(derivatives.cast<float>()));
}

}  // namespace

bool RoutingKeeper::update(const std::shared_ptr<const Trace>& trace, int layer, std::chrono::milliseconds patience) {
  const Asked asked{trace, layer};
  const auto measure = [asked](const auto& turn) {
    const LayerTrace<float>& of = asked.trace->layer(asked.layer);
    const auto result = std::make_shared<const Routing>(routing(
        of, asked.trace->block(asked.layer), affordable_columns(of, kMultiplyAdds), &turn.kept.pool, turn.stop));
    return RoutingShown{asked.trace, asked.layer, result, drawn(result->attention), drawn(result->feed_forward), ""};
  };
  if (job_.asked() != asked) {
    job_.stop();  // of what is shown no more: a large layer takes seconds
    job_.ask(asked, measure, patience);
  }
  return job_.poll_into(shown_);
}

void RoutingKeeper::leave(const std::shared_ptr<const Trace>& trace) {
  job_.leave(shown_, [&](const Asked& asked) { return asked.trace == trace; });
}

}  // namespace hydra
