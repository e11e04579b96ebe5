// One frame of the interface: input, layout, edits, evaluation, and the layout again when something changed.
#include <utility>

#include "app/app.h"
#include "app/app_state.h"
#include "app/views/commands.h"
#include "app/views/views.h"
#include "app/widgets/splitter.h"

namespace hydra {

namespace {

using Draw = void (*)(Frame&);

// A part of the window: its ground, its child, its content.
void region(Frame& frame, const char* name, ImVec2 pos, ImVec2 size, ImU32 ground, Draw draw, bool scrolls) {
  if (size.x < 1 || size.y < 1) return;
  if (ground != 0) ImGui::GetWindowDrawList()->AddRectFilled(pos, {pos.x + size.x, pos.y + size.y}, ground);
  ImGui::SetCursorScreenPos(pos);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {3 * frame.unit, 2 * frame.unit});
  const ImGuiWindowFlags flags = scrolls ? ImGuiWindowFlags_AlwaysUseWindowPadding
                                         : ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar |
                                               ImGuiWindowFlags_NoScrollWithMouse;
  if (ImGui::BeginChild(name, size, false, flags)) {
    ImGui::PopStyleVar();
    draw(frame);
  } else {
    ImGui::PopStyleVar();
  }
  ImGui::EndChild();
}

void draw_center(Frame& frame) {
  for (const ViewEntry& entry : all_views())
    if (entry.id == frame.view.view) entry.draw(frame);
}

struct SideWidths {
  float model, inspector;
};

SideWidths side_widths(const Frame& frame, float window_width) {
  const ViewState& view = frame.view;
  const float em = ImGui::GetFontSize();
  if (view.presentation) return {0, 0};
  const float model = view.model_panel_width > 0 ? view.model_panel_width * em : 13.5f * em;
  const float inspector =
      view.inspector_width > 0 ? view.inspector_width * em : std::clamp(0.25f * window_width, 20 * em, 27 * em);
  return {view.model_panel_open ? model : 0, view.inspector_open ? inspector : 0};
}

void draw_window(Frame& frame, ImVec2 size) {
  const Theme& theme = frame.theme;
  const float em = ImGui::GetFontSize(), line = 1;
  const float top = top_bar_height(frame, size.x),
              bottom = frame.view.presentation ? 2 * frame.fonts.large->FontSize : 1.9f * em;
  const float middle = size.y - top - bottom;
  const SideWidths side = side_widths(frame, size.x);
  region(frame, "top", {0, 0}, {size.x, top}, theme.panel, draw_top_bar, false);
  // The parts leave the splitters' grips free: a child window would swallow the pointer.
  const float grip = 0.5f * ui::splitter_grip();
  const float left = side.model > 0 ? side.model + grip : 0,
              right = size.x - (side.inspector > 0 ? side.inspector + grip : 0);
  region(frame, "model", {0, top + line}, {side.model - grip, middle - line}, theme.panel, draw_model_panel, true);
  region(frame, "center", {left, top + line}, {right - left, middle - line}, 0, draw_center, false);
  region(frame, "inspector", {size.x - side.inspector + grip, top + line}, {side.inspector - grip, middle - line},
         theme.panel, draw_inspector, true);
  region(frame, "status", {0, size.y - bottom}, {size.x, bottom}, theme.panel, draw_status_bar, false);

  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({0, top}, {size.x, top}, theme.line);
  list->AddLine({0, size.y - bottom}, {size.x, size.y - bottom}, theme.line);
  if (side.model > 0) {
    float width = side.model / em;
    if (ui::splitter("splitter/model", {side.model, top}, middle, theme, width, +1, 11, 24))
      frame.view.model_panel_width = width;
  }
  if (side.inspector > 0) {
    float width = side.inspector / em;
    if (ui::splitter("splitter/inspector", {size.x - side.inspector, top}, middle, theme, width, -1, 18, 50))
      frame.view.inspector_width = width;
  }
  draw_file_dialog(frame);
  if (frame.view.show_help) draw_help(frame);
}

}  // namespace

void App::State::lay_out(ImVec2 size, float dt) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = size;
  io.DeltaTime = dt;
  ImGui::NewFrame();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin("Hydrascope", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar(3);

  FrameStatus status;
  status.evaluate_ms = evaluator.milliseconds();
  status.computing = evaluator.computing();
  status.can_undo = history.can_undo();
  status.can_redo = history.can_redo();
  status.modified = history.modified();
  status.undo_label = history.undo_label();
  status.redo_label = history.redo_label();
  status.file_name = path;
  const std::shared_ptr<const Trace> trace = evaluator.trace();
  Frame frame{history.current(), *trace,       view,           outbox,        derived,        sink,
              theme(view.dark),  fonts,        status,         roles.roles(), mixing.shown(), likeness.shown(),
              sweep.shown(),     ways.shown(), 4 * built_scale};
  view.animating = false;
  ImGui::PushFont(fonts.text);
  draw_window(frame, size);
  run_commands(frame);
  ImGui::PopFont();
  ImGui::End();
  ImGui::Render();
  if (view.notice_until < ImGui::GetTime()) view.notice.clear();
  view.hover = std::exchange(view.next_hover, std::nullopt);
}

void App::frame(ImVec2 size, float dt, InputQueue& input) {
  State& s = *state_;
  s.update_trace(std::chrono::milliseconds(0));  // what a background evaluation has finished
  s.update_roles(std::chrono::milliseconds(0));
  s.update_together(std::chrono::milliseconds(0));
  s.update_ways();
  s.prepare_style();
  input.pump();
  s.lay_out(size, std::max(dt, 1e-3f));
  // What the edits of this frame changed is laid out again before anything is presented. The second pass takes no
  // input, so its clicks are none; twice is enough because edits come from input alone.
  const bool edited = s.apply_messages();
  const bool changed = s.update_trace(s.frame_patience), relabelled = s.update_roles(s.frame_patience / 2);
  const bool compared = s.update_together(s.frame_patience / 2), timed = s.update_ways();
  if (edited || changed || relabelled || compared || timed) {
    s.prepare_style();
    ImGuiIO& io = ImGui::GetIO();
    io.MouseWheel = io.MouseWheelH = 0;
    s.lay_out(size, 1e-6f);
    s.apply_messages();
  }
}

}  // namespace hydra
