// The few controls that the bars and panels are made of: each has a name for tests and a one-sentence tip.
#pragma once
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "app/views/frame/context.h"
#include "app/views/frame/texts.h"
#include "app/widgets/room.h"

namespace hydra::ui {

bool button(const Frame& frame, std::string_view name, const std::string& label, std::string_view tip_text,
            bool enabled = true);
// A page's one main action: in the ink itself, so that it is no chip that is chosen, with a sign before its words.
enum class Sign { play, pause };
bool main_button(const Frame& frame, std::string_view name, const std::string& label, std::string_view tip_text,
                 Sign sign, float width, bool enabled = true);
float main_button_width(const Frame& frame, const std::string& label);
// A small button that is filled while on.
bool chip(const Frame& frame, std::string_view name, std::string_view label, bool on, std::string_view tip_text,
          ImU32 fill = 0, bool enabled = true);
bool checkbox(const Frame& frame, std::string_view name, const std::string& label, bool& on, std::string_view tip_text);
// Of a field of the view state.
inline void checkbox(const Frame& frame, std::string_view name, const std::string& label, const bool& on,
                     std::string_view tip_text) {
  bool chosen = on;
  if (checkbox(frame, name, label, chosen, tip_text)) frame.choose(on, chosen);
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

// The heading of a group that can be folded, with what is in it behind its title. Whether it was clicked.
bool fold(const Frame& frame, std::string_view name, const std::string& title, bool open, const std::string& note,
          std::string_view tip_text);

}  // namespace hydra::ui
