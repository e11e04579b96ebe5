// Edits in words, for the history and the status line.
#include <algorithm>
#include <cstdio>

#include "core/document/edit.h"
#include "core/files/utf8.h"

namespace hydra {

namespace {

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string brief(const std::string& text) { return shortened(text, 40); }

std::string text_of(Init init) {
  return init == Init::xavier ? "Xavier" : init == Init::identity ? "identity" : "zero";
}

std::string label(const SetSentence& edit) { return "sentence \"" + brief(edit.sentence) + "\""; }
std::string label(const SetModelWidth& edit) { return "d_model " + std::to_string(edit.d_model); }
std::string label(const SetHeads& edit) { return "heads " + std::to_string(edit.heads); }
std::string label(const SetHeadSizes& edit) {
  return "heads " + std::to_string(edit.heads) + " of " + std::to_string(edit.d_k);
}
std::string label(const SetMask& edit) {
  const auto kind = edit.mask.kind;
  if (!edit.how.empty()) return edit.how;
  return kind == Mask::Kind::none ? "no mask" : kind == Mask::Kind::causal ? "causal mask" : "custom mask";
}
std::string label(const SetSetting& edit) { return in_words(entry_of(edit.setting), edit.value); }
std::string label(const SetModelSetting& edit) { return in_words(entry_of(edit.setting), edit.value); }
std::string label(const SetPositions& edit) {
  using Positions = Embedding::Positions;
  return edit.positions == Positions::none      ? "no positions"
         : edit.positions == Positions::learned ? "learned positions"
                                                : "sinusoidal positions";
}
std::string label(const SetEmbedding& edit) {
  const bool learned = edit.kind == Embedding::Kind::learned;
  if (learned && edit.init != Init::xavier) return text_of(edit.init) + " table of words";
  return (edit.kind == Embedding::Kind::features ? "named features, seed "
          : learned                              ? "learned words, seed "
                                                 : "embedding seed ") +
         std::to_string(edit.seed);
}
std::string label(const SetVocabulary& edit) {
  return (edit.of == SetVocabulary::Of::words ? "vocabulary of " : "readout over ") + std::to_string(edit.list.size()) +
         (edit.list.size() == 1 ? " word" : " words");
}
std::string label(const SetCase& edit) {
  return edit.letter_case == Vocabulary::Case::folded ? "words in either case" : "words as they are spelled";
}
std::string label(const AddPlaces&) { return "positions for all tokens"; }
std::string label(const SetQuestions& edit) {
  std::string names;
  for (const std::string& name : edit.names) names += (names.empty() ? " " : ", ") + name;
  return edit.names.size() > 1 ? "questions" + brief(names) : "one question" + brief(names);
}
std::string label(const SetReadoutSource& edit) {
  return edit.init == Init::xavier ? "readout weights, seed " + std::to_string(edit.seed)
                                   : text_of(edit.init) + " readout weights";
}
std::string label(const SetWordFeatures& edit) { return "features of \"" + brief(edit.word) + "\""; }
std::string label(const SetWeightSource& edit) {
  if (edit.init != Init::xavier) return text_of(edit.init) + " weights";
  const std::string seed = "Xavier weights, seed " + std::to_string(edit.seed);
  return seed + (edit.gain == SetWeightSource::Gain::none ? ", plain" : "");
}
std::string label(const SetBlock& edit) {
  const MatView<float> values = *edit.values;
  const std::string place = at_cell(edit.quantity, edit.row, edit.col);
  if (values.size() == 1) return place + " = " + short_number(values(0, 0));
  return std::to_string(values.rows()) + " x " + std::to_string(values.cols()) + " numbers at " + place;
}
std::string label(const DesignHead& edit) {
  const std::string head = "head " + std::to_string(edit.head + 1);
  return edit.design ? head + ": " + describe(*edit.design) : head + " from the seed";
}
std::string label(const SetForm& edit) {
  const std::string form = edit.which == SetForm::Which::query_key ? "query-key form" : "value-output form";
  return form + " of head " + std::to_string(edit.head + 1) + " [" + std::to_string(edit.row) + ", " +
         std::to_string(edit.col) + "] = " + short_number(edit.value);
}
std::string label(const SetKvHeads& edit) {
  const std::string norm = edit.keep_norm ? ", W_K at its norm" : "";
  return (edit.kv_heads == 1 ? "one set of keys and values"
                             : "keys and values of " + std::to_string(edit.kv_heads) + " heads") +
         norm;
}
std::string label(const SwitchModel& edit) { return "the " + name_of(edit.to) + " model"; }
std::string painted_place(Index head, Index row) {
  return "of head " + std::to_string(head + 1) + ", row " + std::to_string(row);
}
std::string label(const PaintAttention& edit) { return "attention by hand " + painted_place(edit.head, edit.row); }
std::string label(const PaintValue& edit) { return "values by hand " + painted_place(edit.head, edit.row); }
std::string label(const Unpaint& edit) {
  const char* what = edit.part == Unpaint::Part::attention ? "attention by hand "
                     : edit.part == Unpaint::Part::values  ? "values by hand "
                                                           : "painting ";
  return std::string("clear ") + what +
         (edit.row ? painted_place(edit.head, *edit.row) : "of head " + std::to_string(edit.head + 1));
}
std::string label(const SetSplit& edit) {
  if (edit.split != Split::slice) return "each head sees the whole embedding";
  return edit.keep_spread ? "each head sees its slice, the spread of scores kept" : "each head sees its slice";
}
std::string label(const SetGate& edit) {
  return "gate of head " + std::to_string(edit.head + 1) + " = " + short_number(static_cast<double>(edit.gate));
}
std::string label(const SetGates& edit) {
  const auto silent = std::count(edit.gates.begin(), edit.gates.end(), 0.0f);
  const auto heads = static_cast<std::ptrdiff_t>(edit.gates.size());
  if (edit.gates.empty()) return "all gates 1";
  if (silent != heads - 1) return "the gates of " + std::to_string(heads) + " heads";
  const auto open = std::find_if(edit.gates.begin(), edit.gates.end(), [](float gate) { return gate != 0; });
  return "only head " + std::to_string(open - edit.gates.begin() + 1);
}
std::string label(const SetWeights& edit) { return edit.detail.empty() ? edit.tool : edit.tool + " " + edit.detail; }
std::string label(const SetParameters& edit) { return edit.what; }
std::string number_of(int layer) { return std::to_string((layer == Edit::kOnlyLayer ? 0 : layer) + 1); }
std::string label(const AddLayer&, int layer) { return "a layer after layer " + number_of(layer); }
std::string label(const RemoveLayer&, int layer) { return "remove layer " + number_of(layer); }
std::string label(const ReplaceDocument& edit) {
  return (edit.unsaved ? "recover " : "open ") + (edit.name.empty() ? "a document" : edit.name);
}

}  // namespace

std::string at_cell(Quantity quantity, Index row, Index col) {
  if (is_bias(quantity)) return std::string(entry_of(quantity).key) + "[" + std::to_string(col) + "]";
  return std::string(entry_of(quantity).key) + "[" + std::to_string(row) + ", " + std::to_string(col) + "]";
}

std::string describe(const Edit& edit) {
  const auto words = [&](const auto& e) {
    if constexpr (requires { label(e, edit.layer); })
      return label(e, edit.layer);
    else
      return label(e);
  };
  return std::visit(words, edit.what);
}

}  // namespace hydra
