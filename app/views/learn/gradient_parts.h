// What the parts of the page of gradients share, and the parts, each in a file of its own.
#pragma once
#include "app/views/frame/ui.h"
#include "app/views/learn/learn_parts.h"

namespace hydra {

// "‹ sequence 3 of 32 ›", behind what stands in the line.
void sequence_chooser(Frame& frame);

class GradientDrawing : protected Drawing {
 protected:
  GradientDrawing(Frame& frame, const Box& box)
      : Drawing(frame), box_(box), shown_(frame.learn.opened), step_(*frame.learn.opened.step) {}

  // A matrix, called that for who listens, within that room, its cells square unless it is a row; where it was drawn,
  // and what was pointed at.
  PictureResult picture(const std::string& name, const std::string& words, const Array<float>& matrix, ImVec2 pos,
                        ImVec2 room, const ValueScale& scale, bool numbers = true, bool clickable = true) const;
  Index sequence() const { return std::clamp<Index>(view_.learn.gradients.sequence, 0, step_.sequences() - 1); }
  Index layer() const { return std::min<Index>(view_.layer, step_.layers() - 1); }
  // A paragraph at pos, soft in the small face unless it is strong; returns its height.
  float note(ImVec2 pos, float width, const std::string& text, const char* name, bool strong = false) const;

  Box box_;
  const OpenedTold& shown_;
  const learn::OpenedStep& step_;
};

// Controls of a part, behind the chips that choose it; and the part.
void draw_gradient_sequence_controls(Frame& frame);
void draw_gradient_sequence(Frame& frame, const Box& box);
void draw_gradient_weights_controls(Frame& frame);
void draw_gradient_weights(Frame& frame, const Box& box);
void draw_gradient_heads(Frame& frame, const Box& box);
void draw_gradient_scaling(Frame& frame, const Box& box);

}  // namespace hydra
