// Heads designed by hand: what the query asks for and what the key offers, in named features and positions, made into
// real weights. A design is a list of rank-one terms; a head of width d_k holds d_k of them.
//
//   score(i, j) = sharpness * ( sum over asks of strength * (x_i . query) (x_j . key)
//                             + sum over kernels and their waves w of strength * cos(w (j - i - offset))
//                             + sum over the waves w of cos(w (j - place))
//                             + same_word * (identity_i . identity_j) * identity / used
//                             + slot_word * (identity_i . slot_j) * identity / used )
//
// An ask takes one dimension, a kernel two per wave, the place one, and the same word all that are left, at least half;
// with a word in the slot beside it each of the two has half of that.
// An ask is one column of W_Q^i (query) and one of W_K^i (key). A kernel is the sinusoid rotated by the offset, so it
// is highest at j = i + offset. The last sum runs over the first used of the layout's identity columns; the factor
// makes the match of a word with itself same_word on average over words, however many columns are left.
//
// What the head writes for query i is the sum over j of attention(i, j) times: the columns that it carries, written
// where they were read (the word into the slot, where it is said so), and over writes strength * (x_j . reads) *
// writes. A write takes one dimension of the values; what is carried has the rest.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/text/feature_layout.h"
#include "core/weights/weights.h"

namespace hydra {

enum class HeadPreset {
  none,
  previous,
  next,
  self,
  first,
  uniform,
  same_word,
  punctuation,
  pronoun_antecedent,
  verb_subject,
  adjective_noun,
  determiner_noun,
  similar_meaning,
};
struct PresetEntry {
  HeadPreset preset;
  const char* key;    // "previous": in files
  const char* title;  // key of "previous token"
  const char* tip;    // key of one sentence: what asks for what, and why that works
};
const std::vector<PresetEntry>& presets();  // in the order of the enum; none is not among them

// A term of a weighted sum of features: "pronoun", or "plural - singular" in two. "any" is every token.
struct FeatureWeight {
  std::string feature;
  float weight = 1;
  bool operator==(const FeatureWeight&) const = default;
};
struct Ask {  // the query's side times the key's side
  std::vector<FeatureWeight> query, key;
  float strength = 1;
  bool operator==(const Ask&) const = default;
};

// What the attended token has of some features, written into others: W_V^i times W_O^i, one column and one row.
struct Write {
  std::vector<FeatureWeight> reads, writes;
  float strength = 1;
  bool operator==(const Write&) const = default;
};

// The key is sought at this distance from the query (-1: the token before); with a negative strength it is avoided.
struct Kernel {
  float offset = -1;
  float strength = 1;
  int first_wave = 0;  // 0 is the fastest, 1 radian per token; each next one is slower by the square root of 10
  int waves = 4;       // so many from there on, as far as the layout has them: more waves, a narrower peak
  bool operator==(const Kernel&) const = default;
};

// What the head carries: what its value reads from the attended token. W_O^i writes it back into the columns that it
// came from.
enum class Carries {
  word,          // the first d_k identity columns
  word_to_slot,  // the same, written into the slot
  features,      // d_k features, the most telling first
  everything,    // every column, column c into value dimension c mod d_k, scaled to keep lengths on average
  nothing,
};

inline constexpr float kMostSharpness = 1000, kMostWeight = 1000;

struct HeadDesign {
  HeadPreset preset = HeadPreset::none;  // where the rest came from; none: made by hand
  std::vector<Ask> asks;
  float same_word = 0;  // strength of "the same word": the identity columns matched with themselves
  float slot_word = 0;  // strength of "its word in the key's slot": the query's identity matched with the slot
  std::vector<Kernel> kernels;
  std::optional<float> place;  // the key is sought at this absolute position (0: the first token)
  float sharpness = 20;
  Carries carries = Carries::word;
  std::vector<Write> writes;  // besides what is carried
  bool operator==(const HeadDesign&) const = default;
};

HeadDesign preset_design(HeadPreset preset);

// One head's blocks, [d_model x d_k] (W_O: [d_k x d_model]).
struct HeadWeights {
  Mat<float> W_Q, W_K, W_V, W_O;
  std::vector<std::string> left_out;  // what did not fit into d_k or d_model, one phrase each; the first ones stay
};
// score_factor: what the layer multiplies q . k with (1 / sqrt(d_k)), so that sharpness means the same at any width.
// Features without a column at this width are left out, and named. Throws InputError when the lexicon does not have a
// feature.
HeadWeights build_head(const HeadDesign& design, const FeatureLayout& layout, Index d_k, float score_factor);

// One line: "query pronoun, key noun x 2.5; near offset -5; sharpness 15; carries features; writes verb as object".
std::string describe(const HeadDesign& design);

}  // namespace hydra
