// The sentence, the examples, the view tabs and the tools: always there.
#include <algorithm>

#include "app/platform/glyphs.h"
#include "app/views/bars/next_bar.h"
#include "app/views/frame/text_field.h"
#include "app/views/frame/ui.h"
#include "app/views/model_panel/known_note.h"
#include "app/views/model_panel/sentence_field.h"
#include "app/views/shared/bar_row.h"
#include "app/views/shell/commands.h"
#include "app/views/shell/parts.h"
#include "app/views/shell/views.h"
#include "app/widgets/mouse_area.h"
#include "core/document/model_file.h"

namespace hydra {

namespace {

// In the field, the last item, whose text begins so far left of it: each word that the model does not know, or that has
// no place, where it stands.
void mark_words(const Frame& frame, const std::string& text, float before) {
  const LabelMarks* marks = token_marks(frame);
  if (!marks) return;
  ImFont* font = frame.fonts.large;
  const ImVec2 pad = ImGui::GetStyle().FramePadding, min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const float left = min.x + pad.x - before, bottom = min.y + pad.y + font->FontSize;
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

// What is marked in it; of a model's file its tokens with their ids.
std::string sentence_tip(const Frame& frame) {
  constexpr Index kMost = 24;
  std::string tip = token_marks(frame) ? known_tip(frame) : "";
  if (!tokenizer_of(frame.document) || !ImGui::IsItemHovered()) return tip;
  const Index count = std::ssize(frame.trace.tokens), shown = count <= kMost ? count : kMost - 1;
  for (Index k = 0; k < shown; ++k) tip += (tip.empty() ? "" : "\n") + token_told(frame, k);
  return count == shown ? tip : tip + "\n" + wording("panels:token.more", {{"n", count - shown}});
}

// The field's text over it, at its end where it is too long; how much of it is left of the field.
float write_end_over(const Frame& frame, ImU32 ink, const std::string& text) {
  ImFont* font = frame.fonts.large;
  const ImVec2 pad = ImGui::GetStyle().FramePadding, min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const float before = std::max(0.0f, text_width(font, text) - (max.x - min.x - 2 * pad.x));
  const Canvas::Clip clip(frame.canvas, {min.x + pad.x, min.y}, {max.x - pad.x, max.y});
  frame.canvas.text_at(font, {min.x + pad.x - before, min.y + pad.y}, ink, text);
  return before;
}

void sentence_input(Frame& frame, float width) {
  ImGui::PushFont(frame.fonts.large);
  ImGui::SetNextItemWidth(width);
  auto& field = frame.hands.of<SentenceField>();
  if (std::exchange(field.focus, false)) ImGui::SetKeyboardFocusHere();
  // What the model writes is read at its end, until somebody types.
  field.at_end = (field.at_end || frame.tools.writing) && !field.typing;
  const bool at_end = field.at_end;
  const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text);
  if (at_end) ImGui::PushStyleColor(ImGuiCol_Text, 0);  // ImGui shows the beginning of a field that nobody types in
  const bool changed = ui::text_field(frame, "##sentence", wording("panels:sentence.hint").c_str(), field.draft);
  if (at_end) {
    ImGui::PopStyleColor();
    const std::string text = ui::in_one_line(field.draft);
    mark_words(frame, text, write_end_over(frame, ink, text));
  } else {
    mark_words(frame, field.draft, ui::scrolled_text("##sentence"));
  }
  ImGui::PopFont();
  ui::probe("sentence");
  ui::name_if_framed(wording("panels:sentence.named", {{"sentence", field.draft}}));
  if (!ImGui::IsItemActive()) ui::tip(frame, sentence_tip(frame));
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

// How wide the sentence is, and what stands beside it of next words.
float sentence_width(const Frame& frame, float width, float window) {
  const float others = one_line(frame, window) ? right_part_width(frame) + 4 * frame.unit : 0;
  return width - beside_sentence_width(frame, window) - frame.unit - others;
}
constexpr float kMostBeside = 0.45f;  // of that

// Next words have a row of their own where few of them fit beside the sentence.
bool next_words_below(const Frame& frame, float window) {
  const float room = kMostBeside * sentence_width(frame, window, window);
  return room < next_bar_wants() && next_bar_width(frame, window) > 0;
}
float row_height(const Frame& frame) { return ImGui::GetFrameHeight() + 1.5f * frame.unit; }  // below the first

// Very large text: views and tools do not fit beside each other.
bool tools_below(const Frame& frame, float width) { return width < right_part_width(frame) + 6 * frame.unit; }

}  // namespace

float top_bar_height(const Frame& frame, float window_width) {
  const float first = frame.fonts.large->FontSize + 2 * ImGui::GetStyle().FramePadding.y + 4 * frame.unit;
  const float more = row_height(frame);
  const float next = next_words_below(frame, window_width) ? more : 0;
  if (one_line(frame, window_width)) return first + next;
  return next + (tools_below(frame, window_width) ? first + 2 * more + frame.unit : first + more);
}

void draw_top_bar(Frame& frame) {
  const float width = ImGui::GetContentRegionAvail().x, window = ImGui::GetWindowSize().x;
  const bool single = one_line(frame, window);
  const float start = ImGui::GetCursorPosX(), top = ImGui::GetCursorPosY();
  const float sentence = sentence_width(frame, width, window);
  const bool next_below = next_words_below(frame, window);
  const float next = next_below ? 0 : next_bar_width(frame, kMostBeside * sentence);
  sentence_input(frame, sentence - (next > 0 ? next + 2 * frame.unit : 0));
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
  if (next > 0) {
    draw_next_bar(frame, next);
    ImGui::SetCursorPosY(y);
  }
  if (frame.view.presentation) {
    undo_button(frame, beside);
    if (link_beside_sentence(frame, window)) command_button(frame, beside, "link", "panels:link");
    theme_and_help(frame, beside);
  }
  draw_examples_menu(frame);
  const auto draw_next_row = [&] {
    const float at = top + frame.fonts.large->FontSize + 2 * ImGui::GetStyle().FramePadding.y + 1.5f * frame.unit;
    ImGui::SetCursorPos({start, at});
    draw_next_bar(frame, std::min(width, 1.5f * next_bar_wants()));
    ImGui::SetCursorPos({start, at + row_height(frame) - 0.5f * frame.unit});
  };
  if (single) {
    ImGui::SameLine(0, 4 * frame.unit);
  } else {
    if (next_below) draw_next_row();
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.5f * frame.unit);
  }
  const bool below = tools_below(frame, window);
  view_tabs(frame, below ? width : tabs_width(frame));
  if (!below) {
    ImGui::SameLine();
    ImGui::SetCursorPosX(start + width - tools_width(frame));
  }
  tools(frame, below ? width : tools_width(frame));
  if (next_below && single) draw_next_row();
}

}  // namespace hydra
