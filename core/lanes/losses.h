// The loss, and its gradient by what it is of. For the files that define Scalar and kLanes alone.
#pragma once
#include "core/lanes/patterns.h"

namespace {

// What became of a question's answers, lane by lane, so that it is the same sum whatever else stands in a row.
struct Answers {
  double losses[kLanes] = {}, right[kLanes] = {};
  void add_to(const Group& group, Size question) const {
    for (int lane = 0; lane < kLanes; ++lane) {
      group.losses[question] += losses[lane];
      group.right[question] += right[lane];
    }
  }
};

// Cross-entropy, -log softmax(logits)[target], of the lanes that are asked: whose target is not -1. The gradient is
// made at once, where d is not null; it may be the logits' own place.
inline void cross_row(const At& at, Size question, const Whole& target, const Register* logits, Size words,
                      Answers& answers, Register* d) {
  Register top = logits[0], first = {};  // the largest, and which is the first that is as large: the answer
  for (Size k = 1; k < words; ++k) {
    const auto is_larger = logits[k] > top;
    top = is_larger ? logits[k] : top;
    first = is_larger ? all(static_cast<Scalar>(k)) : first;
  }
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
    if (target[lane] < 0) continue;
    const Scalar mine = logits[target[lane]][lane];
    answers.losses[lane] += static_cast<double>(whole[lane]) + static_cast<double>(top[lane] - mine);
    answers.right[lane] += first[lane] == static_cast<Scalar>(target[lane]) ? 1 : 0;
  }
  if (!d) return;
  const Scalar scale = at.group.scales[question];
  const Register is_asked = __builtin_convertvector(target >= 0 ? Whole{} + 1 : Whole{}, Register);
  const Register share = scale * is_asked / sum;
  for (Size k = 0; k < words; ++k) d[k] = (kept ? e[k] : exponential(logits[k] - top)) * share;
  for (int lane = 0; lane < kLanes; ++lane)
    if (target[lane] >= 0) d[target[lane]][lane] -= scale;
}

// Of each question, at every place.
inline void forward_cross(const At& at) {
  const Step& s = at.step;
  const Size words = s.cols / s.parts;
  for (Size q = 0; q < s.parts; ++q) {
    Answers answers;
    for (Size i = 0; i < s.rows; ++i) {
      Whole target;
      __builtin_memcpy(&target, at.group.targets + (i * s.parts + q) * kLanes, sizeof target);
      const Register* logits = at.room(s.a.value) + i * s.a.value.stride + q * words;
      Register* d = at.group.gradients ? at.room(s.a.gradient) + i * s.a.gradient.stride + q * words : nullptr;
      cross_row(at, q, target, logits, words, answers, d);
    }
    answers.add_to(at.group, q);
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
