#include "core/text/feature_layout.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>

#include "core/error.h"
#include "core/linalg/random.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

constexpr Index kMostPositions = 16;  // periods from 6 to 20000 tokens: more than a sentence needs

std::string frequency_name(float frequency) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", static_cast<double>(frequency));
  return text;
}

}  // namespace

bool has_feature_layout(Index d_model) {
  return d_model >= kLeastFeatureModel && d_model <= kMostFeatureModel && d_model % 2 == 0;
}

FeatureLayout feature_layout(ModelColumns columns) {
  const Index d_model = columns.d_model;
  if (d_model < kLeastFeatureModel || d_model > kMostFeatureModel || d_model % 2 != 0)
    throw InputError("an embedding of features needs d_model to be even and from " +
                     std::to_string(kLeastFeatureModel) + " to " + std::to_string(kMostFeatureModel) + ", not " +
                     std::to_string(d_model));
  const std::vector<Feature>& features = Lexicon::standard().features();
  const auto all = static_cast<Index>(features.size());
  const Index quarter = d_model / 8 * 2;  // even: waves are pairs
  FeatureLayout layout;
  layout.positions = std::min(quarter, kMostPositions);
  layout.features = std::min(all, d_model - layout.positions - (columns.slot ? 2 : 1) * quarter);
  const Index words = d_model - layout.positions - layout.features;
  layout.slot = columns.slot ? words / 2 : 0;
  layout.identity = words - layout.slot;
  for (Index wave = 0; wave < layout.positions / 2; ++wave)
    layout.frequencies.push_back(static_cast<float>(std::pow(10.0, -0.5 * static_cast<double>(wave))));
  for (Index k = layout.features; k < all; ++k) layout.left_out.push_back(features[static_cast<std::size_t>(k)].name);
  return layout;
}

std::string column_name(const FeatureLayout& layout, Index column) {
  assert(column >= 0 && column < layout.d_model());
  if (column < layout.features) return Lexicon::standard().features()[static_cast<std::size_t>(column)].name;
  if (column < layout.slot_at())
    return wording("words:column.identity.brief", {{"number", column - layout.identity_at()}});
  if (column < layout.position_at()) return wording("words:column.slot.brief", {{"number", column - layout.slot_at()}});
  const Index at = column - layout.position_at();
  return (at % 2 == 0 ? "sin " : "cos ") + frequency_name(layout.frequencies[static_cast<std::size_t>(at / 2)]);
}

std::string column_gloss(const FeatureLayout& layout, Index column) {
  assert(column >= 0 && column < layout.d_model());
  if (column < layout.features) return Lexicon::standard().features()[static_cast<std::size_t>(column)].gloss;
  if (column < layout.slot_at()) return wording("words:column.identity", {{"n", layout.identity}});
  if (column < layout.position_at()) return wording("words:column.slot", {{"n", layout.slot}});
  const Index at = column - layout.position_at();
  const std::string frequency = frequency_name(layout.frequencies[static_cast<std::size_t>(at / 2)]);
  return at % 2 == 0 ? wording("words:column.sine", {{"frequency", frequency}})
                     : wording("words:column.cosine", {{"frequency", frequency}});
}

std::string left_out_sentence(const FeatureLayout& layout) {
  if (layout.left_out.empty()) return {};
  std::string names;
  for (const std::string& name : layout.left_out) names += (names.empty() ? "" : ", ") + name;
  return wording("words:left_out", {{"d_model", layout.d_model()}, {"names", names}});
}

Mat<float> feature_embedding(const std::vector<std::string>& tokens, const std::vector<WordFeatures>& words,
                             const FeatureLayout& layout, std::uint64_t seed) {
  assert(tokens.size() == words.size());
  Mat<float> E = Mat<float>::Zero(static_cast<Index>(tokens.size()), layout.d_model());
  for (Index i = 0; i < E.rows(); ++i) {
    const auto token = static_cast<std::size_t>(i);
    for (Index k = 0; k < layout.features; ++k)
      E(i, k) = has_feature(words[token].features, static_cast<int>(k)) ? 1.0f : 0.0f;
    Random random(hash(word_key(tokens[token]), seed));
    std::vector<double> identity(static_cast<std::size_t>(layout.identity));
    double squares = 0;
    for (double& entry : identity) {
      entry = random.normal();
      squares += entry * entry;
    }
    for (Index k = 0; k < layout.identity; ++k)
      E(i, layout.identity_at() + k) = static_cast<float>(identity[static_cast<std::size_t>(k)] / std::sqrt(squares));
  }
  return E;
}

Mat<float> feature_positions(Index n, const FeatureLayout& layout) {
  Mat<float> P = Mat<float>::Zero(n, layout.d_model());
  for (Index c = 0; c < layout.positions; ++c) {
    const double frequency = std::pow(10.0, -0.5 * static_cast<double>(c / 2));
    for (Index i = 0; i < n; ++i) {
      const double angle = frequency * static_cast<double>(i);
      P(i, layout.position_at() + c) = static_cast<float>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
  return P;
}

}  // namespace hydra
