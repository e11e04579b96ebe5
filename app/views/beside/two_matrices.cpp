#include "app/views/beside/two_matrices.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/views/frame/ui.h"
#include "app/views/shared/pictured.h"
#include "app/widgets/plot/label_steps.h"
#include "core/linalg/largest.h"

namespace hydra {

namespace {

constexpr int kMatrices = 3;

// Kept from frame to frame, by the name of the pictures.
struct Differences {
  struct Of {
    Stamp first, second;
    Array<float> matrix;
    float largest = 0;  // |value| of the two
  };
  std::map<std::string, Of> kept;
};

class Matrices : Drawing {
 public:
  Matrices(Frame& frame, const TwoMatrices& matrices, const Box& box) : Drawing(frame), of_(matrices), box_(box) {}

  float draw() {
    const float longest = std::max(widest(fonts_.small, of_.first.tokens), widest(fonts_.small, of_.second.tokens));
    words_ = std::min({longest, 7 * em_, 0.1f * box_.size.x}) + 2 * u_;
    turned_ = of_.of_pairs ? std::min({longest, 7 * em_, 0.15f * box_.size.y}) * kLabelSine + small_ : 0.5f * small_;
    above_ = 1.4f * em_ + turned_;
    for (const int columns : {3, 2, 1})
      if (const float side = side_of(columns); side > side_) side_ = side, columns_ = columns;
    if (side_ < 6 * small_) return 0;
    const Differences::Of& made = difference();
    const float end = of_.of_pairs ? 1 : std::max(made.largest, 1e-6f);
    const ValueScale change{diverging(frame_), -end, end},
        values = of_.of_pairs ? ValueScale{sequential(frame_), 0, 1} : change;
    put(0, of_.first, values);
    put(1, of_.second, values);
    put(2, {"difference", of_.difference, of_.first.tokens, made.matrix}, change);
    const int rows = (kMatrices + columns_ - 1) / columns_;
    return real(rows) * (above_ + side_ + below_) - below_;
  }

 private:
  // In so many columns.
  float side_of(int columns) const {
    const float rows = real((kMatrices + columns - 1) / columns), c = real(columns);
    return std::floor(std::min((box_.size.x - (c - 1) * gap_) / c - words_,
                               (box_.size.y - small_ + below_) / rows - above_ - below_));
  }

  const Differences::Of& difference() {
    Differences::Of& kept = frame_.made.of<Differences>().kept[of_.item];
    const Array<float>&first = of_.first.matrix, &second = of_.second.matrix;
    if (kept.first != first.stamp() || kept.second != second.stamp())
      kept = {first.stamp(), second.stamp(), share(Mat<float>(*second - *first)),
              std::max(largest_finite<float>(*first), largest_finite<float>(*second))};
    return kept;
  }

  void put(int k, const ShownMatrix& shown, const ValueScale& scale) {
    const float x = box_.pos.x + real(k % columns_) * (words_ + side_ + gap_);
    const float y = box_.pos.y + real(k / columns_) * (above_ + side_ + below_);
    const ImVec2 corner{x + words_, y + above_};
    canvas_.text_at(fonts_.text, {x, y}, theme_.ink, say(shown.title), words_ + side_);
    ui::probe(of_.item + shown.key + "/title", {x, y}, {x + words_ + side_, y + em_});
    const std::vector<std::string>& tokens = shown.tokens;
    const Pictured made{.name = of_.made + shown.key,
                        .title = shown.title,
                        .shown = whole(shown.matrix),
                        .scale = scale,
                        .place =
                            [&](Index row, Index col) {
                              return nth(tokens, row) +
                                     (of_.of_pairs ? " → " + nth(tokens, col) : ", " + std::to_string(col + 1));
                            },
                        .hidden = of_.hidden};
    const PictureResult at =
        picture(frame_, of_.item + shown.key, made, corner, {side_, side_}, {.square_cells = false});
    const EdgeLabels labels{&tokens,
                            corner,
                            side_ / real(tokens.size()),
                            words_ - u_,
                            turned_,
                            static_cast<int>(at.hit.row),
                            static_cast<int>(at.hit.col)};
    row_labels(frame_, labels);
    if (of_.of_pairs) column_labels(frame_, labels);
  }

  const TwoMatrices& of_;
  Box box_;
  float gap_ = 4 * u_, below_ = 3 * u_;
  float words_ = 0, turned_ = 0, above_ = 0, side_ = 0;  // left of a picture, over it, with its title; its own
  int columns_ = 3;
};

}  // namespace

float draw_two_matrices(Frame& frame, const TwoMatrices& matrices, const Box& box) {
  return Matrices(frame, matrices, box).draw();
}

}  // namespace hydra
