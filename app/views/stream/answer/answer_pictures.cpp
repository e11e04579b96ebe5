#include "app/views/stream/answer/answer_pictures.h"

#include "app/views/beside/two_patterns.h"
#include "app/views/frame/ui.h"

namespace hydra {

namespace {

const Array<float>& pattern_of(const Frame& frame, const Trace& trace) {
  return nth(trace.layer(frame.view.layer).heads, frame.view.focused_head).attention;
}

}  // namespace

bool has_answer_pictures(const Frame& frame, const Trace& now, const Trace& other) {
  const auto kept = [&](const Trace& trace) {
    return frame.view.layer < int_size(trace.layers) && trace.layer(frame.view.layer).is_whole() &&
           frame.view.focused_head < int_size(trace.layer(frame.view.layer).heads) && pattern_of(frame, trace);
  };
  return kept(now) && kept(other) && now.tokens.size() == other.tokens.size();
}

float draw_answer_pictures(Frame& frame, const Trace& now, const Trace& other, const Box& box) {
  const ViewState& view = frame.view;
  const std::string head =
      now.layers.size() == 1
          ? head_called(frame, view.focused_head)
          : wording("stream:answer.head", {{"layer", view.layer + 1}, {"head", view.focused_head + 1}});
  const auto title = [&](const char* key) { return wording(key, {{"head", head}}); };
  return draw_two_patterns(
      frame,
      {.item = "stream/answer/",
       .made = "answer.",
       .first = {"now", title("stream:answer.pattern.now"), now.tokens, pattern_of(frame, now)},
       .second = {"other", title("stream:answer.pattern.other"), other.tokens, pattern_of(frame, other)},
       .difference = title("stream:answer.pattern.difference"),
       .hidden = frame.derived.mask(view.layer).hidden},
      box);
}

}  // namespace hydra
