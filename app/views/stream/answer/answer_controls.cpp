#include "app/views/stream/answer/answer_controls.h"

#include "app/views/frame/text_field.h"
#include "app/views/frame/ui.h"

namespace hydra {

namespace {

constexpr Index kMostWords = 400;  // to choose from

class AnswerControls : Drawing {
 public:
  AnswerControls(Frame& frame, const AnswerMeasure::Result& result, const Trace& trace, const HeadNames& names,
                 float width)
      : Drawing(frame),
        result_(result),
        trace_(trace),
        names_(names),
        width_(width),
        choice_(frame.view.stream.answer) {}

  void draw() {
    const Canvas::Part part(canvas_, kWindowAlone);
    const NextWords& words = trace_.model.next_words;
    ui::Chips chips(frame_);
    const auto opened = [&](const char* name, const std::string& label, const char* tip) {
      if (chips.chip(name, label, false, wording(tip))) ImGui::OpenPopup(name);
    };
    const Index token = result_.asked.token;
    opened("stream/answer/token",
           wording("stream:answer.token", {{"token", nth(trace_.tokens, token)}, {"n", token + 1}}),
           "stream:answer.token.tip");
    token_list("stream/answer/token");
    opened("stream/answer/word", wording("stream:answer.word", {{"word", words.words.word(result_.asked.answer)}}),
           "stream:answer.word.tip");
    list("stream/answer/word", choice_.word, {});
    if (result_.asked.rival) {
      opened("stream/answer/rival", wording("stream:answer.rival", {{"word", words.words.word(*result_.asked.rival)}}),
             "stream:answer.rival.tip");
      list("stream/answer/rival", choice_.rival, result_.asked.answer);
    }
    chips.apart(4 * u_, ui::chip_width(wording("stream:answer.by.difference")));
    if (result_.asked.rival)
      chips.choice("stream/answer/by/difference", wording("stream:answer.by.difference"), choice_.by,
                   AnswerBy::difference, wording("stream:answer.by.difference.tip"));
    chips.choice("stream/answer/by/logit", wording("stream:answer.by.logit"), choice_.by, AnswerBy::logit,
                 wording("stream:answer.by.logit.tip"));
    chips.choice("stream/answer/by/probability", wording("stream:answer.by.probability"), choice_.by,
                 AnswerBy::probability, wording("stream:answer.by.probability.tip"));
    chips.apart(4 * u_, ui::chip_width(wording("stream:answer.copy.tabs")));
    copy(chips, "tabs", wording("stream:answer.copy.tabs"), TableText::tabs);
    copy(chips, "csv", wording("stream:answer.copy.csv"), TableText::csv);
    copy(chips, "markdown", wording("stream:answer.copy.markdown"), TableText::markdown);
    in_learn(chips);
    counterfactual();
  }

 private:
  struct PartEntry {
    PatchedPart part;
    const char *key, *text, *tip;
  };
  static constexpr PartEntry kParts[] = {
      {PatchedPart::head, "head", "stream:answer.patch.head", "stream:answer.patch.head.tip"},
      {PatchedPart::pattern, "pattern", "stream:answer.patch.pattern", "stream:answer.patch.pattern.tip"},
      {PatchedPart::queries, "queries", "stream:answer.patch.queries", "stream:answer.patch.queries.tip"},
      {PatchedPart::keys, "keys", "stream:answer.patch.keys", "stream:answer.patch.keys.tip"},
      {PatchedPart::values, "values", "stream:answer.patch.values", "stream:answer.patch.values.tip"}};

  static float parts_width() {
    float width = 0;
    for (const PartEntry& entry : kParts) width += ui::chip_width(wording(entry.text));
    return width;
  }

  // What of a head is taken from the other sentence.
  void parts() {
    ui::Chips chips(frame_, true);
    for (const PartEntry& entry : kParts)
      chips.choice(std::string("stream/answer/patch/") + entry.key, wording(entry.text), choice_.part, entry.part,
                   wording(entry.tip));
  }

  // What each head is worth over the whole task: Learn's page, where a run can begin at this model.
  void in_learn(ui::Chips& chips) {
    if (!result_.of_shipped_task || width_ < 70 * em_) return;  // no line of its own in a presentation
    chips.apart(4 * u_, ui::chip_width(wording("stream:answer.learn")));
    if (!chips.chip("stream/answer/learn", wording("stream:answer.learn"), false, wording("stream:answer.learn.tip")))
      return;
    frame_.choose(view_.learn.page, LearnPage::pruning);
    frame_.choose(view_.view, ViewId::learn);
  }

  void copy(ui::Chips& chips, const char* key, const std::string& label, TableText as) {
    if (!chips.chip(std::string("stream/answer/copy/") + key, label, false, wording("stream:answer.copy.tip"))) return;
    ImGui::SetClipboardText(answer_table(result_, trace_, names_, told_by(result_, choice_.by), as).c_str());
    frame_.notice.say(wording("stream:answer.copied", {{"n", names_.size()}}));
  }

  static bool begin_list(const char* name) {
    ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, 18 * ImGui::GetFrameHeight()});
    if (!ImGui::BeginPopup(name)) return false;
    ui::close_on_escape();
    return true;
  }

  void token_list(const char* name) {
    if (!begin_list(name)) return;
    for (Index k = 0; k < std::ssize(trace_.tokens); ++k) {
      const std::string label = ui::words(k + 1, "   ", nth(trace_.tokens, k));
      const bool clicked = ImGui::Selectable(imgui_text(label), k == result_.asked.token);
      ui::probe(ui::words(name, "/", k + 1));
      if (clicked) frame_.choose(view_.token, std::optional(k));
    }
    ImGui::EndPopup();
  }

  // The likeliest words, most of them first; but: one that is taken.
  void list(const char* name, const std::optional<std::string>& chosen, std::optional<Index> but) {
    if (!begin_list(name)) return;
    const ModelTrace<float>& model = trace_.model;
    const Index question = result_.asked.question, token = result_.asked.token;
    const Array<float> p = model.of_question(model.probabilities, question);
    const Vocabulary& words = model.next_words.words;
    for (const Index word : likeliest(p, token, std::min<Index>(kMostWords, words.size()))) {
      if (word == but) continue;
      const std::string label = words.word(word) + "   " + ui::number(p(token, word), As::share);
      const bool clicked = ImGui::Selectable(imgui_text(label), chosen == words.word(word));
      ui::probe({std::string(name) + "/", words.word(word)});
      if (clicked) frame_.choose(chosen, words.word(word));
    }
    ImGui::EndPopup();
  }

  void counterfactual() {
    AnswerHands& hands = frame_.hands.of<AnswerHands>();
    std::string text = hands.draft.value_or(choice_.counterfactual);
    const bool patches = !choice_.counterfactual.empty() && result_.counterfactual_fault.empty();
    const float beside = patches ? parts_width() + 1.2f * em_ : 0;
    ImGui::SetNextItemWidth(std::min(width_, std::clamp(width_ - beside, 20 * em_, 40 * em_)));
    const bool entered =
        ui::text_field(frame_, "##counterfactual", wording("stream:answer.counterfactual.hint").c_str(), text,
                       ImGuiInputTextFlags_EnterReturnsTrue);
    ui::probe("stream/answer/counterfactual");
    ui::tip(frame_, wording("stream:answer.counterfactual.tip"));
    const bool active = ImGui::IsItemActive();
    if (entered || (!active && hands.draft)) {
      frame_.choose(choice_.counterfactual, text);
      hands.draft.reset();
    } else if (active) {
      hands.draft = text;
    }
    if (patches) parts();
    for (const std::string& unknown : result_.counterfactual_unknown) {
      ui::soft_text(frame_, say(unknown));
      ui::probe("stream/answer/counterfactual/unknown");
    }
    if (const std::string& fault = result_.counterfactual_fault; !fault.empty()) {
      ui::soft_text(frame_, say(wording("stream:answer.counterfactual.fault", {{"fault", fault}})));
      ui::probe("stream/answer/counterfactual/fault");
    }
  }

  const AnswerMeasure::Result& result_;
  const Trace& trace_;
  const HeadNames& names_;
  float width_;
  const AnswerChoice& choice_;
};

}  // namespace

void draw_answer_controls(Frame& frame, const AnswerMeasure::Result& result, const Trace& trace, const HeadNames& names,
                          float width) {
  AnswerControls(frame, result, trace, names, width).draw();
}

}  // namespace hydra
