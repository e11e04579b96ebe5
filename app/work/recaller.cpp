#include "app/work/recaller.h"

#include <algorithm>

namespace hydra {

void Recaller::ask(const OfRun& run, int branch, int step, Stretch stretch, const learn::Tracks& tracks) {
  steps_ = std::max(1, step - stretch.begin.step + 1);
  job_.ask(
      {run, branch, step},
      [branch, step, tracks, stretch = std::make_shared<const Stretch>(std::move(stretch))](const auto& turn) {
        const auto at = reach(*stretch, &turn.kept.pool, turn.progress());
        if (at->step() % learn::kMeasuredApart == 0) at->held_out(&turn.kept.pool, turn.progress());
        Recalled recalled{branch, step, at->snapshot(), {}};
        take_step(*at, tracks, *stretch->document, &turn.kept.pool, recalled.row);
        return recalled;
      },
      std::chrono::milliseconds(0));
}

float Recaller::progress() const {
  return under_way() ? std::min(1.0f, static_cast<float>(job_.done()) / static_cast<float>(steps_)) : 1.0f;
}

std::optional<Recaller::Recalled> Recaller::take() {
  std::optional<Recalled> taken;
  const bool news = job_.poll([&](Recalled recalled) { taken = std::move(recalled); });
  if (news && !taken) failure_ = job_.failure();
  if (news) job_.forget();
  return taken;
}

}  // namespace hydra
