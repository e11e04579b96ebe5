// Small documents with everything that changes the arithmetic: masks, biases, temperature, hand-made entries, extremes.
#pragma once
#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/document/edits/edit.h"
#include "core/document/edits/painting.h"
#include "core/document/model.h"
#include "core/explain/quantity.h"
#include "core/linalg/random.h"

namespace hydra::test {

inline constexpr std::uint64_t kRandomDocuments = 400;  // that a law is tried on

inline Index pick(Random& random, const std::vector<Index>& choices) {
  return choices[static_cast<std::size_t>(random.bits() % choices.size())];
}

inline Array<float> random_bias(Random& random, Index d) {
  RowVec<float> b(d);
  for (Index k = 0; k < d; ++k) b(k) = static_cast<float>(random.uniform(-2, 2));
  return share(std::move(b));
}

inline Mask mask_with_blind_query(Random& random, Index n) {
  Mat<std::uint8_t> allowed(n, n);
  for (Index k = 0; k < allowed.size(); ++k) allowed.data()[k] = random.bits() % 3 != 0;
  if (n > 1) allowed.row(static_cast<Index>(random.bits() % static_cast<std::uint64_t>(n))).setZero();
  return {Mask::Kind::custom, share(std::move(allowed))};
}

// Some rows of some heads by hand. Rows from which the mask hides every key cannot be.
inline std::vector<PaintedHead<float>> random_painting(Random& random, const Layer& layer, Index n, Index d_k) {
  std::vector<PaintedHead<float>> heads(static_cast<std::size_t>(layer.heads));
  for (PaintedHead<float>& head : heads) {
    for (Index row = 0; row < n; ++row) {
      const RowVec<float> uniform = uniform_row(layer.seen(), row, n);
      if (random.bits() % 3 == 0 && !uniform.isZero(0)) head.attention.push_back({row, share(RowVec<float>(uniform))});
      if (random.bits() % 3 == 0) head.values.push_back({row, random_bias(random, d_k)});
    }
  }
  if (std::ranges::all_of(heads, &PaintedHead<float>::empty)) heads.clear();  // as documents have it
  return heads;
}

// Some heads have something of their own; of a random of its own, so that what else is drawn stays.
inline void random_rules(Random random, Layer& layer) {
  const auto coin = [&] { return random.bits() % 2 == 0; };
  for (Index h = 0; h < layer.heads; ++h) {
    if (coin()) continue;
    HeadRule rule{h, {}, {}, {}};
    Mask::Kind kind = layer.mask.kind;
    if (layer.settings.talking_heads == TalkingHeads::none) {
      if (coin()) rule.mask = kind = layer.settings.alibi || coin() ? Mask::Kind::causal : Mask::Kind::none;
      if (kind == Mask::Kind::causal && coin()) rule.window = 1 + static_cast<Index>(random.bits() % 4);
    }
    if (rule.says_nothing() || coin())
      rule.temperature = static_cast<double>(static_cast<float>(random.uniform(0.2, 4)));
    layer.own.push_back(rule);
  }
  drop_forbidden_painting(layer);
}

// What a block has around its heads, with some of its gains, shifts and biases moved.
inline void random_block(Random& random, Layer& layer, Index d_model) {
  LayerSettings& s = layer.settings;
  const auto coin = [&] { return random.bits() % 2 == 0; };
  if (Random other(random); other.bits() >> 20 & 1 && other.bits() % 2 == 0)  // by a copy as well
    s.offset_bias = true, s.offset_reach = 1 + static_cast<Index>(other.bits() % 3);
  if (Random other(random); (other.bits() >> 30) % 4 == 0)
    s.dropout = 0.25, s.dropout_seed = 1 + static_cast<Index>(other.bits() % 9);
  s.residual = coin();
  s.norm = coin();
  if (s.norm) {
    s.norm_kind = coin() ? NormKind::layer : NormKind::rms;
    s.norm_place = coin() ? NormPlace::before : NormPlace::after;
    s.norm_epsilon = static_cast<double>(static_cast<float>(random.uniform(1e-4, 0.1)));
    if (Random other(random); other.bits() % 5 < 2)  // by a copy, which leaves what is drawn after it
      s.norm_place = other.bits() % 2 == 0 ? NormPlace::both : NormPlace::output;
  }
  if (random.bits() % 3 == 0) s.soft_cap = static_cast<double>(static_cast<float>(random.uniform(0.5, 40)));
  s.sink = static_cast<SinkKind>(random.bits() % 3);
  s.output_gate = static_cast<OutputGate>(random.bits() % 3);
  s.talking_heads = static_cast<TalkingHeads>(random.bits() % 4);
  s.alibi = coin() && layer.mask.kind == Mask::Kind::causal;
  if (s.alibi && Random(random).bits() % 2 == 0)  // of a copy, which leaves what is drawn after it
    s.alibi_slopes = AlibiSlopes::interleaved;
  s.qk_norm = random.bits() % 3 == 0;
  if (s.qk_norm && Random(random).bits() % 2 == 0) s.qk_norm_over = NormOver::all_heads;
  const Index d_k = layer.shape(d_model).d_k;
  s.differential = d_k % 2 == 0 && random.bits() % 3 == 0;
  if (s.differential) {
    s.talking_heads = TalkingHeads::none;
    s.lambda_0 = static_cast<double>(static_cast<float>(random.uniform(0, 1)));
  }
  s.rotary = random.bits() % 3 == 0;
  if (s.rotary) {
    s.rotary_base = static_cast<double>(static_cast<float>(random.uniform(2, 100)));
    s.rotary_width = 2 * static_cast<Index>(random.bits() % static_cast<std::uint64_t>(d_k / query_parts(s) / 2 + 1));
    s.rotary_pairs = coin() ? RotaryPairs::halves : RotaryPairs::neighbours;
    Random other(random);
    s.rotary_scaling = static_cast<RotaryScaling>(other.bits() % 4);
    if (s.rotary_scaling != RotaryScaling::none)
      s.rotary_factor = static_cast<double>(static_cast<float>(other.uniform(1, 9)));
    if (s.rotary_scaling == RotaryScaling::llama3 || s.rotary_scaling == RotaryScaling::yarn) {
      s.rotary_length = pick(other, {16, 50, 2048});
      s.rotary_slow_turns = static_cast<double>(static_cast<float>(other.uniform(0.02, 1)));
      s.rotary_fast_turns = static_cast<double>(static_cast<float>(other.uniform(1.5, 40)));
    }
    if (s.rotary_scaling == RotaryScaling::yarn && other.bits() % 2 == 0)
      s.rotary_magnitude = static_cast<double>(static_cast<float>(other.uniform(0.5, 2)));
  }
  s.feed_forward = coin();
  if (s.feed_forward) {
    s.feed_forward_width = pick(random, {1, 3, 8});
    s.activation = static_cast<Activation>(random.bits() % 5);
    s.gated = coin();
    s.parallel = coin() && !(s.norm && s.norm_place == NormPlace::after);
    s.norm_shared = s.parallel && norms_before(s) && coin();
  }
  fit_parameters(layer, d_model);
  for (const Quantity p : program_of(s).parameters)
    if (!is_plain(p) && is_bias(p) && coin())
      *field_of(layer.weights, p) = random_bias(random, layer.widths(d_model).cols(p));
}

// What stands before and after the layers besides: of a copy of random, which leaves what is drawn after it.
inline void random_ends(Random random, Document& document) {
  const auto coin = [&] { return random.bits() % 2 == 0; };
  ModelSettings& s = document.settings;
  if (document.embedding.kind == Embedding::Kind::learned && coin()) {
    s.types = 1 + static_cast<Index>(random.bits() % 3);
    if (document.tokens) (*document.tokens)[document.tokens->size() / 2] = "[SEP]";
  }
  if (document.embedding.kind != Embedding::Kind::explicit_values && coin()) {
    s.embedding_norm = true;
    s.embedding_norm_kind = coin() ? NormKind::layer : NormKind::rms;
    s.embedding_norm_epsilon = static_cast<double>(static_cast<float>(random.uniform(1e-4, 0.1)));
  }
  s.transform = coin();
  if (s.transform) s.transform_activation = static_cast<Activation>(random.bits() % 4);
  if (s.readout != ReadoutKind::none && coin())
    s.logit_cap = static_cast<double>(static_cast<float>(random.uniform(0.5, 20)));
}

// Words in and words out: tables, a final norm, a readout; some words are in no vocabulary.
inline void random_model(Random& random, Document& document) {
  const auto coin = [&] { return random.bits() % 2 == 0; };
  const std::vector<std::string> all = distinct(tokens_of(document));
  const auto words = [&] {
    std::vector<std::string> list{"other"};
    for (const std::string& word : all)
      if (random.bits() % 4 != 0) list.push_back(word);
    return list;
  };
  if (coin()) {
    document.embedding.kind = Embedding::Kind::learned;
    document.embedding.vocabulary = Vocabulary(words());
    if (coin()) document.embedding.positions = Embedding::Positions::learned;
    if (document.tokens && coin())  // some tokens are made of several words, not all of them known
      for (std::string& token : *document.tokens)
        if (coin()) token = coin() ? "other+" + token : token + "+other+" + token;
  }
  ModelSettings& s = document.settings;
  s.final_norm = coin();
  if (s.final_norm) {
    s.final_norm_kind = coin() ? NormKind::layer : NormKind::rms;
    s.final_norm_epsilon = static_cast<double>(static_cast<float>(random.uniform(1e-4, 0.1)));
  }
  s.readout = static_cast<ReadoutKind>(random.bits() % 3);
  if (s.readout == ReadoutKind::tied && document.embedding.kind != Embedding::Kind::learned)
    s.readout = ReadoutKind::own;
  random_ends(random, document);
  if (s.readout == ReadoutKind::own) {
    document.readout.vocabulary = Vocabulary(words());
    document.readout.seed = random.bits();
    if (coin())
      document.readout.questions =
          Vocabulary(coin() ? std::vector<std::string>{"who", "what", "where"} : std::vector<std::string>{"who"});
  }
  fit_model(document);
  for (const Quantity p : model_program_of(document).parameters)
    if (is_bias(p) && coin()) *field_of(document.weights, p) = random_bias(random, widths_of(document).cols(p));
}

inline Document unpadded_document(std::uint64_t seed) {
  Random random(seed);
  const Index n = pick(random, {1, 2, 5, 9}), heads = pick(random, {1, 2, 3, 12}), d_k = pick(random, {1, 2, 5});
  Document document = default_document();
  document.d_model = heads * d_k;
  document.tokens.emplace();
  for (Index i = 0; i < n; ++i) document.tokens->push_back("t" + std::to_string(i));
  document.embedding.seed = seed;
  if (random.bits() % 2) document.embedding.positions = Embedding::Positions::none;
  if (random.bits() % 2) document.embedding.edits.push_back({n - 1, document.d_model - 1, 3.5f});

  Layer& layer = document.layers.front();
  layer.heads = heads;
  if (random.bits() % 3 == 0) layer.split = Split::slice;
  if (layer.split == Split::projection && heads > 1 && random.bits() % 2) layer.group_size = heads == 12 ? 4 : heads;
  if (layer.group_size == 4 && seed % 2 == 0) {  // the same heads in groups of other sizes
    layer.group_size = 1;
    layer.kv_of = {0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2};
  }
  if (layer.split == Split::projection && seed % 5 < 2) {
    const Index wide = document.d_model <= 10 ? document.d_model : 1;  // heads of up to 4 d_model numbers
    layer.own_width = heads * pick(random, {1, 3, 4, 2 * wide, 4 * wide});
  }
  if (layer.own_width == document.d_model) layer.own_width = 0;
  const LayerWidths widths = layer.widths(document.d_model);
  layer.weights = initial_weights(widths, Init::xavier, seed);
  if (random.bits() % 3 == 0) layer.weights.W_Q = share(Mat<float>(*layer.weights.W_Q * 2000));  // scores to +-1e4
  for (const Quantity b : {Quantity::b_Q, Quantity::b_O, Quantity::b_K, Quantity::b_V})
    if (random.bits() % 2) *field_of(layer.weights, b) = random_bias(random, widths.cols(b));
  const Index kind = pick(random, {0, 1, 2});
  if (kind == 1) layer.mask.kind = Mask::Kind::causal;
  if (kind == 2) layer.mask = mask_with_blind_query(random, n);
  layer.settings.scale = random.bits() % 2 == 0;
  if (random.bits() % 2) layer.settings.temperature = static_cast<float>(random.uniform(0.2, 4));
  if (kind == 1 && seed % 3 == 0) layer.settings.window = 1 + static_cast<Index>(seed % 4);
  if (random.bits() % 2) layer.painted = random_painting(random, layer, n, layer.d_k(document.d_model));
  for (Index h = 0; seed % 3 == 1 && h < heads; ++h) layer.gates.push_back(static_cast<float>((h + 1) % 4) * 0.5f);
  if (seed % 4 != 0) random_block(random, layer, document.d_model);
  if (seed % 7 < 2) random_rules(Random(seed + 70), layer);
  if (seed % 5 != 0) random_model(random, document);
  return document;
}

// Of every sixth seed behind pads.
inline Document padded(const Document& document, std::uint64_t seed) {
  if (seed % 6 != 5) return document;
  return hydra::apply(document, SetPads{{1 + static_cast<Index>(seed / 6 % 3), seed / 6 % 4 == 1}});
}

inline Document random_document(std::uint64_t seed) { return padded(unpadded_document(seed), seed); }

// Up to three layers, each as of a random document of its own but for the sizes.
inline Document random_stack(std::uint64_t seed) {
  Document document = unpadded_document(seed);
  document.embedding.edits.clear();
  Random random(seed + 1000);
  for (Index more = pick(random, {1, 2}); more > 0; --more) {
    Layer layer = document.layers.front();
    const Index n = static_cast<Index>(document.tokens->size());
    layer.heads = document.d_model % 2 == 0 && random.bits() % 2 ? 2 : 1;
    const bool own = layer.split == Split::projection && document.d_model != 6 && random.bits() % 3 == 0;
    layer.own_width = own ? 6 : 0;
    layer.group_size = 1;
    layer.kv_of.clear();
    layer.gates.clear();
    layer.weights = initial_weights(layer.widths(document.d_model), Init::xavier, random.bits());
    layer.mask = {};
    if (random.bits() % 2) layer.mask.kind = Mask::Kind::causal;
    layer.settings = {};
    layer.own.clear();
    if (random.bits() % 3 != 0) random_block(random, layer, document.d_model);
    layer.painted.clear();
    if (random.bits() % 2) layer.painted = random_painting(random, layer, n, layer.d_k(document.d_model));
    if (seed % 3 == 0) random_rules(Random(seed + 70), layer);
    document.layers.push_back(std::move(layer));
  }
  return padded(document, seed);
}

// Of one layer and, of every other seed, of several.
inline Document some_document(std::uint64_t seed) {
  return seed % 2 == 0 ? random_document(seed / 2) : random_stack(seed / 2);
}

// Every matrix that can be shown, of all layers, of all heads and of none.
template <class Visit>
void for_each_matrix(const Trace& trace, Visit visit) {
  for (int layer = 0; layer < static_cast<int>(trace.layers.size()); ++layer)
    for (int q = 0; q < kQuantities; ++q)
      for (int head = kNoHead; head < static_cast<int>(trace.layer(layer).heads.size()); ++head)
        if (const Site ref{static_cast<Quantity>(q), layer, head}; exists(trace, ref)) visit(ref);
}

}  // namespace hydra::test
