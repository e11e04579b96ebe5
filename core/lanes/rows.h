// Steps that work row by row, forward and back. For the files that define Scalar and kLanes alone.
#pragma once
#include "core/lanes/products.h"

namespace {

using hydra::lanes::kNowhere;
using hydra::lanes::Place;
using hydra::lanes::Plan;
using hydra::lanes::Step;
using hydra::lanes::Value;
using hydra::lanes::Weight;
using Group = hydra::lanes::Group<Scalar>;

constexpr Size kMostRows = 64;    // of a sequence: learn/task.h
constexpr Size kMostHeads = 128;  // of a layer: attention/config.h
constexpr Size kMostWords = 128;  // whose exponentials are kept for the gradient

// What a step works on.
struct At {
  const Plan& plan;
  const Step& step;
  const Group& group;

  Register* room(const Place& place) const { return reinterpret_cast<Register*>(group.room) + place.at; }
  const Scalar* weight(const Weight& weight) const { return weight.is() ? group.parameters + weight.at : nullptr; }
  // Where its gradient goes; null where it does not learn.
  Scalar* grad(const Weight& weight) const {
    return weight.is() && weight.learns ? group.gradients + weight.at : nullptr;
  }
  const Scalar* constants() const { return group.constants + step.constants; }
};

// What goes to an operand: nothing, or a register that is set or added to.
struct Going {
  Register* to;
  Size stride;
  bool sets;
  Going(const At& at, const Value& value)
      : to(value.gradient.is() ? at.room(value.gradient) : nullptr), stride(value.gradient.stride), sets(value.sets) {}
  explicit operator bool() const { return to != nullptr; }
  void add(Size row, Size col, Register by) const {
    Register& there = to[row * stride + col];
    there = sets ? by : there + by;
  }
};

inline Size least(Size a, Size b) { return a < b ? a : b; }

// --- embed -----------------------------------------------------------------------------------------------------------

// Of each lane the columns from c on, `count` of a register.
inline void gather(const At& at, Size row, Size c, Size count, Register* square) {
  const Scalar* E = at.weight(at.step.weight) + c;
  const int* words = at.group.words + row * at.plan.slots * kLanes;
  for (int lane = 0; lane < kLanes; ++lane) {
    Register sum = {};
    for (Size slot = 0; slot < at.plan.slots; ++slot) {
      const int word = words[slot * kLanes + lane];
      if (word < 0) continue;
      Register part = {};
      const Scalar* from = E + word * at.step.weight.row;
      if (count == kLanes)
        __builtin_memcpy(&part, from, sizeof part);
      else
        for (Size k = 0; k < count; ++k) part[k] = from[k];
      sum += part;
    }
    square[lane] = sum;
  }
}

inline void forward_embed(const At& at) {
  const Step& s = at.step;
  const Scalar* P = at.weight(s.bias);
  Register* out = at.room(s.out.value);
  for (Size i = 0; i < s.rows; ++i)
    for (Size c = 0; c < s.cols; c += kLanes) {
      const Size count = least(kLanes, s.cols - c);
      Register square[kLanes];
      gather(at, i, c, count, square);
      transpose(square);
      for (Size k = 0; k < count; ++k)
        out[i * s.out.value.stride + c + k] = P ? square[k] + P[i * s.bias.row + c + k] : square[k];
    }
}

inline void scatter(const At& at, Size row, Size c, Size count, const Register* square) {
  Scalar* dE = at.grad(at.step.weight) + c;
  const int* words = at.group.words + row * at.plan.slots * kLanes;
  for (int lane = 0; lane < kLanes; ++lane)
    for (Size slot = 0; slot < at.plan.slots; ++slot) {
      const int word = words[slot * kLanes + lane];
      if (word < 0) continue;
      Scalar* to = dE + word * at.step.weight.row;
      if (count == kLanes) {
        Register sum;
        __builtin_memcpy(&sum, to, sizeof sum);
        sum += square[lane];
        __builtin_memcpy(to, &sum, sizeof sum);
      } else {
        for (Size k = 0; k < count; ++k) to[k] += square[lane][k];
      }
    }
}

inline void back_embed(const At& at) {
  const Step& s = at.step;
  Scalar* dP = at.grad(s.bias);
  if (!dP && !at.grad(s.weight)) return;
  const Register* dX = at.room(s.out.gradient);
  for (Size i = 0; i < s.rows; ++i)
    for (Size c = 0; c < s.cols; c += kLanes) {
      const Size count = least(kLanes, s.cols - c);
      Register square[kLanes] = {};
      for (Size k = 0; k < count; ++k) square[k] = dX[i * s.out.gradient.stride + c + k];
      transpose(square);
      if (at.grad(s.weight)) scatter(at, i, c, count, square);
      if (!dP) continue;
      Register sum = {};
      for (const Register& lane : square) sum += lane;
      for (Size k = 0; k < count; ++k) dP[i * s.bias.row + c + k] += sum[k];
    }
}

// --- linear ----------------------------------------------------------------------------------------------------------

inline void forward_linear(const At& at) {
  const Step& s = at.step;
  multiply_by_weights({at.room(s.a.value), s.a.value.stride, at.weight(s.weight), s.weight.row, s.weight.col,
                       at.weight(s.bias), s.c.value.is() ? at.room(s.c.value) : nullptr, s.c.value.stride,
                       at.room(s.out.value), s.out.value.stride, s.rows, s.depth, s.cols});
}

inline void add_to(const At& at, const Value& operand, const Register* from, Size stride, Size rows, Size cols) {
  const Going going(at, operand);
  if (!going || going.to == from) return;  // the same place
  for (Size i = 0; i < rows; ++i)
    for (Size c = 0; c < cols; ++c) going.add(i, c, from[i * stride + c]);
}

inline void back_linear(const At& at) {
  const Step& s = at.step;
  const Register* dY = at.room(s.out.gradient);
  const Size stride = s.out.gradient.stride;
  if (Scalar* dW = at.grad(s.weight))
    add_grad_weights(
        {at.room(s.a.value), s.a.value.stride, dY, stride, dW, s.weight.row, s.weight.col, s.rows, s.depth, s.cols});
  if (Scalar* db = at.grad(s.bias)) add_grad_row(dY, stride, s.rows, s.cols, db);
  // Before X: where the sum's gradient is that of what was added to, X may be the same place.
  add_to(at, s.c, dY, stride, s.rows, s.cols);
  if (const Going dX{at, s.a})
    multiply_by_weights({dY, stride, at.weight(s.weight), s.weight.col, s.weight.row, nullptr,
                         dX.sets ? nullptr : dX.to, dX.stride, dX.to, dX.stride, s.rows, s.cols, s.depth});
}

// --- add -------------------------------------------------------------------------------------------------------------

inline void forward_add(const At& at) {
  const Step& s = at.step;
  const Register *a = at.room(s.a.value), *b = at.room(s.b.value);
  Register* out = at.room(s.out.value);
  for (Size i = 0; i < s.rows; ++i)
    for (Size c = 0; c < s.cols; ++c)
      out[i * s.out.value.stride + c] = a[i * s.a.value.stride + c] + b[i * s.b.value.stride + c];
}

inline void back_add(const At& at) {
  const Step& s = at.step;
  const Register* d = at.room(s.out.gradient);
  add_to(at, s.b, d, s.out.gradient.stride, s.rows, s.cols);
  add_to(at, s.a, d, s.out.gradient.stride, s.rows, s.cols);
}

// --- norm ------------------------------------------------------------------------------------------------------------

constexpr int kLayerNorm = 0;  // NormKind::layer

struct SizeOfRow {
  Register mean, by_root;
};
inline SizeOfRow size_of_row(const Register* x, Size width, int kind, double epsilon) {
  const Scalar share = static_cast<Scalar>(1.0 / static_cast<double>(width));
  Register mean = {}, square = {};
  if (kind == kLayerNorm) {
    for (Size c = 0; c < width; ++c) mean += x[c];
    mean *= share;
  }
  for (Size c = 0; c < width; ++c) square += (x[c] - mean) * (x[c] - mean);
  return {mean, 1 / root(square * share + static_cast<Scalar>(epsilon))};
}

inline void forward_norm(const At& at) {
  const Step& s = at.step;
  const Scalar *gain = at.weight(s.weight), *shift = at.weight(s.bias), factor = static_cast<Scalar>(s.factor);
  const Size width = s.cols / s.parts;
  for (Size i = 0; i < s.rows; ++i)
    for (Size part = 0; part < s.parts; ++part) {
      const Size first = part * width;
      const Register* x = at.room(s.a.value) + i * s.a.value.stride + first;
      Register* y = at.room(s.out.value) + i * s.out.value.stride + first;
      const SizeOfRow size = size_of_row(x, width, s.kind, s.epsilon);
      for (Size c = 0; c < width; ++c) {
        Register v = (x[c] - size.mean) * size.by_root * gain[first + c];
        if (shift) v += shift[first + c];
        y[c] = v * factor;
      }
    }
}

inline void back_norm(const At& at) {
  const Step& s = at.step;
  const Scalar *gain = at.weight(s.weight), factor = static_cast<Scalar>(s.factor);
  const Size width = s.cols / s.parts;
  const Scalar share = static_cast<Scalar>(1.0 / static_cast<double>(width));
  const Going going(at, s.a);
  for (Size part = 0; part < s.parts; ++part) {
    const Size first = part * width;
    const Register* x = at.room(s.a.value) + first;
    const Register* d = at.room(s.out.gradient) + first;
    SizeOfRow sizes[kMostRows];
    for (Size i = 0; i < s.rows; ++i) {
      sizes[i] = size_of_row(x + i * s.a.value.stride, width, s.kind, s.epsilon);
      if (!going) continue;
      const Register *xi = x + i * s.a.value.stride, *di = d + i * s.out.gradient.stride;
      Register mean = {}, along = {};
      for (Size c = 0; c < width; ++c) {
        const Register g = di[c] * gain[first + c];
        mean += g;
        along += g * (xi[c] - sizes[i].mean);
      }
      mean = s.kind == kLayerNorm ? mean * share : Register{};
      along *= sizes[i].by_root * share;
      for (Size c = 0; c < width; ++c) {
        const Register xn = (xi[c] - sizes[i].mean) * sizes[i].by_root;
        going.add(i, first + c, (di[c] * gain[first + c] - mean - xn * along) * sizes[i].by_root * factor);
      }
    }
    Scalar *dgain = at.grad(s.weight), *dshift = at.grad(s.bias);
    for (Size c = 0; c < width; ++c) {
      Register by_gain = {}, by_shift = {};
      for (Size i = 0; i < s.rows; ++i) {
        const Register di = d[i * s.out.gradient.stride + c] * factor;
        by_gain += di * (x[i * s.a.value.stride + c] - sizes[i].mean) * sizes[i].by_root;
        by_shift += di;
      }
      if (dgain) dgain[first + c] += static_cast<Scalar>(sum_of(by_gain));
      if (dshift) dshift[first + c] += static_cast<Scalar>(sum_of(by_shift));
    }
  }
}

// --- rotate ----------------------------------------------------------------------------------------------------------

constexpr int kHalves = 0;  // RotaryPairs::halves

// For each row, part and pair: rotated(row, first column, second, cosine, sine); and passed(row, column) for the
// others.
template <class Rotated, class Passed>
inline void for_pairs(const At& at, const Rotated& rotated, const Passed& passed) {
  const Step& s = at.step;
  const Size width = s.cols / s.parts, pairs = s.depth / 2;
  for (Size i = 0; i < s.rows; ++i) {
    const Scalar* angles = at.constants() + i * s.depth;
    for (Size part = 0; part < s.parts; ++part) {
      const Size first = part * width;
      for (Size k = 0; k < pairs; ++k) {
        const Size a = first + (s.kind == kHalves ? k : 2 * k), b = s.kind == kHalves ? a + pairs : a + 1;
        rotated(i, a, b, angles[2 * k], angles[2 * k + 1]);
      }
      for (Size c = first + s.depth; c < first + width; ++c) passed(i, c);
    }
  }
}

inline void forward_rotate(const At& at) {
  const Step& s = at.step;
  const Register* x = at.room(s.a.value);
  Register* y = at.room(s.out.value);
  const Size from = s.a.value.stride, to = s.out.value.stride;
  for_pairs(
      at,
      [&](Size i, Size a, Size b, Scalar cosine, Scalar sine) {
        const Register xa = x[i * from + a], xb = x[i * from + b];
        y[i * to + a] = xa * cosine - xb * sine;
        y[i * to + b] = xa * sine + xb * cosine;
      },
      [&](Size i, Size c) { y[i * to + c] = x[i * from + c]; });
}

inline void back_rotate(const At& at) {
  const Step& s = at.step;
  const Register* d = at.room(s.out.gradient);
  const Size stride = s.out.gradient.stride;
  const Going going(at, s.a);
  for_pairs(
      at,
      [&](Size i, Size a, Size b, Scalar cosine, Scalar sine) {
        const Register da = d[i * stride + a], db = d[i * stride + b];
        going.add(i, a, da * cosine + db * sine);
        going.add(i, b, db * cosine - da * sine);
      },
      [&](Size i, Size c) { going.add(i, c, d[i * stride + c]); });
}

// --- number by number ------------------------------------------------------------------------------------------------

template <class Function>
inline void for_numbers(const Step& s, const Function& f) {
  for (Size i = 0; i < s.rows; ++i)
    for (Size c = 0; c < s.cols; ++c) f(i, c);
}

inline void forward_sigmoid(const At& at) {
  const Step& s = at.step;
  const Register* x = at.room(s.a.value);
  Register* y = at.room(s.out.value);
  for_numbers(s, [&](Size i, Size c) { y[i * s.out.value.stride + c] = sigmoid(x[i * s.a.value.stride + c]); });
}
inline void back_sigmoid(const At& at) {
  const Step& s = at.step;
  const Register *y = at.room(s.out.value), *d = at.room(s.out.gradient);
  const Going going(at, s.a);
  for_numbers(s, [&](Size i, Size c) {
    const Register v = y[i * s.out.value.stride + c];
    going.add(i, c, d[i * s.out.gradient.stride + c] * v * (1 - v));
  });
}

// Of a gate for each number, or for each head.
inline Size gate_column(const Step& s, Size c) { return s.width == 0 ? c : c / s.width; }

inline void forward_multiply(const At& at) {
  const Step& s = at.step;
  const Register *a = at.room(s.a.value), *g = at.room(s.b.value);
  Register* y = at.room(s.out.value);
  for_numbers(s, [&](Size i, Size c) {
    y[i * s.out.value.stride + c] = a[i * s.a.value.stride + c] * g[i * s.b.value.stride + gate_column(s, c)];
  });
}
inline void back_multiply(const At& at) {
  const Step& s = at.step;
  const Register *a = at.room(s.a.value), *g = at.room(s.b.value), *d = at.room(s.out.gradient);
  const Going to_a(at, s.a), to_g(at, s.b);
  Register* dg = to_g.to;
  for_numbers(s, [&](Size i, Size c) {
    const Register di = d[i * s.out.gradient.stride + c];
    const Register by_gate = di * a[i * s.a.value.stride + c];
    const bool first = s.width == 0 || c % s.width == 0;  // of the columns that share the gate
    Register& there = dg[i * to_g.stride + gate_column(s, c)];
    there = first && to_g.sets ? by_gate : there + by_gate;
    to_a.add(i, c, di * g[i * s.b.value.stride + gate_column(s, c)]);
  });
}

inline void forward_activate(const At& at) {
  const Step& s = at.step;
  const Register *u = at.room(s.a.value), *g = s.b.value.is() ? at.room(s.b.value) : nullptr;
  Register* y = at.room(s.out.value);
  for_numbers(s, [&](Size i, Size c) {
    const Register v = activated(s.kind, u[i * s.a.value.stride + c]).value;
    y[i * s.out.value.stride + c] = g ? v * g[i * s.b.value.stride + c] : v;
  });
}
inline void back_activate(const At& at) {
  const Step& s = at.step;
  const Register *u = at.room(s.a.value), *g = s.b.value.is() ? at.room(s.b.value) : nullptr;
  const Register* d = at.room(s.out.gradient);
  const Going to_u(at, s.a), to_g(at, s.b);
  for_numbers(s, [&](Size i, Size c) {
    const Activated v = activated(s.kind, u[i * s.a.value.stride + c]);
    const Register di = d[i * s.out.gradient.stride + c];
    to_u.add(i, c, g ? di * v.slope * g[i * s.b.value.stride + c] : di * v.slope);
    if (g) to_g.add(i, c, di * v.value);
  });
}

}  // namespace
