#include "app/work/stream_keeper.h"

#include <utility>

namespace hydra {

bool StreamKeeper::update(const std::shared_ptr<const Trace>& trace, Index token, std::chrono::milliseconds patience) {
  left_ = false;
  const auto measure = [trace, token](const auto& turn) {
    return StreamShown{trace, std::make_shared<const Stream>(turn.kept.measures.of(*trace, token)), ""};
  };
  if (const Asked asked{trace, token}; job_.asked() != asked) job_.ask(asked, measure, patience);
  return job_.poll_into(shown_);
}

void StreamKeeper::leave(const std::shared_ptr<const Trace>& trace) {
  const bool busy = job_.computing();  // before what is finished is taken, so that nothing finishes between
  job_.poll_into(shown_);
  const bool current = !job_.asked() || job_.asked()->trace == trace;
  if (!current) {
    job_.let_go();
    shown_ = {};
    left_ = true;
  } else if (!busy && !std::exchange(left_, true)) {
    job_.let_go_of_kept();
  }
}

}  // namespace hydra
