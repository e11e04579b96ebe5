// Edits in words, for the history and the status line.
#include <algorithm>
#include <utility>

#include "core/document/edits/edit.h"
#include "core/files/utf8.h"
#include "core/short_number.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

std::string brief_number(double value) { return short_number(value, 4); }

std::string brief(const std::string& text) { return shortened(text, 40); }

std::string label(const SetSentence& edit) {
  return wording("document:edit.sentence", {{"sentence", brief(edit.sentence)}});
}
std::string label(const SetPads& edit) {
  return wording(edit.pads.placed ? "document:edit.pads.placed" : "document:edit.pads", {{"n", edit.pads.count}});
}
std::string label(const MarkPair& edit) {
  return wording(edit.on ? "document:edit.mark" : "document:edit.unmark", {{"relation", brief(edit.relation)}});
}
std::string label(const DropRelation& edit) {
  return wording("document:edit.drop_relation", {{"relation", brief(edit.relation)}});
}
std::string label(const SetModelWidth& edit) { return wording("document:edit.d_model", {{"d_model", edit.d_model}}); }
std::string label(const SetHeads& edit) { return wording("document:edit.heads", {{"heads", edit.heads}}); }
std::string label(const SetHeadSizes& edit) {
  return wording("document:edit.head_sizes", {{"heads", edit.heads}, {"d_k", edit.d_k}});
}
std::string label(const SetMask& edit) {
  const auto kind = edit.mask.kind;
  if (!edit.how.empty()) return edit.how;
  return wording(kind == Mask::Kind::none     ? "document:edit.mask.none"
                 : kind == Mask::Kind::causal ? "document:edit.mask.causal"
                                              : "document:edit.mask.custom");
}
// Names of settings, in the order of the enums.
constexpr const char* kLayerSettings[] = {"document:setting.scale",
                                          "document:setting.temperature",
                                          "document:setting.residual",
                                          "document:setting.norm",
                                          "document:setting.norm_kind",
                                          "document:setting.norm_place",
                                          "document:setting.norm_epsilon",
                                          "document:setting.feed_forward",
                                          "document:setting.feed_forward_width",
                                          "document:setting.activation",
                                          "document:setting.gated",
                                          "document:setting.parallel",
                                          "document:setting.norm_shared",
                                          "document:setting.sink",
                                          "document:setting.output_gate",
                                          "document:setting.talking_heads",
                                          "document:setting.differential",
                                          "document:setting.lambda_0",
                                          "document:setting.window",
                                          "document:setting.soft_cap",
                                          "document:setting.alibi",
                                          "document:setting.alibi_slopes",
                                          "document:setting.offset_bias",
                                          "document:setting.offset_reach",
                                          "document:setting.dropout",
                                          "document:setting.dropout_seed",
                                          "document:setting.qk_norm",
                                          "document:setting.qk_norm_over",
                                          "document:setting.rotary",
                                          "document:setting.rotary_base",
                                          "document:setting.rotary_width",
                                          "document:setting.rotary_pairs",
                                          "document:setting.rotary_scaling",
                                          "document:setting.rotary_factor",
                                          "document:setting.rotary_length",
                                          "document:setting.rotary_slow_turns",
                                          "document:setting.rotary_fast_turns",
                                          "document:setting.rotary_magnitude"};
constexpr const char* kModelSettings[] = {"document:setting.types",
                                          "document:setting.embedding_norm",
                                          "document:setting.embedding_norm_kind",
                                          "document:setting.embedding_norm_epsilon",
                                          "document:setting.transform",
                                          "document:setting.transform_activation",
                                          "document:setting.final_norm",
                                          "document:setting.final_norm_kind",
                                          "document:setting.final_norm_epsilon",
                                          "document:setting.readout",
                                          "document:setting.logit_cap"};

// "scale off", "temperature 0.5", "norm kind rms".
template <class Row>
std::string set_to(const std::string& name, const Row& row, double value) {
  if (is_switch(row))
    return value != 0 ? wording("document:edit.setting.on", {{"setting", name}})
                      : wording("document:edit.setting.off", {{"setting", name}});
  const std::string words = is_choice(row) ? wording(row.labels[static_cast<std::size_t>(value)]) : brief_number(value);
  return wording("document:edit.setting", {{"setting", name}, {"value", words}});
}
std::string label(const SetSetting& edit) {
  return set_to(wording(kLayerSettings[static_cast<std::size_t>(edit.setting)]), entry_of(edit.setting), edit.value);
}
std::string label(const SetModelSetting& edit) {
  return set_to(wording(kModelSettings[static_cast<std::size_t>(edit.setting)]), entry_of(edit.setting), edit.value);
}
std::string label(const SetPositions& edit) {
  using Positions = Embedding::Positions;
  return wording(edit.positions == Positions::none      ? "document:edit.positions.none"
                 : edit.positions == Positions::learned ? "document:edit.positions.learned"
                                                        : "document:edit.positions.sinusoidal");
}
std::string label(const SetEmbedding& edit) {
  if (edit.kind == Embedding::Kind::features) return wording("document:edit.embedding.features", {{"seed", edit.seed}});
  if (edit.kind != Embedding::Kind::learned) return wording("document:edit.embedding", {{"seed", edit.seed}});
  return edit.init == Init::xavier     ? wording("document:edit.embedding.learned", {{"seed", edit.seed}})
         : edit.init == Init::identity ? wording("document:edit.embedding.identity")
                                       : wording("document:edit.embedding.zero");
}
std::string label(const SetVocabulary& edit) {
  const std::size_t words = edit.list.size();
  return edit.of == SetVocabulary::Of::words ? wording("document:edit.vocabulary", {{"words", words}})
                                             : wording("document:edit.vocabulary.readout", {{"words", words}});
}
std::string label(const SetCase& edit) {
  return wording(edit.letter_case == Vocabulary::Case::folded ? "document:edit.case.folded"
                                                              : "document:edit.case.exact");
}
std::string label(const AddPlaces&) { return wording("document:edit.places"); }
std::string label(const SetQuestions& edit) {
  if (edit.names.empty()) return wording("document:edit.questions.one");
  std::string names;
  for (const std::string& name : edit.names) names += (names.empty() ? " " : ", ") + name;
  names = brief(names).substr(1);
  return edit.names.size() > 1 ? wording("document:edit.questions", {{"names", names}})
                               : wording("document:edit.questions.one.named", {{"name", names}});
}
std::string label(const SetReadoutSource& edit) {
  return edit.init == Init::xavier     ? wording("document:edit.readout", {{"seed", edit.seed}})
         : edit.init == Init::identity ? wording("document:edit.readout.identity")
                                       : wording("document:edit.readout.zero");
}
std::string label(const SetWordFeatures& edit) {
  return wording("document:edit.word_features", {{"word", brief(edit.word)}});
}
std::string label(const SetWeightSource& edit) {
  if (edit.init != Init::xavier)
    return wording(edit.init == Init::identity ? "document:edit.weights.identity" : "document:edit.weights.zero");
  return edit.gain == SetWeightSource::Gain::none ? wording("document:edit.weights.plain", {{"seed", edit.seed}})
                                                  : wording("document:edit.weights", {{"seed", edit.seed}});
}
std::string label(const SetBlock& edit) {
  const MatView<float> values = *edit.values;
  const std::string place = at_cell(edit.quantity, edit.row, edit.col);
  if (values.size() == 1) return place + " = " + brief_number(values(0, 0));
  return wording("document:edit.block", {{"rows", values.rows()}, {"cols", values.cols()}, {"place", place}});
}
std::string label(const DesignHead& edit) {
  return edit.design ? wording("document:edit.design", {{"head", edit.head + 1}, {"design", describe(*edit.design)}})
                     : wording("document:edit.design.none", {{"head", edit.head + 1}});
}
std::string label(const SetForm& edit) {
  const Index head = edit.head + 1;
  const std::string value = brief_number(edit.value);
  return edit.which == SetForm::Which::query_key
             ? wording("document:edit.form.query_key",
                       {{"head", head}, {"row", edit.row}, {"col", edit.col}, {"value", value}})
             : wording("document:edit.form.value_output",
                       {{"head", head}, {"row", edit.row}, {"col", edit.col}, {"value", value}});
}
std::string label(const SetKvHeads& edit) {
  const std::string sets = edit.kv_heads == 1 ? wording("document:edit.kv_heads.one")
                                              : wording("document:edit.kv_heads", {{"heads", edit.kv_heads}});
  return edit.keep_norm ? wording("document:edit.kv_heads.keep_norm", {{"sets", sets}}) : sets;
}
std::string label(const SetKvOf& edit) {
  std::string sizes;
  std::size_t first = 0;
  for (std::size_t h = 1; h <= edit.kv_of.size(); ++h)
    if (h == edit.kv_of.size() || edit.kv_of[h] != edit.kv_of[first])
      sizes += (sizes.empty() ? "" : ", ") + std::to_string(h - std::exchange(first, h));
  return wording("document:edit.kv_of", {{"sizes", brief(sizes)}});
}
std::string label(const SwitchModel& edit) {
  return wording(edit.to == ModelKind::untrained  ? "document:edit.switch.untrained"
                 : edit.to == ModelKind::designed ? "document:edit.switch.designed"
                 : edit.to == ModelKind::trained  ? "document:edit.switch.trained"
                                                  : "document:edit.switch.given");
}
std::string label(const PaintAttention& edit) {
  return wording("document:edit.paint.attention", {{"head", edit.head + 1}, {"row", edit.row}});
}
std::string label(const PaintValue& edit) {
  return wording("document:edit.paint.values", {{"head", edit.head + 1}, {"row", edit.row}});
}
std::string label(const Unpaint& edit) {
  using Part = Unpaint::Part;
  const Index head = edit.head + 1;
  if (edit.row)
    return edit.part == Part::attention
               ? wording("document:edit.unpaint.attention.row", {{"head", head}, {"row", *edit.row}})
           : edit.part == Part::values
               ? wording("document:edit.unpaint.values.row", {{"head", head}, {"row", *edit.row}})
               : wording("document:edit.unpaint.row", {{"head", head}, {"row", *edit.row}});
  return edit.part == Part::attention ? wording("document:edit.unpaint.attention", {{"head", head}})
         : edit.part == Part::values  ? wording("document:edit.unpaint.values", {{"head", head}})
                                      : wording("document:edit.unpaint", {{"head", head}});
}
std::string label(const SetSplit& edit) {
  return wording(edit.split != Split::slice ? "document:edit.split.whole"
                 : edit.keep_spread         ? "document:edit.split.slice.kept"
                                            : "document:edit.split.slice");
}
std::string label(const SetGate& edit) {
  return wording("document:edit.gate",
                 {{"head", edit.head + 1}, {"gate", brief_number(static_cast<double>(edit.gate))}});
}
std::string label(const SetGates& edit) {
  const auto silent = std::count(edit.gates.begin(), edit.gates.end(), 0.0f);
  const auto heads = static_cast<std::ptrdiff_t>(edit.gates.size());
  if (edit.gates.empty()) return wording("document:edit.gates.all");
  if (silent != heads - 1) return wording("document:edit.gates", {{"heads", heads}});
  const auto open = std::find_if(edit.gates.begin(), edit.gates.end(), [](float gate) { return gate != 0; });
  return wording("document:edit.gates.only", {{"head", open - edit.gates.begin() + 1}});
}
std::string label(const SetHeadRule& edit) {
  const HeadRule& rule = edit.rule;
  std::string said;
  const auto say = [&](const std::string& part) { said += (said.empty() ? "" : ", ") + part; };
  if (rule.mask) say(wording(rule.mask == Mask::Kind::none ? "document:edit.mask.none" : "document:edit.mask.causal"));
  if (rule.window) say(wording("document:edit.rule.window", {{"window", *rule.window}}));
  if (rule.temperature)
    say(wording("document:edit.rule.temperature", {{"temperature", brief_number(*rule.temperature)}}));
  if (said.empty()) return wording("document:edit.rule.none", {{"head", rule.head + 1}});
  return wording("document:edit.rule", {{"head", rule.head + 1}, {"rule", said}});
}
std::string label(const SetWeights& edit) { return edit.detail.empty() ? edit.tool : edit.tool + " " + edit.detail; }
std::string label(const SetParameters& edit) { return edit.what; }
int number_of(int layer) { return (layer == Edit::kOnlyLayer ? 0 : layer) + 1; }
std::string label(const AddLayer&, int layer) {
  return wording("document:edit.add_layer", {{"layer", number_of(layer)}});
}
std::string label(const RemoveLayer&, int layer) {
  return wording("document:edit.remove_layer", {{"layer", number_of(layer)}});
}
std::string label(const ReplaceDocument& edit) {
  const std::string& name = edit.name.empty() ? wording("document:edit.a_document") : edit.name;
  return edit.unsaved ? wording("document:edit.recover", {{"name", name}})
                      : wording("document:edit.open", {{"name", name}});
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
