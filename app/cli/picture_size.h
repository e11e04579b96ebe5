// --size: "1600x1000", in pixels.
#pragma once
#include <string>
#include <utility>

namespace hydra {

std::pair<int, int> picture_size(const std::string& text);  // throws InputError

}  // namespace hydra
