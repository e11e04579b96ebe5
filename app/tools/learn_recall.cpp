// Learn: steps that the timeline no longer holds are trained again, in the background, when somebody goes to one.
#include "app/tools/learn_tool.h"

#include "core/text/wording.h"

namespace hydra {

void LearnTool::recall(int branch, int step) {
  branch = timeline_->owner(branch, step);
  recaller_.ask(OfRun(timeline_), branch, step, up_to(branch, step), timeline_->tracks());
  shown_.told.clear();
}

void LearnTool::update_recall(Outbox& out) {
  shown_.recalled = recaller_.step();
  shown_.recall_progress = recaller_.progress();
  auto recalled = recaller_.take();
  if (const std::string why = recaller_.take_failure(); !why.empty())
    tell(wording("tools:recall.failed", {{"why", why}}));
  if (!recalled) return;
  shown_.recalled = -1;
  timeline_->hold(recalled->branch, recalled->step, std::move(recalled->parameters), std::move(recalled->row));
  if (!shown_.fits) return;
  out.preview(set_to(recalled->branch, recalled->step));
  remember();
  out.commit();
}

}  // namespace hydra
