// What heads of several widths, and several heads, were brought to do, as the Trade-off view shows it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/scene/choices.h"
#include "core/learn/fit_heads.h"
#include "core/learn/fit_target.h"

namespace hydra {

struct FitShown {
  std::shared_ptr<const learn::WidthCurve> widths;  // null until the first is done
  FitChoice choice;                                 // that it is of
  Array<float> target;                              // [n x n] of it, to be drawn
  std::vector<Array<float>> made;                   // the best pattern of each width

  std::shared_ptr<const learn::HeadsCurve> heads;   // null until the first is done
  std::vector<Array<float>> served;                 // by head count: [h x m]
  std::vector<std::vector<Array<float>>> patterns;  // by head count and head

  bool older = false;    // what is shown of the page in view is not what was asked for last
  bool stopped = false;  // by the user
  float progress = 1;    // below 1: it is being fitted
  std::string failure;   // why the newest could not be had; else empty
};

}  // namespace hydra
