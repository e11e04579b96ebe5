#pragma once
#include <string>

namespace hydra {

// "12 %", "3e+40 %", "from 0"; "mask" for 0, where only what is finite has changed.
std::string relative_change(double relative);

}  // namespace hydra
