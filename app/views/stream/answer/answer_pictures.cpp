#include "app/views/stream/answer/answer_pictures.h"

#include "app/views/beside/two_matrices.h"
#include "app/views/frame/ui.h"

namespace hydra {

namespace {

bool is_of_pairs(PatchedPart part) { return part == PatchedPart::head || part == PatchedPart::pattern; }

// Of the head in focus what is patched: its queries, keys or values [n x d_k], as scores are made of them; else where
// it looks [n x n].
const Array<float>& part_of(const Frame& frame, const Trace& trace, PatchedPart part) {
  const HeadTrace<float>& head = nth(trace.layer(frame.view.layer).heads, frame.view.focused_head);
  switch (part) {
    case PatchedPart::queries:
      return head.asking();
    case PatchedPart::keys:
      return head.asked();
    case PatchedPart::values:
      return head.V;
    case PatchedPart::head:
    case PatchedPart::pattern:
      break;
  }
  return head.attention;
}

const char* called(PatchedPart part) {
  return part == PatchedPart::queries  ? "stream:answer.queries"
         : part == PatchedPart::keys   ? "stream:answer.keys"
         : part == PatchedPart::values ? "stream:answer.values"
                                       : "stream:answer.pattern";
}

}  // namespace

bool has_answer_pictures(const Frame& frame, const Trace& now, const Trace& other, PatchedPart part) {
  const auto kept = [&](const Trace& trace) {
    return frame.view.layer < int_size(trace.layers) && trace.layer(frame.view.layer).is_whole() &&
           frame.view.focused_head < int_size(trace.layer(frame.view.layer).heads) && part_of(frame, trace, part);
  };
  return kept(now) && kept(other) && now.tokens.size() == other.tokens.size();
}

float draw_answer_pictures(Frame& frame, const Trace& now, const Trace& other, PatchedPart part, const Box& box) {
  const ViewState& view = frame.view;
  const std::string head =
      now.layers.size() == 1
          ? head_called(frame, view.focused_head)
          : wording("stream:answer.head", {{"layer", view.layer + 1}, {"head", view.focused_head + 1}});
  const auto title = [&](const char* key) { return wording(key, {{"part", wording(called(part), {{"head", head}})}}); };
  return draw_two_matrices(
      frame,
      {.item = "stream/answer/",
       .made = "answer.",
       .first = {"now", title("stream:answer.part.now"), now.tokens, part_of(frame, now, part)},
       .second = {"other", title("stream:answer.part.other"), other.tokens, part_of(frame, other, part)},
       .difference = title("stream:answer.part.difference"),
       .of_pairs = is_of_pairs(part),
       .hidden = is_of_pairs(part) ? frame.derived.mask_of({Quantity::attention, view.layer, view.focused_head}).hidden
                                   : Array<float>()},
      box);
}

}  // namespace hydra
