// A run's place in time, in a line under every other view: whoever looks at heads goes back and forth without leaving.
#include "app/platform/input.h"
#include "app/views/bars/step_track.h"
#include "app/views/learn/learn_parts.h"
#include "app/views/shared/pictured.h"
#include "app/views/shell/parts.h"
#include "app/views/shell/views.h"
#include "core/document/models.h"

namespace hydra {

namespace {

int last_step(const Frame& frame) { return frame.learn.timeline->branch(frame.learn.branch).last(); }

void go_to(Frame& frame, int step, bool done) {
  step = std::clamp(step, 0, last_step(frame));
  if (step != frame.learn.step || done) frame.out.act(act::LearnGoTo{frame.learn.branch, step, done});
}

bool goes_on(const Frame& frame) { return frame.learn.training || frame.learn.playing || frame.learn.recalled >= 0; }

// The steps that were taken, and which is shown.
void bar(Frame& frame, float width) {
  const LearnTold& learn = frame.learn;
  const StepTrack track{"transport/bar", learn.step, last_step(frame), !learn.training,
                        wording("learn:transport.tip", {{"branch", learn.timeline->branch(learn.branch).name}})};
  if (const std::optional<StepTaken> taken = step_track(frame, track, width))
    go_to(frame, taken->step, taken->released);
}

}  // namespace

void learn_keys(Frame& frame) {
  const LearnTold& learn = frame.learn;
  if (!numbers_have_keys(frame) || frame.hands.of<BranchHands>().renaming >= 0) return;
  if (ui::key_pressed(key::space)) {
    if (goes_on(frame))
      frame.out.act(act::LearnPause{});
    else if (learn.fault.empty() && learn.chosen)
      train(frame);
  }
  if (!learn.timeline || !learn.fits || learn.training || frame.view.selection || has_selected_made(frame)) return;
  const int by = ImGui::GetIO().KeyShift ? 10 : 1;
  int move = 0;
  if (ui::key_pressed(key::left, true)) move = -by;
  if (ui::key_pressed(key::right, true)) move = by;
  if (move == 0) return;
  const int to = std::clamp(learn.step + move, 0, last_step(frame));
  if (to != learn.step)
    frame.out.act(act::LearnGoTo{learn.branch, to, true});
  else if (move == 1)
    frame.out.act(act::LearnStep{});
}

bool begins_at_random(const Frame& frame) {
  return !frame.learn.timeline && frame.learn.usable && kind_of(frame.document) == ModelKind::trained;
}

void train(Frame& frame) {
  if (begins_at_random(frame)) frame.out.act(act::LearnReset{});
  frame.out.act(act::LearnTrain{});
}

void play_from_here(Frame& frame) {
  if (frame.learn.step >= last_step(frame)) frame.out.act(act::LearnGoTo{frame.learn.branch, 0, false});
  frame.out.act(act::LearnPlay{true});
}

float transport_height(const Frame& frame) {
  const LearnTold& learn = frame.learn;
  const bool there = learn.timeline && learn.fits && frame.view.view != ViewId::learn;
  return there && (goes_on(frame) || last_step(frame) > 0) ? ImGui::GetFrameHeight() + 3 * frame.unit : 0;
}

void draw_transport(Frame& frame) {
  const LearnTold& learn = frame.learn;
  const bool idle = !goes_on(frame);
  const auto next = [&] { ImGui::SameLine(0, frame.unit); };
  if (idle) {
    if (ui::button(frame, "transport/play", wording("learn:play"), wording("learn:play.tip"))) play_from_here(frame);
    next();
    if (ui::button(frame, "transport/train", wording("learn:train_on"), wording("learn:transport.train_on.tip"),
                   learn.fault.empty() && learn.chosen))
      frame.out.act(act::LearnTrain{});
  } else if (ui::button(frame, "transport/pause", wording("learn:pause"), wording("learn:transport.pause.tip"))) {
    frame.out.act(act::LearnPause{});
  }
  next();
  const std::string place = wording("learn:transport.step", {{"step", learn.step}, {"last", last_step(frame)}});
  const float words = text_width(frame.fonts.text, place) + 2 * frame.unit;
  bar(frame, std::max(4 * frame.fonts.text->FontSize, ImGui::GetContentRegionAvail().x - words));
  next();
  ui::text(frame, place, {.aligned = true});
  ui::probe("transport/step");
  learn_keys(frame);
}

}  // namespace hydra
