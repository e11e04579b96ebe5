// Boxes beside each other, under each other and in grids; the first of several variants that fits; how high a layout is
// by nature: pure arithmetic.
//
//   row(box, gap, {fixed(60), share(1), share(2, 100)})    | 60 |   one part   |   two parts, 100 at least   |
//
// Nothing is rounded: places are what layouts round. Of finite sizes nothing becomes infinite or NaN, or less than 0.
#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <limits>
#include <span>
#include <tuple>

#include "app/draw/box.h"
#include "app/draw/nth.h"

namespace hydra {

// Of a row its width, of a column its height.
struct Length {
  float parts = 0, least = 0, most = 0;
  float after = 0;  // more than the gap

  constexpr Length then(float space) const { return {parts, least, most, space}; }
};

// This size in any room.
constexpr Length fixed(float size) { return {0, size, size}; }
// So many parts of what the fixed ones leave, within bounds.
constexpr Length share(float parts, float least = 0, float most = std::numeric_limits<float>::max()) {
  return {parts, least, most};
}
// This size, or one part where that is more.
constexpr Length least(float size) { return share(1, size); }

// From the upper left corner of the box. Where it has too little room, shares shrink alike, each down to its least;
// then what follows stands beyond the box's end. Who is fixed at no size is left out, without a gap.
void place_row(const Box& box, float gap, std::span<const Length> parts, std::span<Box> boxes);
void place_column(const Box& box, float gap, std::span<const Length> parts, std::span<Box> boxes);

// A tuple of boxes, for std::tie or names.
template <std::size_t N>
auto row(const Box& box, float gap, const Length (&parts)[N]) {
  std::array<Box, N> boxes;
  place_row(box, gap, parts, boxes);
  return std::tuple_cat(boxes);
}
template <std::size_t N>
auto column(const Box& box, float gap, const Length (&parts)[N]) {
  std::array<Box, N> boxes;
  place_column(box, gap, parts, boxes);
  return std::tuple_cat(boxes);
}

// Equal squares, filled row by row.
struct Grid {
  float side = 0;
  int columns = 1;
  float gap = 0;

  ImVec2 at(int k) const { return {real(k % columns) * (side + gap), real(k / columns) * (side + gap)}; }
  float height(int count) const { return at(count - 1).y + side; }
};
// As large as fit, in whole pixels; where that is less than least_side, so large, as many to a row as fit, and higher
// than the room.
Grid grid(ImVec2 room, int count, float gap, float least_side = 0);

// The first variant for which fits(variant); where none does, the last.
template <class Variant, class Fits>
Variant first_that_fits(std::initializer_list<Variant> variants, const Fits& fits) {
  for (const Variant& variant : variants)
    if (fits(variant)) return variant;
  return *(variants.end() - 1);
}

// The least height, in whole pixels, in which as much is shown as in the highest room. shown(in) gives an array of how
// much. Where more height sometimes makes one of its numbers less, it is one of several heights, of which a tenth less
// is not enough.
inline constexpr int kTallestLayout = 1 << 16;
template <class Input, class Shown>
float least_height(Input in, const Shown& shown) {
  const auto at = [&](int height) {
    in.size.y = real(height);
    return shown(in);
  };
  const auto most = at(kTallestLayout);
  const auto is_enough = [&](int height) {
    const auto now = at(height);
    return std::equal(now.begin(), now.end(), most.begin(), std::greater_equal());
  };
  int enough = kTallestLayout;
  for (int tried = enough; tried > 0 && is_enough(tried); tried = 9 * enough / 10) {
    enough = tried;
    for (int low = 0; enough - low > 1;) {
      const int middle = (low + enough) / 2;
      (is_enough(middle) ? enough : low) = middle;
    }
  }
  return real(enough);
}

}  // namespace hydra
