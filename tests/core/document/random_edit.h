// Random edits for the laws that hold for every document: small sizes, every kind of edit, some that are refused.
#pragma once
#include <cmath>
#include <limits>

#include "core/document/edits/edit.h"
#include "core/document/fingerprints.h"
#include "core/document/model.h"
#include "core/linalg/random.h"
#include "core/model/program.h"

namespace hydra {

inline Index below(Random& random, Index count) {
  return static_cast<Index>(random.bits() % static_cast<std::uint64_t>(count));
}

inline float random_number(Random& random) {
  switch (below(random, 8)) {
    case 0:
      return 0;
    case 1:
      return -0.0f;
    case 2:
      return static_cast<float>(below(random, 20) - 10);
    case 3:
      return std::numeric_limits<float>::denorm_min() * static_cast<float>(below(random, 1000));
    default:
      return static_cast<float>(random.uniform(-2, 2));
  }
}

inline Array<float> random_block(Random& random, Index rows, Index cols) {
  Mat<float> values(rows, cols);
  for (Index k = 0; k < values.size(); ++k) values.data()[k] = random_number(random);
  return share(std::move(values));
}

inline std::string random_sentence(Random& random) {
  static const char* const words[] = {"the", "cat", "didn't", "see", "\"quotes\"", "back\\slash",
                                      "été", "猫",  "it",     "3.5", "...",        "tab\tbed"};
  std::string sentence = words[below(random, 12)];
  for (Index k = below(random, 6); k > 0; --k) sentence += std::string(" ") + words[below(random, 12)];
  return sentence;
}

inline Mask mask_to_set(Random& random, Index n) {
  if (below(random, 3) == 0) return {};
  if (below(random, 2) == 0) return {Mask::Kind::causal, nullptr};
  Mat<std::uint8_t> allowed(n, n);
  for (Index k = 0; k < allowed.size(); ++k) allowed.data()[k] = static_cast<std::uint8_t>(below(random, 2));
  return {Mask::Kind::custom, share(std::move(allowed))};
}

// Any setting, at a value that it may have, or nearly.
inline Edit random_setting(Random& random) {
  const auto all = layer_settings();
  const LayerSettingRow& row = all[static_cast<std::size_t>(below(random, static_cast<Index>(all.size())))];
  const auto of = [&](Index count) { return static_cast<double>(below(random, count)); };
  const double value = is_switch(row)   ? (below(random, 3) == 0 ? 0 : 1)
                       : is_choice(row) ? of(static_cast<Index>(row.names.size()))
                       : is_whole(row)  ? of(20)
                                        : static_cast<double>(static_cast<float>(random.uniform(0.001, 2)));
  return SetSetting{row.setting, value};
}

// A block within the quantity: a cell mostly, sometimes a row, sometimes the whole matrix. Of what the layer does not
// have, a cell, which is refused.
inline Edit random_block_edit(Random& random, const Document& document) {
  const Index which = below(random, std::ssize(kWeights) + 1 + std::ssize(kModelWeights));
  const Quantity quantity = which == std::ssize(kWeights)  ? Quantity::X
                            : which < std::ssize(kWeights) ? kWeights[which]
                                                           : kModelWeights[which - std::ssize(kWeights) - 1];
  const Layer& layer = document.layers.front();
  const bool of_model = is_of_model(quantity);
  const NodeList& program =
      of_model ? static_cast<const NodeList&>(model_program_of(document)) : program_of(layer.settings);
  if (is_parameter(quantity) && !program.has(quantity)) return set_cell(quantity, 0, 0, 1);
  const LayerWidths widths = layer.widths(document.d_model);
  const ModelWidths model_widths = widths_of(document);
  const Index cols = of_model ? model_widths.cols(quantity) : widths.cols(quantity);
  const Index rows = quantity == Quantity::X ? static_cast<Index>(tokens_of(document).size())
                     : of_model              ? model_widths.rows(quantity)
                                             : widths.rows(quantity);
  const Index row = below(random, rows), col = below(random, cols);
  switch (below(random, 8)) {
    case 0:
      return SetBlock{quantity, row, 0, random_block(random, 1, cols)};
    case 1:
      return SetBlock{quantity, 0, 0, random_block(random, rows, cols)};
    case 2:
      return SetBlock{quantity, row, col,
                      random_block(random, 1 + below(random, rows - row), 1 + below(random, cols - col))};
    default:
      return set_cell(quantity, row, col, random_number(random));
  }
}

// A row set by hand, or let go again; some break the mask.
inline Edit random_painting(Random& random, const Document& document) {
  const Index n = static_cast<Index>(tokens_of(document).size()), heads = document.layers.front().heads;
  const Index head = below(random, heads), row = below(random, n);
  switch (below(random, 4)) {
    case 0:
      return PaintValue{
          head, row,
          share(RowVec<float>(random_block(random, 1, document.layers.front().d_k(document.d_model))->row(0)))};
    case 1:
      return Unpaint{head, below(random, 2) == 0 ? std::optional(row) : std::nullopt,
                     static_cast<Unpaint::Part>(below(random, 3))};
    case 2:
      return PaintAttention{head, row, share(uniform_row(document.layers.front().seen_by(head), row, n))};
    default:
      return PaintAttention{head, row, share(RowVec<float>(random_block(random, 1, n)->row(0).cwiseAbs()))};
  }
}

// Of a head, sometimes of one that is not there; some windows and masks do not go with the layer.
inline Edit random_rule(Random& random, const Document& document) {
  HeadRule rule;
  rule.head = below(random, document.layers.front().heads + 1);
  if (below(random, 2) == 0) rule.mask = static_cast<Mask::Kind>(below(random, below(random, 8) == 0 ? 3 : 2));
  if (below(random, 2) == 0) rule.window = below(random, 6);
  if (below(random, 2) == 0) rule.temperature = random.uniform(0.005, 3);
  return SetHeadRule{rule};
}

// A preset, sometimes with a field changed, or the head from the seed again; refused at widths without named columns.
inline Edit random_design(Random& random, const Document& document) {
  const Index head = below(random, document.layers.front().heads);
  if (below(random, 4) == 0) return DesignHead{head, std::nullopt};
  const std::vector<PresetEntry>& all = presets();
  HeadDesign design =
      preset_design(all[static_cast<std::size_t>(below(random, static_cast<Index>(all.size())))].preset);
  if (below(random, 3) == 0) design.sharpness = static_cast<float>(random.uniform(0, 50));
  if (below(random, 4) == 0) design.asks.push_back({{{"verb", 1}}, {{"noun", -0.5f}}, random_number(random)});
  return DesignHead{head, design};
}

// Of words in and words out: settings, tables, vocabularies, which lose words and get others.
inline Edit random_model_edit(Random& random, const Document& document) {
  const auto init = static_cast<Init>(below(random, 3));
  switch (below(random, 7)) {
    case 0: {
      const auto all = model_settings();
      const ModelSettingRow& row = all[static_cast<std::size_t>(below(random, static_cast<Index>(all.size())))];
      const double value = is_switch(row)   ? static_cast<double>(below(random, 2))
                           : is_choice(row) ? static_cast<double>(below(random, static_cast<Index>(row.names.size())))
                                            : static_cast<double>(static_cast<float>(random.uniform(-0.01, 0.5)));
      return SetModelSetting{row.setting, value};
    }
    case 1:
      return SetModelSetting{ModelSetting::readout, static_cast<double>(below(random, 3))};
    case 2:
      return SetEmbedding{Embedding::Kind::learned, below(random, 2) == 0 ? random.bits() : 1, init};
    case 3:
      return SetPositions{Embedding::Positions::learned};
    case 4:
      return SetReadoutSource{init, below(random, 2) == 0 ? random.bits() : 7};
    case 5: {
      std::vector<std::string> names;
      for (const char* name : {"who", "what", "where", "when"})
        if (below(random, 2) == 0) names.insert(names.begin() + below(random, std::ssize(names) + 1), name);
      return SetQuestions{names};
    }
    default: {
      const auto of = below(random, 2) == 0 ? SetVocabulary::Of::words : SetVocabulary::Of::readout;
      std::vector<std::string> list = distinct(tokens_of(document));
      std::erase_if(list, [&](const std::string&) { return below(random, 4) == 0; });
      if (below(random, 4) != 0) list.insert(list.begin() + below(random, std::ssize(list) + 1), "<other>");
      return SetVocabulary{of, list};
    }
  }
}

inline Edit random_edit(Random& random, const Document& document) {
  static constexpr Index widths[] = {1, 4, 6, 8, 12, 32, 32, 32};
  switch (below(random, 37)) {
    case 0:
      return SetSentence{random_sentence(random)};
    case 1:
      if (const std::vector<std::string> known = document.embedding.vocabulary.words(); known.size() > 1)
        return SetSentence{known[0] + "+" + known[1] + " " + random_sentence(random) + " " + known[1] + "+?"};
      return SetSentence{document.sentence + " " + random_sentence(random)};
    case 2:
      return SetModelWidth{widths[below(random, 8)]};
    case 3:
      if (below(random, 2) == 0) return SetHeadSizes{1 + below(random, 8), 1 + below(random, 9)};
      return SetHeads{1 + below(random, 8)};
    case 4:
      return SetMask{mask_to_set(random, static_cast<Index>(tokens_of(document).size()))};
    case 5:
    case 29:
      return random_setting(random);
    case 6:
      return SetSetting{LayerSetting::temperature, static_cast<float>(random.uniform(0.005, 3))};
    case 34:
    case 35: {
      static constexpr const char* names[] = {"owner", "coreference", "élève"};
      const auto n = static_cast<Index>(tokens_of(document).size());
      const char* const name = names[below(random, 3)];
      if (below(random, 5) == 0) return DropRelation{name};
      return MarkPair{name, static_cast<int>(below(random, n)), static_cast<int>(below(random, n + 1)),
                      below(random, 3) != 0};
    }
    case 7:
      return SetPositions{below(random, 2) == 0 ? Embedding::Positions::none : Embedding::Positions::sinusoidal};
    case 8:
      return SetEmbedding{Embedding::Kind::hashed, below(random, 2) == 0 ? random.bits() : 1};
    case 9:
      return SetWeightSource{static_cast<Init>(below(random, 3)), below(random, 2) == 0 ? random.bits() : 7,
                             static_cast<SetWeightSource::Gain>(below(random, 3))};
    case 14:
    case 15:
      return SetEmbedding{Embedding::Kind::features, below(random, 2) == 0 ? random.bits() : 1};
    case 16: {
      const auto set = below(random, 3) == 0 ? std::nullopt : std::optional<FeatureSet>(below(random, 1 << 20));
      return SetWordFeatures{below(random, 2) == 0 ? "the" : "été", set};
    }
    case 17:
    case 18:
    case 19:
      return random_design(random, document);
    case 20:
    case 21: {
      const auto which = below(random, 2) == 0 ? SetForm::Which::query_key : SetForm::Which::value_output;
      return SetForm{which, below(random, document.layers.front().heads), below(random, document.d_model),
                     below(random, document.d_model), random_number(random)};
    }
    case 22:
    case 23:
      return SwitchModel{kModelKinds[below(random, std::ssize(kModelKinds))]};
    case 24:
      return SetGate{below(random, document.layers.front().heads), std::abs(random_number(random))};
    case 25: {
      std::vector<float> gates(static_cast<std::size_t>(document.layers.front().heads));
      for (float& gate : gates) gate = static_cast<float>(below(random, 5)) * 0.5f;
      return SetGates{below(random, 4) == 0 ? std::vector<float>{} : gates};
    }
    case 36:
      return random_rule(random, document);
    case 26: {
      AttentionWeights<float> weights = document.layers.front().weights;
      weights.W_O = random_block(random, weights.W_Q->cols(), document.d_model);
      if (below(random, 2) == 0) weights.W_K = random_block(random, document.d_model, weights.W_K->cols());
      return SetWeights{weights, "tool", ""};
    }
    case 30:
    case 31:
      return random_model_edit(random, document);
    case 27:
    case 28:
      if (below(random, 2) == 0) {
        std::vector<Index> kv_of{0};
        while (std::ssize(kv_of) < document.layers.front().heads) kv_of.push_back(kv_of.back() + below(random, 2));
        return SetKvOf{std::move(kv_of)};
      }
      return SetKvHeads{1 + below(random, document.layers.front().heads)};
    case 10:
      return SetSplit{below(random, 3) == 0 ? Split::slice : Split::projection, below(random, 2) == 0};
    case 11:
    case 12:
    case 13:
      return random_painting(random, document);
    default:
      return random_block_edit(random, document);
  }
}

// Of any layer of a stack, or one more layer, or one fewer; four at most, so that scripts stay quick.
inline Edit random_stack_edit(Random& random, const Document& document) {
  const auto layers = static_cast<Index>(document.layers.size());
  const auto at = static_cast<int>(below(random, layers));
  const Index kind = below(random, 24);
  if (kind == 0 && layers < 4) return {AddLayer{}, at};
  if (kind == 1) return {RemoveLayer{}, at};
  Document one = document;
  one.layers = {document.layer(at)};
  Edit edit = random_edit(random, one);
  edit.layer = at;
  return edit;
}

// What no edit makes: explicit embeddings and weights, drawn and trained ones, a token list.
inline Document with_explicit_parts(Random& random, Document document) {
  const auto n = static_cast<Index>(tokens_of(document).size());
  if (below(random, 2) == 0) {
    document.embedding.kind = Embedding::Kind::explicit_values;
    document.embedding.edits.clear();
    document.embedding.X = random_block(random, n, document.d_model);
    fit_model(document);
  }
  constexpr WeightSource::Kind said[] = {WeightSource::Kind::drawn, WeightSource::Kind::trained};
  const Index kind = below(random, 4);
  if (kind == 0) document.layers[0].source.kind = WeightSource::Kind::explicit_values;
  if (kind == 1) mark(document.layers[0], said[below(random, 2)]);
  if (below(random, 2) == 0) document.tokens = std::vector<std::string>(static_cast<std::size_t>(n), "\"<pad>\"");
  return document;
}

}  // namespace hydra
