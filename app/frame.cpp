// One frame of the interface: input, layout, edits, evaluation, and the layout again when something changed.
#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "app/app.h"
#include "app/app_state.h"
#include "app/draw/probe.h"
#include "app/platform/layout_mark.h"
#include "app/scene/inspector_follow.h"
#include "app/scene/sides.h"
#include "app/views/bars/checkpoint_bar.h"
#include "app/views/frame/offered.h"
#include "app/views/frame/ui.h"
#include "app/views/inspector/hands.h"
#include "app/views/inspector/inspector_parts.h"
#include "app/views/mapping/mapping_page.h"
#include "app/views/marks/mark_pairs.h"
#include "app/views/mask/mask_bar.h"
#include "app/views/mask/mask_paint.h"
#include "app/views/model_panel/sentence_field.h"
#include "app/views/notes/notes_panel.h"
#include "app/views/shared/pictured.h"
#include "app/views/shell/commands.h"
#include "app/views/shell/layer_strip.h"
#include "app/views/shell/parts.h"
#include "app/views/shell/spoken.h"
#include "app/views/shell/views.h"
#include "app/widgets/splitter.h"
#include "core/document/text/marks.h"
#include "core/failure.h"
#include "core/linalg/memory.h"
#include "core/measures/cut_sentences.h"

namespace hydra {

namespace {

using Draw = void (*)(Frame&);

constexpr float kSlim = 30;        // text sizes: less leaves a view beside a panel no room
constexpr float kLow = 30;         // of its height
constexpr float kDimming = 0.25f;  // seconds in which ImGui dims what a question stands over

// The window under way. What a part throws ends that part; the others are laid out all the same.
struct Layout {
  Frame& frame;
  std::exception_ptr fault;
};

// A region of the window: its ground, its child, its content; Tab comes to it where it is a part.
void region(Layout& layout, const char* name, std::optional<WindowPart> part, ImVec2 pos, ImVec2 size, ImU32 ground,
            Draw draw, bool scrolls) {
  if (size.x < 1 || size.y < 1) return;
  Frame& frame = layout.frame;
  if (ground != 0) frame.canvas.fill(pos, {pos.x + size.x, pos.y + size.y}, ground);
  ImGui::SetCursorScreenPos(pos);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {3 * frame.unit, 2 * frame.unit});
  const ImGuiWindowFlags flags = scrolls ? ImGuiWindowFlags_AlwaysUseWindowPadding
                                         : ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar |
                                               ImGuiWindowFlags_NoScrollWithMouse;
  const bool seen = ImGui::BeginChild(name, size, false, flags);
  ImGui::PopStyleVar();
  LayoutMark mark;
  try {
    if (seen && part) begin_part(frame, *part);
    if (seen) draw(frame);
    if (seen && part) end_part(frame, *part);
  } catch (...) {
    layout.fault = std::current_exception();
    mark.come_back();
  }
  ImGui::EndChild();
}

void draw_in_center(Frame& frame, const ViewEntry& entry) {
  if (!frame.status.ready) return draw_waiting(frame);
  mask_keys(frame);
  draw_mask_bar(frame);
  mark_keys(frame);
  draw_marks_bar(frame);
  entry.draw(frame);
}

// A room that is too small for the view is a window onto it; a figure is as narrow as it is asked for.
void draw_center(Frame& frame) {
  frame.next.main_picture.reset();
  begin_made_numbers(frame);
  if (layer_strip_shown(frame, ImGui::GetContentRegionAvail())) draw_layer_strip(frame);
  const float em = ImGui::GetFontSize();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ViewEntry& entry = entry_of(frame.view.view);
  const ImVec2 least{frame.canvas.stands_alone() ? 0 : std::floor(entry.wide * em), std::floor(entry.high * em)};
  if (room.x >= least.x && room.y >= least.y) return draw_in_center(frame, entry);
  const float bar = ImGui::GetStyle().ScrollbarSize;
  const bool across = room.x < least.x + bar, down = room.y < least.y + bar;
  ImGui::SetNextWindowContentSize({across ? least.x : 0, down ? least.y : 0});
  if (ImGui::BeginChild("view", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NavFlattened))
    draw_in_center(frame, entry);
  ImGui::EndChild();
}

struct SideWidths {
  float left, inspector;
};

SideWidths side_widths(const Frame& frame, float window_width) {
  const ViewState& view = frame.view;
  const float em = ImGui::GetFontSize();
  if (are_called(view)) {
    if (!view.sides.notes && !view.sides.model) return {0, 0};
    if (window_width < kSlim * em) return {window_width, 0};
    if (!view.sides.notes) return {13.5f * em, 0};
    const float left = window_width - (entry_of(view.view).wide + 2.5f) * em;  // what the view leaves
    return {std::clamp(left, 13 * em, std::min(17 * em, std::max(13 * em, 0.36f * window_width))), 0};
  }
  const float model = view.model_panel_width > 0 ? view.model_panel_width * em : 13.5f * em;
  const float notes = view.notes_width > 0 ? view.notes_width * em : 20 * em;
  const float inspector =
      view.inspector_width > 0 ? view.inspector_width * em : std::clamp(0.25f * window_width, 20 * em, 27 * em);
  return {view.notes_open ? notes : view.model_panel_open ? model : 0, inspector_shown(view) ? inspector : 0};
}

void draw_window(Layout& layout, ImVec2 size) {
  Frame& frame = layout.frame;
  const Theme& theme = frame.theme;
  const float em = ImGui::GetFontSize(), line = 1;
  const bool called = are_called(frame.view);  // of the whole layout, whatever is clicked within it
  // A number's two lines stand in the place of the status line, or their room is kept: no picture moves under the
  // pointer that clicks. In the lowest windows the pictures need it more, and so do the views whose numbers are not of
  // that kind.
  const bool replace = inspector::lines_replace_status(frame, size.x);
  const int lines = inspector::decide_lines_in_status(frame, size.x);
  const float strip = frame.status.ready && lines == 0 ? inspector::strip_height(frame, size) : 0;
  const bool selects = frame.view.view != ViewId::learn && frame.view.view != ViewId::tradeoff;
  const bool keeps = called && !replace && selects && size.y > kLow * em;
  const float kept = keeps ? std::max(strip, inspector::lines_height(frame, size.x)) : strip;
  const float status = frame.view.presentation ? (keeps ? 1.4f : 2.0f) * frame.fonts.large->FontSize : 1.9f * em;
  const float top = top_bar_height(frame, size.x), bottom = kept + status;
  const float overflow = overflow_bar_height(frame, size.x), middle = size.y - top - bottom - overflow;
  const SideWidths side = side_widths(frame, size.x);
  const bool trains = transport_height(frame) > 0;
  const float transport = !frame.status.ready ? 0 : trains ? transport_height(frame) : checkpoint_bar_height(frame);
  const bool notes = is_open(frame.view, Side::notes);
  begin_parts(frame);
  region(layout, "top", WindowPart::bar, {0, 0}, {size.x, top}, theme.panel, draw_top_bar, false);
  // The parts leave the splitters' grips free: a child window would swallow the pointer.
  const float grip = 0.5f * ui::splitter_grip();
  const float left = side.left > 0 ? side.left + grip : 0,
              right = size.x - (side.inspector > 0 ? side.inspector + grip : 0);
  region(layout, notes ? "notes" : "model", WindowPart::side, {0, top + line}, {side.left - grip, middle - line},
         theme.panel, notes ? draw_notes : draw_model_panel, true);
  region(layout, "center", WindowPart::numbers, {left, top + line}, {right - left, middle - transport - line}, 0,
         draw_center, false);
  region(layout, "transport", WindowPart::transport, {left, top + middle - transport + line},
         {right - left, transport - line}, theme.panel, trains ? draw_transport : draw_checkpoint_bar, false);
  region(
      layout, "inspector", WindowPart::inspector, {size.x - side.inspector + grip, top + line},
      {side.inspector - grip, middle - line}, theme.panel, frame.status.ready ? draw_inspector : [](Frame&) {}, true);
  region(layout, "overflow", WindowPart::overflow, {0, size.y - bottom - overflow}, {size.x, overflow}, theme.panel,
         draw_overflow_bar, false);
  if (bottom >= 1) frame.canvas.fill({0, size.y - bottom}, size, theme.panel);
  const ImVec2 status_size = lines == 0 ? ImVec2{size.x, bottom - strip}
                                        : ImVec2{size.x - inspector::buttons_width(frame) - 3 * frame.unit,
                                                 status - inspector::line_height(frame)};
  if (lines < 2) region(layout, "status", std::nullopt, {0, size.y - bottom}, status_size, 0, draw_status_bar, false);
  const float strip_high = lines > 0 ? status : strip;
  region(layout, "strip", WindowPart::inspector, {0, size.y - strip_high}, {size.x, strip_high}, 0,
         inspector::draw_strip, lines == 0);
  end_parts(frame);

  frame.canvas.line({0, top}, {size.x, top}, theme.line);
  frame.canvas.line({0, size.y - bottom}, {size.x, size.y - bottom}, theme.line);
  inspector::end_lost_drag_on_picture(frame);
  if (side.left > 0 && !called) {
    float width = side.left / em;
    if (ui::splitter(frame.canvas, "splitter/model", {side.left, top}, middle, theme, width, +1, 11, notes ? 36 : 24))
      frame.choose(notes ? frame.view.notes_width : frame.view.model_panel_width, width);
  }
  if (side.inspector > 0) {
    float width = side.inspector / em;
    if (ui::splitter(frame.canvas, "splitter/inspector", {size.x - side.inspector, top}, middle, theme, width, -1, 18,
                     50))
      frame.choose(frame.view.inspector_width, width);
  }
  if (frame.front.question)
    draw_question(frame);
  else if (frame.front.layout)
    draw_mapping_page(frame);
  else
    draw_file_dialog(frame);
  if (frame.front.help && !frame.front.question) draw_help(frame);
}

// The view alone, as a page of a book has it.
void draw_alone(Frame& frame) {
  const Canvas::Part part(frame.canvas, entry_of(frame.view.view).key);
  if (frame.status.ready) entry_of(frame.view.view).draw(frame);
}

// What was laid out, in words.
void hear(Frame& frame, Heard& heard) {
  heard.status = spoken_status(frame);
  heard.number = spoken_number(frame);
  heard.place = spoken_place(frame);
  heard.keyboard = spoken_keyboard(frame);
  heard.sentence = frame.hands.of<SentenceField>().draft;
  heard.keeps_tab = keeps_tab(frame, 1);
  heard.keeps_shift_tab = keeps_tab(frame, -1);
  list_offers(frame, heard.offers);
}

}  // namespace

void App::State::lay_out(ImVec2 size, float dt) {
  if (std::exchange(let_go_caches, false)) let_go();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = size;
  io.DeltaTime = dt;
  ImGui::NewFrame();
  notice.pass(static_cast<double>(dt));
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin("Hydrascope", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar(3);
  LayoutMark mark;
  if (!attempt("frame:not_all_drawn", [&] { fill_window(size); })) mark.come_back();
  ImGui::End();
  ImGui::Render();
  bool& keys_select = hands.of<KeysSelect>().they;
  keys_select &= io.MouseDelta.x == 0 && io.MouseDelta.y == 0 && !ImGui::IsAnyMouseDown();
  glance = std::move(next_glance);
  if (keys_select) glance.cell.reset();
  if (const auto& drag = hands.of<InspectorHands>().drag; drag && drag->moved && !drag->dropped)
    glance.cell = drag->cell;
  changes.note_selection(view.selection);
}

FrameStatus App::State::frame_status() const {
  FrameStatus status;
  status.evaluate_ms = evaluator.milliseconds();
  status.computing = evaluator.computing();
  status.ready = in_focus() && adopted.lock() == shown().trace;
  status.failure = evaluator.failure();
  status.can_undo = history.can_undo();
  status.can_redo = history.can_redo();
  status.modified = history.modified();
  status.undo_label = history.undo_label();
  status.redo_label = history.redo_label();
  status.file_name = history.file().path;
  status.offers = offers;
  status.offered = offered;
  return status;
}

// What is marked in the sentence that is shown. The user's folder is looked at while it is asked for, once a second.
void App::State::follow_sentences(const Shown& now) {
  const bool asks_folder = view.roles.over == RolesOver::folder || view.roles.names == RolesOver::folder ||
                           ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
  const bool looks = asks_folder && ImGui::GetTime() >= folder_seen + 1;
  if (looks) folder_seen = ImGui::GetTime();
  const bool is_other = looks && folder.update();
  const Stamp cuts = cut_stamp(now.document);
  const bool is_cut_anew = cuts != sentences_cut;
  if (is_other || is_cut_anew) {
    sentences_cut = cuts;
    if (is_cut_anew) sentences.marked = as_cut_by(now.document, shipped_sentences());
    sentences.folder = as_cut_by(now.document, folder.sentences()), sentences.skipped = folder.skipped();
  }
  const std::pair of{history.version(), changes.peeking()};
  if (!is_other && !is_cut_anew && marked_trace.lock() == now.trace && marked_of == of) return;
  marked_trace = now.trace, marked_of = of;
  const AnnotatedSentence* known = find_annotated(*sentences.marked, now.trace->tokens);
  if (!known) known = find_annotated(*sentences.folder, now.trace->tokens);
  sentences.here = marked_here(known, now.document.marks, now.trace->tokens);
  sentences.marks = sentences.here ? &*sentences.here : nullptr;
}

// What throws here has laid out a part of the window.
void App::State::fill_window(ImVec2 size) {
  if (adopted.lock() != shown().trace || adopted_layer != view.layer)
    attempt("frame:not_up_to_date", [&] {
      changes.look_at(view.layer);
      adopt_trace();
    });
  follow_document();
  follow_window(size.x, fonts.text->FontSize);
  follow_offer();
  const FrameStatus status = frame_status();
  const ToolsTold tools{collapse.amount(), repel.shown(), solve.shown(), write_on.under_way(), series_here()};
  const Shown now = shown();
  follow_sentences(now);
  DerivedCache& of_now = shown_derived();
  const Source source{moment(), of_now, measures};
  Canvas& canvas = recording ? static_cast<Canvas&>(*recording) : screen;
  if (recording) recording->clear();
  Frame frame{source,    view,   glance,        next_glance,      hands,          made,   outbox,
              notice,    front,  canvas,        theme(view.dark), fonts,          status, tools,
              sentences, beside, learn.shown(), changes,          4 * built_scale};
  const bool asking = front.asks();
  asked_seconds = asking || front.help ? asked_seconds + ImGui::GetIO().DeltaTime : 0;
  const bool dims = asked_seconds > 0 && asked_seconds < kDimming;
  next_glance = {};
  next_glance.moving = repel.under_way() || solve.under_way() || write_on.under_way() || learn.under_way() || dims;
  outbox.layer = std::min(changes.peeking() ? view.layer : wished_layer.value_or(view.layer),
                          static_cast<int>(now.document.layers.size()) - 1);
  of_now.begin_frame();
  changes.begin_layout();
  hands.begin_layout();
  changes.set_shown(view.marks_changes);
  ImGui::PushFont(fonts.text);
  Layout layout{frame, nullptr};
  if (recording && !records_window)
    draw_alone(frame);
  else
    draw_window(layout, size);
  if (layout.fault) std::rethrow_exception(layout.fault);
  drew_view |= status.ready;
  if (hands.end_layout()) outbox.commit();
  if (listening) hear(frame, heard);
  if (const auto asked = std::exchange(asked_for, std::nullopt); asked && !asking)
    carry_out(frame, asked->first, asked->second);
  if (!asking) run_commands(frame);
  ImGui::PopFont();
}

// --- faults

void App::State::failed(const char* what, const std::exception_ptr& fault) noexcept {
  let_go_caches = true;
  try {
    notify(wording("frame:failed", {{"what", wording(what)}, {"why", reason_of(fault)}}), true);
  } catch (...) {  // not even for the sentence
    notice.sentence.clear();
  }
}

// What can be recomputed from the document and its trace; some of it may be half-made.
void App::State::let_go() noexcept {
  derived = {};
  derived.set_trace(newest_trace());
  changes.before_derived() = {};
  if (changes.before()) changes.before_derived().set_trace(changes.before()->trace);
  made.clear();
  give_back_freed_memory();
}

// --- the frame

// Takes over what was finished in the background, and asks for what is missing. True when that changed what is shown.
bool App::State::keep_up(std::chrono::milliseconds patience) {
  bool changed = false;
  attempt("frame:not_up_to_date", [&] {
    changed = update_files();
    changed |= update_trace(patience);
    changed |= update_measures(patience / 2);
    report_failures();
  });
  return changed || let_go_caches;
}

bool App::State::keep_recovery() {
  bool said = false;
  attempt("frame:recovery_failed", [&] { said = update_recovery(); });
  attempt("frame:runs_failed", [&] { said |= update_runs(); });
  return said;
}

// False: there may be no fonts; the next frame tries again.
bool App::State::has_style() {
  return attempt("frame:fonts_failed", [&] { prepare_style(); });
}

void App::frame(ImVec2 size, float dt, InputQueue& input) {
  State& s = *state_;
  s.keep_up(std::chrono::milliseconds(0));  // what a background evaluation has finished
  s.keep_recovery();
  s.glyphs.begin_frame();
  s.measures.begin_frame();
  s.drew_view = false;
  if (!s.has_style()) return;  // what was last laid out is presented again
  s.attempt("frame:not_up_to_date", [&] {
    input.pump();
    follow_tab(s.hands.of<Parts>(), s.front);
    s.follow_peek_key();
    s.update_tools(dt);
  });
  s.lay_out(size, std::max(dt, 1e-3f));
  // What was done in this frame is laid out again before anything is presented. The passes after the first take no
  // input, so their clicks are none; what one of them puts right in what is chosen is laid out by the next. Once more
  // when a text was met for which the atlas must grow.
  const bool acted = s.perform_actions();
  bool again = s.keep_up(s.frame_patience) || acted;
  for (int pass = 0; pass < 3 && (again || s.glyphs.wants_build()); ++pass) {
    if (!s.has_style()) break;
    ImGuiIO& io = ImGui::GetIO();
    io.MouseWheel = io.MouseWheelH = 0;
    s.lay_out(size, 1e-6f);
    again = s.perform_actions();
    s.attempt("frame:not_up_to_date", [&] { again |= s.update_measures(s.frame_patience / 2); });
  }
  if (s.drew_view) s.measures.end_frame(s.moment()), s.made.end_frame();
  s.keep_recovery();
  if (s.glyphs.take_changed()) s.fonts_changed = true;
}

}  // namespace hydra
