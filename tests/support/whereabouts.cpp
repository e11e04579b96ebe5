// whereabouts FILE NAME...: where the last named part of the interface is in a 1600 x 1000 window on the document, as
// "x y", after a click on each of those named before it. For tests that drive the real window by pointer.
#include <cstdio>

#include "app/app.h"
#include "app/draw/probe.h"
#include "app/platform/imgui_session.h"
#include "core/io/file.h"

namespace {}  // namespace

int main(int count, char** arguments) {
  using namespace hydra;
  ImGuiSession session;
  NoPictures sink;
  App app(read_document(count > 1 ? arguments[1] : ""), "", sink);
  ui::ProbeRecorder recorder;
  ui::probe_recorder() = &recorder;
  InputQueue no_input;
  for (int frame = 0; frame < 4; ++frame) app.frame({1600, 1000}, 1.f / 60, no_input);
  InputQueue input;
  const auto click = [&](ImVec2 at) {
    input.push({.kind = InputEvent::Kind::move, .x = at.x, .y = at.y});
    for (const bool down : {true, false}) input.push({.kind = InputEvent::Kind::button, .code = 0, .down = down});
    for (int frame = 0; frame < 6; ++frame) app.frame({1600, 1000}, 1.f / 60, input);
  };
  for (int k = 2; k < count; ++k) {
    const auto found = recorder.entries.find(arguments[k]);
    if (found == recorder.entries.end() || !found->second.visible) {
      std::fprintf(stderr, "whereabouts: there is no %s in view\n", arguments[k]);
      return 1;
    }
    const ImVec2 low = found->second.min, high = found->second.max;
    const ImVec2 center{(low.x + high.x) / 2, (low.y + high.y) / 2};
    if (k + 1 < count)
      click(center);
    else
      std::printf("%d %d\n", static_cast<int>(center.x), static_cast<int>(center.y));
  }
}
