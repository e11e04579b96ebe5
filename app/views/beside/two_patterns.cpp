#include "app/views/beside/two_patterns.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/views/frame/ui.h"
#include "app/views/shared/pictured.h"
#include "app/widgets/plot/label_steps.h"

namespace hydra {

namespace {

constexpr int kPatterns = 3;

// Kept from frame to frame, by the name of the pictures.
struct Differences {
  struct Of {
    Stamp first, second;
    Array<float> matrix;
  };
  std::map<std::string, Of> kept;
};

class Patterns : Drawing {
 public:
  Patterns(Frame& frame, const TwoPatterns& patterns, const Box& box) : Drawing(frame), of_(patterns), box_(box) {}

  float draw() {
    const float longest = std::max(widest(fonts_.small, of_.first.tokens), widest(fonts_.small, of_.second.tokens));
    words_ = std::min({longest, 7 * em_, 0.1f * box_.size.x}) + 2 * u_;
    turned_ = std::min({longest, 7 * em_, 0.15f * box_.size.y}) * kLabelSine + small_;
    above_ = 1.4f * em_ + turned_;
    for (const int columns : {3, 2, 1})
      if (const float side = side_of(columns); side > side_) side_ = side, columns_ = columns;
    if (side_ < 6 * small_) return 0;
    const ValueScale pattern{sequential(frame_), 0, 1}, change{diverging(frame_), -1, 1};
    put(0, of_.first, pattern);
    put(1, of_.second, pattern);
    put(2, {"difference", of_.difference, of_.first.tokens, difference()}, change);
    const int rows = (kPatterns + columns_ - 1) / columns_;
    return real(rows) * (above_ + side_ + below_) - below_;
  }

 private:
  // In so many columns.
  float side_of(int columns) const {
    const float rows = real((kPatterns + columns - 1) / columns), c = real(columns);
    return std::floor(std::min((box_.size.x - (c - 1) * gap_) / c - words_,
                               (box_.size.y - small_ + below_) / rows - above_ - below_));
  }

  const Array<float>& difference() {
    Differences::Of& kept = frame_.made.of<Differences>().kept[of_.item];
    const Array<float>&first = of_.first.weights, &second = of_.second.weights;
    if (kept.first != first.stamp() || kept.second != second.stamp())
      kept = {first.stamp(), second.stamp(), share(Mat<float>(*second - *first))};
    return kept.matrix;
  }

  void put(int k, const ShownPattern& shown, const ValueScale& scale) {
    const float x = box_.pos.x + real(k % columns_) * (words_ + side_ + gap_);
    const float y = box_.pos.y + real(k / columns_) * (above_ + side_ + below_);
    const ImVec2 corner{x + words_, y + above_};
    canvas_.text_at(fonts_.text, {x, y}, theme_.ink, say(shown.title), words_ + side_);
    ui::probe(of_.item + shown.key + "/title", {x, y}, {x + words_ + side_, y + em_});
    const std::vector<std::string>& tokens = shown.tokens;
    const Pictured made{
        .name = of_.made + shown.key,
        .title = shown.title,
        .shown = whole(shown.weights),
        .scale = scale,
        .place = [&tokens](Index row, Index col) { return nth(tokens, row) + " → " + nth(tokens, col); },
        .hidden = of_.hidden};
    const PictureResult at =
        picture(frame_, of_.item + shown.key, made, corner, {side_, side_}, {.square_cells = false});
    edge_labels(frame_, {&tokens, corner, side_ / real(tokens.size()), words_ - u_, turned_,
                         static_cast<int>(at.hit.row), static_cast<int>(at.hit.col)});
  }

  const TwoPatterns& of_;
  Box box_;
  float gap_ = 4 * u_, below_ = 3 * u_;
  float words_ = 0, turned_ = 0, above_ = 0, side_ = 0;  // left of a picture, over it, with its title; its own
  int columns_ = 3;
};

}  // namespace

float draw_two_patterns(Frame& frame, const TwoPatterns& patterns, const Box& box) {
  return Patterns(frame, patterns, box).draw();
}

}  // namespace hydra
