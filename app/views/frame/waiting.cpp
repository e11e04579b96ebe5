// In the place of a view while a document has no trace yet: a large one takes a moment, one too large never has one.
#include "app/views/frame/ui.h"
#include "app/views/shell/views.h"

namespace hydra {

void draw_waiting(Frame& frame) {
  const std::string& failure = frame.status.failure;
  const auto n = static_cast<Index>(tokens_of(frame.document).size());
  const auto layers = std::ssize(frame.document.layers);
  const Index heads = document_layer(frame).heads, d_model = frame.document.d_model;
  ui::text(frame, wording(failure.empty() ? "panels:waiting" : "panels:waiting.failed"), {.font = frame.fonts.large});
  ui::soft_text(frame, layers > 1
                           ? wording("panels:waiting.sizes.stack",
                                     {{"layers", layers}, {"tokens", n}, {"heads", heads}, {"d_model", d_model}})
                           : wording("panels:waiting.sizes", {{"tokens", n}, {"heads", heads}, {"d_model", d_model}}));
  if (!failure.empty()) ui::text(frame, wording("panels:waiting.failure", {{"failure", failure}}), {.wraps = true});
  ui::probe("waiting");
}

}  // namespace hydra
