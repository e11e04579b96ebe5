// The document's notes as a page: a title, paragraphs, and headings between them.
#include "app/views/notes/notes_panel.h"

#include "app/views/drawers.h"
#include "app/views/ui.h"

namespace hydra {

namespace {

// Lines broken at blanks only, so that a number stays whole; a word wider than that has a line of its own.
std::vector<std::string> lines_within(ImFont* font, const std::string& text, float width) {
  std::vector<std::string> lines;
  const float blank = text_width(font, " ");
  float end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, next - at);
    const float wide = text_width(font, word);
    if (lines.empty() || end + blank + wide > width) {
      lines.push_back(word);
      end = wide;
    } else {
      lines.back() += " " + word;
      end += blank + wide;
    }
    at = next + 1;
  }
  return lines;
}

void paragraph(const Frame& frame, ImFont* font, const std::string& text, std::string_view name) {
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, step = 1.3f * font->FontSize;
  float y = start.y;
  for (const std::string& line : lines_within(font, text, width)) {
    text_at(font, {start.x, y}, frame.theme.ink, line, width);
    y += step;
  }
  ImGui::Dummy({width, y - start.y});
  ui::probe(name);
}

}  // namespace

void follow_notes(Frame& frame) {
  ViewState& view = frame.view;
  if (view.notes.shown == frame.document.notes) return;
  view.notes.shown = frame.document.notes;
  view.notes.open = !view.notes.shown.empty();
  view.drawers.notes &= view.notes.open;
  // A lesson that begins to train has its curves to be seen.
  const bool wanted = view.notes.open && view.view != ViewId::learn;
  if (view.presentation && !view.still) set_open(view, Side::notes, wanted);
}

void draw_notes(Frame& frame) {
  const Notes& notes = frame.document.notes;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {2 * frame.unit, 0});
  paragraph(frame, frame.fonts.large, notes.title, "notes/title");
  for (std::size_t k = 0; k < notes.paragraphs.size(); ++k) {
    const std::string& text = notes.paragraphs[k];
    const bool heading = text.starts_with(kNotesHeading);
    ImGui::Dummy({0, (heading ? 2.5f : 1.5f) * frame.unit});
    paragraph(frame, heading ? frame.fonts.strong : frame.fonts.text,
              heading ? text.substr(kNotesHeading.size()) : text, "notes/" + std::to_string(k));
  }
  ImGui::Dummy({0, 2.5f * frame.unit});
  ImGui::PopStyleVar();
  if (ui::button(frame, "notes/close", "Close", "The page stays with the document. Key: G"))
    set_open(frame.view, Side::notes, false);
}

}  // namespace hydra
