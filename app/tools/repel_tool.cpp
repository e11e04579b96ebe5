#include "app/tools/repel_tool.h"

#include <algorithm>
#include <utility>

#include "app/views/likeness/likeness_view.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

constexpr int kSteps = 20;
constexpr float kBetweenSteps = 0.1f;  // seconds, so that each can be seen
constexpr std::uint64_t kSeed = 1;
constexpr std::chrono::milliseconds kStepPatience{8};  // for a step that is quick
constexpr double kSeconds = 6;                         // of the notice

}  // namespace

void RepelTool::start(const Document& document, int layer, int most_steps) {
  most_steps_ = most_steps > 0 ? std::min(most_steps, kSteps) : kSteps;
  made_ = document.layer(layer).weights;
  rested_ = 0;
  under_way_ = true;
  job_.forget();
  shown_ = Repelling{.layer = layer};
}

void RepelTool::end(Notice& notice, Outbox& out, std::string said, bool error) {
  under_way_ = false;
  shown_->over = true;
  job_.forget();
  out.commit();
  error ? notice.fail(std::move(said), kSeconds) : notice.say(std::move(said), kSeconds);
}

void RepelTool::take(Repelled step, const Now& now, Notice& notice, Outbox& out) {
  Repelling& shown = *shown_;
  const auto over = [&] {
    end(notice, out,
        shown.steps > 0 ? wording("tools:repel.told", {{"result", repel_text(shown, now.unicode)}})
                        : wording("tools:repel.none"),
        false);
  };
  if (shown.steps == 0) shown.before = step.before;
  if (step.steps == 0) return over();
  shown.after = step.after;
  ++shown.steps;
  made_ = std::move(step.weights);
  rested_ = 0;
  out.preview({SetWeights{made_, wording("tools:repel"), ""}, shown.layer});
  if (shown.steps >= most_steps_) over();
}

void RepelTool::update(const Now& now, Notice& notice, Outbox& out) {
  if (!shown_) return;
  Repelling& shown = *shown_;
  const bool exists = shown.layer < static_cast<int>(now.document.layers.size());
  shown.present = exists && same_bits(made_, now.document.layer(shown.layer).weights);
  if (!under_way_) return;
  if (!shown.present) {  // something else was edited meanwhile
    under_way_ = false;
    shown.over = true;
    return job_.forget();
  }
  rested_ += now.seconds;
  if (!now.trace || (shown.steps > 0 && rested_ < kBetweenSteps)) return;  // on its way, or the eye is
  if (job_.asked() != shown.steps) {
    const LayerInput<float>& input = now.trace->layer(shown.layer).input;
    job_.ask(
        shown.steps, [input](const auto&) { return repel(input, 1, kSeed); }, kStepPatience);
  }
  job_.poll([&](Repelled step) { take(std::move(step), now, notice, out); });
  if (!job_.failure().empty()) end(notice, out, wording("tools:repel.failed", {{"failure", job_.failure()}}), true);
}

}  // namespace hydra
