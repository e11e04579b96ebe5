// The few controls that the bars and panels are made of: each has a name for tests and a one-sentence tip.
#pragma once
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "app/views/context.h"
#include "app/widgets/room.h"

namespace hydra::ui {

// Around what a tooltip shows: its own margins, whatever the view around it has set.
void begin_tooltip();
// The same, under what it explains (or over it, low in the window), rather than at the pointer, where it would cover
// it.
void begin_tooltip_beside(ImVec2 min, ImVec2 max);
void end_tooltip();
// Shows the sentence while the last item is pointed at, until it is clicked: it would cover what the click brings.
void tip(std::string_view sentence);
// A strong line at most so wide, with a tip over it; returns its end.
float title(const Frame& frame, std::string_view name, ImVec2 pos, float width, const std::string& text,
            std::string_view tip_text);
// Names what was drawn in that rectangle for tests, and explains it.
void explain_here(std::string_view name, ImVec2 pos, ImVec2 size, std::string_view sentence);
// Lines in a tooltip, the first of several strong; empty ones are left out.
void tooltip(const Frame& frame, const std::vector<std::string>& lines);
void tooltip_beside(const Frame& frame, ImVec2 min, ImVec2 max, const std::vector<std::string>& lines);

bool button(const Frame& frame, std::string_view name, const char* label, std::string_view tip_text,
            bool enabled = true);
// A small button that is filled while on.
bool chip(const Frame& frame, std::string_view name, std::string_view label, bool on, std::string_view tip_text,
          ImU32 fill = 0, bool enabled = true);
bool checkbox(std::string_view name, const char* label, bool& on, std::string_view tip_text);
// Of a field of the view state.
inline void checkbox(const Frame& frame, std::string_view name, const char* label, const bool& on,
                     std::string_view tip_text) {
  bool chosen = on;
  if (checkbox(name, label, chosen, tip_text)) frame.choose(on, chosen);
}
// Starts the next chip on the same line when width more fits, else on a new one.
void flow_line(float width);
// The same for a group of that width, which stands by so much apart from what is before it in the line.
void apart(float gap, float width);
float chip_width(std::string_view label);

// Chips one behind the other, as many in a line as fit.
class Chips {
 public:
  // follows: the first one, too, stands behind what is there.
  explicit Chips(const Frame& frame, bool follows = false) : frame_(frame), follows_(follows) {}
  // All of them in one line, a unit apart.
  static Chips in_line(const Frame& frame);
  bool chip(std::string_view name, std::string_view label, bool on, std::string_view tip_text, ImU32 fill = 0);
  // One of several: it is on while it is the chosen one, and chosen by a click. Whether it was clicked. chosen: a field
  // of the view state, or a value of one's own.
  template <class Value>
  bool choice(std::string_view name, std::string_view label, Value& chosen, const std::type_identity_t<Value>& value,
              std::string_view tip_text) {
    const bool clicked = chip(name, label, chosen == value, tip_text);
    if constexpr (std::is_const_v<Value>) {
      if (clicked) frame_.choose(chosen, value);
    } else {
      if (clicked) chosen = value;
    }
    return clicked;
  }
  // One of several that is not only chosen but done: whether another than the present one was clicked.
  bool picked(std::string_view name, std::string_view label, bool present, std::string_view tip_text) {
    return chip(name, label, present, tip_text) && !present;
  }
  // One that is on or off.
  void toggle(std::string_view name, std::string_view label, const bool& on, std::string_view tip_text) {
    if (chip(name, label, on, tip_text)) frame_.choose(on, !on);
  }
  void toggle(std::string_view name, std::string_view label, bool& on, std::string_view tip_text) {
    if (chip(name, label, on, tip_text)) on = !on;
  }
  // What follows is a group of that width, apart from this.
  void apart(float gap, float width);

 private:
  const Frame& frame_;
  bool follows_, breaks_ = true;
};

// While it lives what flows in lines breaks at that place of the screen at the latest.
class WithinRight {
 public:
  explicit WithinRight(float right);
  ~WithinRight();
  WithinRight(const WithinRight&) = delete;
  WithinRight& operator=(const WithinRight&) = delete;

 private:
  float before_;
};

// While it lives chips are in small type, as high as a strong line with what is around it.
class SmallChips {
 public:
  explicit SmallChips(const Frame& frame);
  ~SmallChips();
  SmallChips(const SmallChips&) = delete;
  SmallChips& operator=(const SmallChips&) = delete;
};

// How much of some work is done, 0 to 1; under its end, where it goes on for seconds, how many are left.
// By what was done since it was first seen; 0: it is too early to say, or it is nearly done.
long long seconds_left(double elapsed, float first_share, float share);
void progress_bar(const Frame& frame, const char* name, ImVec2 pos, ImVec2 size, float share);

// Within a popup: Esc closes it.
void close_on_escape();

// A quiet heading of a group of controls.
void heading(const Frame& frame, const char* text);
// The heading of a group that can be folded, with what is in it behind its title. Whether it was clicked.
bool fold(const Frame& frame, std::string_view name, const char* title, bool open, const std::string& note,
          std::string_view tip_text);
void soft_text(const Frame& frame, const std::string& text);
// In lines of at most that width, broken between words alone: ImGui's own breaks may part a number at its point.
std::string broken_between_words(ImFont* font, const std::string& text, float width);
// Text in such lines, in a rectangle, and the height it takes.
float paragraph_height(const Frame& frame, ImFont* font, float width, const std::string& text);
float paragraph(const Frame& frame, ImFont* font, ImVec2 pos, float width, ImU32 color, const std::string& text);
// What is measured beside the frame is not there, or older than it should be: why. Nothing when there is no failure.
void failure_text(const Frame& frame, const std::string& failure);
// Where nothing was measured yet.
void waiting_text(const Frame& frame, const std::string& failure);

}  // namespace hydra::ui
