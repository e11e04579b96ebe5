// The columns of a feature embedding: one per feature, then the word's identity, then its position. They add up to
// d_model.
//
//   [ determiner noun verb ... | word 0 .. | slot 0 .. | sin cos sin cos ... ]
//
// Features stand in the lexicon's order. Where d_model is short, the last features and the slowest waves are left out.
// The slot is there when it is asked for: columns that are 0 in every word's vector, as many as a word's identity takes
// (one less where they do not come out even), so that in a stack with residual sums a head can write a word beside the
// token's own.
#pragma once
#include <string>
#include <vector>

#include "core/linalg/types.h"
#include "core/text/lexicon.h"

namespace hydra {

inline constexpr Index kLeastFeatureModel = 32, kMostFeatureModel = 512;

// What the columns of a model are: how many, and whether some of them are the slot.
struct ModelColumns {
  ModelColumns(Index width, bool with_slot = false) : d_model(width), slot(with_slot) {}  // NOLINT: implicit on purpose
  Index d_model;
  bool slot;
};

struct FeatureLayout {
  Index features = 0;                 // columns 0 .. features - 1: feature k in column k
  Index identity = 0;                 // columns features .. : a hashed unit vector of the lower-cased word
  Index slot = 0;                     // columns behind it: empty until a head writes there
  Index positions = 0;                // the last columns: pairs sin(w p), cos(w p), w from fast to slow
  std::vector<float> frequencies;     // of the pairs, in radians per token: positions / 2 of them
  std::vector<std::string> left_out;  // names of features without a column
  Index d_model() const { return features + identity + slot + positions; }
  Index identity_at() const { return features; }
  Index slot_at() const { return features + identity; }
  Index position_at() const { return features + identity + slot; }
  bool operator==(const FeatureLayout&) const = default;
};

bool has_feature_layout(Index d_model);  // even, within kLeastFeatureModel .. kMostFeatureModel
// Throws InputError when d_model is outside kLeastFeatureModel .. kMostFeatureModel or odd.
FeatureLayout feature_layout(ModelColumns columns);

// "pronoun", "word 3", "sin 0.32" (the frequency): short enough for an axis.
std::string column_name(const FeatureLayout& layout, Index column);
// One sentence: a feature's gloss, or what the column of the identity, the slot or the position holds.
std::string column_gloss(const FeatureLayout& layout, Index column);
// One sentence on what is missing at this width; empty when nothing is.
std::string left_out_sentence(const FeatureLayout& layout);

// Features (1 or 0) and identity; the slot and the position columns are zero.  [n x d_model]
Mat<float> feature_embedding(const std::vector<std::string>& tokens, const std::vector<WordFeatures>& words,
                             const FeatureLayout& layout, std::uint64_t seed);
// Only the position columns are not zero.  [n x d_model]
Mat<float> feature_positions(Index n, const FeatureLayout& layout);

}  // namespace hydra
