// `hydrascope measure`: how fast the interface is on this machine, as JSON lines for scripts/bench. Not in the help.
#pragma once

namespace hydra {

struct MeasureOptions {
  bool window = false;  // only the time to the first frame in a real window, which is closed again
  bool views = false;   // instead, of every view: a frame at rest, one of a drag, one of a click
};

// Exit code 0. Call it early: the first line is the time since the process began.
int run_measure(const MeasureOptions& options);

}  // namespace hydra
