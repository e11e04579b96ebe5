// Of the model panel: the tables that words are read in by, and what reads them out.
#include <algorithm>

#include "app/views/frame/text_field.h"
#include "app/views/model_panel/known_note.h"
#include "app/views/model_panel/sentence_field.h"
#include "app/views/model_panel/setting_control.h"
#include "app/views/shell/views.h"
#include "core/document/model.h"
#include "core/document/models.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

// A chip that opens a matrix of the model in the inspector.
void opens(Frame& frame, ui::Chips& chips, Quantity quantity) {
  const Site site{quantity};
  if (!exists(frame.trace, site)) return;
  const std::string name = std::string("model/open/") + entry_of(quantity).key;
  if (chips.chip(name, spelled(frame, entry_of(quantity).letter), frame.view.inspected == site, description(site)))
    inspect(frame, site);
}

// "random | identity rows | zero": of heads there is another identity.
template <class Make>
void init_chips(Frame& frame, const std::string& name, Init now, const Make& make) {
  ui::Chips chips(frame);
  const bool untrained = kind_of(frame.document) == ModelKind::untrained;
  constexpr std::tuple<Init, const char*, const char*> kInits[] = {
      {Init::xavier, "random", "panels:table.random"},
      {Init::identity, "identity", "panels:table.identity"},
      {Init::zero, "zero", "panels:table.zero"}};
  for (const auto& [init, key, label] : kInits)
    if (chips.chip(name + "/" + key, wording(label), untrained && now == init, "") && now != init)
      frame.out.apply(make(init));
}

// How many words there are, and buttons that bring those of the sentence. parts: so many times each is a column.
void vocabulary_line(Frame& frame, SetVocabulary::Of of, const Vocabulary& vocabulary, Index parts = 1) {
  const std::string name = of == SetVocabulary::Of::words ? "model/words" : "model/next_words";
  const std::vector<std::string> words = words_in(vocabulary, frame.trace.tokens);
  const std::vector<std::string> missing = missing_in(vocabulary, frame.trace.tokens);
  ui::soft_text(frame, wording("panels:vocabulary", {{"n", vocabulary.size()}}));
  if (!missing.empty()) {
    const bool in = of == SetVocabulary::Of::words;
    ui::soft_text(frame, spelled(frame, in ? wording("panels:vocabulary.dotted", {{"words", listed(missing)}})
                                           : wording("panels:vocabulary.missing", {{"words", listed(missing)}})));
    ui::probe(name + "/missing");
  }
  ui::Chips chips(frame);
  std::vector<std::string> more = vocabulary.words();
  more.insert(more.end(), missing.begin(), missing.end());
  if (!missing.empty() && parts * std::ssize(more) <= kMaxVocabulary &&
      chips.chip(name + "/add", wording("panels:vocabulary.add"), false, wording("panels:vocabulary.add.tip")))
    frame.out.apply(SetVocabulary{of, std::move(more)});
  if (words != vocabulary.words() && !words.empty() &&
      chips.chip(name + "/sentence", wording("panels:vocabulary.sentence"), false,
                 wording("panels:vocabulary.sentence.tip")))
    frame.out.apply(SetVocabulary{of, words});
}

// The names of the questions, with commas between them.
void questions_field(Frame& frame, const Vocabulary& questions) {
  auto& [draft, typing] = frame.hands.of<QuestionsField>();
  if (!typing) {
    draft.clear();
    for (const std::string& name : questions.words()) draft += (draft.empty() ? "" : ", ") + name;
  }
  ui::text(frame, wording("panels:questions"), {.aligned = true});
  const std::string& tip = wording("panels:questions.tip");
  ui::tip(frame, tip);
  ImGui::SameLine(5 * ImGui::GetFontSize());
  ImGui::SetNextItemWidth(-1);
  const bool changed = ui::text_field(frame, "##questions", wording("panels:questions.hint").c_str(), draft);
  ui::probe("model/questions");
  if (!ImGui::IsItemActive()) ui::tip(frame, tip);
  typing = ImGui::IsItemActive();
  if (changed) frame.out.preview(SetQuestions{names_in(draft)});
  if (ImGui::IsItemDeactivated()) {
    frame.out.commit();
    typing = false;
  }
}

// Whether capitals count, and places for the tokens that have none.
void case_and_places(Frame& frame) {
  const Embedding& e = frame.document.embedding;
  const bool folded = e.vocabulary.letter_case() == Vocabulary::Case::folded;
  bool on = folded;
  if (ui::checkbox(frame, "model/case", wording("panels:case"), on, wording("panels:case.tip")))
    frame.out.apply(SetCase{folded ? Vocabulary::Case::exact : Vocabulary::Case::folded});
  const KnownWords& known = frame.derived.known().words;
  const Index missing = known.tokens() - known.placed();
  if (missing == 0) return;
  ui::soft_text(frame, spelled(frame, wording("panels:status.dotted_above", {{"meaning", unplaced_meaning(known)}})));
  ui::Chips chips(frame);
  if (chips.chip("model/places/add", wording("panels:places.add", {{"n", missing}}), false,
                 wording("panels:places.add.tip")))
    frame.out.apply(AddPlaces{});
}

// Those of the model's settings that stand in these objects of its file.
void settings_of(Frame& frame, std::initializer_list<std::string_view> objects) {
  const Document& document = frame.document;
  const bool tables = document.embedding.kind == Embedding::Kind::learned;
  for (const ModelSettingRow& row : model_settings()) {
    if (!is_possible(document.settings, row) || std::ranges::find(objects, row.object) == objects.end()) continue;
    const bool of_object = row.within || is_whole(row);
    const std::string name = std::string("model/") + row.object + (of_object ? std::string("/") + row.key : "");
    if (row.within) ImGui::Indent(1.2f * ImGui::GetFontSize());
    ui::SettingControl(
        frame, row, name, value_of(document.settings, row),
        [&](double value) {
          return SetModelSetting{row.setting, value};
        },
        [&](std::size_t choice) {
          return row.setting != ModelSetting::readout || tables ||
                 choice != static_cast<std::size_t>(ReadoutKind::tied);
        })
        .draw();
    if (row.within) ImGui::Unindent(1.2f * ImGui::GetFontSize());
  }
}

}  // namespace

void draw_tables(Frame& frame) {
  const Embedding& e = frame.document.embedding;
  vocabulary_line(frame, SetVocabulary::Of::words, e.vocabulary);
  case_and_places(frame);
  ui::text(frame, wording("panels:tables"), {.aligned = true});
  ui::tip(frame, wording("panels:tables.tip"));
  ImGui::SameLine(5 * ImGui::GetFontSize());
  auto chips = ui::Chips::in_line(frame);
  for (const Quantity table : {Quantity::E, Quantity::P, Quantity::T}) opens(frame, chips, table);
  init_chips(frame, "model/tables", e.init, [&](Init init) { return SetEmbedding{e.kind, e.seed, init}; });
}

void draw_pads(Frame& frame) {
  const Document& document = frame.document;
  const Pads& pads = document.pads;
  int count = static_cast<int>(pads.count);
  ImGui::SetNextItemWidth(6.5f * ImGui::GetFontSize());
  const bool changed = ImGui::InputInt(wording("panels:pads").c_str(), &count, 1, 8,
                                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  ui::probe("model/pads");
  ui::tip(frame, wording("panels:pads.tip"));
  const Index wanted = std::clamp<Index>(count, 0, kMaxTokens - std::ssize(frame.trace.tokens) + frame.trace.pads);
  if (changed && wanted != pads.count) frame.out.apply(SetPads{{wanted, pads.placed}});
  if (pads.count == 0 || document.embedding.kind == Embedding::Kind::explicit_values ||
      document.embedding.positions == Embedding::Positions::none)
    return;
  bool placed = pads.placed;
  if (ui::checkbox(frame, "model/pads/placed", wording("panels:pads.placed"), placed,
                   wording("panels:pads.placed.tip")))
    frame.out.apply(SetPads{{pads.count, placed}});
}

void draw_words_in_settings(Frame& frame) {
  const bool tables = frame.document.embedding.kind == Embedding::Kind::learned;
  if (tables) settings_of(frame, {"embedding"});
  settings_of(frame, {"embedding_norm"});
  if (!frame.document.settings.embedding_norm) return;
  auto chips = ui::Chips::in_line(frame);
  for (const Quantity parameter : {Quantity::gain_E, Quantity::shift_E}) opens(frame, chips, parameter);
}

void draw_words_out_group(Frame& frame) {
  const Document& document = frame.document;
  settings_of(frame, {"transform", "final_norm", "readout"});
  const ModelSettings& s = document.settings;
  if (s.readout == ReadoutKind::none && !s.final_norm && !s.transform) return;
  if (document.settings.readout == ReadoutKind::own) {
    vocabulary_line(frame, SetVocabulary::Of::readout, document.readout.vocabulary, next_words_of(document).parts());
    questions_field(frame, document.readout.questions);
    init_chips(frame, "model/readout/init", document.readout.init, [&](Init init) {
      return SetReadoutSource{init, document.readout.seed};
    });
  }
  auto chips = ui::Chips::in_line(frame);
  for (const Quantity parameter :
       {Quantity::W_T, Quantity::b_T, Quantity::final_gain, Quantity::final_shift, Quantity::W_U, Quantity::b_U})
    opens(frame, chips, parameter);
}

}  // namespace hydra
