#include "app/platform/input.h"

#include <utility>

#include "app/platform/glyphs.h"
#include "imgui_internal.h"

namespace hydra {

namespace {

constexpr int kKeys = 512;   // io.KeysDown's size
constexpr int kButtons = 5;  // io.MouseDown's
constexpr int kRightShift = 344, kRightControl = 345, kRightAlt = 346, kLeftSuper = 343, kRightSuper = 347;

// The key beside the letters that does the same.
int without_keypad(int code) {
  switch (code) {
    case key::kp_enter:
      return key::enter;
    case key::kp_add:
      return key::equal;
    case key::kp_subtract:
      return key::minus;
    default:
      return code;
  }
}

void set_key(ImGuiIO& io, int code, bool down) {
  if (code < 0 || code >= kKeys) return;
  io.KeysDown[code] = down;
  io.KeyShift = io.KeysDown[key::left_shift] || io.KeysDown[kRightShift];
  io.KeyCtrl = io.KeysDown[key::left_control] || io.KeysDown[kRightControl];
  io.KeyAlt = io.KeysDown[key::left_alt] || io.KeysDown[kRightAlt];
  io.KeySuper = io.KeysDown[kLeftSuper] || io.KeysDown[kRightSuper];
}

// ImGui's fields hold code points below U+10000 only.
void add_character(ImGuiIO& io, char32_t code) {
  Glyphs* glyphs = Glyphs::current();
  io.AddInputCharacter(glyphs == nullptr ? static_cast<unsigned>(code) : glyphs->typed(code));
}

bool is_modifier(int code) { return code >= key::left_shift && code <= kRightSuper; }

// What this frame has taken so far; an event that would hide one of these waits for the next frame.
struct Taken {
  bool moved = false, wheel = false, text = false;
  unsigned buttons = 0;
  std::set<int> keys;

  bool seen_button(int code) const { return code >= 0 && code < kButtons && (buttons >> code & 1u) != 0; }

  bool conflicts(const InputEvent& event) const {
    switch (event.kind) {
      case InputEvent::Kind::move:
        return buttons != 0 || wheel;
      case InputEvent::Kind::button:
        return wheel || moved || seen_button(event.code);  // moved: keeps fast drags
      case InputEvent::Kind::wheel:
        return moved || buttons != 0;
      case InputEvent::Kind::key:
        // A modifier let go behind a key belongs to the next frame: Ctrl+Z is Ctrl+Z even when Ctrl comes up first.
        return buttons != 0 || text || keys.count(event.code) != 0 || (is_modifier(event.code) && !keys.empty());
      case InputEvent::Kind::text:
        return false;
      case InputEvent::Kind::focus:
      case InputEvent::Kind::leave:
        return moved || wheel || text || buttons != 0 || !keys.empty();
    }
    return false;
  }
};

}  // namespace

void InputQueue::push(InputEvent event) {
  if (event.kind == InputEvent::Kind::key) event.code = without_keypad(event.code);
  queue_.push_back(event);
}

void InputQueue::pump() {
  ImGuiIO& io = ImGui::GetIO();
  Taken taken;
  for (; !queue_.empty() && !taken.conflicts(queue_.front()); queue_.pop_front()) {
    const InputEvent& event = queue_.front();
    switch (event.kind) {
      case InputEvent::Kind::move:
        mouse_ = ImVec2(event.x, event.y);
        taken.moved = true;
        break;
      case InputEvent::Kind::button:
        if (event.code < 0 || event.code >= IM_ARRAYSIZE(buttons_)) break;
        buttons_[event.code] = event.down;
        taken.buttons |= 1u << event.code;
        break;
      case InputEvent::Kind::wheel:
        io.MouseWheelH += event.x;
        io.MouseWheel += event.y;
        taken.wheel = true;
        break;
      case InputEvent::Kind::key:
        set_key(io, event.code, event.down);
        taken.keys.insert(event.code);
        break;
      case InputEvent::Kind::text:
        add_character(io, static_cast<char32_t>(event.code));
        taken.text = true;
        break;
      case InputEvent::Kind::focus:
        if (!event.down) release_all();
        break;
      case InputEvent::Kind::leave:
        mouse_ = ImVec2(-FLT_MAX, -FLT_MAX);
        break;
    }
  }
  io.MousePos = mouse_;
  for (int k = 0; k < IM_ARRAYSIZE(buttons_); ++k) io.MouseDown[k] = buttons_[k];
}

void InputQueue::release_all() {
  ImGuiIO& io = ImGui::GetIO();
  for (int code = 0; code < kKeys; ++code)
    if (io.KeysDown[code]) set_key(io, code, false);
  for (bool& button : buttons_) button = false;
}

// As ImGui goes from the window under the pointer to the one that scrolls; what only goes sideways takes any wheel.
bool wheel_moves(float x, float y) {
  if (ImGui::IsAnyMouseDown()) return true;
  const auto goes = [](float at, float most, float by) { return by > 0 ? at > 0 : by < 0 && at < most; };
  const ImGuiWindow* window = ImGui::GetCurrentContext()->HoveredWindow;
  if (!window) return false;
  if (goes(window->Scroll.x, window->ScrollMax.x, window->ScrollMax.y == 0 && x == 0 ? y : x)) return true;
  while ((window->Flags & ImGuiWindowFlags_ChildWindow) != 0 &&
         (window->ScrollMax.y == 0 || (window->Flags & ImGuiWindowFlags_NoScrollWithMouse) != 0))
    window = window->ParentWindow;
  return (window->Flags & ImGuiWindowFlags_NoScrollWithMouse) == 0 && goes(window->Scroll.y, window->ScrollMax.y, y);
}

void map_keys() {
  ImGuiIO& io = ImGui::GetIO();
  const std::pair<int, int> map[] = {{ImGuiKey_Tab, key::tab},
                                     {ImGuiKey_LeftArrow, key::left},
                                     {ImGuiKey_RightArrow, key::right},
                                     {ImGuiKey_UpArrow, key::up},
                                     {ImGuiKey_DownArrow, key::down},
                                     {ImGuiKey_PageUp, key::page_up},
                                     {ImGuiKey_PageDown, key::page_down},
                                     {ImGuiKey_Home, key::home},
                                     {ImGuiKey_End, key::end},
                                     {ImGuiKey_Insert, key::insert},
                                     {ImGuiKey_Delete, key::del},
                                     {ImGuiKey_Backspace, key::backspace},
                                     {ImGuiKey_Space, key::space},
                                     {ImGuiKey_Enter, key::enter},
                                     {ImGuiKey_Escape, key::escape},
                                     {ImGuiKey_A, key::letter('a')},
                                     {ImGuiKey_C, key::letter('c')},
                                     {ImGuiKey_V, key::letter('v')},
                                     {ImGuiKey_X, key::letter('x')},
                                     {ImGuiKey_Y, key::letter('y')},
                                     {ImGuiKey_Z, key::letter('z')}};
  for (const auto& [imgui_key, code] : map) io.KeyMap[imgui_key] = code;
}

bool ui::key_pressed(int key, bool repeat) { return ImGui::IsKeyPressed(key, repeat); }

bool ui::shortcut(bool ctrl, bool shift, int key, bool repeat) {
  const ImGuiIO& io = ImGui::GetIO();
  return io.KeyCtrl == ctrl && io.KeyShift == shift && !io.KeyAlt && !io.KeySuper && key_pressed(key, repeat);
}

}  // namespace hydra
