// The parts of the Learn view, each in a file of its own.
#pragma once
#include "app/views/frame/ui.h"
#include "app/views/learn/learn_layout.h"

namespace hydra {

struct BranchHands {
  int in_view = -1;   // the timeline was scrolled to it
  int renaming = -1;  // a branch
  int starts = 0;     // frames in which its field is about to be active
  std::string draft;
};
struct TaskAnswers {  // of the task of that title: those of its page that are shown
  std::string of;
  std::vector<bool> told;
};

void draw_learn_buttons(Frame& frame, bool low);  // train, pause, step, reset; the pace; low: the least of them
void draw_learn_runs(Frame& frame);               // those put aside, and the run as a file
void draw_follow_choice(Frame& frame);            // what the chart follows
void draw_learn_controls(Frame& frame);           // what a run is made of
void draw_learn_page(Frame& frame, ImVec2 pos, ImVec2 size);  // the task's page, where there is no run yet
void draw_learn_curves(Frame& frame, const Box& loss, const Box& accuracy);
void draw_learn_detail(Frame& frame, const Box& box, bool has_scores);  // one chart of several; loss and accuracy too?
void draw_learn_heads(Frame& frame, const Box& box);
void draw_learn_collapse(Frame& frame, const Box& box);
void draw_learn_gradients(Frame& frame, const Box& box);
void draw_learn_pruning(Frame& frame, const Box& box);
void draw_learn_branches(Frame& frame, const LearnLayout& at);
void learn_keys(Frame& frame);  // Space trains and pauses; arrows go a step back and on, with Shift ten
// No run yet, and a model that has learned the task already: there is nothing to see in training it on, so that a run
// begins with random weights unless it is told otherwise.
bool begins_at_random(const Frame& frame);
void train(Frame& frame);           // as the button says
void play_from_here(Frame& frame);  // of the run that is shown

// A number behind a bar that is this share of the longest one, in a column so wide; under the number where the two have
// no room side by side.
struct MeasuredBar {
  double share = 0;
  ImU32 color = 0, ink = 0;
  std::string number;
  float widest = 0;  // of the column's numbers
};
void draw_measured_bar(const Frame& frame, const MeasuredBar& bar, ImFont* font, ImVec2 at, ImVec2 size);

std::string name_of(const learn::Followed& followed);  // "1 word back", "from “she” to “girl”"
// "head 2.1": the first one of layer 2; of a model of one layer "head 1".
std::string learn_head_name(const Frame& frame, Index layer, Index head);

}  // namespace hydra
