// Published models, beside which a document's own sizes can be seen.
#pragma once
#include <vector>

#include "core/analysis/cost.h"

namespace hydra {

struct PublishedModel {
  const char* name;    // "Llama 2 70B"
  const char* source;  // where what follows is stated
  int year = 0;
  int layers = 0;  // that attend to their own sequence; of encoder-decoder models, those of the decoder
  LayerSizes sizes;
  double vocabulary = 0;     // words or parts of words; 0: not counted
  bool own_readout = false;  // has a matrix of its own; else it is that of the embedding
  double parameters = 0;     // of the whole model, as the source states them
  int context = 0;           // the longest sequence it was trained on, in tokens; 0: not stated
  int window = 0;            // the most tokens a query attends to, itself included; 0: all
  bool encoder = false;      // all tokens at once: none is the next, and nothing is kept for it
  const char* note = "";     // a sentence: what the numbers leave out or take for granted; may be empty
};
const std::vector<PublishedModel>& published_models();  // by year

// Weights of all layers, of the embedding and of the readout; without positions, biases and gains. Not a number where
// the model has layers besides.
double counted_parameters(const PublishedModel& model);
// Of one token more in all layers and, where the vocabulary is stated, in the readout; it attends to so many, itself
// included, or to its window; the others' keys and values are kept, of a window only those in it. Not a number for an
// encoder.
double next_token_multiply_adds(const PublishedModel& model, double tokens);
double kept_bytes(const PublishedModel& model, double tokens, double bytes_per_number);
// Whether it was not trained on sequences so long.
bool beyond_context(const PublishedModel& model, double tokens);

}  // namespace hydra
