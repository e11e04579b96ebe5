#include "app/work/circuit_keeper.h"

#include <utility>

namespace hydra {

bool CircuitKeeper::take() {
  const bool news = job_.poll([this](CircuitShown measured) { shown_ = std::move(measured); });
  if (news) shown_.failure = job_.failure();
  return news;
}

bool CircuitKeeper::update(const std::shared_ptr<const Trace>& trace, std::chrono::milliseconds patience) {
  const auto measure = [trace](const auto& turn) {
    return CircuitShown{std::make_shared<const Circuit>(turn.kept.measures.of(*trace, turn.stop)), ""};
  };
  if (job_.asked() != trace) job_.ask(trace, measure, patience);
  return take();
}

void CircuitKeeper::leave(const std::shared_ptr<const Trace>& trace) {
  take();
  if (!job_.asked() || *job_.asked() == trace) return;
  job_.let_go();
  shown_ = {};
}

}  // namespace hydra
