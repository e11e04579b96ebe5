#include "core/document/document.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/attention/readout.h"
#include "core/document/fields.h"
#include "core/document/model_file.h"
#include "core/document/slices.h"
#include "core/error.h"
#include "core/model/program.h"
#include "core/ops/lookup.h"
#include "core/text/embedding.h"
#include "core/text/token_types.h"
#include "core/text/tokenizer.h"
#include "core/tokenizers/tokenizer.h"

namespace hydra {

namespace {

constexpr std::string_view kSpaceMark = "▁";
// As published tokenizers spell a pad, and what is put there where they have none.
constexpr const char* kPads[] = {"[PAD]", "<pad>", "<PAD>", "<|pad|>", "<|endoftext|>", "<|end_of_text|>", "</s>"};

}  // namespace

Layer::Layer() = default;
Layer::Layer(const Layer&) = default;
Layer::Layer(Layer&&) noexcept = default;
Layer& Layer::operator=(const Layer&) = default;
Layer& Layer::operator=(Layer&&) noexcept = default;
Layer::~Layer() = default;

bool Layer::all_causal() const {
  for (Index h = 0; h < heads; ++h) {
    const HeadRule* rule = rule_of(own, h);
    if ((rule ? rule->mask.value_or(mask.kind) : mask.kind) != Mask::Kind::causal) return false;
  }
  return true;
}

Model::Model() = default;
Model::Model(const Model&) = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(const Model&) = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

Document::Document() = default;
Document::Document(const Document&) = default;
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(const Document&) = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Document default_document() {
  Document document;
  document.sentence = "The animal didn't cross the street because it was too tired.";
  Layer layer;
  layer.weights = weights_of(layer.source, layer, document.d_model);
  document.layers.push_back(std::move(layer));
  return document;
}

std::string pad_token(const Document& document) {
  const Vocabulary& words = document.embedding.vocabulary;
  const auto* known = std::ranges::find_if(kPads, [&](const char* word) { return words.knows(word); });
  return known == std::end(kPads) ? kPads[0] : *known;
}

std::vector<std::string> tokens_of(const Document& document) {
  std::vector<std::string> tokens = tokens_without_pads(document);
  if (document.pads.count > 0)
    tokens.insert(tokens.begin(), static_cast<std::size_t>(document.pads.count), pad_token(document));
  return tokens;
}

std::vector<std::string> tokens_without_pads(const Document& document) {
  if (document.tokens) return *document.tokens;
  const Tokenizer* const tokenizer = tokenizer_of(document);
  if (!tokenizer) return tokenize(document.sentence);
  const Vocabulary& words = document.embedding.vocabulary;
  std::vector<std::string> tokens;
  for (const TextPiece& piece : tokenizer->encode(document.sentence)) {
    if (piece.id >= words.size())
      throw InputError("the tokenizer gives the id " + std::to_string(piece.id) + ", and the model has " +
                       std::to_string(words.size()) + " words");
    tokens.push_back(words.word(piece.id));
  }
  return tokens;
}

bool same_document(const Document& a, const Document& b) { return same(a, b); }

Stamp stamp_of(const Document& document) {
  Key key("document");
  add(key, document);
  return key.stamp();
}

HeadWeights designed_head(const HeadDesign& design, ModelColumns columns, Index d_k) {
  return build_head(design, feature_layout(columns), d_k, 1 / std::sqrt(static_cast<float>(d_k)));
}

namespace {

// What a parameter that not every layer has begins as. Designed heads listen to none but themselves, and are
// given no bias by offset, until someone lets them: numbers that are drawn would scramble what they do.
Array<float> begun(Quantity parameter, const LayerWidths& widths, const WeightSource& source) {
  const bool scrambles = parameter == Quantity::P_L || parameter == Quantity::P_W || parameter == Quantity::offset_bias;
  const Init init = scrambles && !source.designs.empty() ? Init::identity : source.init;
  return initial_parameter(parameter, widths, init, source.seed);
}

}  // namespace

AttentionWeights<float> weights_of(const WeightSource& source, const Layer& layer, ModelColumns columns) {
  return weights_of(source, columns, layer.widths(columns.d_model), layer.settings);
}

AttentionWeights<float> weights_of(const WeightSource& source, ModelColumns columns, const LayerWidths& widths,
                                   const LayerSettings& settings) {
  AttentionWeights<float> weights = initial_weights(widths, source.init, source.seed);
  for (const Quantity p : program_of(settings).parameters)
    if (!is_plain(p)) *field_of(weights, p) = begun(p, widths, source);
  if (source.gain != 1)
    for (Array<float>* W : {&weights.W_Q, &weights.W_K}) *W = share_columns(Mat<float>(source.gain * **W));
  if (source.designs.empty()) return weights;
  assert(widths.kv == widths.concat);
  const Index d_k = widths.concat / static_cast<Index>(source.designs.size());
  Mat<float> W_Q = *weights.W_Q, W_K = *weights.W_K, W_V = *weights.W_V, W_O = *weights.W_O;
  Index first = 0;
  for (const std::optional<HeadDesign>& design : source.designs) {
    if (design) {
      const HeadWeights head = designed_head(*design, columns, d_k);
      W_Q.middleCols(first, d_k) = head.W_Q;
      W_K.middleCols(first, d_k) = head.W_K;
      W_V.middleCols(first, d_k) = head.W_V;
      W_O.middleRows(first, d_k) = head.W_O;
    }
    first += d_k;
  }
  weights.W_Q = share_columns(std::move(W_Q));
  weights.W_K = share_columns(std::move(W_K));
  weights.W_V = share_columns(std::move(W_V));
  weights.W_O = share_rows(std::move(W_O));
  return weights;
}

bool is_untrained(const Layer& layer) {
  return takes_gain(layer.source) && same(layer.weights, weights_of(layer.source, layer, layer.weights.W_Q.rows()));
}

void fit_parameters(Layer& layer, Index d_model) {
  const LayerWidths widths = layer.widths(d_model);
  const LayerProgram& program = program_of(layer.settings);
  for (const Quantity p : kWeights) {
    if (is_plain(p)) continue;
    Array<float>& values = *field_of(layer.weights, p);
    const bool fits = values && values.rows() == widths.rows(p) && values.cols() == widths.cols(p);
    if (!program.has(p))
      values = nullptr;
    else if (!fits)
      values = begun(p, widths, layer.source);
  }
}

Mat<float> seeded_rows(const Document& document, Index first, Index count) {
  const Embedding& e = document.embedding;
  assert(e.kind != Embedding::Kind::explicit_values);
  const std::vector<std::string> all = tokens_of(document);
  const std::vector<std::string> tokens(all.begin() + first, all.begin() + first + count);
  const bool features = e.kind == Embedding::Kind::features;
  Mat<float> rows;
  std::optional<FeatureLayout> layout;
  if (features) {
    layout = feature_layout(document.columns());
    rows = feature_embedding(tokens, words_of(document, tokens), *layout, e.seed);
  } else {
    rows = hashed_embedding(tokens, document.d_model, e.seed);
  }
  if (e.kind == Embedding::Kind::learned)
    lookup::forward<float>(document.weights.E, e.vocabulary.find_all(tokens), rows);
  const Index pads = std::clamp<Index>(document.pads.without_place() - first, 0, count), words = count - pads;
  const Index place = first + pads - document.pads.without_place();  // of the first of the rows that has one
  if (e.positions == Embedding::Positions::learned) {                // those past the rows of P have none
    const Index placed = std::clamp<Index>(document.weights.P.rows() - place, 0, words);
    rows.middleRows(pads, placed) += document.weights.P->middleRows(placed == 0 ? 0 : place, placed);
  }
  if (e.positions == Embedding::Positions::sinusoidal && words > 0)
    rows.bottomRows(words) +=
        (features ? feature_positions(place + words, *layout) : sinusoidal_positions(place + words, document.d_model))
            .bottomRows(words);
  if (document.settings.types > 0) {
    const IndexLists types = token_types(all, document.settings.types);
    for (Index i = 0; i < count; ++i) rows.row(i) += document.weights.T->row(types.of(first + i).front());
  }
  return document.settings.embedding_norm ? normed_words<float>(rows, document.settings, document.weights) : rows;
}

std::vector<WordFeatures> words_of(const Document& document, const std::vector<std::string>& tokens) {
  std::vector<WordFeatures> words;
  words.reserve(tokens.size());
  const bool pieces = tokenizer_of(document) != nullptr;  // which begin with a mark for the space before them
  for (const std::string& token : tokens) {
    const bool marked = pieces && token.starts_with(kSpaceMark) && token.size() > kSpaceMark.size();
    words.push_back(
        Lexicon::standard().look_up(marked ? token.substr(kSpaceMark.size()) : token, document.embedding.words));
  }
  return words;
}

}  // namespace hydra
