// Input events as values, from the real window or from a test, fed to ImGui one conflict-free handful a frame. The
// stock backend writes key state directly, so a press and a release within one poll cancel out; this queue loses
// nothing.
#pragma once
#include <imgui.h>

#include <deque>
#include <set>
#include <string>

namespace hydra {

// Key codes are GLFW's (layout-independent for letters via ImGui's needs); the handful that we name.
namespace key {
inline constexpr int space = 32, minus = 45, equal = 61, comma = 44, period = 46, left_bracket = 91, right_bracket = 93;
inline constexpr int escape = 256, enter = 257, tab = 258, backspace = 259, insert = 260, del = 261, right = 262,
                     left = 263, down = 264, up = 265, page_up = 266, page_down = 267, home = 268, end = 269, f1 = 290,
                     f5 = 294, left_shift = 340, left_control = 341, left_alt = 342;
// Of the keypad, for who sends them: the queue makes of them minus, equal and enter.
inline constexpr int kp_subtract = 333, kp_add = 334, kp_enter = 335;
constexpr int letter(char c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; }  // also digits
}  // namespace key

struct InputEvent {
  enum class Kind { move, button, wheel, key, text, focus, leave } kind;
  float x = 0, y = 0;  // move: position; wheel: amount
  int code = 0;        // button number, key code, code point
  bool down = false;   // button, key; focus: gained
};

class InputQueue {
 public:
  void push(InputEvent event);
  bool empty() const { return queue_.empty(); }
  // Feeds ImGui's io until the first event that would hide an earlier one of this frame. Call before ImGui::NewFrame.
  void pump();
  void release_all();

 private:
  std::deque<InputEvent> queue_;
  ImVec2 mouse_{-FLT_MAX, -FLT_MAX};
  bool buttons_[5] = {};
};

// Whether a turn of the wheel would move something under the pointer, which was there in the last frame.
bool wheel_moves(float x, float y);

// Fills io.KeyMap for ImGui 1.86 (which takes any key numbering), once per context.
void map_keys();

namespace ui {
// Pressed this frame (repeat: also while held), whatever the modifiers; and with exactly these modifiers.
bool key_pressed(int key, bool repeat = false);
bool shortcut(bool ctrl, bool shift, int key, bool repeat = false);
}  // namespace ui

}  // namespace hydra
