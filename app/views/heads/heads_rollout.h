// Rollout as the large pattern of the Heads view: through all layers up to the one in focus, of no head.
#pragma once
#include "app/measures/stream/rollout.h"
#include "app/views/frame/context.h"
#include "app/views/heads/heads_layout.h"

namespace hydra {

bool shows_rollout(const ViewState& view);
// The newest through all layers up to the one in focus, of the kind that is shown.
const Measured<RolloutMeasure>& measured_rollout(const Frame& frame);
bool rollout_is_there(const Frame& frame);  // of as many tokens as are shown; it may be a moment older
ValueScale rollout_scale(const Frame& frame);

// What it is not, in a sentence or two under the toolbar. Probe name: heads/rollout/note.
void rollout_note(const Frame& frame);
void rollout_title(const Frame& frame, const HeadsLayout& at);
// Its cells, and over the one that is pointed at the number with its arithmetic. Probe name: heads/large.
PictureResult draw_rollout(Frame& frame, const HeadsLayout& at, ImFont* numbers);

// The lines of that tip, without the window: the pair, what the number says, and its sum from the strongest terms on.
std::vector<std::string> rollout_lines(const Measured<RolloutMeasure>& shown, Index token, Index word);

}  // namespace hydra
