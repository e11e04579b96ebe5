// The sentence, the examples, the view tabs and the tools: always there.
#include "app/platform/glyphs.h"
#include "app/views/known_note.h"
#include "app/views/text_field.h"
#include "app/views/ui.h"
#include "app/views/views.h"
#include "app/widgets/mouse_area.h"

namespace hydra {

namespace {

// In the field, the last item: each word that the model does not know, or that has no place, where it stands.
void mark_words(const Frame& frame) {
  const LabelMarks* marks = token_marks(frame);
  if (!marks) return;
  ImFont* font = frame.fonts.large;
  const std::string& text = frame.view.sentence_draft;
  const ImVec2 pad = ImGui::GetStyle().FramePadding, min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const float left = min.x + pad.x - ui::scrolled_text("##sentence"), bottom = min.y + pad.y + font->FontSize;
  const pen::Clip clip({min.x + pad.x, min.y}, {max.x - pad.x, max.y});
  std::size_t at = 0;
  for (int k = 0; k < int_size(frame.trace.tokens); ++k) {
    const std::string& token = nth(frame.trace.tokens, k);
    const std::size_t found = text.find(token, at);
    if (found == std::string::npos) return;  // the words of another moment
    if (found > kMostShown) return;          // beyond what is measured, and out of sight
    at = found + token.size();
    if (nth(marks->of, k) == 0) continue;
    const float from = left + text_width(font, text.substr(0, found)), to = left + text_width(font, text.substr(0, at));
    if (from > max.x) return;
    draw_marks(marks, k, {from, bottom}, to - from, font->FontSize, frame.theme.ink);
  }
}

void sentence_input(Frame& frame, float width) {
  ViewState& view = frame.view;
  ImGui::PushFont(frame.fonts.large);
  ImGui::SetNextItemWidth(width);
  if (view.focus_sentence) ImGui::SetKeyboardFocusHere();
  view.focus_sentence = false;
  const bool changed = ui::text_field(view, "##sentence", "Type a sentence", view.sentence_draft);
  mark_words(frame);
  ImGui::PopFont();
  ui::probe("sentence");
  ui::name_if_framed("The sentence: " + view.sentence_draft);
  if (!ImGui::IsItemActive() && token_marks(frame)) ui::tip(known_tip(frame));
  view.typing_sentence = ImGui::IsItemActive();
  if (changed) frame.out.preview(SetSentence{view.sentence_draft});
  if (ImGui::IsItemDeactivated()) {
    frame.out.commit();
    view.typing_sentence = false;
  }
}

void view_tabs(Frame& frame) {
  auto tabs = ui::Chips::in_line(frame);
  for (const ViewEntry& entry : all_views())
    tabs.choice(std::string("tabs/") + entry.key, entry.label, frame.view.view, entry.id, entry.tip);
}

constexpr const char* kCopyLink = "Copy link";

void copy_link_button(Frame& frame) {
  if (ui::button(frame, "link", kCopyLink,
                 "Copy a link that holds the document and opens at this view. Key: Ctrl Shift C; Ctrl V opens one"))
    frame.out.send(Outbox::CopyLink{});
}

void same_line(const Frame& frame) { ImGui::SameLine(0, frame.unit); }

void undo_button(Frame& frame) {
  const std::string undo = "Undo: " + frame.status.undo_label;
  if (ui::button(frame, "undo", "Undo", frame.status.can_undo ? undo.c_str() : "", frame.status.can_undo))
    frame.out.send(Outbox::Undo{});
}

void document_tools(Frame& frame) {
  const std::string redo = "Redo: " + frame.status.redo_label;
  undo_button(frame);
  same_line(frame);
  if (ui::button(frame, "redo", "Redo", frame.status.can_redo ? redo.c_str() : "", frame.status.can_redo))
    frame.out.send(Outbox::Redo{});
  same_line(frame);
  if (ui::button(frame, "open", "Open", "Open a document. Key: Ctrl O")) frame.view.file_dialog = FileDialog::open;
  same_line(frame);
  if (ui::button(frame, "save", "Save", "Save the document. Key: Ctrl S")) frame.out.send(Outbox::Save{});
  same_line(frame);
  copy_link_button(frame);
  same_line(frame);
}

template <class Next>
void theme_and_help(Frame& frame, const Next& next) {
  ViewState& view = frame.view;
  if (ui::button(frame, "theme", view.dark ? "Light" : "Dark", "Light or dark ground. Key: T")) choose_theme(view);
  next();
  if (ui::button(frame, "help", "?", "All keys. Key: ?")) view.show_help = !view.show_help;
}

bool has_notes(const Frame& frame) { return !frame.document.notes.empty(); }

// A presentation has what a class may need at once (undo, theme, keys) beside the sentence, and leaves files to the
// keys.
void tools(Frame& frame) {
  ViewState& view = frame.view;
  const bool presenting = view.presentation;  // of all that is drawn, whatever is clicked in it
  const auto panel = [&](const char* name, const char* label, Side side, const char* tip) {
    if (ui::chip(frame, name, label, is_open(view, side), tip)) toggle(view, side);
    same_line(frame);
  };
  panel("panels/model", "Model", Side::model, "The model: sizes, weights, masks. Key: M");
  if (has_notes(frame))
    panel("panels/notes", "Notes", Side::notes, "What this document shows, to read beside it. Key: G");
  panel("panels/inspector", "Inspector", Side::inspector,
        "The numbers of one matrix, and how each is computed. Key: I");
  if (!presenting) document_tools(frame);
  if (ui::chip(frame, "present", "Present", presenting, "Large type; panels open over the view. Key: F5"))
    view.presentation = !presenting;
  if (presenting) return;
  same_line(frame);
  theme_and_help(frame, [&] { same_line(frame); });
}

float button_width(const char* label) { return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x; }
float buttons_width(const Frame& frame, std::initializer_list<const char*> labels) {
  float width = 0;
  for (const char* label : labels) width += button_width(label) + frame.unit;
  return width;
}

float tools_width(const Frame& frame) {
  float width =
      frame.view.presentation ? 0 : buttons_width(frame, {"Light", "?", "Undo", "Redo", "Open", "Save", kCopyLink});
  for (const char* label : {"Model", "Inspector", "Present", "Notes"})
    if (has_notes(frame) || label != std::string_view("Notes")) width += ui::chip_width(label) + frame.unit;
  return width;
}

float right_part_width(const Frame& frame) {
  float width = 7 * frame.unit + tools_width(frame);
  for (const ViewEntry& entry : all_views()) width += ui::chip_width(entry.label) + frame.unit;
  return width;
}

// Beside the sentence, which must be readable whole: the examples, and what a presentation has there.
bool link_beside_sentence(const Frame& frame, float width) {
  return frame.view.presentation && width > 48 * frame.fonts.large->FontSize;
}
float beside_sentence_width(const Frame& frame, float width) {
  float beside = buttons_width(frame, {"Examples"});
  if (frame.view.presentation) beside += buttons_width(frame, {"Undo", "Light", "?"});
  if (link_beside_sentence(frame, width)) beside += buttons_width(frame, {kCopyLink});
  return beside;
}

// The sentence is the one thing that must be readable whole; the rest moves to a second line when it gets narrow.
bool one_line(const Frame& frame, float width) {
  return width - right_part_width(frame) - beside_sentence_width(frame, width) - 10 * frame.unit >
         30 * frame.fonts.large->FontSize;
}

// Very large text: views and tools do not fit beside each other.
bool tools_below(const Frame& frame, float width) { return width < right_part_width(frame) + 6 * frame.unit; }

}  // namespace

float top_bar_height(const Frame& frame, float window_width) {
  const float first = frame.fonts.large->FontSize + 2 * ImGui::GetStyle().FramePadding.y + 4 * frame.unit;
  const float more = ImGui::GetFrameHeight() + 1.5f * frame.unit;
  if (one_line(frame, window_width)) return first;
  return tools_below(frame, window_width) ? first + 2 * more + frame.unit : first + more;
}

void draw_top_bar(Frame& frame) {
  const float width = ImGui::GetContentRegionAvail().x, window = ImGui::GetWindowSize().x;
  const bool single = one_line(frame, window);
  const float start = ImGui::GetCursorPosX();
  sentence_input(frame, width - beside_sentence_width(frame, window) - frame.unit -
                            (single ? right_part_width(frame) + 4 * frame.unit : 0));
  const float lift = 0.5f * (ImGui::GetItemRectSize().y - ImGui::GetFrameHeight());
  ImGui::SameLine(0, 2 * frame.unit);
  const float y = ImGui::GetCursorPosY() + lift;
  const auto next = [&] {
    same_line(frame);
    ImGui::SetCursorPosY(y);
  };
  ImGui::SetCursorPosY(y);
  if (frame.view.presentation) {
    undo_button(frame);
    next();
    if (link_beside_sentence(frame, window)) copy_link_button(frame), next();
    theme_and_help(frame, next);
    next();
  }
  draw_examples_menu(frame);
  if (single) {
    ImGui::SameLine(0, 4 * frame.unit);
  } else {
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.5f * frame.unit);
  }
  view_tabs(frame);
  if (!tools_below(frame, window)) {
    ImGui::SameLine();
    ImGui::SetCursorPosX(start + width - tools_width(frame));
  }
  tools(frame);
}

}  // namespace hydra
