#include "core/document/fingerprints.h"

#include <bit>

namespace hydra {

std::vector<Array<float>> parts_of_head(const AttentionWeights<float>& w, const KeyGroups& groups, Index head) {
  const Index d_k = w.W_Q.cols() / groups.heads, first = head * d_k, kv_first = groups.set_of(head) * d_k;
  const auto columns = [](const Array<float>& whole, Index at, Index count) {
    return whole ? whole.columns(at, count) : Array<float>();
  };
  const auto rows = [](const Array<float>& whole, Index at, Index count) {
    return whole ? whole.row_block(at, count) : Array<float>();
  };
  std::vector<Array<float>> parts{columns(w.W_Q, first, d_k),
                                  columns(w.W_K, kv_first, d_k),
                                  columns(w.W_V, kv_first, d_k),
                                  rows(w.W_O, first, d_k),
                                  columns(w.b_Q, first, d_k),
                                  columns(w.b_K, kv_first, d_k),
                                  columns(w.b_V, kv_first, d_k),
                                  w.b_O,
                                  columns(w.gain_Q, first, d_k),
                                  columns(w.gain_K, kv_first, d_k),
                                  columns(w.sink, head, 1),
                                  columns(w.W_G, first, d_k),
                                  columns(w.w_G, head, 1),
                                  rows(w.P_L, head, 1),
                                  rows(w.P_W, head, 1),
                                  w.lambda_q1,
                                  w.lambda_k1,
                                  w.lambda_q2,
                                  w.lambda_k2,
                                  columns(w.gain_O, first, d_k)};
  if (w.offset_bias) parts.push_back(w.offset_bias.row_block(head, 1));  // so that older files' prints stay
  return parts;
}

namespace {

// FNV-1a by numbers instead of bytes: every step is a bijection of what came before.
std::uint64_t fingerprint(const std::vector<Array<float>>& parts) {
  std::uint64_t print = 0xCBF29CE484222325u;
  const auto add = [&](std::uint64_t value) { print = (print ^ value) * 0x100000001B3u; };
  for (const Array<float>& part : parts) {
    add(part ? static_cast<std::uint64_t>(part.rows()) : 0);
    for (Index i = 0; part && i < part.rows(); ++i)
      for (Index j = 0; j < part.cols(); ++j) add(std::bit_cast<std::uint32_t>((*part)(i, j)));
  }
  return print;
}

}  // namespace

std::vector<std::uint64_t> fingerprints_of(const AttentionWeights<float>& weights, const KeyGroups& groups) {
  std::vector<std::uint64_t> prints;
  for (Index h = 0; h < groups.heads; ++h) prints.push_back(fingerprint(parts_of_head(weights, groups, h)));
  return prints;
}

std::vector<std::uint64_t> fingerprints_of(const Layer& layer) {
  return fingerprints_of(layer.weights, layer.key_groups());
}

void mark(Layer& layer, WeightSource::Kind kind) {
  layer.source.kind = kind;
  layer.source.designs.clear();
  layer.source.fingerprints = fingerprints_of(layer);
}

}  // namespace hydra
