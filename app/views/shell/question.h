// A question that is answered before anything else happens: in the middle of the window, by pointer or key.
#pragma once
#include <string>
#include <vector>

namespace hydra {

struct Frame;

struct Question {
  enum class About {
    closing,
    kept,
    overwriting,
    recovering,
    memory,
    model,
    arrays,
    layout,
    checkpoint
  } about = About::closing;
  std::string title;                 // the question itself
  std::vector<std::string> lines;    // what it is about, a paragraph each
  std::vector<std::string> answers;  // from left to right; the first one is chosen at first, Esc gives the last
  int chosen = 0;                    // what Enter gives; arrows move it
};

// Sends Outbox::Answer, while ViewState::question asks something.
void draw_question(Frame& frame);

}  // namespace hydra
