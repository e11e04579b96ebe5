// A recording, or a part of it, as an SVG file (SVG 1.1): words are text, matrices one rectangle per run of cells of
// one colour with their values beside, a large one an image. The same marks give the same bytes.
#pragma once
#include <span>
#include <string>

#include "app/draw/recording.h"
#include "app/platform/fonts.h"

namespace hydra {

struct SvgPage {
  Box part;            // what of the recording is on it, in its pixels
  double millimetres;  // how wide that becomes
  std::string title, description;
  ImU32 ground;  // of the theme: white on paper
};

// Of a matrix with more cells there is one image, a pixel for each, which loses nothing.
inline constexpr Index kMostSvgCells = 4096;

// The smallest rectangle with all that is seen of them.
Box extent(std::span<const Recording::Mark* const> marks);
// The em of its smallest text in points; 0: it has none.
float least_letters(std::span<const Recording::Mark* const> marks, const SvgPage& page, const Fonts& fonts);
std::string svg_text(std::span<const Recording::Mark* const> marks, const SvgPage& page, const Fonts& fonts);

}  // namespace hydra
