#include "core/document/edits/edit.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "core/design/bilinear.h"
#include "core/document/edits/blocks.h"
#include "core/document/edits/cutting.h"
#include "core/document/edits/padding.h"
#include "core/document/edits/painting.h"
#include "core/document/limits.h"
#include "core/document/model.h"
#include "core/document/model_file.h"
#include "core/document/slices.h"
#include "core/document/stack.h"
#include "core/document/text/marks.h"
#include "core/error.h"
#include "core/linalg/same_bits.h"
#include "core/model/one_of.h"
#include "core/text/embedding.h"
#include "core/text/tokenizer.h"
#include "core/weights/config.h"

namespace hydra {

template class OneOf<EditKinds>;

namespace {

int place_of(const Document& document, const Layer& layer) { return static_cast<int>(&layer - document.layers.data()); }

// --- SetSentence -----------------------------------------------------------------------------------------------------

bool stays(const std::vector<std::string>& before, const std::vector<std::string>& after, Index row) {
  const auto i = static_cast<std::size_t>(row);
  return i < before.size() && i < after.size() && before[i] == after[i];
}

Array<float> rows_for(const Embedding& embedding, const std::vector<std::string>& before,
                      const std::vector<std::string>& after) {
  if (before == after) return embedding.X;
  const Index d_model = embedding.X->cols();
  Mat<float> X = hashed_embedding(after, d_model, embedding.seed);
  for (Index i = 0; i < X.rows(); ++i)
    if (stays(before, after, i)) X.row(i) = embedding.X->row(i);
  return share(std::move(X));
}

// Where nothing else is known of its words.
std::vector<std::string> cut_by(const Document& document, const std::string& sentence) {
  Document other = document;
  other.sentence = sentence;
  other.tokens.reset();
  return tokens_without_pads(other);
}

// What the tokenizer would cut stays one token where the document knows it as one.
std::vector<std::string> tokens_after(const Document& document, const std::vector<std::string>& before,
                                      const std::string& sentence) {
  std::unordered_set<std::string_view> listed;
  if (document.tokens) listed.insert(before.begin(), before.end());
  const bool has_table = document.embedding.kind == Embedding::Kind::learned;
  return tokenize(sentence, [&](std::string_view word) {
    return listed.contains(word) || (has_table && document.embedding.vocabulary.knows(word));
  });
}

// What of the model in use is of the tokens before; pads are the same before and after.
void fit_text(Document& document, const std::vector<std::string>& before, const std::vector<std::string>& after) {
  Embedding& embedding = document.embedding;
  if (embedding.kind == Embedding::Kind::explicit_values) embedding.X = rows_for(embedding, before, after);
  std::erase_if(embedding.edits, [&](const CellValue& cell) { return !stays(before, after, cell.row); });
  for (Layer& layer : document.layers) {
    layer.mask = resized(layer.mask, static_cast<Index>(after.size()));
    keep_painting_of(layer, before, after);
  }
  fit_model(document);
  draw_places(document);
}

void change(Document& document, const SetSentence& edit) {
  check_sentence(edit.sentence);
  const std::vector<std::string> before = tokens_of(document), words_before = tokens_without_pads(document);
  if (edit.tokens) check_tokens(*edit.tokens);
  const std::vector<std::string> cut = cut_by(document, edit.sentence);
  const std::vector<std::string> words = edit.tokens              ? *edit.tokens
                                         : tokenizer_of(document) ? cut
                                                                  : tokens_after(document, words_before, edit.sentence);
  check_sizes(static_cast<Index>(words.size()), document.d_model, 1);
  check_pads(document.pads, static_cast<Index>(words.size()));
  for (const Layer& layer : document.layers)
    check_patterns(static_cast<Index>(words.size()) + document.pads.count, layer.heads);
  if (Notes& notes = document.notes; !notes.empty() && !document.file) {  // those of a file speak of no sentence
    if (notes.about.empty()) notes.about = document.sentence;
    if (notes.about == edit.sentence) notes.about.clear();
  }
  document.sentence = edit.sentence;
  document.tokens = words == cut ? std::nullopt : std::optional(words);
  const std::vector<std::string> after = tokens_of(document);
  fit_text(document, before, after);
  for (Model& model : document.aside) {
    Document with = with_model(document, model);
    fit_text(with, before, after);
    model = std::move(static_cast<Model&>(with));
  }
}

void change(Document& document, const MarkPair& edit) {
  mark_pair(document, edit.relation, edit.query, edit.key, edit.on);
}
void change(Document& document, const DropRelation& edit) { drop_relation(document, edit.relation); }

// --- the model -------------------------------------------------------------------------------------------------------

void change(Document& document, const SetModelWidth& edit) {
  if (edit.d_model == document.d_model) return;
  check_sizes(1, edit.d_model, 1);
  check_layer_count(document.layers.size(), edit.d_model);
  const Embedding& e = document.embedding;
  if (e.kind == Embedding::Kind::features) check_feature_width(edit.d_model);
  const Index d_model_before = std::exchange(document.d_model, edit.d_model);
  document.weights = {};
  make_embedding(document, e.kind == Embedding::Kind::explicit_values ? Embedding::Kind::hashed : e.kind, e.seed,
                 e.init);
  for (Layer& layer : document.layers) renew_for_width(layer, document.columns(), d_model_before);
  check_width_count(document);
  renew_slice_factor(document);
}

void change(Document& document, Layer& layer, const SetHeads& edit) {
  cut_into_heads(layer, document.d_model, edit.heads);
  renew_slice_factor(document);
}

void change(Document& document, Layer& layer, const SetHeadSizes& edit) {
  size_heads(layer, document.columns(), edit.heads, edit.d_k);
  check_width_count(document);
  check_designed_count(document);
  renew_slice_factor(document);
}

void change(Document& document, Layer& layer, const SetKvHeads& edit) {
  share_keys(layer, document.d_model, edit.kv_heads, edit.keep_norm);
}

void change(Document& document, Layer& layer, const SetKvOf& edit) { share_keys(layer, document.d_model, edit.kv_of); }

void change(Document& document, Layer& layer, const SetMask& edit) {
  Mask mask = edit.mask;
  if (mask.kind != Mask::Kind::custom) {
    mask.allowed = nullptr;
  } else {
    const auto n = static_cast<Index>(tokens_of(document).size());
    if (!mask.allowed || mask.allowed->rows() != n || mask.allowed->cols() != n)
      throw InputError("the mask must have a row and a column for each of the " + std::to_string(n) + " tokens");
    if (mask.allowed->maxCoeff() > 1)
      mask.allowed = share(Mat<std::uint8_t>((mask.allowed->array() != 0).cast<std::uint8_t>()));
  }
  mask.first = 0;  // pads are the text's
  layer.mask = std::move(mask);
  fit_settings(layer.settings, layer.shape(document.d_model));
  fit_rules(layer.own, layer.heads, layer.mask.kind);
  drop_forbidden_painting(layer);
}

void change(Document& document, Layer& layer, const SetSetting& edit) {
  const auto value = static_cast<float>(edit.value);  // as files have it
  const LayerSettingRow& row = entry_of(edit.setting);
  LayerSettings settings = layer.settings;
  set_value(settings, row, static_cast<double>(value));
  if ((is_switch(row) && value == 0) || is_choice(row)) drop_dependents(settings);
  if (settings.differential && !layer.settings.differential) {  // as the paper begins a layer of this depth
    settings.lambda_0 = static_cast<double>(static_cast<float>(paper_lambda_0(place_of(document, layer))));
    fit_rotary(settings, layer.shape(document.d_model).d_k);
  }
  if (settings.rotary_scaling != layer.settings.rotary_scaling)  // as Llama 3 and YaRN have it
    settings.rotary_fast_turns = settings.rotary_scaling == RotaryScaling::yarn ? 32 : 4;
  settle(settings, document.d_model);
  check_settings(settings, layer.shape(document.d_model));
  check_rules(layer.own, layer.heads, layer.mask.kind, settings);
  layer.settings = settings;
  if (edit.setting == LayerSetting::window) drop_forbidden_painting(layer);
  check_width_count(document);
  fit_parameters(layer, document.d_model);
}

void change(Document& document, const SetModelSetting& edit) { set_model_setting(document, edit.setting, edit.value); }

void change(Document& document, const SetPositions& edit) { set_positions(document, edit.positions); }

void change(Document& document, const SetEmbedding& edit) {
  assert(edit.kind != Embedding::Kind::explicit_values);
  if (edit.kind == Embedding::Kind::features) check_feature_width(document.d_model);
  make_embedding(document, edit.kind, edit.seed, edit.init);
  renew_slice_factor(document);
}

void change(Document& document, const SetVocabulary& edit) {
  check_vocabulary(edit.list);
  if (edit.of == SetVocabulary::Of::words)
    set_words(document, Vocabulary(edit.list).with(document.embedding.vocabulary.letter_case()));
  else
    set_next_words(document, Vocabulary(edit.list));
}

void change(Document& document, const SetCase& edit) { set_case(document, edit.letter_case); }

void change(Document& document, const AddPlaces&) {
  check_has(document, Quantity::P);
  lengthen_places(document, static_cast<Index>(tokens_of(document).size()));
}

void change(Document& document, const SetQuestions& edit) {
  check_questions(edit.names);
  set_questions(document, edit.names.empty() ? Vocabulary() : Vocabulary(edit.names));
}

void change(Document& document, const SetReadoutSource& edit) {
  check_has(document, Quantity::W_U);
  document.readout.init = edit.init;
  document.readout.seed = edit.seed;
  document.weights.W_U = initial_parameter(document, Quantity::W_U);
}

void change(Document& document, const SetWordFeatures& edit) {
  const std::string word = word_key(edit.word);
  for_each_model(document, [&](Model& model) {
    WordCorrections& words = model.embedding.words;
    if (!edit.features)
      words.erase(word);
    else
      words[word] = *edit.features;
    check_words(words);
  });
}

float gain_of(const Document& document, const Layer& layer, const SetWeightSource& edit) {
  using Gain = SetWeightSource::Gain;
  if (edit.init != Init::xavier || edit.gain == Gain::none) return 1;
  return edit.gain == Gain::kept && takes_gain(layer.source)
             ? layer.source.gain
             : untrained_gain(document, place_of(document, layer));  // other seeds spread as much
}

void change(Document& document, Layer& layer, const SetWeightSource& edit) {
  const float gain = gain_of(document, layer, edit);
  layer.source = WeightSource();
  layer.source.init = edit.init, layer.source.seed = edit.seed, layer.source.gain = gain;
  layer.weights = weights_of(layer.source, layer, document.columns());
  renew_slice_factor(document);
}

// --- designed heads --------------------------------------------------------------------------------------------------

void check_head(const Layer& layer, Index head) {
  const Index heads = layer.heads;
  if (head < 0 || head >= heads)
    throw InputError("there is no head " + std::to_string(head + 1) + "; the layer has " + std::to_string(heads));
}

void check_whole(const Layer& layer) {
  if (layer.split == Split::slice)
    throw InputError("this needs heads that read the whole embedding; let each head see the whole embedding first");
}

void check_own_keys(const Layer& layer) {
  if (layer.key_groups().shares())
    throw InputError("this needs heads with keys and values of their own; give every head its own first");
}

// The head's blocks of what the seed gives.
HeadWeights seeded_head(const Layer& layer, ModelColumns columns, Index first, Index d_k) {
  WeightSource seeded = layer.source;
  seeded.designs.clear();
  const AttentionWeights<float> w = weights_of(seeded, layer, columns);
  return {w.W_Q->middleCols(first, d_k),
          w.W_K->middleCols(first, d_k),
          w.W_V->middleCols(first, d_k),
          w.W_O->middleRows(first, d_k),
          {}};
}

void change(Document& document, Layer& layer, const DesignHead& edit) {
  check_head(layer, edit.head);
  check_feature_width(document.d_model);
  check_whole(layer);
  check_own_keys(layer);
  std::vector<std::optional<HeadDesign>>& designs = layer.source.designs;
  if (static_cast<Index>(designs.size()) != layer.heads) designs.assign(static_cast<std::size_t>(layer.heads), {});
  designs[static_cast<std::size_t>(edit.head)] = edit.design;
  check_designs(designs);
  check_designed_count(document);
  const Index d_k = layer.d_k(document.d_model), first = edit.head * d_k;
  const HeadWeights head = edit.design ? designed_head(*edit.design, document.columns(), d_k)
                                       : seeded_head(layer, document.columns(), first, d_k);
  layer.weights.W_Q = with_block(layer.weights.W_Q, 0, first, head.W_Q);
  layer.weights.W_K = with_block(layer.weights.W_K, 0, first, head.W_K);
  layer.weights.W_V = with_block(layer.weights.W_V, 0, first, head.W_V);
  layer.weights.W_O = with_block(layer.weights.W_O, first, 0, head.W_O);
  const auto designed = [](const auto& design) { return design.has_value(); };
  if (std::none_of(designs.begin(), designs.end(), designed)) designs.clear();
}

void change(Document& document, Layer& layer, const SetForm& edit) {
  check_head(layer, edit.head);
  check_whole(layer);
  const Index d_model = document.d_model;
  if (edit.row < 0 || edit.row >= d_model || edit.col < 0 || edit.col >= d_model || !std::isfinite(edit.value))
    throw InputError("an entry of a bilinear form must be a finite number within " + std::to_string(d_model) + " x " +
                     std::to_string(d_model));
  AttentionWeights<float>& w = layer.weights;
  const Index d_k = layer.d_k(d_model), first = edit.head * d_k, kv_first = layer.key_groups().set_of(edit.head) * d_k;
  const bool asks = edit.which == SetForm::Which::query_key;
  const Factors old = asks ? Factors{w.W_Q->middleCols(first, d_k), w.W_K->middleCols(kv_first, d_k)}
                           : Factors{w.W_V->middleCols(kv_first, d_k), w.W_O->middleRows(first, d_k).transpose()};
  const Factors changed = with_entry(old, edit.row, edit.col, edit.value);
  Array<float>& left = asks ? w.W_Q : w.W_V;
  left = with_block(left, 0, asks ? first : kv_first, changed.left);
  if (asks)
    w.W_K = with_block(w.W_K, 0, kv_first, changed.right);
  else
    w.W_O = with_block(w.W_O, first, 0, Mat<float>(changed.right.transpose()));
}

void change(Document& document, const SwitchModel& edit) { switch_model(document, edit.to); }

void change(Document& document, Layer& layer, const SetSplit& edit) {
  if (edit.split == Split::slice) check_own_keys(layer);
  layer.split = edit.split;
  check_heads(layer, document.d_model);
  layer.slice_factor.reset();
  if (edit.split == Split::slice && edit.keep_spread)
    layer.slice_factor = slice_factor(document, place_of(document, layer));
}

// --- gates and weights as a whole ------------------------------------------------------------------------------------

void change(Document&, Layer& layer, const SetGates& edit) {
  check_gates(edit.gates, layer.heads);
  const auto open = [](float gate) { return gate == 1; };
  layer.gates = std::all_of(edit.gates.begin(), edit.gates.end(), open) ? std::vector<float>{} : edit.gates;
}

void change(Document& document, Layer& layer, const SetGate& edit) {
  check_head(layer, edit.head);
  std::vector<float> gates = layer.gates;
  if (gates.empty()) gates.assign(static_cast<std::size_t>(layer.heads), 1);
  gates[static_cast<std::size_t>(edit.head)] = edit.gate;
  change(document, layer, SetGates{std::move(gates)});
}

void change(Document&, Layer& layer, const SetHeadRule& edit) {
  HeadRule rule = edit.rule;
  if (rule.temperature)
    rule.temperature = static_cast<double>(static_cast<float>(*rule.temperature));  // as files have it
  check_head(layer, rule.head);
  if (!rule.says_nothing()) check_rule(rule, layer.heads, layer.mask.kind, layer.settings);
  layer.own = with_rule(std::move(layer.own), rule);
  drop_forbidden_painting(layer);
}

void change(Document& document, Layer& layer, const SetWeights& edit) {
  AttentionWeights<float> weights = edit.weights;
  weights.kv_of.clear();  // the layer has it
  check_weights(weights, layer, document.d_model);
  // What is the same to the last bit stays the same matrix.
  bool reading_changed = false;
  for (const Quantity p : kWeights) {
    if (!is_weight(p)) continue;
    Array<float>& W = *field_of(weights, p);
    const Array<float>& old = *field_of(layer.weights, p);
    if (same_bits(W, old))
      W = old;
    else
      reading_changed |= is_projection_weight(p);
  }
  if (reading_changed) check_whole(layer);
  layer.weights = std::move(weights);
}

void change(Document& document, const SetParameters& edit) {
  if (edit.layers.size() != document.layers.size())
    throw InputError("the weights are of " + std::to_string(edit.layers.size()) + " layers; the document has " +
                     std::to_string(document.layers.size()));
  document.weights = edit.weights;
  for (int k = 0; k < static_cast<int>(document.layers.size()); ++k) {
    Layer& layer = document.layer(k);
    const SetParameters::OfLayer& of = edit.layers[static_cast<std::size_t>(k)];
    check_whole(layer);
    layer.source = of.source;
    layer.weights = of.weights;
    change(document, layer, SetGates{of.gates});
  }
  check_document(document);
}

void change(Document& document, Layer& layer, const AddLayer&) { add_layer(document, place_of(document, layer)); }
void change(Document& document, Layer& layer, const RemoveLayer&) { remove_layer(document, place_of(document, layer)); }

void change(Document& document, const ReplaceDocument& edit) {
  check_document(edit.document);
  document = edit.document;
}

}  // namespace

SetBlock set_cell(Quantity quantity, Index row, Index col, float value) {
  return {quantity, row, col, share(Mat<float>(Mat<float>::Constant(1, 1, value)))};
}

Document apply(const Document& document, const Edit& edit) {
  Document changed = document;
  const auto of_layer = [&](const auto& e) {
    const int layer = edit.layer == Edit::kOnlyLayer && document.layers.size() == 1 ? 0 : edit.layer;
    if (layer < 0 || layer >= static_cast<int>(document.layers.size()))
      throw InputError("there is no layer " + std::to_string(layer + 1) + "; the document has " +
                       std::to_string(document.layers.size()));
    change(changed, changed.layer(layer), e);
  };
  const auto make = [&](const auto& e) {
    if constexpr (std::same_as<std::decay_t<decltype(e)>, SetBlock>)
      is_of_model(e.quantity) ? change_model(changed, e) : of_layer(e);
    else if constexpr (requires { change(changed, e); })
      change(changed, e);
    else
      of_layer(e);
  };
  std::visit(make, edit.what);
  if (is_one_of<SetModelWidth, SetHeads, SetHeadSizes, SwitchModel>(edit.what)) check_pattern_count(changed);
  return changed;
}

}  // namespace hydra
