// The controls of the designer: sets of features, a line of two of them, numbers to drag. What is changed with them is
// noted, and sent when the whole designer has been drawn.
#pragma once
#include <string>
#include <vector>

#include "app/views/frame/ui.h"
#include "core/design/head_design.h"

namespace hydra {

class DesignControls : protected Drawing {
 protected:
  explicit DesignControls(Frame& frame) : Drawing(frame) {}

  void change() { apply_ = true; }

  // Two sets of features and how much their product weighs. True: the line is to be dropped.
  struct Side {
    std::string name;
    std::vector<FeatureWeight>& features;
    const char* tip;  // the key of a text, as all tips and labels here
  };
  bool line(const std::string& name, const Side& left, const Side& right, float& strength, const char* tip);
  // A number to be dragged sideways, or typed after a double click.
  bool dragged(const std::string& name, float& value, float least, float most, float width, const std::string& format,
               const char* tip);
  // Its format: the text, with the number where kNumber was put in its place.
  static constexpr const char* kNumber = "\n";
  static std::string format_of(const std::string& text, const char* number);
  // A slider with its label and value behind it.
  void slider_row(const char* name, const char* label, float& value, float least, float most, const char* tip);

  bool preview_ = false, commit_ = false, apply_ = false;  // what becomes of the change

 private:
  void feature_button(const Side& side, float width);
  void feature_list(std::vector<FeatureWeight>& side);
};

}  // namespace hydra
