// Where there is no run yet: the task's page, as it will stand beside the views, and what can be reached without having
// understood.
#include "app/views/learn/learn_parts.h"
#include "app/views/notes/notes_panel.h"
#include "app/views/shared/pasted.h"

namespace hydra {

namespace {

constexpr float kMostWidth = 46;  // in heights of text

void paragraph(const Frame& frame, const std::string& text) {
  const bool heading = text.starts_with(kNotesHeading);
  ImFont* const font = heading ? frame.fonts.strong : frame.fonts.text;
  const float width = std::min(ImGui::GetContentRegionAvail().x, kMostWidth * frame.fonts.text->FontSize);
  const float height = ui::paragraph(frame, font, ImGui::GetCursorScreenPos(), width, frame.theme.ink,
                                     heading ? text.substr(kNotesHeading.size()) : text);
  ImGui::Dummy({width, height + (heading ? 0 : frame.unit)});
}

// The task's page, its answers folded.
void task_page(Frame& frame, const learn::TaskInfo& info) {
  auto& [of, told] = frame.hands.of<TaskAnswers>();
  if (of != info.title) of = info.title, told.clear();
  told.resize(info.page.size());
  bool answers = false, shown = true;
  for (std::size_t k = 0; k < info.page.size(); ++k) {
    const bool follows = std::exchange(answers, info.page[k].starts_with(kNotesAnswer));
    if (answers && !follows) shown = answers_shown(frame, "learn/page/answer/", told, k);
    if (!answers)
      paragraph(frame, info.page[k]);
    else if (shown)
      paragraph(frame, info.page[k].substr(kNotesAnswer.size()));
  }
}

// The document brings the same page, and it is open.
bool stands_beside(const Frame& frame, const learn::TaskInfo& info) {
  return is_open(frame.view, Side::notes) && frame.document.notes.paragraphs == info.page;
}

void baselines(const Frame& frame, const learn::TaskInfo& info) {
  if (info.baselines.empty()) return;
  paragraph(frame, std::string(kNotesHeading) + wording("learn:baselines"));
  for (const learn::Baseline& line : info.baselines) {
    std::string name = line.label;
    if (line.question != learn::kNone)
      name = wording("learn:baseline.of_question", {{"question", nth(info.questions, line.question)}, {"name", name}});
    if (line.relation != learn::kNone)
      name = wording("learn:baseline.where", {{"name", name}, {"relation", nth(info.relation_titles, line.relation)}});
    const std::string accuracy = ui::number(line.accuracy, As::brief), loss = ui::number(line.loss, As::brief);
    const bool has_accuracy = line.accuracy >= 0, has_loss = line.loss >= 0;
    const std::string scores = has_accuracy && has_loss
                                   ? wording("learn:baseline.scores", {{"accuracy", accuracy}, {"loss", loss}})
                               : has_accuracy ? wording("learn:baseline.accuracy", {{"accuracy", accuracy}})
                               : has_loss     ? wording("learn:baseline.loss", {{"loss", loss}})
                                              : "";
    paragraph(frame, wording("learn:baseline", {{"name", name}, {"scores", scores}, {"how", line.how}}));
  }
}

// A text of one's own comes from the clipboard.
void own_text(Frame& frame) {
  const LearnSetup& setup = frame.view.learn.setup;
  paragraph(frame, std::string(kNotesHeading) + wording("learn:text.title"));
  paragraph(frame, wording("learn:text.about"));
  if (ui::button(frame, "learn/paste", wording("learn:text.paste"), wording("learn:text.paste.tip"))) {
    if (auto text = pasted(frame.notice, ImGui::GetClipboardText(), learn::kMostTextBytes)) {
      frame.choose(setup.text, std::move(*text));
      frame.out.act(act::LearnChoose{"text"});
    }
  }
  ImGui::SameLine();
  if (ui::button(frame, "learn/open", wording("learn:text.open"), wording("learn:text.open.tip")))
    frame.front.file_dialog = FileDialog::open_text;
  ImGui::SameLine();
  ui::Chips chips(frame, true);
  if (chips.picked("learn/by/words", wording("learn:text.words"), !setup.characters, wording("learn:words.tip")))
    frame.choose(setup.characters, false), frame.out.act(act::LearnChoose{"text"});
  if (chips.picked("learn/by/characters", wording("learn:text.characters"), setup.characters,
                   wording("learn:characters.tip")))
    frame.choose(setup.characters, true), frame.out.act(act::LearnChoose{"text"});
  if (!setup.text.empty())
    ui::soft_text(frame,
                  wording("learn:text.size", {{"size", ui::number(static_cast<double>(setup.text.size()), As::count)},
                                              {"n", setup.text.size()}}));
  ImGui::Dummy({1, 2 * frame.unit});
}

}  // namespace

void draw_learn_page(Frame& frame, ImVec2 pos, ImVec2 size) {
  const float width = std::min(size.x, kMostWidth * ImGui::GetFontSize());
  ui::room(frame.canvas, "learn/page", pos, {size.x, size.y}, true, [&](ImVec2 corner) {
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    if (frame.view.learn.setup.task == "text") own_text(frame);
    if (frame.learn.chosen) {
      const learn::TaskInfo& info = frame.learn.chosen->info();
      ui::text(frame, info.title, {.font = frame.fonts.large});
      ImGui::Dummy({1, frame.unit});
      if (!stands_beside(frame, info)) {
        const ImVec2 top = ImGui::GetCursorScreenPos();
        task_page(frame, info);
        ui::probe("learn/page/told", top, {top.x + width, ImGui::GetCursorScreenPos().y});
      }
      baselines(frame, info);
    }
    ImGui::PopTextWrapPos();
    return ImGui::GetCursorScreenPos().y - corner.y;
  });
  ui::probe("learn/page", pos, {pos.x + size.x, pos.y + size.y});
}

}  // namespace hydra
