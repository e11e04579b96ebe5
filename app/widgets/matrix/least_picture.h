#pragma once

namespace hydra {

inline constexpr float kLeastPicture = 3;  // pixels: a smaller one would show nothing, and is left out with a word

}  // namespace hydra
