// A row of chips and buttons of the window's bar: what has no room stands in a menu behind its last one.
#pragma once
#include <string>

#include "app/views/frame/context.h"

namespace hydra::ui {

class BarRow {
 public:
  // more: the menu's name for tests; label: of the button that opens it. room: of the row; needed: by all that comes.
  BarRow(const Frame& frame, const char* more, std::string label, float room, float needed);
  ~BarRow();
  BarRow(const BarRow&) = delete;
  BarRow& operator=(const BarRow&) = delete;

  // Whether it was clicked, in the row or in the menu.
  bool chip(std::string_view name, const std::string& label, bool on, std::string_view tip);
  bool button(const char* name, const std::string& label, std::string_view tip, bool enabled = true);

  static float button_width(const std::string& label);

 private:
  bool has_room(float width);
  bool entry(std::string_view name, const std::string& label, bool on, bool enabled) const;

  const Frame& frame_;
  const char* more_;
  std::string label_;
  float end_;  // of the row, and where it folds, of what is left of the menu's button
  bool folds_, first_ = true, folded_ = false, open_ = false;
};

}  // namespace hydra::ui
