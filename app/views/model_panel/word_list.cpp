#include <unordered_set>

#include "app/views/shell/views.h"

#include "app/views/frame/ui.h"

namespace hydra {

namespace {

// Each spelling once, in the order of the sentence.
std::vector<std::size_t> first_uses(const Trace& trace) {
  std::vector<std::size_t> uses;
  std::unordered_set<std::string> seen;
  for (std::size_t t = 0; t < trace.tokens.size(); ++t)
    if (seen.insert(word_key(trace.tokens[t])).second) uses.push_back(t);
  return uses;
}

const std::string& origin_of(const WordFeatures& word) {
  return wording(word.corrected ? "panels:words.own" : word.guessed ? "panels:words.guessed" : "panels:words.known");
}

void word_items(Frame& frame, const std::string& shown) {
  const Trace& trace = frame.trace;
  for (const std::size_t t : first_uses(trace)) {
    const WordFeatures& word = trace.words[t];
    std::string label = trace.tokens[t];
    if (word.guessed && !word.corrected) label += " ?";
    if (word.corrected) label += " *";
    const std::string spelling = word_key(trace.tokens[t]);
    if (ImGui::Selectable(imgui_text(label), shown == spelling, ImGuiSelectableFlags_DontClosePopups))
      frame.choose(frame.view.shown_word, spelling);
    ui::probe({"words/", spelling});
    ui::tip(frame, origin_of(word));
  }
}

void feature_items(Frame& frame, const std::string& spelling, const WordFeatures& word) {
  const std::vector<Feature>& features = Lexicon::standard().features();
  ui::text(frame, wording("panels:words.word", {{"word", spelling}, {"origin", origin_of(word)}}));
  for (std::size_t f = 1; f < features.size(); ++f) {  // the first is the constant, which every word has
    const int k = static_cast<int>(f);
    bool on = has_feature(word.features, k);
    if (ui::checkbox(frame, "words/feature/" + features[f].name, features[f].name.c_str(), on, features[f].gloss))
      frame.out.apply(SetWordFeatures{spelling, word.features ^ feature_bit(k)});
  }
  if (word.corrected &&
      ui::button(frame, "words/reset", wording("panels:words.reset"), wording("panels:words.reset.tip")))
    frame.out.apply(SetWordFeatures{spelling, std::nullopt});
}

}  // namespace

void draw_word_list(Frame& frame) {
  const Trace& trace = frame.trace;
  const auto guessed = std::count_if(trace.words.begin(), trace.words.end(),
                                     [](const WordFeatures& w) { return w.guessed && !w.corrected; });
  const std::string label =
      guessed == 0 ? wording("panels:words") : wording("panels:words.so_many_guessed", {{"n", guessed}});
  if (ui::button(frame, "words", label, wording("panels:words.tip"))) {
    const auto first = std::find_if(trace.words.begin(), trace.words.end(), [](const auto& w) { return w.guessed; });
    const auto at = static_cast<std::size_t>(first == trace.words.end() ? 0 : first - trace.words.begin());
    frame.choose(frame.view.shown_word, word_key(trace.tokens[at]));
    ImGui::OpenPopup("words list");
  }
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, 28 * ImGui::GetFrameHeight()});
  if (!ImGui::BeginPopup("words list")) return;
  ui::close_on_escape();
  std::size_t shown = 0;
  for (std::size_t t = 0; t < trace.tokens.size(); ++t)
    if (word_key(trace.tokens[t]) == frame.view.shown_word) shown = t;
  const std::string spelling = word_key(trace.tokens[shown]);
  ImGui::BeginGroup();
  ImGui::PushItemWidth(10 * ImGui::GetFontSize());
  ImGui::BeginChild("words", {10 * ImGui::GetFontSize(), 22 * ImGui::GetFrameHeight()});
  word_items(frame, spelling);
  ImGui::EndChild();
  ImGui::PopItemWidth();
  ImGui::EndGroup();
  ImGui::SameLine();
  ImGui::BeginChild("word features", {17 * ImGui::GetFontSize(), 22 * ImGui::GetFrameHeight()});
  feature_items(frame, spelling, trace.words[shown]);
  ImGui::EndChild();
  ImGui::EndPopup();
}

}  // namespace hydra
