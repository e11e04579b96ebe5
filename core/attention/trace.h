// Everything computed from a document, by stage; immutable once made.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/attention/block.h"
#include "core/attention/readout.h"
#include "core/text/feature_layout.h"

namespace hydra {

struct Overflow;  // core/explain/overflow.h

using ArraySizes = std::vector<std::pair<Stamp, double>>;  // the largest |value| of each

struct Trace {
  Stamp document;                         // of the one that it is of
  std::vector<std::string> tokens;        // n of them
  Index pads = 0;                         // so many of the first stand for nothing
  std::optional<std::string> cut_from;    // the sentence that they are the words of; none: they were listed
  WordCorrections corrections;            // what the document says of words
  std::vector<WordFeatures> words;        // what the lexicon and the document say of each
  std::optional<FeatureLayout> layout;    // what the columns of X mean; none unless the embedding is of features
  Array<float> embedding;                 // [n x d_model] the words' vectors, or the X that the document gives
  Array<float> positions;                 // [n x d_model] sinusoids, or rows of a table; null when there are none
  Array<float> types;                     // [n x d_model] rows of a table; null when there are none
  Array<float> summed;                    // [n x d_model] what the norm after them reads; null when there is none
  Array<float> X;                         // [n x d_model] their sum, or its norm, entries set by hand in their place
  std::vector<LayerTrace<float>> layers;  // one per layer of the document: its heads
  std::vector<BlockTrace<float>> blocks;  // and what stands around them
  ModelTrace<float> model;                // and around all layers: words in, words out
  std::shared_ptr<RecomputedBlocks<float>> recomputed_blocks;  // of layers of which only what leaves is kept
  std::shared_ptr<const Overflow> overflow;                    // numbers that floats cannot hold; null: all are finite
  ArraySizes sizes;                                            // what was looked at to know that
  std::vector<Cell> withheld;  // what is not in it, though the document gives it (withheld.h)
  // From this layer on it is of a document before (evaluate_first), or not there; none: all is of one.
  std::optional<int> older_from;

  // Of the first layers alone: those that follow are not there yet (evaluate_beginning).
  bool is_beginning() const { return older_from && static_cast<std::size_t>(*older_from) == layers.size(); }
  const LayerTrace<float>& layer(Index k) const { return layers[static_cast<std::size_t>(k)]; }
  const BlockTrace<float>& block(Index k) const { return blocks[static_cast<std::size_t>(k)]; }
};

// All stages around the heads of a layer: what is not kept is recomputed (block.h).
std::shared_ptr<const BlockTrace<float>> whole_block_of(const Trace& trace, int layer);

}  // namespace hydra
