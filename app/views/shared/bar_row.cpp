#include "app/views/shared/bar_row.h"

#include <utility>

#include "app/views/frame/controls.h"
#include "app/views/frame/ui.h"

namespace hydra::ui {

BarRow::BarRow(const Frame& frame, const char* more, std::string label, float room, float needed)
    : frame_(frame), more_(more), label_(std::move(label)), folds_(needed > room) {
  end_ = ImGui::GetCursorScreenPos().x + room - (folds_ ? chip_width(label_) + frame.unit : 0);
}

BarRow::~BarRow() {
  if (open_) ImGui::EndPopup();
}

float BarRow::button_width(const std::string& label) {
  return ImGui::CalcTextSize(imgui_text(label)).x + 2 * ImGui::GetStyle().FramePadding.x;
}

bool BarRow::has_room(float width) {
  if (folded_) return false;
  if (!std::exchange(first_, false)) ImGui::SameLine(0, frame_.unit);
  if (!folds_ || ImGui::GetCursorScreenPos().x + width <= end_) return true;
  folded_ = true;
  if (ui::chip(frame_, more_, label_, false, wording("panels:more.tip"))) ImGui::OpenPopup(more_);
  open_ = ImGui::BeginPopup(more_);
  if (open_) close_on_escape();
  return false;
}

bool BarRow::entry(std::string_view name, const std::string& label, bool on, bool enabled) const {
  if (!open_) return false;
  const bool clicked = ImGui::MenuItem(imgui_text(label), nullptr, on, enabled);
  probe(name);
  return clicked;
}

bool BarRow::chip(std::string_view name, const std::string& label, bool on, std::string_view tip) {
  if (has_room(chip_width(label))) return ui::chip(frame_, name, label, on, tip);
  return entry(name, label, on, true);
}

bool BarRow::button(const char* name, const std::string& label, std::string_view tip, bool enabled) {
  if (has_room(button_width(label))) return ui::button(frame_, name, label, tip, enabled);
  return entry(name, label, false, enabled);
}

}  // namespace hydra::ui
