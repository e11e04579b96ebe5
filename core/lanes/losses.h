// The loss, and its gradient by what it is of. For the files that define Scalar and kLanes alone.
#pragma once
#include "core/lanes/patterns.h"

namespace {

// Cross-entropy of each question, -log softmax(logits)[target], where a sequence is asked. The gradient is made at
// once.
inline void forward_cross(const At& at) {
  const Step& s = at.step;
  const Size words = s.cols / s.parts;
  const bool back = at.group.gradients != nullptr;
  for (Size i = 0; i < s.rows; ++i)
    for (Size q = 0; q < s.parts; ++q) {
      const int* targets = at.group.targets + (i * s.parts + q) * kLanes;
      Whole target;
      __builtin_memcpy(&target, targets, sizeof target);
      bool asked = false;
      for (int lane = 0; lane < kLanes; ++lane) asked |= targets[lane] >= 0;
      const Register* logits = at.room(s.a.value) + i * s.a.value.stride + q * words;
      Register* d = back ? at.room(s.a.gradient) + i * s.a.gradient.stride + q * words : nullptr;
      if (!asked) {
        for (Size k = 0; back && k < words; ++k) d[k] = Register{};
        continue;
      }
      Register top = logits[0];
      for (Size k = 1; k < words; ++k) top = larger(logits[k], top);
      Register sum = {};
      Register e[kMostWords];
      const bool kept = words <= kMostWords;
      for (Size k = 0; k < words; ++k) {
        const Register one = exponential(logits[k] - top);
        if (kept) e[k] = one;
        sum += one;
      }
      const Register whole = logarithm(sum);
      for (int lane = 0; lane < kLanes; ++lane) {
        if (targets[lane] < 0) continue;
        const Scalar mine = logits[targets[lane]][lane];
        at.group.losses[q] += static_cast<double>(whole[lane]) + static_cast<double>(top[lane] - mine);
        at.group.right[q] += mine == top[lane] ? 1 : 0;
      }
      if (!back) continue;
      const Scalar scale = at.group.scales[q];
      const Register is_asked = __builtin_convertvector(target >= 0 ? Whole{} + 1 : Whole{}, Register);
      const Register share = scale * is_asked / sum;
      for (Size k = 0; k < words; ++k) d[k] = (kept ? e[k] : exponential(logits[k] - top)) * share;
      for (int lane = 0; lane < kLanes; ++lane)
        if (targets[lane] >= 0) d[targets[lane]][lane] -= scale;
    }
}

// The square of what there is less what is asked, the same of all sequences; scales[0] is what one number counts. Lanes
// without a sequence count nothing.
inline void forward_square(const At& at) {
  const Step& s = at.step;
  Register sum = {}, there[kMostRows];
  find_there(at, there);
  for (Size i = 0; i < s.rows; ++i)
    for (Size c = 0; c < s.cols; ++c) {
      const Register miss =
          there[i] * (at.room(s.a.value)[i * s.a.value.stride + c] - at.group.target_values[i * s.cols + c]);
      sum += miss * miss;
      if (at.group.gradients) at.room(s.a.gradient)[i * s.a.gradient.stride + c] = 2 * at.group.scales[0] * miss;
    }
  at.group.losses[0] += sum_of(sum);
}

}  // namespace
