// The parts of the window, which Tab goes through: the one that it has come to has the keyboard, and a frame around it.
#pragma once
#include <optional>

namespace hydra {

struct Frame;
struct ViewState;
struct Front;

// In Tab's order. The view is two of them: its numbers, which arrows move on, and its controls.
enum class WindowPart { bar, side, numbers, controls, transport, inspector, overflow };
inline constexpr int kWindowParts = 7;

struct Parts {
  std::optional<WindowPart> at;  // that Tab has come to; none since the last click: keys are the numbers'
  unsigned shown = 0;            // a bit for each that the last layout had,
  unsigned drawn = 0;            // and for those of the layout under way
  bool entered = false;          // since the last layout
  bool menu = false;             // a menu had the keyboard when the layout began
};

// Arrows selected the last number, not the pointer: what lies under one that rests is not told.
struct KeysSelect {
  bool they = false;
};

// Whether arrows, Enter and Space are of the numbers of the view, not of a text, a menu, another part, or the help.
bool numbers_have_keys(const Frame& frame);

// Before a frame: takes Tab from ImGui, which knows fields alone, but in what is in front of the window. Behind the
// last part comes the first.
void follow_tab(Parts& parts, Front& front);
// By +1 into the first part, by -1 into the last, by 0 out of all.
void enter_parts(Parts& parts, int by);
// Whether Tab (by -1 Shift Tab) has a part to go to from here without beginning again, or is of what is in front of the
// window. A page leaves it to the browser else.
bool keeps_tab(const Frame& frame, int by);

// Around a layout; and within each part's window, around what it draws.
void begin_parts(Frame& frame);
void end_parts(Frame& frame);
void begin_part(Frame& frame, WindowPart part);
void end_part(const Frame& frame, WindowPart part);

// "The bar": for who listens. The side is what stands there.
const std::string& name_of(const ViewState& view, WindowPart part);

}  // namespace hydra
