#include "app/views/stream/answer/answer_pictures.h"

#include "app/views/frame/ui.h"
#include "app/views/shared/pictured.h"

namespace hydra {

namespace {

// Kept from frame to frame.
struct Difference {
  Stamp now, other;
  Array<float> matrix;
};

const Array<float>& pattern_of(const Frame& frame, const Trace& trace) {
  return nth(trace.layer(frame.view.layer).heads, frame.view.focused_head).attention;
}

const Array<float>& difference_of(const Frame& frame, const Array<float>& now, const Array<float>& other) {
  Difference& kept = frame.made.of<Difference>();
  if (kept.now != now.stamp() || kept.other != other.stamp())
    kept = {now.stamp(), other.stamp(), share(Mat<float>(*other - *now))};
  return kept.matrix;
}

class AnswerPictures : Drawing {
 public:
  AnswerPictures(Frame& frame, const Trace& now, const Trace& other, const Box& box)
      : Drawing(frame), now_(now), other_(other), box_(box) {}

  float draw() {
    const float words = std::max(widest(fonts_.small, now_.tokens), widest(fonts_.small, other_.tokens)) + 2 * u_;
    const float title = 1.4f * em_, gap = 4 * u_;
    const float label = std::min(words, 0.3f * box_.size.y);
    const float side =
        std::floor(std::min((box_.size.x - 2 * gap) / 3 - words, box_.size.y - title - 0.8f * label - small_));
    if (side < 6 * small_) return 0;
    const Array<float>&now = pattern_of(frame_, now_), &other = pattern_of(frame_, other_),
          &difference = difference_of(frame_, now, other);
    const Array<float>& hidden = frame_.derived.mask(view_.layer).hidden;
    const ValueScale pattern{sequential(frame_), 0, 1}, change{diverging(frame_), -1, 1};
    const std::string head =
        now_.layers.size() == 1
            ? head_called(frame_, view_.focused_head)
            : wording("stream:answer.head", {{"layer", view_.layer + 1}, {"head", view_.focused_head + 1}});
    float x = box_.pos.x;
    const auto put = [&](const char* key, const char* text, const Trace& of, const Array<float>& matrix,
                         const ValueScale& scale) {
      const ImVec2 corner{x + words, box_.pos.y + title + 0.8f * label};
      canvas_.text_at(fonts_.text, {x, box_.pos.y}, theme_.ink, say(wording(text, {{"head", head}})), words + side);
      const Pictured made{
          .name = std::string("answer.") + key,
          .title = wording(text, {{"head", head}}),
          .shown = {matrix, 0, 0, matrix->rows(), matrix->cols()},
          .scale = scale,
          .place = [&of](Index row, Index col) { return nth(of.tokens, row) + " → " + nth(of.tokens, col); },
          .hidden = hidden};
      const PictureResult made_at =
          picture(frame_, std::string("stream/answer/") + key, made, corner, {side, side}, {.square_cells = false});
      edge_labels(frame_, {&of.tokens, corner, side / real(of.tokens.size()), x, box_.pos.y + title,
                           static_cast<int>(made_at.hit.row), static_cast<int>(made_at.hit.col)});
      x += words + side + gap;
    };
    put("now", "stream:answer.pattern.now", now_, now, pattern);
    put("other", "stream:answer.pattern.other", other_, other, pattern);
    put("difference", "stream:answer.pattern.difference", now_, difference, change);
    return title + 0.8f * label + side;
  }

 private:
  const Trace &now_, &other_;
  Box box_;
};

}  // namespace

bool has_answer_pictures(const Frame& frame, const Trace& now, const Trace& other) {
  const auto kept = [&](const Trace& trace) {
    return frame.view.layer < int_size(trace.layers) && trace.layer(frame.view.layer).is_whole() &&
           frame.view.focused_head < int_size(trace.layer(frame.view.layer).heads) && pattern_of(frame, trace);
  };
  return kept(now) && kept(other) && now.tokens.size() == other.tokens.size();
}

float draw_answer_pictures(Frame& frame, const Trace& now, const Trace& other, const Box& box) {
  return AnswerPictures(frame, now, other, box).draw();
}

}  // namespace hydra
