// The control of a setting, of a layer or of the model, from the row of its table: a checkbox, chips, a number, a
// slider.
#pragma once
#include <algorithm>
#include <functional>
#include <string>

#include "app/views/frame/ui.h"
#include "core/model/model_settings.h"

namespace hydra::ui {

// name: for tests. value: that it has now; set: the edit that gives it another. offers: which of the choices can be.
template <class Row>
class SettingControl {
 public:
  SettingControl(
      Frame& frame, const Row& row, std::string name, double value, std::function<Edit(double)> set,
      std::function<bool(std::size_t)> offers = [](std::size_t) { return true; })
      : frame_(frame),
        row_(row),
        name_(std::move(name)),
        value_(value),
        set_(std::move(set)),
        offers_(std::move(offers)) {}

  void draw() {
    if (is_choice(row_)) return choice();
    if (is_whole(row_)) return whole_number();
    if (is_switch(row_)) {
      bool on = value_ != 0;
      if (checkbox(frame_, name_.c_str(), spelled(frame_, wording(row_.label)), on, wording(row_.tip)))
        frame_.out.apply(set_(on ? 1 : 0));
      return;
    }
    slider();
  }

 private:
  // The choices stand beside the label where all of them fit, else under it.
  void choice() {
    const float room = ImGui::GetContentRegionAvail().x;
    float wide = ImGui::CalcTextSize(wording(row_.label).c_str()).x;
    for (std::size_t k = 0; k < row_.names.size(); ++k)
      if (offers_(k)) wide += frame_.unit + chip_width(wording(row_.labels[k]));
    text(frame_, wording(row_.label), {.aligned = true});
    tip(frame_, wording(row_.tip));
    Chips chips(frame_, wide <= room);
    for (std::size_t k = 0; k < row_.names.size(); ++k)
      if (offers_(k) &&
          chips.picked(name_ + "/" + row_.names[k], wording(row_.labels[k]), value_ == static_cast<double>(k), ""))
        frame_.out.apply(set_(static_cast<double>(k)));
  }

  void whole_number() {
    int number = static_cast<int>(value_);
    ImGui::SetNextItemWidth(7 * ImGui::GetFontSize());
    const bool changed = ImGui::InputInt(wording(row_.label).c_str(), &number, row_.most > 64 && number >= 16 ? 8 : 1,
                                         64, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    probe(name_);
    tip(frame_, wording(row_.tip));
    const double wanted = std::clamp(static_cast<double>(number), row_.least, row_.most);
    if (changed && wanted != value_) frame_.out.apply(set_(wanted));
  }

  void slider() {
    auto number = real(value_);
    ImGui::SetNextItemWidth((row_.within ? 4.5f : 6.5f) * ImGui::GetFontSize());
    if (ImGui::SliderFloat(("##" + name_).c_str(), &number, real(row_.low), real(row_.high), "",
                           ImGuiSliderFlags_Logarithmic))
      frame_.out.preview(set_(static_cast<double>(number)));
    if (ImGui::IsItemDeactivated()) frame_.out.commit();
    probe(name_);
    tip(frame_, wording(row_.tip));
    ImGui::SameLine();
    text(frame_, wording(row_.label) + " = " +
                     ui::number(static_cast<double>(number), row_.low < 0.01 ? As::rough : As::brief));
  }

  Frame& frame_;
  const Row& row_;
  std::string name_;
  double value_;
  std::function<Edit(double)> set_;
  std::function<bool(std::size_t)> offers_;
};

}  // namespace hydra::ui
