// The document's notes as a page: a title, paragraphs, and headings between them.
#include "app/views/notes/notes_panel.h"

#include "app/scene/sides.h"
#include "app/views/frame/ui.h"
#include "core/io/opening.h"

namespace hydra {

namespace {

struct NotesHands {
  Notes shown;  // of the document that was last drawn
  // How each of its paragraphs, the title first, was last broken into lines: for letters so high and a width.
  struct Lines {
    float size = 0, width = 0;
    std::vector<std::pair<std::size_t, std::size_t>> bytes;  // where each begins and ends
  };
  std::vector<Lines> lines;
  std::vector<bool> told;  // by paragraph: answers that are shown
};

// Lines broken at blanks only, so that a number stays whole; a word wider than that has a line of its own.
NotesHands::Lines lines_within(ImFont* font, const std::string& text, float width) {
  NotesHands::Lines lines{font->FontSize, width, {}};
  const float blank = text_width(font, " ");
  float end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find(' ', at), text.size());
    const float wide = text_width(font, text.substr(at, next - at));
    if (lines.bytes.empty() || end + blank + wide > width) {
      lines.bytes.emplace_back(at, next);
      end = wide;
    } else {
      lines.bytes.back().second = next;
      end += blank + wide;
    }
    at = next + 1;
  }
  return lines;
}

// The paragraph of that number, 0 for the title, without the bytes that make it a heading.
void paragraph(Frame& frame, ImFont* font, std::size_t number, const std::string& text, std::string_view name) {
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, step = 1.3f * font->FontSize;
  std::vector<NotesHands::Lines>& all = frame.hands.of<NotesHands>().lines;
  all.resize(std::max(all.size(), number + 1));
  NotesHands::Lines& lines = all[number];
  if (lines.size != font->FontSize || lines.width != width) lines = lines_within(font, text, width);
  float y = start.y;
  for (const auto& [from, to] : lines.bytes) {
    if (ImGui::IsRectVisible({start.x, y}, {start.x + width, y + step}))
      frame.canvas.text_at(font, {start.x, y}, frame.theme.ink, text.substr(from, to - from), width);
    y += step;
  }
  ImGui::Dummy({width, y - start.y});
  ui::probe(name);
}

// What they say is of a sentence that is no longer the one above: which one.
void about(Frame& frame, const Notes& notes) {
  constexpr std::size_t kMost = 96;  // bytes of it: a beginning that one knows it by
  if (notes.about.empty()) return;
  std::string sentence = notes.about;
  if (sentence.size() > kMost) sentence = sentence.substr(0, sentence.rfind(' ', kMost)) + " …";
  ImGui::Dummy({0, 1.5f * frame.unit});
  const float left = ImGui::GetCursorScreenPos().x, top = ImGui::GetCursorScreenPos().y;
  ImGui::Indent(3 * frame.unit);
  ImGui::PushTextWrapPos(0);
  ui::soft_text(frame, wording("notes:about", {{"sentence", sentence}}));
  ImGui::PopTextWrapPos();
  ui::probe("notes/about");
  ImGui::Unindent(3 * frame.unit);
  frame.canvas.fill({left, top}, {left + 0.75f * frame.unit, ImGui::GetItemRectMax().y}, frame.theme.warning);
  ImGui::Dummy({0, frame.unit});
}

}  // namespace

bool answers_shown(const Frame& frame, const std::string& name, std::vector<bool>& told, std::size_t first) {
  if (ui::chip(frame, name + std::to_string(first),
               told[first] ? wording("notes:answer.shown") : wording("notes:answer"), told[first],
               wording("notes:answer.tip")))
    told[first] = !told[first];
  return told[first];
}

void draw_notes(Frame& frame) {
  const Notes& notes = frame.document.notes;
  auto& hands = frame.hands.of<NotesHands>();
  if (!hands.shown.is_page_of(notes)) {
    hands = {notes, {}, std::vector<bool>(notes.paragraphs.size())};
    ImGui::SetScrollY(0);
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {2 * frame.unit, 0});
  paragraph(frame, frame.fonts.large, 0, notes.title, "notes/title");
  about(frame, notes);
  const auto is_answer = [&](std::size_t k) { return notes.paragraphs[k].starts_with(kNotesAnswer); };
  bool shown = true;
  for (std::size_t k = 0; k < notes.paragraphs.size(); ++k) {
    const std::string& text = notes.paragraphs[k];
    const bool heading = text.starts_with(kNotesHeading), answer = is_answer(k);
    ImGui::Dummy({0, (heading ? 2.5f : 1.5f) * frame.unit});
    if (answer && (k == 0 || !is_answer(k - 1))) {
      shown = answers_shown(frame, "notes/answer/", hands.told, k);
      ImGui::Dummy({0, frame.unit});
    }
    if (answer && !shown) continue;
    paragraph(frame, heading ? frame.fonts.strong : frame.fonts.text, k + 1,
              heading  ? text.substr(kNotesHeading.size())
              : answer ? text.substr(kNotesAnswer.size())
                       : text,
              "notes/" + std::to_string(k));
  }
  ImGui::Dummy({0, 2.5f * frame.unit});
  ImGui::PopStyleVar();
  if (ui::button(frame, "notes/close", wording("notes:close"), wording("notes:close.tip")))
    frame.out.act(act::Show{Side::notes, false});
}

}  // namespace hydra
