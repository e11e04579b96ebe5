// What of a run is followed from step to step: a row of numbers, each with its place.
#pragma once
#include <span>

#include "core/learn/run.h"

namespace hydra::learn {

// How alike heads are, their gradients, their composition and what is held out are measured every so manyth step, the
// last on so many sequences.
inline constexpr int kMeasuredApart = 8;
inline constexpr Index kHeldOutSequences = 64;

struct Tracks {
  static constexpr Index kMatrices = 4;  // of a head's gradient: W_Q, W_K, W_V, W_O

  Index questions = 1, relations = 0, layers = 1;
  Index heads = 1;  // of the layer with the most

  Index loss() const { return 0; }
  Index accuracy() const { return 1; }
  Index gradient_norm() const { return 2; }
  // The same of sequences that training does not draw (Run::evaluate).
  Index held_out_loss() const { return 3; }
  Index held_out_accuracy() const { return 4; }
  Index split_accuracy() const { return 5; }  // of the answers that are told apart (AnswerSplit), held out
  Index question(Index question) const { return 6 + question; }
  // Attention of a head to where a relation's gold says.
  Index mass(Index layer, Index head, Index relation) const {
    return question(questions) + (layer * heads + head) * relations + relation;
  }
  Index alike(Index layer) const { return mass(layers, 0, 0) + layer; }
  Index gradient(Index layer, Index head, Index matrix) const {
    return alike(layers) + (layer * heads + head) * kMatrices + matrix;
  }
  // How far a head of the next layer reads into its keys what this one writes (analysis/composition.h).
  Index composition(Index layer, Index head, Index to_head) const {
    return gradient(layers, 0, 0) + (layer * heads + head) * heads + to_head;
  }
  // What an L0 gate multiplies its head by; NaN: it has none.
  Index gate(Index layer, Index head) const { return composition(layers - 1, 0, 0) + layer * heads + head; }
  Index count() const { return gate(layers, 0); }
};

Tracks tracks_of(const TaskInfo& info, const Document& document);

// row [tracks.count()]. What the scores do not have becomes NaN.
void write_scores(const Tracks& tracks, const Document& document, const Scores& scores, std::span<float> row);
void write_held_out(const Tracks& tracks, const Scores& scores, double split_accuracy, std::span<float> row);
// By the document's weights.
void write_composition(const Tracks& tracks, const Document& document, std::span<float> row);

}  // namespace hydra::learn
