// Something for each stage that a trace keeps of a head, or of a layer's heads together: its values, its stamp, what is
// to be filled. By name, and by quantity for whoever walks the program.
#pragma once
#include <array>
#include <cassert>
#include <cstddef>
#include <utility>

#include "core/model/site.h"

namespace hydra {

// In the order of the program.
inline constexpr Quantity kHeadStages[] = {
#define HYDRA_HEAD_STAGE(name, ...) Quantity::name,
#define HYDRA_QUANTITY(...)
#include "core/model/quantities.h"
};
inline constexpr Quantity kLayerStages[] = {Quantity::lambda, Quantity::head_gates, Quantity::concat, Quantity::Y};

template <class T>
struct OfHead {
#define HYDRA_HEAD_STAGE(name, ...) T name{};
#define HYDRA_QUANTITY(...)
#include "core/model/quantities.h"

  const T& operator[](Quantity stage) const;
  T& operator[](Quantity stage) { return const_cast<T&>(std::as_const(*this)[stage]); }
};

// Where they stand, in that order; of a quantity its place there, -1 of what is no stage of a head.
template <class T>
inline constexpr T OfHead<T>::*kStagesOfHead[] = {
#define HYDRA_HEAD_STAGE(name, ...) &OfHead<T>::name,
#define HYDRA_QUANTITY(...)
#include "core/model/quantities.h"
};
inline constexpr auto kHeadStageOf = [] {
  std::array<signed char, kQuantities> places{};
  places.fill(-1);
  signed char place = 0;
  for (const Quantity stage : kHeadStages) places[static_cast<std::size_t>(stage)] = place++;
  return places;
}();
constexpr bool is_head_stage(Quantity quantity) { return kHeadStageOf[static_cast<std::size_t>(quantity)] >= 0; }

template <class T>
const T& OfHead<T>::operator[](Quantity stage) const {
  assert(is_head_stage(stage));
  return this->*kStagesOfHead<T>[kHeadStageOf[static_cast<std::size_t>(stage)]];
}

template <class T>
struct OfLayer {
  T lambda{};      // [1 x 1]        of differential attention
  T head_gates{};  // [n x heads]    where each head has a gate for each token
  T concat{};      // [n x h d_k]    the heads' outputs side by side, each times its gate
  T output{};      // [n x d_model]  Y: the sum of the contributions, head 0 first, + b_O

  const T& operator[](Quantity stage) const {
    assert(stage == Quantity::lambda || stage == Quantity::head_gates || stage == Quantity::concat ||
           stage == Quantity::Y);
    return stage == Quantity::lambda       ? lambda
           : stage == Quantity::head_gates ? head_gates
           : stage == Quantity::concat     ? concat
                                           : output;
  }
  T& operator[](Quantity stage) { return const_cast<T&>(std::as_const(*this)[stage]); }
};

}  // namespace hydra
