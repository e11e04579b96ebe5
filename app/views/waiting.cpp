// In the place of a view while a document has no trace yet: a large one takes a moment, one too large never has one.
#include "app/views/ui.h"
#include "app/views/views.h"

namespace hydra {

void draw_waiting(Frame& frame) {
  const std::string& failure = frame.status.failure;
  const auto n = static_cast<Index>(tokens_of(frame.document).size());
  const auto layers = std::ssize(frame.document.layers);
  const std::string stack = layers > 1 ? ui::counted(layers, "layer") + ", " : "";
  const std::string sizes =
      stack + ui::words(ui::counted(n, "token"), ", ", ui::counted(document_layer(frame).heads, "head"), ", d_model ",
                        frame.document.d_model);
  ui::text(frame, failure.empty() ? "Computing" : "This document could not be computed", {.font = frame.fonts.large});
  ui::soft_text(frame, sizes + ".");
  if (!failure.empty())
    ui::text(frame,
             "There is no picture of it: " + failure +
                 ". Choose fewer heads, shorten the sentence, or open another document.",
             {.wraps = true});
  ui::probe("waiting");
}

}  // namespace hydra
