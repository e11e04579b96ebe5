#include "app/views/beside/beside.h"
#include "app/views/beside/two_matrices.h"
#include "app/views/frame/look.h"

namespace hydra {

void draw_beside_pair(Frame& frame, const Box& box) {
  const Measured<BesideMeasure>& shown = beside_of(frame);
  const BetweenModels& between = shown.value->between;
  const std::optional<Index> other = head_beside(frame, between);
  const LayerTrace<float>& layer = shown.of->layer(shown.wanted.layer);
  if (!other || frame.view.focused_head >= int_size(layer.heads)) return;
  const HeadPlace& at = nth(between.there, *other);
  const std::vector<std::string>&tokens = shown.of->tokens, &their_tokens = shown.value->trace->tokens;
  const Array<float>&here = nth(layer.heads, frame.view.focused_head).attention,
        &there = nth(shown.value->trace->layer(at.layer).heads, at.head).attention;
  if (!here || !there || here->rows() != there->rows()) return;
  const Canvas::Part part(frame.canvas, "heads.beside");
  const std::string name = head_called(frame, frame.view.focused_head);
  const std::string other_name =
      wording("beside:head", {{"head", number_beside(frame, at)}, {"model", frame.beside.shown->name}});
  draw_two_matrices(frame,
                    {.item = "beside/",
                     .made = "beside.",
                     .first = {"here", name, tokens, here},
                     .second = {"there", other_name, their_tokens, there},
                     .difference = wording("beside:difference",
                                           {{"head", number_beside(frame, at)}, {"own", frame.view.focused_head + 1}})},
                    box);
}

}  // namespace hydra
