// The readout and its loss in one step, where somebody is asked. For the files that define Scalar and kLanes alone.
//
// Few words are asked everything: a question's places are brought close together, each lane's in their own order, so
// that logits, their gradients and what goes back are computed of as many rows as the lane has that is asked most. What
// is left out is zeros, and no sum changes its order: the bits are those of a linear step and a cross step.
#pragma once
#include "core/lanes/losses.h"

namespace {

// Of a question: in row k stands each lane's k-th place that is asked.
class AskedRows {
 public:
  AskedRows(const At& at, Size question) {
    Size counts[kLanes] = {};
    for (Size i = 0; i < at.step.rows; ++i) {
      const int* targets = at.group.targets + (i * at.step.parts + question) * kLanes;
      for (int lane = 0; lane < kLanes; ++lane) {
        if (targets[lane] < 0) continue;
        const Size row = counts[lane]++;
        if (row == count_) places_[row] = targets_[row] = Whole{} - 1, ++count_;
        places_[row][lane] = static_cast<int>(i);
        targets_[row][lane] = targets[lane];
      }
    }
  }
  Size count() const { return count_; }
  const Whole& targets(Size row) const { return targets_[row]; }  // -1: the lane has no such place

  // A lane without a place has what another's place has.
  void gather(const Register* from, Size stride, Size width, Register* to, Size to_stride) const {
    for (Size row = 0; row < count_; ++row, to += to_stride) {
      bool first = true;
      for_places(row, [&](Size place, const Register& here) {
        const Register* at = from + place * stride;
        if (first)
          for (Size k = 0; k < width; ++k) to[k] = at[k];
        else
          for (Size k = 0; k < width; ++k) to[k] = here != 0 ? at[k] : to[k];
        first = false;
      });
    }
  }
  void put_back(const Register* from, Size from_stride, Size width, Register* to, Size stride) const {
    for (Size row = 0; row < count_; ++row, from += from_stride)
      for_places(row, [&](Size place, const Register& here) {
        Register* at = to + place * stride;
        for (Size k = 0; k < width; ++k) at[k] = here != 0 ? from[k] : at[k];
      });
  }

 private:
  // f(place, 1 in the lanes that have it), for each place that some lane has in that row.
  template <class Function>
  void for_places(Size row, const Function& f) const {
    unsigned long long done = 0;  // kMostRows bits
    for (int lane = 0; lane < kLanes; ++lane) {
      const int place = places_[row][lane];
      if (place < 0 || (done >> place & 1) != 0) continue;
      done |= 1ull << place;
      f(place, __builtin_convertvector(places_[row] == place ? Whole{} + 1 : Whole{}, Register));
    }
  }

  Size count_ = 0;
  Whole places_[kMostRows], targets_[kMostRows];
};

// Forward and, where gradients are wanted, back: nobody reads the logits after their loss.
inline void forward_read_out(const At& at) {
  const Step& s = at.step;
  const Register* X = at.room(s.a.value);
  Register *close = at.room(s.b.value), *logits = at.room(s.out.value);
  const Scalar *W = at.weight(s.weight), *b = at.weight(s.bias);
  const bool back = at.group.gradients != nullptr;
  Scalar *dW = back ? at.grad(s.weight) : nullptr, *db = back ? at.grad(s.bias) : nullptr;
  Register* dX = back && s.a.gradient.is() ? at.room(s.a.gradient) : nullptr;
  if (dX && s.a.sets)
    for (Size i = 0; i < s.rows; ++i)
      for (Size c = 0; c < s.depth; ++c) dX[i * s.a.gradient.stride + c] = Register{};
  const Size apart = s.b.value.stride, wide = s.out.value.stride;
  for (Size q = 0; q < s.parts; ++q) {
    const AskedRows asked(at, q);
    const Size rows = asked.count(), first = q * s.cols, at_W = first * s.weight.col;
    asked.gather(X, s.a.value.stride, s.depth, close, apart);
    multiply_by_weights({close, apart, W + at_W, s.weight.row, s.weight.col, b ? b + first : nullptr, nullptr, 0,
                         logits, wide, rows, s.depth, s.cols});
    Answers answers;
    for (Size row = 0; row < rows; ++row) {
      Register* of_row = logits + row * wide;
      cross_row(at, q, asked.targets(row), of_row, s.cols, answers, back ? of_row : nullptr);
    }
    answers.add_to(at.group, q);
    if (dW)
      add_grad_weights({close, apart, logits, wide, dW + at_W, s.weight.row, s.weight.col, rows, s.depth, s.cols});
    if (db) add_grad_row(logits, wide, rows, s.cols, db + first);
    if (!dX) continue;
    asked.gather(dX, s.a.gradient.stride, s.depth, close, apart);
    multiply_by_weights({logits, wide, W + at_W, s.weight.col, s.weight.row, nullptr, close, apart, close, apart, rows,
                         s.cols, s.depth});
    asked.put_back(close, apart, s.depth, dX, s.a.gradient.stride);
  }
}

}  // namespace
