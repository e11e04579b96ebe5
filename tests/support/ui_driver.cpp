#include "tests/support/ui_driver.h"

#include <algorithm>
#include <catch2/catch.hpp>

namespace hydra {

namespace {
using Kind = InputEvent::Kind;

InputEvent key_event(int code, bool down) { return {.kind = Kind::key, .code = code, .down = down}; }
InputEvent button_event(int button, bool down) { return {.kind = Kind::button, .code = button, .down = down}; }
InputEvent move_event(ImVec2 to) { return {.kind = Kind::move, .x = to.x, .y = to.y}; }

// The code point at text[k], k moved behind it. The text is a test's own literal: valid UTF-8.
int next_code_point(const std::string& text, std::size_t& k) {
  const auto lead = static_cast<unsigned char>(text[k++]);
  const int more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
  int point = more == 0 ? lead : lead & (0x3F >> more);
  for (int i = 0; i < more; ++i) point = point << 6 | (text[k++] & 0x3F);
  return point;
}
}  // namespace

void NullSink::add(ImDrawList*, const Heatmap& heatmap) {
  if (frame_ != ImGui::GetFrameCount()) heatmaps.clear();
  frame_ = ImGui::GetFrameCount();
  heatmaps.push_back(heatmap);
}

ImVec2 UiDriver::Rect::cell(Index row, Index col, Index rows, Index cols) const {
  return at((static_cast<float>(col) + 0.5f) / static_cast<float>(cols),
            (static_cast<float>(row) + 0.5f) / static_cast<float>(rows));
}

UiDriver::UiDriver(ImVec2 display) : UiDriver(display, ImGui::CreateContext()) {
  context_ = ImGui::GetCurrentContext();
}

UiDriver::UiDriver(ImVec2 display, ImGuiContext* current) : size(display), context_(nullptr) {
  ImGui::SetCurrentContext(current);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  io.ClipboardUserData = &clipboard_;
  io.SetClipboardTextFn = [](void* data, const char* text) { *static_cast<std::string*>(data) = text; };
  io.GetClipboardTextFn = [](void* data) { return static_cast<std::string*>(data)->c_str(); };
  map_keys();
  ui::probe_recorder() = &recorder_;
}

UiDriver::~UiDriver() {
  ui::probe_recorder() = nullptr;
  if (context_) ImGui::DestroyContext(context_);
}

void UiDriver::draw_each_frame(std::function<void()> draw) {
  if (!ImGui::GetIO().Fonts->IsBuilt()) fonts_ = build_fonts(1);
  program = [draw = std::move(draw)](ImVec2 display, float step, InputQueue& queue) {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = display;
    io.DeltaTime = step;
    queue.pump();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(display);
    ImGui::Begin("test", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings);
    draw();
    ImGui::End();
    ImGui::Render();
  };
}

void UiDriver::frames(int count) {
  REQUIRE(program);
  for (int k = 0; k < count; ++k) {
    program(size, dt, input);
    if (recorder_.duplicates.empty()) continue;
    const std::string name = recorder_.duplicates.front();
    recorder_.duplicates.clear();
    FAIL("two things on the screen are named " << name);
  }
}

void UiDriver::settle() {
  for (int k = 0; !input.empty(); ++k) {
    REQUIRE(k < 10000);
    frames();
  }
  frames(2);
}

bool UiDriver::exists(const std::string& name) {
  if (ImGui::GetFrameCount() == 0) frames(2);
  return recorder_.entries.count(name) != 0;
}

UiDriver::Rect UiDriver::rect(const std::string& name) {
  if (!exists(name)) FAIL("nothing on the screen is named " << name);
  if (!recorder_.entries.at(name).visible) {
    recorder_.scroll_to = name;
    frames(3);
    recorder_.scroll_to.clear();
    if (!exists(name) || !recorder_.entries.at(name).visible) FAIL("cannot be scrolled into view: " << name);
  }
  const ui::ProbeRecorder::Entry& entry = recorder_.entries.at(name);
  return {entry.min, entry.max};
}

std::optional<UiDriver::Rect> UiDriver::seen(const std::string& name) {
  if (!exists(name) || !recorder_.entries.at(name).visible) return std::nullopt;
  const ui::ProbeRecorder::Entry& entry = recorder_.entries.at(name);
  return Rect{entry.min, entry.max};
}

std::vector<std::string> UiDriver::names() {
  if (ImGui::GetFrameCount() == 0) frames(2);
  std::vector<std::string> all;
  for (const auto& [name, entry] : recorder_.entries) all.push_back(name);
  std::sort(all.begin(), all.end());
  return all;
}

void UiDriver::move(ImVec2 point) {
  input.push(move_event(point));
  settle();
}
void UiDriver::move(const std::string& name) { move(rect(name).center()); }

void UiDriver::leave() {
  input.push({.kind = Kind::leave});
  settle();
}

void UiDriver::press(int button) {
  input.push(button_event(button, true));
  settle();
}
void UiDriver::release(int button) {
  input.push(button_event(button, false));
  settle();
}

void UiDriver::hold(Modifiers modifiers, bool down) {
  if (modifiers.ctrl) input.push(key_event(key::left_control, down));
  if (modifiers.shift) input.push(key_event(key::left_shift, down));
}

void UiDriver::click(ImVec2 point, Modifiers modifiers, int button) {
  move(point);
  hold(modifiers, true);
  press(button);
  release(button);
  hold(modifiers, false);
  settle();
}
void UiDriver::click(const std::string& name, Modifiers modifiers) { click(rect(name).center(), modifiers); }
void UiDriver::right_click(const std::string& name) { click(rect(name).center(), {}, 1); }

void UiDriver::double_click(ImVec2 point) {
  move(point);
  for (const bool down : {true, false, true, false}) input.push(button_event(0, down));
  settle();
}
void UiDriver::double_click(const std::string& name) { double_click(rect(name).center()); }

void UiDriver::drag(ImVec2 point, float dx, float dy, Modifiers modifiers) {
  move(point);
  hold(modifiers, true);
  press();
  constexpr int kSteps = 8;
  for (int k = 1; k <= kSteps; ++k) {
    const float t = static_cast<float>(k) / kSteps;
    input.push(move_event(ImVec2(point.x + dx * t, point.y + dy * t)));
    frames();
  }
  release();
  hold(modifiers, false);
  settle();
}
void UiDriver::drag(const std::string& name, float dx, float dy, Modifiers modifiers) {
  drag(rect(name).center(), dx, dy, modifiers);
}

void UiDriver::wheel(const std::string& name, float dy, Modifiers modifiers) {
  move(name);
  hold(modifiers, true);
  settle();
  input.push({.kind = Kind::wheel, .y = dy});
  hold(modifiers, false);
  settle();
}

void UiDriver::key(int code, bool ctrl, bool shift) {
  hold({ctrl, shift}, true);
  input.push(key_event(code, true));
  input.push(key_event(code, false));
  hold({ctrl, shift}, false);
  settle();
}

void UiDriver::type(const std::string& utf8) {
  for (std::size_t k = 0; k < utf8.size();) input.push({.kind = Kind::text, .code = next_code_point(utf8, k)});
  settle();
}

}  // namespace hydra
