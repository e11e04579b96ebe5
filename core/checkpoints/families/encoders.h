// What BERT and its kin have in common: words, places and types of tokens added up and normed; layers without a mask
// whose norms follow the sums; and what reads masked words out.
#pragma once
#include "core/checkpoints/family.h"

namespace hydra::family {

inline constexpr double kEncoderEpsilon = static_cast<double>(1e-12f);

// How a family calls the parts of a layer, behind its number.
struct EncoderNames {
  const char* layers;  // "encoder.layer."
  const char *query, *key, *value, *output, *first_norm, *inner, *outer, *second_norm;
};
// BERT's, which RoBERTa has as well.
extern const EncoderNames kBertNames;
// What reads out: a linear map, an activation, a norm, and the table of words or a matrix of its own.
struct MaskedReadoutNames {
  const char *dense, *norm, *decoder;
  const char* bias;  // that stands beside the decoder; the decoder's own is the same
};

bool holds_encoder(const Checkpoint& checkpoint, std::string_view prefix, const EncoderNames& names);
// Everything up to what leaves the last layer. first: the row of the table of places that the first token has.
Model read_encoder(const Checkpoint& checkpoint, Parts& parts, const EncoderNames& names, Index first = 0);
// Of a file without it nothing is read out.
void read_masked_readout(Model& model, Parts& parts, const Config& config, const MaskedReadoutNames& names);

}  // namespace hydra::family
