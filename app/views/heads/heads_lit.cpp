#include "app/views/heads/heads_lit.h"

#include "app/measures/lit.h"
#include "app/views/marks/mark_pairs.h"
#include "app/views/shared/head_marks.h"

namespace hydra {

namespace {

constexpr const char* kList = "heads lit";

std::string relation_title(const Frame& frame, const std::string& relation) {
  const std::optional<Relation> known = relation_called(relation);
  return known ? wording(nth(relations(), *known).title) : spelled(frame, relation);
}

// "0.98  her → dog", and what is known of it.
std::string row_text(const Frame& frame, const LitPair& lit, const AnnotatedSentence& sentence) {
  const auto& [from, to] = lit.pair;
  const std::string pair =
      wording("mask:pair", {{"query", nth(sentence.tokens, from)}, {"key", nth(sentence.tokens, to)}});
  const std::string known = !lit.relation.empty() ? relation_title(frame, lit.relation)
                            : lit.pattern         ? wording(nth(token_patterns(), *lit.pattern).title)
                                                  : std::string();
  const std::string row = ui::number(static_cast<double>(lit.weight), As::column) + "   " + pair;
  return spelled(frame, known.empty() ? row : wording("heads:lit.known", {{"row", row}, {"known", known}}));
}

// Goes to the sentence, and points at the pair in the head's pattern.
void open_pair(Frame& frame, const LitPair& lit, const AnnotatedSentence& sentence) {
  if (sentence.tokens != frame.trace.tokens) frame.out.apply(SetSentence{sentence.sentence});
  const Site pattern{Quantity::attention, frame.view.layer, frame.view.focused_head};
  if (frame.view.marking.on)
    mark_hands(frame).row = lit.pair.from, mark_hands(frame).col = lit.pair.to;
  else
    frame.out.act(act::Select{{pattern, lit.pair.from, lit.pair.to}});
}

void rows(Frame& frame, const LitMeasure::Result& result) {
  for (std::size_t k = 0; k < result.lit.pairs.size(); ++k) {
    const LitPair& lit = result.lit.pairs[k];
    const AnnotatedSentence& sentence = nth(*result.sentences, lit.sentence);
    ImGui::PushID(static_cast<int>(k));
    if (ImGui::Selectable(imgui_text(row_text(frame, lit, sentence)))) open_pair(frame, lit, sentence);
    ui::probe({"heads/lit/", k});
    ui::tip(frame, sentence.sentence);
    ImGui::PopID();
  }
}

}  // namespace

void lit_chip(ui::Chips& chips) {
  if (chips.chip("heads/lit", wording("heads:lit"), false, wording("heads:lit.tip"))) open_lit_list();
}

void open_lit_list() { ImGui::OpenPopup(kList); }

void draw_lit_list(Frame& frame) {
  const float em = ImGui::GetFontSize();
  ImGui::SetNextWindowSizeConstraints({22 * em, 0}, {44 * em, 24 * ImGui::GetFrameHeight()});
  if (!ImGui::BeginPopup(kList)) return;
  ui::close_on_escape();
  const ViewState& view = frame.view;
  const Measured<LitMeasure>& shown =
      frame.now.measured<LitMeasure>({view.layer, view.focused_head, view.heads.lit_unknown});
  ui::text(frame, wording("heads:lit.title", {{"head", head_called(frame, view.focused_head)}}),
           {.font = frame.fonts.strong});
  ui::Chips chips(frame);
  chips.choice("heads/lit/unknown", wording("heads:lit.unknown"), view.heads.lit_unknown, true,
               wording("heads:lit.unknown.tip"));
  chips.choice("heads/lit/all", wording("heads:lit.all"), view.heads.lit_unknown, false, wording("heads:lit.all.tip"));
  if (!shown.value) {
    ui::waiting_text(frame, shown.failure);
  } else {
    const LitPairs& lit = shown.value->lit;
    ui::soft_text(frame, wording("heads:lit.counts", {{"strong", lit.strong},
                                                      {"least", ui::number(static_cast<double>(kLit), As::column)},
                                                      {"known", lit.known},
                                                      {"text", shown.value->text}}));
    rows(frame, *shown.value);
  }
  ImGui::EndPopup();
}

}  // namespace hydra
