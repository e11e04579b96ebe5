#include "core/document/evaluate.h"

#include "core/analysis/overflow.h"
#include "core/text/embedding.h"

namespace hydra {

namespace {

// What is known of the words, whatever X is made of. (The lexicon never changes, the corrections may.)
void look_up(const Document& document, const Trace* previous, Trace& trace) {
  trace.corrections = document.embedding.words;
  const bool same = previous && previous->tokens == trace.tokens && previous->corrections == trace.corrections;
  trace.words = same ? previous->words : words_of(document, trace.tokens);
}

// What was made before, when it has the stamp; else made anew.
template <class Make>
Array<float> kept_or(const Array<float>* before, Stamp stamp, const Make& make) {
  return before && *before && before->stamp() == stamp ? *before : share(Mat<float>(make()), stamp);
}

// The words' vectors. Hashing many words takes longer than most recomputes.
void embed(const Document& document, const Trace* previous, Trace& trace) {
  const Embedding& e = document.embedding;
  if (e.kind == Embedding::Kind::explicit_values) {
    trace.embedding = e.X;
    return;
  }
  trace.embedding_seed = e.seed;
  if (e.kind == Embedding::Kind::features) trace.layout = feature_layout(document.d_model);
  Key key("embedding");
  key << e.kind << e.seed << document.d_model << trace.tokens.size();
  for (const std::string& token : trace.tokens) key << std::string_view(token);
  if (trace.layout)
    for (const WordFeatures& word : trace.words) key << word.features << static_cast<double>(word.zipf);
  trace.embedding = kept_or(previous ? &previous->embedding : nullptr, key.stamp(), [&] {
    return trace.layout ? feature_embedding(trace.tokens, trace.words, *trace.layout, e.seed)
                        : hashed_embedding(trace.tokens, document.d_model, e.seed);
  });
}

void add_positions(const Document& document, const Trace* previous, Trace& trace) {
  const Embedding& e = document.embedding;
  if (e.kind == Embedding::Kind::explicit_values || e.positions == Embedding::Positions::none) return;
  const Index n = trace.embedding.rows(), d_model = trace.embedding.cols();
  const Key key = Key("positions") << e.kind << n << d_model;
  trace.positions = kept_or(previous ? &previous->positions : nullptr, key.stamp(), [&] {
    return trace.layout ? feature_positions(n, *trace.layout) : sinusoidal_positions(n, d_model);
  });
}

// embedding + positions, with the entries set by hand in their place.
void make_X(const std::vector<CellValue>& edits, const Trace* previous, Trace& trace) {
  trace.X = trace.embedding;
  if (!trace.positions && edits.empty()) return;
  Key key("X");
  key << trace.embedding.stamp() << trace.positions.stamp();
  for (const CellValue& edit : edits) key << edit.row << edit.col << static_cast<double>(edit.value);
  trace.X = kept_or(previous ? &previous->X : nullptr, key.stamp(), [&] {
    Mat<float> X = *trace.embedding;
    if (trace.positions) X += *trace.positions;
    for (const CellValue& edit : edits) X(edit.row, edit.col) = edit.value;
    return X;
  });
}

// The weights as the heads use them. Slices are those of the previous trace where they are the same, so that they are
// there once.
AttentionWeights<float> used_weights(const Layer& layer, Index d_model, const LayerTrace<float>* previous) {
  AttentionWeights<float> used = restricted(layer.weights, d_model / layer.heads, layer.split);
  if (layer.split == Split::projection || !previous) return used;
  for (const Quantity p : {Quantity::W_Q, Quantity::W_K, Quantity::W_V})
    if (const Array<float>& before = *field_of(previous->input.weights, p); before == *field_of(used, p))
      *field_of(used, p) = before;
  return used;
}

double bytes_of(const Document& document, Index tokens, bool keep_all) {
  const Embedding& e = document.embedding;
  const auto n = static_cast<double>(tokens), d = static_cast<double>(document.d_model);
  const bool positions = e.kind != Embedding::Kind::explicit_values && e.positions != Embedding::Positions::none;
  double numbers = (positions ? 3 : e.edits.empty() ? 1 : 2) * n * d;  // embedding, positions, X
  for (const Layer& layer : document.layers) {
    const auto heads = static_cast<double>(layer.heads), kv = static_cast<double>(layer.kv_width(document.d_model));
    const double weights = 2 * d * d + 2 * d * kv;
    const double rows = 4 * n * d + 2 * n * kv;  // Q, O, C, Y; K, V
    const double pairs = heads * n * n, contributions = heads * n * d;
    numbers += weights + rows + (keep_all ? 2 * pairs + contributions : pairs);
  }
  return sizeof(float) * numbers;
}

bool keeps_all(const Document& document, Index tokens) { return bytes_of(document, tokens, true) <= kMostKept; }

// Everything before the layers.
void read_in(const Document& document, const Trace* previous, Trace& trace) {
  static const std::vector<CellValue> no_edits;
  const bool seeded = document.embedding.kind != Embedding::Kind::explicit_values;
  trace.tokens = tokens_of(document);
  look_up(document, previous, trace);
  embed(document, previous, trace);
  add_positions(document, previous, trace);
  make_X(seeded ? document.embedding.edits : no_edits, previous, trace);
}

LayerInput<float> layer_input(const Document& document, const Layer& layer, const Array<float>& X,
                              const LayerTrace<float>* previous) {
  LayerInput<float> input;
  input.X = X;
  input.weights = used_weights(layer, document.d_model, previous);
  input.heads = layer.heads;
  input.mask = layer.mask;
  input.settings = layer.settings;
  input.painted = layer.painted;
  input.split = layer.split;
  input.gates = layer.gates;
  input.kv_heads = layer.kv_heads;
  input.slice_factor = layer.slice_factor.value_or(1);
  input.keep_all = keeps_all(document, X->rows());
  return input;
}

}  // namespace

double trace_bytes(const Document& document, Index tokens) {
  return bytes_of(document, tokens, keeps_all(document, tokens));
}

LayerInput<float> input_of(const Document& document, int layer) {
  Trace trace;
  read_in(document, nullptr, trace);
  Array<float> stream = trace.X;
  for (int k = 0; k < layer; ++k) stream = forward(layer_input(document, document.layer(k), stream, nullptr)).output;
  return layer_input(document, document.layer(layer), stream, nullptr);
}

std::shared_ptr<const Trace> evaluate(const Document& document, const Trace* previous, ThreadPool* pool) {
  auto trace = std::make_shared<Trace>();
  read_in(document, previous, *trace);
  Array<float> stream = trace->X;
  for (std::size_t k = 0; k < document.layers.size(); ++k) {
    const LayerTrace<float>* old = previous && k < previous->layers.size() ? &previous->layers[k] : nullptr;
    trace->layers.push_back(forward(layer_input(document, document.layers[k], stream, old), old, pool));
    stream = trace->layers.back().output;
  }
  find_overflow(*trace, previous);
  return trace;
}

double multiply_adds(Index n, Index d_model, Index heads) {
  const auto N = static_cast<double>(n), D = static_cast<double>(d_model), H = static_cast<double>(heads);
  return 4 * N * D * D + 2 * N * N * D + 10 * H * N * N;
}

}  // namespace hydra
