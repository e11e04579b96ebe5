// The parts of the page of trained models.
#pragma once
#include "app/views/frame/context.h"
#include "app/views/tradeoff/trained/trained_layout.h"
#include "app/views/tradeoff/trained/trained_words.h"

namespace hydra::tradeoff {

using Trained = HeadCountsMeasure::Trained;

const Trained* trained_of(const Frame& frame);  // of the width and the steps that are chosen; null: nothing was

// The task and the sizes of all models; the seeds. From the present place on.
void draw_task_choices(Frame& frame);
void draw_seed_choices(Frame& frame);
// Where models are being trained, the button that stops them. False: none is drawn.
bool draw_stop_button(Frame& frame);
// How far the training is, in the place of a note.
void draw_training_progress(const Frame& frame, ImVec2 pos, float width);
// Buttons and choices, from the present place on.
void draw_trained_bar(Frame& frame);
// Accuracy and loss against h, of what is chosen at the best of its rates and, pale, at each, and of what else was
// trained; returns the number of heads pointed at, 0 for none. trained: null where nothing was.
Index draw_trained_charts(Frame& frame, const Trained* trained, const std::vector<CountSummary>& counts,
                          const TrainedLayout& at);
// What Vaswani et al. measured, as a table that says it is quoted; how wide that is, and how high at least.
void draw_quoted(Frame& frame, const Box& area);
float quoted_width(const Frame& frame);
float quoted_height(const Frame& frame);
// A column for each number of heads; returns the one pointed at.
Index draw_trained_columns(Frame& frame, const Trained* trained, const std::vector<CountSummary>& counts,
                           const TrainedLayout& at);

}  // namespace hydra::tradeoff
