// Factors that keep the scores of a layer spread, so that its heads can attend (score_spread.h).
#pragma once
#include "core/document/document.h"

namespace hydra {

// What a layer's scores must be multiplied by while each head sees its slice only, for them to spread as much as they
// do when each sees the whole embedding: of this document's sentence and weights. A slice is d_k of d_model inputs, so
// its scores are about heads times smaller, and every head would attend evenly for that reason alone. 1 where slices
// read all there is to read (identity weights), and where no factor would do.
float slice_factor(const Document& document, int layer);
// The factors of layers that have one, computed anew.
void renew_slice_factor(Document& document);

// The gain of W_Q and W_K with which untrained weights of the document's seed give its scores a spread of 1; 1 when it
// is from 1/2 to 2 without. Three digits, so that files and screens have all of it.
float untrained_gain(const Document& document, int layer);
// Between 0.5 and 2: untrained weights whose scores spread by this need no gain.
bool spreads_enough(double spread);
// Weights of a seed alone within Xavier's bound: those that a gain is for.
bool takes_gain(const WeightSource& source);

}  // namespace hydra
