// What a document and its parts must be: sizes, shapes, finite numbers, and how much of everything there may be.
#include <algorithm>
#include <cmath>

#include "core/document/document.h"
#include "core/document/edits/painting.h"
#include "core/document/limits.h"
#include "core/document/model.h"
#include "core/document/models.h"
#include "core/document/text/marks.h"
#include "core/error.h"
#include "core/files/utf8.h"
#include "core/model/program.h"
#include "core/weights/config.h"

namespace hydra {

void check_matrix(const Array<float>& matrix, Index rows, Index cols, const char* name) {
  if (!matrix || matrix.rows() != rows || matrix.cols() != cols)
    throw InputError(std::string(name) + " must be " + std::to_string(rows) + " x " + std::to_string(cols));
  if (matrix.is_read() && !matrix->array().isFinite().all())
    throw InputError(std::string(name) + " must have finite numbers only");
}

void check_feature_width(Index d_model) {
  if (!has_feature_layout(d_model))
    throw InputError("named features need an even d_model from " + std::to_string(kLeastFeatureModel) + " to " +
                     std::to_string(kMostFeatureModel) + ", not " + std::to_string(d_model));
}

void check_sentence(const std::string& sentence) {
  if (sentence.size() > kMaxSentenceBytes)
    throw InputError("the sentence has " + std::to_string(sentence.size()) + " bytes; at most " +
                     std::to_string(kMaxSentenceBytes) + " are possible");
  if (!is_utf8(sentence)) throw InputError("the sentence must be UTF-8 text");
  if (sentence.find('\0') != std::string::npos)
    throw InputError("the sentence has a NUL character; it must be plain text");
}

void check_tokens(const std::vector<std::string>& tokens) {
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (tokens[k].empty()) throw InputError("token " + std::to_string(k) + " is empty");
    if (!is_plain_text(tokens[k]))
      throw InputError("token " + std::to_string(k) + " must be UTF-8 text without control characters");
  }
  std::size_t bytes = tokens.empty() ? 0 : tokens.size() - 1;  // the spaces between them
  for (const std::string& token : tokens) bytes += token.size();
  if (bytes > kMaxSentenceBytes)
    throw InputError("the tokens have " + std::to_string(bytes) + " bytes with the spaces between them; at most " +
                     std::to_string(kMaxSentenceBytes) + " are possible");
}

void check_pads(const Pads& pads, Index words) {
  check_sizes(words, 1, 1);
  if (pads.count >= 0 && pads.count <= kMaxTokens - words) return;
  throw InputError("there are " + std::to_string(pads.count) + " pads; before " + std::to_string(words) +
                   (words == 1 ? " token" : " tokens") + " there may be 0 to " + std::to_string(kMaxTokens - words));
}

void check_notes(const Notes& notes) {
  std::size_t bytes = notes.title.size() + notes.about.size();
  bool plain = is_plain_text(notes.title) && is_plain_text(notes.about);
  for (const std::string& paragraph : notes.paragraphs) {
    bytes += paragraph.size();
    plain = plain && is_plain_text(paragraph);
  }
  if (!plain) throw InputError("the notes must be UTF-8 text without control characters");
  if (notes.paragraphs.size() > kMaxParagraphs)
    throw InputError("the notes have " + std::to_string(notes.paragraphs.size()) + " paragraphs; at most " +
                     std::to_string(kMaxParagraphs) + " are possible");
  if (bytes > kMaxSentenceBytes)
    throw InputError("the notes have " + std::to_string(bytes) + " bytes; at most " +
                     std::to_string(kMaxSentenceBytes) + " are possible");
}

void check_words(const WordCorrections& words) {
  if (words.size() > kMaxCorrectedWords)
    throw InputError("features are given for " + std::to_string(words.size()) + " words; at most " +
                     std::to_string(kMaxCorrectedWords) + " are possible");
  std::size_t bytes = 0;
  for (const auto& [word, features] : words) bytes += word.size();
  if (bytes > kMaxSentenceBytes)
    throw InputError("the words with features of their own have " + std::to_string(bytes) + " bytes; at most " +
                     std::to_string(kMaxSentenceBytes) + " are possible");
}

void check_designs(const std::vector<std::optional<HeadDesign>>& designs) {
  for (std::size_t h = 0; h < designs.size(); ++h) {
    if (!designs[h]) continue;
    std::size_t terms = 0;
    for (const Ask& ask : designs[h]->asks) terms += ask.query.size() + ask.key.size();
    for (const Write& write : designs[h]->writes) terms += write.reads.size() + write.writes.size();
    if (terms > kMaxDesignTerms)
      throw InputError("the design of head " + std::to_string(h) + " names " + std::to_string(terms) +
                       " features; at most " + std::to_string(kMaxDesignTerms) + " are possible");
    for (const std::size_t entries : {designs[h]->asks.size(), designs[h]->kernels.size(), designs[h]->writes.size()})
      if (entries > kMaxDesignEntries)
        throw InputError("the design of head " + std::to_string(h) + " has more than " +
                         std::to_string(kMaxDesignEntries) + " asks, kernels or writes");
  }
}

void check_designed_count(const Document& document) {
  std::ptrdiff_t heads = 0;
  for_each_model(document, [&](const Model& model) {
    for (const Layer& layer : model.layers)
      heads += std::ranges::count_if(layer.source.designs, [](const auto& design) { return design.has_value(); });
  });
  if (heads > static_cast<std::ptrdiff_t>(kMaxDesignedHeads))
    throw InputError(std::to_string(heads) + " heads are designed; at most " + std::to_string(kMaxDesignedHeads) +
                     " are possible");
}

void check_aside_count(std::size_t models) {
  if (models > kMostAside)
    throw InputError("a document has at most " + std::to_string(kMostAside + 1) +
                     " models; save it under another name and go on with one of them there");
}

std::uint64_t numbers_asked(const Layer& layer, Index tokens, Index d_model) {
  const LayerWidths widths = layer.widths(d_model);
  Index count =
      2 * layer.heads * tokens * tokens + tokens * (widths.concat + 2 * widths.kv + 2 * d_model + widths.hidden);
  for (const Quantity weight : kWeights)
    if (program_of(layer.settings).has(weight)) count += widths.rows(weight) * widths.cols(weight);
  return static_cast<std::uint64_t>(count);
}

std::uint64_t numbers_asked(const ModelWeights<float>& weights) {
  Index count = 0;
  for (const Quantity weight : kModelWeights)
    if (const Array<float>& values = *field_of(weights, weight)) count += values.size();
  return static_cast<std::uint64_t>(count);
}

std::uint64_t numbers_asked(const Document& document) {
  std::uint64_t count = 0;
  const auto tokens = static_cast<Index>(tokens_of(document).size());
  for_each_model(document, [&](const Model& model) {
    count += numbers_asked(model.weights);
    for (const Layer& layer : model.layers) count += numbers_asked(layer, tokens, model.d_model);
  });
  return count;
}

int most_layers(Index d_model) {
  return static_cast<int>(std::min(kMaxLayers, kMaxWideLayers * kMaxModel * kMaxModel / (d_model * d_model)));
}

void check_layer_count(std::size_t layers, Index d_model) {
  const int most = most_layers(d_model);
  if (layers >= 1 && layers <= static_cast<std::size_t>(most)) return;
  const bool wide = layers <= static_cast<std::size_t>(kMaxLayers) && layers > 0;
  throw InputError("a document " + (wide ? "of d_model " + std::to_string(d_model) + " " : std::string()) +
                   "has 1 to " + std::to_string(wide ? most : static_cast<int>(kMaxLayers)) + " layers, not " +
                   std::to_string(layers));
}

void check_pattern_count(const Document& document) {
  const auto n = static_cast<Index>(tokens_of(document).size());
  for (const Layer& layer : document.layers) check_patterns(n, layer.heads);
}

void check_width_count(const Document& document) {
  Index hidden = 0, own = 0;
  for (const Layer& layer : document.layers) hidden += layer.settings.feed_forward_width, own += layer.own_width;
  const Index most = kMaxWideLayers * kMaxModel * kWideParts / document.d_model;
  const auto check = [&](const char* parts, Index count, const char* numbers) {
    if (count > most)
      throw InputError(std::string(parts) + " of all layers have " + std::to_string(count) + " " + numbers +
                       " for each token; at d_model " + std::to_string(document.d_model) + " at most " +
                       std::to_string(most) + " are possible");
  };
  check("the feed-forward parts", hidden, "hidden numbers");
  check("the heads with a d_k of their own", own, "numbers");
}

void check_heads(const Layer& layer, Index d_model) {
  check_heads(layer.heads, layer.concat_width(d_model), d_model);
  if (layer.own_width == 0) return;
  check_head_width(layer.d_k(d_model), layer.heads);
  if (layer.own_width == d_model) throw InputError("heads that make up d_model have no d_k of their own");
  if (layer.split == Split::slice)
    throw InputError(
        "heads that read slices of X are as wide as these; a d_k of their own is for heads that see the "
        "whole embedding");
}

void check_kv_heads(Index kv_heads, Index heads) {
  if (kv_heads < 1 || kv_heads > heads || heads % kv_heads != 0)
    throw InputError(std::to_string(heads) + " heads cannot share " + std::to_string(kv_heads) +
                     " sets of keys and values; it must be a divisor of the number of heads");
}

void check_kv_of(const std::vector<Index>& kv_of, Index heads) {
  if (static_cast<Index>(kv_of.size()) != heads)
    throw InputError("there must be a set of keys and values for each of the " + std::to_string(heads) +
                     " heads, not for " + std::to_string(kv_of.size()));
  Index before = 0;
  for (std::size_t h = 0; h < kv_of.size(); ++h) {
    const Index most = h == 0 ? 0 : before + 1;
    if (kv_of[h] < before || kv_of[h] > most)
      throw InputError("head " + std::to_string(h) + " cannot read set " + std::to_string(kv_of[h]) +
                       (h == 0 ? "; the first one reads set 0"
                               : " after one that reads set " + std::to_string(before) +
                                     "; sets are counted as they come, and heads that share one stand side by side"));
    before = kv_of[h];
  }
}

std::optional<Index> size_of_groups(const std::vector<Index>& kv_of, Index heads) {
  check_kv_of(kv_of, heads);
  const Index sets = kv_of.back() + 1;
  if (heads % sets != 0 || !(KeyGroups{heads, heads / sets} == KeyGroups{heads, 1, kv_of})) return std::nullopt;
  return heads / sets;
}

void check_kv_heads(const Layer& layer) {
  if (!layer.kv_of.empty()) {
    check_kv_of(layer.kv_of, layer.heads);
    if (layer.group_size != 1) throw InputError("groups of heads are of one size, or given; one of the two is needed");
  }
  if (layer.group_size < 1 || layer.heads % layer.group_size != 0)
    throw InputError(std::to_string(layer.heads) + " heads cannot share keys and values in groups of " +
                     std::to_string(layer.group_size) + "; it must be a divisor of the number of heads");
  if (!layer.key_groups().shares()) return;
  if (layer.split == Split::slice)
    throw InputError(
        "heads that read only their slices of X cannot share keys and values; let each head see the whole "
        "embedding first");
  if (!layer.source.designs.empty())
    throw InputError("designed heads have keys and values of their own; they cannot share them");
}

void check_has(const Layer& layer, Quantity parameter) {
  if (!program_of(layer.settings).has(parameter))
    throw InputError(std::string(entry_of(parameter).key) + " belongs to a part that the layer does not have");
}

void check_weights(const AttentionWeights<float>& weights, const Layer& layer, Index d_model) {
  const LayerWidths widths = layer.widths(d_model);
  const LayerProgram& program = program_of(layer.settings);
  for (const Quantity p : kWeights) {
    const Array<float>& values = *field_of(weights, p);
    if (values) check_has(layer, p);
    if (values || (program.has(p) && !may_be_absent(p)))
      check_matrix(values, widths.rows(p), widths.cols(p), entry_of(p).key);
  }
}

void check_gain(float gain) {
  if (!(gain >= kMinGain && gain <= kMaxGain)) throw InputError("a gain must be a number from 0.001 to 10000");
}

void check_gates(const std::vector<float>& gates, Index heads) {
  if (!gates.empty() && static_cast<Index>(gates.size()) != heads)
    throw InputError("there must be a gate for each of the " + std::to_string(heads) + " heads, not " +
                     std::to_string(gates.size()));
  for (const float gate : gates)
    if (!(gate >= 0 && gate <= kMaxGate)) throw InputError("a gate must be a number from 0 to 2");
}

void check_own(const Layer& layer) { check_rules(layer.own, layer.heads, layer.mask.kind, layer.settings); }

namespace {

void check_embedding(const Embedding& embedding, Index n, Index d_model) {
  check_words(embedding.words);
  if (embedding.kind == Embedding::Kind::explicit_values) {
    check_matrix(embedding.X, n, d_model, "X");
    if (!embedding.edits.empty()) throw InputError("an explicit X has no edits; its numbers are changed in place");
  }
  if (embedding.kind == Embedding::Kind::features) check_feature_width(d_model);
  const CellValue* last = nullptr;
  for (const CellValue& cell : embedding.edits) {
    if (cell.row < 0 || cell.row >= n || cell.col < 0 || cell.col >= d_model || !std::isfinite(cell.value))
      throw InputError("an edit of X must be a finite number within " + std::to_string(n) + " x " +
                       std::to_string(d_model));
    if (last && (cell.row < last->row || (cell.row == last->row && cell.col <= last->col)))
      throw InputError("the edits of X must be sorted by row, then column");
    last = &cell;
  }
}

void check_source(const WeightSource& source, const Layer& layer, Index d_model) {
  const bool marked = source.kind == WeightSource::Kind::drawn || source.kind == WeightSource::Kind::trained;
  if (marked == source.fingerprints.empty())
    throw InputError("fingerprints of heads are of weights that are drawn or trained, which need them");
  if (source.fingerprints.size() > static_cast<std::size_t>(kMaxHeads))
    throw InputError("there are fingerprints of " + std::to_string(source.fingerprints.size()) + " heads; at most " +
                     std::to_string(kMaxHeads) + " are possible");
  if (source.designs.empty()) return;
  check_designs(source.designs);
  check_feature_width(d_model);
  check_heads(static_cast<Index>(source.designs.size()), layer.concat_width(d_model), d_model);
}

void check_layer(const Layer& layer, Index n, Index d_model, Index pads) {
  check_heads(layer, d_model);
  check_kv_heads(layer);
  check_settings(layer.settings, layer.shape(d_model));
  check_own(layer);
  check_gates(layer.gates, layer.heads);
  check_gain(layer.source.gain);
  if (layer.slice_factor) check_gain(*layer.slice_factor);
  if (layer.slice_factor && layer.split != Split::slice)
    throw InputError("a factor of slices is for heads that see them");
  if (layer.mask.kind == Mask::Kind::custom) {
    if (!layer.mask.allowed || layer.mask.allowed->rows() != n || layer.mask.allowed->cols() != n)
      throw InputError("the mask must be " + std::to_string(n) + " x " + std::to_string(n));
  }
  check_patterns(n, layer.heads);
  check_painting(layer, n, d_model, pads);
  check_weights(layer.weights, layer, d_model);
  check_source(layer.source, layer, d_model);
}

// Of the model in use.
void check_parts(const Document& document, Index n) {
  const bool own = !document.file;  // of a file fewer numbers are held than there are
  check_sizes(n, document.d_model, 1, own ? kMaxModel : kMaxFileModel);
  check_layer_count(document.layers.size(), own ? document.d_model : 1);
  check_embedding(document.embedding, n, document.d_model);
  check_model(document);
  for (const Layer& layer : document.layers) check_layer(layer, n, document.d_model, document.pads.count);
  if (own) check_width_count(document);
}

}  // namespace

void check_document(const Document& document) {
  check_notes(document.notes);
  check_sentence(document.sentence);
  if (document.tokens) check_tokens(*document.tokens);
  check_pads(document.pads, static_cast<Index>(tokens_without_pads(document).size()));
  check_marks(document.marks);
  const auto n = static_cast<Index>(tokens_of(document).size());
  check_aside_count(document.aside.size());
  check_parts(document, n);
  for (const Model& model : document.aside) check_parts(with_model(document, model), n);
  check_painted_count(document);
  check_designed_count(document);
}

}  // namespace hydra
