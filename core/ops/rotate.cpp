#include "core/ops/rotate.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace hydra::rotate {

namespace {

// Cosines and sines of each pair, place by place. Kept for each thread: heads and layers ask for the same ones.
class Angles {
 public:
  // [pairs] cos, sin, cos, sin, ... of a place.
  const double* at(const Rotation& rotation, Index place) {
    const Index pairs = rotation.width / 2;
    if (of_ != rotation) known_.clear(), of_ = rotation, places_ = 0;
    for (; places_ <= place; ++places_) add(rotation, pairs);
    return known_.data() + 2 * pairs * place;
  }

 private:
  void add(const Rotation& rotation, Index pairs) {
    known_.resize(static_cast<std::size_t>(2 * pairs * (places_ + 1)));
    double* row = known_.data() + 2 * pairs * places_;
    for (Index j = 0; j < pairs; ++j) {
      const double angle = static_cast<double>(places_) * frequency(rotation, j);
      row[2 * j] = rotation.magnitude * std::cos(angle), row[2 * j + 1] = rotation.magnitude * std::sin(angle);
    }
  }

  Rotation of_;
  Index places_ = 0;
  std::vector<double> known_;
};

// put(row, col, value) of every number; back: by the opposite angle.
template <class S, class Put>
void rotate_rows(MatIn<S> X, const Rotation& rotation, Index first, bool back, const Put& put) {
  thread_local Angles angles;
  const Index pairs = rotation.width / 2;
  const bool halves = rotation.pairs == RotaryPairs::halves;
  const Index part = rotation.part == 0 ? X.cols() : rotation.part;
  for (Index i = 0; i < X.rows(); ++i) {
    const double* at = angles.at(rotation, std::max<Index>(0, first + i));
    for (Index from = 0; from < X.cols(); from += part) {
      for (Index j = 0; j < pairs; ++j) {
        const Index a = from + (halves ? j : 2 * j), b = from + (halves ? j + pairs : 2 * j + 1);
        const double cosine = at[2 * j], sine = back ? -at[2 * j + 1] : at[2 * j + 1];
        const auto x = static_cast<double>(X(i, a)), y = static_cast<double>(X(i, b));
        put(i, a, static_cast<S>(x * cosine - y * sine));
        put(i, b, static_cast<S>(x * sine + y * cosine));
      }
      for (Index c = from + rotation.width; c < from + part; ++c) put(i, c, X(i, c));
    }
  }
}

}  // namespace

Rotation rotation_of(const LayerSettings& settings, Index d_k) {
  const Index parts = query_parts(settings), part = d_k / parts;
  const Index width = settings.rotary_width == 0 ? part : std::min(settings.rotary_width, part);
  Rotation made{settings.rotary_base, width - width % 2, settings.rotary_pairs, parts == 1 ? 0 : part};
  made.scaling = settings.rotary_scaling;
  if (made.scaling == RotaryScaling::none) return made;
  made.factor = settings.rotary_factor;
  if (made.scaling == RotaryScaling::linear) return made;
  made.length = static_cast<double>(settings.rotary_length);
  made.slow = settings.rotary_slow_turns, made.fast = settings.rotary_fast_turns;
  if (made.scaling == RotaryScaling::yarn)
    made.magnitude = settings.rotary_magnitude != 0 ? settings.rotary_magnitude : yarn_magnitude(made.factor);
  return made;
}

double yarn_magnitude(double factor, double share) { return factor <= 1 ? 1 : 0.1 * share * std::log(factor) + 1; }

namespace {
Index within(const Rotation& rotation, Index col) { return rotation.part == 0 ? col : col % rotation.part; }
}  // namespace

bool is_turned(const Rotation& rotation, Index col) { return within(rotation, col) < rotation.width; }

Index pair_of(const Rotation& rotation, Index col) {
  const Index k = within(rotation, col);
  return rotation.pairs == RotaryPairs::neighbours ? k / 2 : k % std::max<Index>(1, rotation.width / 2);
}

bool is_first(const Rotation& rotation, Index col) {
  const Index k = within(rotation, col);
  return rotation.pairs == RotaryPairs::neighbours ? k % 2 == 0 : k < rotation.width / 2;
}

Index partner_of(const Rotation& rotation, Index col) {
  if (!is_turned(rotation, col)) return col;
  const Index apart = rotation.pairs == RotaryPairs::neighbours ? 1 : rotation.width / 2;
  return is_first(rotation, col) ? col + apart : col - apart;
}

namespace {

double turns_of(const Rotation& by, double frequency) { return by.length * frequency / (2 * std::numbers::pi); }

// How much of a pair is scaled, 0 to 1.
double yarn_share(const Rotation& by, Index pair) {
  const auto width = static_cast<double>(by.width);
  const auto pair_that_turns = [&](double times) {
    return width * std::log(by.length / (2 * std::numbers::pi * times)) / (2 * std::log(by.base));
  };
  const double first = std::max(0.0, std::floor(pair_that_turns(by.fast)));
  double last = std::min(width - 1, std::ceil(pair_that_turns(by.slow)));
  if (first == last) last += 0.001;  // as published, against a division by 0
  return std::clamp((static_cast<double>(pair) - first) / (last - first), 0.0, 1.0);
}

double llama3_share(const Rotation& by, double frequency) {
  return 1 - std::clamp((turns_of(by, frequency) - by.slow) / (by.fast - by.slow), 0.0, 1.0);
}

}  // namespace

double frequency(const Rotation& rotation, Index pair) {
  const double whole = std::pow(rotation.base, -2 * static_cast<double>(pair) / static_cast<double>(rotation.width));
  switch (rotation.scaling) {
    case RotaryScaling::none:
      break;
    case RotaryScaling::linear:
      return whole / rotation.factor;
    case RotaryScaling::llama3: {
      const double share = llama3_share(rotation, whole);
      return share * whole / rotation.factor + (1 - share) * whole;
    }
    case RotaryScaling::yarn: {
      const double share = yarn_share(rotation, pair);
      return share * whole / rotation.factor + (1 - share) * whole;
    }
  }
  return whole;
}

template <class S>
void forward(MatIn<S> X, const Rotation& rotation, Index first, MatOut<S> Y) {
  rotate_rows<S>(X, rotation, first, false, [&](Index i, Index c, S value) { Y(i, c) = value; });
}

template <class S>
void grad_X(MatIn<S> dY, const Rotation& rotation, Index first, MatOut<S> dX) {
  rotate_rows<S>(dY, rotation, first, true, [&](Index i, Index c, S value) { dX(i, c) += value; });
}

template void forward<float>(MatIn<float>, const Rotation&, Index, MatOut<float>);
template void forward<double>(MatIn<double>, const Rotation&, Index, MatOut<double>);
template void grad_X<float>(MatIn<float>, const Rotation&, Index, MatOut<float>);
template void grad_X<double>(MatIn<double>, const Rotation&, Index, MatOut<double>);

}  // namespace hydra::rotate
