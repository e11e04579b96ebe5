// What the page's tests ask of the program: numbers to hold against the desktop's, and where on the screen a thing of a
// name is.
#include <emscripten.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "app/draw/probe.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/io/file.h"

namespace {

char* copy_of(const std::string& text) {
  auto* const bytes = static_cast<char*>(std::malloc(text.size() + 1));
  std::memcpy(bytes, text.c_str(), text.size() + 1);
  return bytes;
}

}  // namespace

extern "C" {

// As hydrascope trace prints it, of a link or a file of the page; or the sentence why there is none. To be freed.
EMSCRIPTEN_KEEPALIVE char* hydra_trace(const char* document) {
  using namespace hydra;
  try {
    std::string text;
    write_trace(*evaluate(read_document(document)), [&](std::string_view bytes) { text += bytes; });
    return copy_of(text);
  } catch (const InputError& fault) {
    return copy_of(fault.what());
  }
}

// From the first call on names are noted, with each frame. 0: nothing of that name is to be seen; else left, top, right
// and bottom in pixels of the canvas.
EMSCRIPTEN_KEEPALIVE int hydra_place(const char* name, float* place) {
  static hydra::ui::ProbeRecorder recorder;
  hydra::ui::probe_recorder() = &recorder;
  const auto found = recorder.entries.find(name);
  if (found == recorder.entries.end() || !found->second.visible) return 0;
  const auto& [min, max, visible] = found->second;
  place[0] = min.x;
  place[1] = min.y;
  place[2] = max.x;
  place[3] = max.y;
  return 1;
}

}  // extern "C"
