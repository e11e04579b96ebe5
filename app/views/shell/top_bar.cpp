// The sentence, the examples, the view tabs and the tools: always there.
#include <algorithm>

#include "app/platform/glyphs.h"
#include "app/views/frame/text_field.h"
#include "app/views/frame/ui.h"
#include "app/views/model_panel/known_note.h"
#include "app/views/model_panel/sentence_field.h"
#include "app/views/shared/bar_row.h"
#include "app/views/shell/commands.h"
#include "app/views/shell/parts.h"
#include "app/views/shell/views.h"
#include "app/widgets/mouse_area.h"

namespace hydra {

namespace {

// In the field, the last item: each word that the model does not know, or that has no place, where it stands.
void mark_words(const Frame& frame) {
  const LabelMarks* marks = token_marks(frame);
  if (!marks) return;
  ImFont* font = frame.fonts.large;
  const std::string& text = frame.hands.of<SentenceField>().draft;
  const ImVec2 pad = ImGui::GetStyle().FramePadding, min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const float left = min.x + pad.x - ui::scrolled_text("##sentence"), bottom = min.y + pad.y + font->FontSize;
  const Canvas::Clip clip(frame.canvas, {min.x + pad.x, min.y}, {max.x - pad.x, max.y});
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
    draw_marks(frame.canvas, marks, k, {from, bottom}, to - from, font->FontSize, frame.theme.ink);
  }
}

void sentence_input(Frame& frame, float width) {
  ImGui::PushFont(frame.fonts.large);
  ImGui::SetNextItemWidth(width);
  auto& field = frame.hands.of<SentenceField>();
  if (std::exchange(field.focus, false)) ImGui::SetKeyboardFocusHere();
  const bool changed = ui::text_field(frame, "##sentence", wording("panels:sentence.hint").c_str(), field.draft);
  mark_words(frame);
  ImGui::PopFont();
  ui::probe("sentence");
  ui::name_if_framed(wording("panels:sentence.named", {{"sentence", field.draft}}));
  if (!ImGui::IsItemActive() && token_marks(frame)) ui::tip(frame, known_tip(frame));
  field.typing = ImGui::IsItemActive();
  if (changed) frame.out.preview(SetSentence{field.draft});
  if (ImGui::IsItemDeactivated()) {
    frame.out.commit();
    field.typing = false;
  }
}

// Labels are keys of texts.
const char* theme_label(const ViewState& view) { return view.dark ? "panels:light" : "panels:dark"; }
bool has_notes(const Frame& frame) { return !frame.document.notes.empty(); }

float buttons_width(const Frame& frame, std::initializer_list<const char*> labels) {
  float width = 0;
  for (const char* label : labels) width += ui::BarRow::button_width(wording(label)) + frame.unit;
  return width;
}

float measured_tabs(const Frame& frame) {
  float width = 0;
  for (const ViewEntry& entry : all_views()) width += ui::chip_width(wording(entry.label)) + frame.unit;
  return width;
}

// A presentation has what a class may need at once (undo, theme, keys) beside the sentence, and leaves files to the
// keys.
float measured_tools(const Frame& frame) {
  float width = 0;
  if (!frame.view.presentation)
    width += buttons_width(frame, {theme_label(frame.view), "panels:help", "panels:undo", "panels:redo", "panels:open",
                                   "panels:save", "panels:link"});
  for (const char* label : {"panels:model", "panels:inspector", "panels:present"})
    width += ui::chip_width(wording(label)) + frame.unit;
  if (has_notes(frame)) width += ui::chip_width(wording("panels:notes")) + frame.unit;
  return width;
}

// They are asked for several times in a layout, and change hardly ever.
struct BarWidths {
  struct Key {
    const ImFont* font = nullptr;
    float size = 0, padding = 0, unit = 0;
    bool dark = false, presentation = false, notes = false;
    bool operator==(const Key&) const = default;
  };
  Key key;
  float tabs = 0, tools = 0;
};
const BarWidths& bar_widths(const Frame& frame) {
  BarWidths& widths = frame.made.of<BarWidths>();
  const BarWidths::Key key{ImGui::GetFont(), ImGui::GetFontSize(), ImGui::GetStyle().FramePadding.x,
                           frame.unit,       frame.view.dark,      frame.view.presentation,
                           has_notes(frame)};
  if (widths.key != key) widths = {key, measured_tabs(frame), measured_tools(frame)};
  return widths;
}
float tabs_width(const Frame& frame) { return bar_widths(frame).tabs; }
float tools_width(const Frame& frame) { return bar_widths(frame).tools; }

// The view that is open is named where its tab has no room.
void view_tabs(Frame& frame, float room) {
  const ViewState& view = frame.view;
  const ViewEntry& shown = entry_of(view.view);
  float before = ui::chip_width("…") + frame.unit;
  for (const ViewEntry* entry = all_views().data(); entry <= &shown; ++entry)
    before += ui::chip_width(wording(entry->label)) + frame.unit;
  ui::BarRow row(frame, "tabs/more", before > room ? wording(shown.label) + " …" : "…", room, tabs_width(frame));
  for (const ViewEntry& entry : all_views())
    if (row.chip(std::string("tabs/") + entry.key, wording(entry.label), view.view == entry.id, wording(entry.tip)))
      frame.choose(view.view, entry.id);
}

// The button of a command: button(name, label, tip, enabled).
template <class Button>
void command_button(Frame& frame, const Button& button, const char* name, const char* label) {
  const Command& its = command(name);
  if (button(its.name, wording(label), tip_of(its), can(frame, its))) perform(frame, its);
}
// Its tip says what would be done.
template <class Button>
void step_button(Frame& frame, const Button& button, const char* name, const char* label, const std::string& step) {
  const Command& its = command(name);
  const bool enabled = can(frame, its);
  const std::string tip = enabled ? wording("panels:step", {{"command", wording(label)}, {"step", step}}) : "";
  if (button(its.name, wording(label), tip, enabled)) perform(frame, its);
}
// What a presentation has beside the sentence, and other windows in the row of tools.
template <class Button>
void undo_button(Frame& frame, const Button& button) {
  step_button(frame, button, "undo", "panels:undo", frame.status.undo_label);
}
template <class Button>
void theme_and_help(Frame& frame, const Button& button) {
  command_button(frame, button, "theme", theme_label(frame.view));
  command_button(frame, button, "help", "panels:help");
}

void tools(Frame& frame, float room) {
  const bool presenting = frame.view.presentation;  // of all that is drawn, whatever is clicked in it
  ui::BarRow row(frame, "tools/more", "…", room, tools_width(frame));
  const auto chip = [&](const char* name, const char* label) {
    const Command& its = command(name);
    if (row.chip(its.name, wording(label), its.is_on(frame), tip_of(its))) perform(frame, its);
  };
  chip("panels/model", "panels:model");
  if (has_notes(frame)) chip("panels/notes", "panels:notes");
  chip("panels/inspector", "panels:inspector");
  const auto button = [&](const char* name, const std::string& label, const std::string& tip, bool enabled) {
    return row.button(name, label, tip, enabled);
  };
  if (!presenting) {
    undo_button(frame, button);
    step_button(frame, button, "redo", "panels:redo", frame.status.redo_label);
    command_button(frame, button, "open", "panels:open");
    command_button(frame, button, "save", "panels:save");
    command_button(frame, button, "link", "panels:link");
  }
  chip("present", "panels:present");
  if (!presenting) theme_and_help(frame, button);
}

float right_part_width(const Frame& frame) { return 7 * frame.unit + tools_width(frame) + tabs_width(frame); }

// Beside the sentence, which must be readable whole: the examples, and what a presentation has there.
bool link_beside_sentence(const Frame& frame, float width) {
  return frame.view.presentation && width > 48 * frame.fonts.large->FontSize;
}
float beside_sentence_width(const Frame& frame, float width) {
  float beside = buttons_width(frame, {"panels:examples"});
  if (frame.view.presentation) beside += buttons_width(frame, {"panels:undo", "panels:light", "panels:help"});
  if (link_beside_sentence(frame, width)) beside += buttons_width(frame, {"panels:link"});
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
  ImGui::SetCursorPosY(y);
  const auto beside = [&](const char* name, const std::string& label, const std::string& tip, bool enabled) {
    const bool clicked = ui::button(frame, name, label, tip, enabled);
    ImGui::SameLine(0, frame.unit);
    ImGui::SetCursorPosY(y);
    return clicked;
  };
  if (frame.view.presentation) {
    undo_button(frame, beside);
    if (link_beside_sentence(frame, window)) command_button(frame, beside, "link", "panels:link");
    theme_and_help(frame, beside);
  }
  draw_examples_menu(frame);
  if (single) {
    ImGui::SameLine(0, 4 * frame.unit);
  } else {
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.5f * frame.unit);
  }
  const bool below = tools_below(frame, window);
  view_tabs(frame, below ? width : tabs_width(frame));
  if (!below) {
    ImGui::SameLine();
    ImGui::SetCursorPosX(start + width - tools_width(frame));
  }
  tools(frame, below ? width : tools_width(frame));
}

}  // namespace hydra
