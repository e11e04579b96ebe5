#include "app/tools/repel_tool.h"

#include <utility>

#include "app/views/likeness/likeness_view.h"

namespace hydra {

namespace {

constexpr int kSteps = 20;
constexpr float kBetweenSteps = 0.1f;  // seconds, so that each can be seen
constexpr std::uint64_t kSeed = 1;
constexpr std::chrono::milliseconds kStepPatience{8};  // for a step that is quick
constexpr double kSeconds = 6;                         // of the notice

}  // namespace

void RepelTool::start(const Document& document, ViewState& view) {
  made_ = document.layer(view.layer).weights;
  rested_ = 0;
  under_way_ = true;
  job_.forget();
  view.likeness.repelling = Repelling{.layer = view.layer};
}

void RepelTool::end(ViewState& view, Outbox& out, std::string notice, bool error) {
  under_way_ = false;
  view.likeness.repelling->over = true;
  job_.forget();
  out.commit();
  view.notice = std::move(notice);
  view.notice_is_error = error;
  view.notice_until = ImGui::GetTime() + kSeconds;
}

void RepelTool::take(Repelled step, const Now& now, ViewState& view, Outbox& out) {
  Repelling& shown = *view.likeness.repelling;
  const auto over = [&] {
    end(view, out,
        shown.steps > 0 ? "repel: " + repel_text(shown, now.unicode)
                        : "repel: no step lowers the mean cosine of the patterns",
        false);
  };
  if (shown.steps == 0) shown.before = step.before;
  if (step.steps == 0) return over();
  shown.after = step.after;
  ++shown.steps;
  made_ = std::move(step.weights);
  rested_ = 0;
  out.preview({SetWeights{made_, "repel", ""}, shown.layer});
  if (shown.steps >= kSteps) over();
}

void RepelTool::update(const Now& now, ViewState& view, Outbox& out) {
  if (!view.likeness.repelling) return;
  Repelling& shown = *view.likeness.repelling;
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
  job_.poll([&](Repelled step) { take(std::move(step), now, view, out); });
  if (!job_.failure().empty()) end(view, out, "repel: a step could not be computed: " + job_.failure() + ".", true);
}

}  // namespace hydra
