#include "core/document/weights_in_use.h"

#include <algorithm>

#include "core/document/fingerprints.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

// Of a head that is not designed.
const std::string& word_of(const WeightSource& source) {
  switch (source.kind) {
    case WeightSource::Kind::explicit_values:
      return wording("document:weights.given");
    case WeightSource::Kind::drawn:
      return wording("document:weights.untrained");
    case WeightSource::Kind::trained:
      return wording("document:weights.trained");
    case WeightSource::Kind::random:
      break;
  }
  return wording(source.init == Init::identity ? "document:weights.identity"
                 : source.init == Init::zero   ? "document:weights.zero"
                                               : "document:weights.untrained");
}

bool same(const Array<float>& a, const Array<float>& b) {
  return static_cast<bool>(a) == static_cast<bool>(b) && (!a || a == b || *a == *b);
}

bool is_edited(const Layer& layer, const AttentionWeights<float>& from, Index head) {
  return !std::ranges::equal(parts_of_head(layer.weights, layer.key_groups(), head),
                             parts_of_head(from, layer.key_groups(), head), same);
}

}  // namespace

bool is_compared(const Layer& layer) { return !layer.source.by_number() || !layer.source.designs.empty(); }

AttentionWeights<float> weights_of_source(const Layer& layer, ModelColumns columns) {
  return is_compared(layer) ? weights_of(layer.source, layer, columns) : AttentionWeights<float>();
}

std::vector<std::string> weights_in_use(const Layer& layer, const AttentionWeights<float>& from) {
  const WeightSource& source = layer.source;
  const auto of_others = [&](const auto& by_head) {
    return !by_head.empty() && static_cast<Index>(by_head.size()) != layer.heads;
  };
  const bool anew = of_others(source.designs), marked_anew = of_others(source.fingerprints);
  std::vector<std::uint64_t> prints;
  if (!source.fingerprints.empty() && !marked_anew) prints = fingerprints_of(layer);
  std::vector<std::string> words;
  for (Index h = 0; h < layer.heads; ++h) {
    const auto at = static_cast<std::size_t>(h);
    const bool designed = anew || (at < source.designs.size() && source.designs[at]);
    const bool by_number = source.by_number() && !designed;
    std::string& word = words.emplace_back(designed ? wording("document:weights.designed") : word_of(source));
    if (anew || (by_number && marked_anew)) word += ", " + wording("document:weights.cut_anew");
    if (by_number ? !prints.empty() && prints[at] != source.fingerprints[at] : is_edited(layer, from, h))
      word += ", " + wording("document:weights.edited");
  }
  return words;
}

}  // namespace hydra
