#include "app/views/bars/checkpoint_bar.h"

#include <filesystem>

#include "app/platform/input.h"
#include "app/views/bars/step_track.h"
#include "app/views/frame/ui.h"
#include "app/views/marks/mark_pairs.h"
#include "app/views/shared/pictured.h"
#include "app/views/shell/parts.h"
#include "core/document/model_file.h"

namespace hydra {

namespace {

// Where it is, as a place among them.
int place_here(const Frame& frame) {
  return static_cast<int>(frame.tools.checkpoints->place_of(frame.document.file->path).value_or(0));
}

void go_to(Frame& frame, int place) {
  const auto& members = frame.tools.checkpoints->members;
  place = std::clamp(place, 0, int_size(members) - 1);
  if (place != place_here(frame)) frame.out.act(act::GoToCheckpoint{nth(members, place).path});
}

// As of a run of training: while nothing is selected that arrows would move.
void keys(Frame& frame) {
  if (!numbers_have_keys(frame) || frame.view.selection || has_selected_made(frame) || pair_tool_shown(frame.view))
    return;
  const int by = ImGui::GetIO().KeyShift ? 10 : 1;
  if (ui::key_pressed(key::left, true)) go_to(frame, place_here(frame) - by);
  if (ui::key_pressed(key::right, true)) go_to(frame, place_here(frame) + by);
}

}  // namespace

float checkpoint_bar_height(const Frame& frame) {
  return frame.tools.checkpoints && frame.document.file ? ImGui::GetFrameHeight() + 3 * frame.unit : 0;
}

void draw_checkpoint_bar(Frame& frame) {
  if (!frame.tools.checkpoints || !frame.document.file) return;
  const CheckpointSeries& series = *frame.tools.checkpoints;
  const int here = place_here(frame), last = int_size(series.members) - 1;
  const auto next = [&] { ImGui::SameLine(0, frame.unit); };
  if (ui::button(frame, "series/before", wording("checkpoints:series.before"), wording("checkpoints:series.before.tip"),
                 here > 0))
    go_to(frame, here - 1);
  next();
  if (ui::button(frame, "series/next", wording("checkpoints:series.next"), wording("checkpoints:series.next.tip"),
                 here < last))
    go_to(frame, here + 1);
  next();
  const auto place_of = [&](int place) {
    return wording("checkpoints:series.place",
                   {{"step", nth(series.members, place).number}, {"k", place + 1}, {"n", last + 1}});
  };
  const float words =
      std::max(text_width(frame.fonts.text, place_of(here)), text_width(frame.fonts.text, place_of(last))) +
      2 * frame.unit;
  std::string tip = wording("checkpoints:series.tip");
  for (const std::string& other : series.others) tip += "\n" + other;
  const StepTrack track{"series/bar", here, last, true, tip};
  const float wide = std::max(4 * frame.fonts.text->FontSize, ImGui::GetContentRegionAvail().x - words);
  const std::optional<StepTaken> taken = step_track(frame, track, wide);
  if (taken && taken->released) go_to(frame, taken->step);
  next();
  ui::text(frame, place_of(taken ? taken->step : here), {.aligned = true});
  ui::probe("series/step");
  keys(frame);
}

}  // namespace hydra
