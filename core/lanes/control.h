// The step by which heads are controlled while they learn, forward and back: their gates, L0 gates, dropped heads and
// noise. For the files that define Scalar and kLanes alone.
#pragma once
#include "core/lanes/rows.h"

namespace {

// Each lane's gate of a head: what the document says, times whether it was dropped. DropHead: of the heads that stay
// each counts heads / those; where none would stay, all do.
inline Register dropped(const At& at, Counters key, Size head) {
  const double drop = at.group.controls.drop;
  if (drop <= 0) return all(1);
  const auto limit = static_cast<unsigned>(drop * 4294967295.0);
  Whole kept = {}, own = {};
  for (Size h = 0; h < at.step.heads; ++h) {
    const Whole stays = random_bits(key, static_cast<unsigned>(h)) >= limit ? Whole{} + 1 : Whole{};
    kept += stays;
    if (h == head) own = stays;
  }
  const Whole none = kept == 0;
  const Register count = __builtin_convertvector(none ? Whole{} + static_cast<int>(at.step.heads) : kept, Register);
  const Register mine = __builtin_convertvector(none ? Whole{} + 1 : own, Register);
  return mine * static_cast<Scalar>(at.step.heads) / count;
}

// An L0 gate (Louizos et al. 2018, equations 10 and 11): clip(1.2 sigmoid((ln u - ln(1 - u) + a) 3/2) - 0.1, 0, 1),
// u uniform; when nothing is drawn clip(1.2 sigmoid(a) - 0.1, 0, 1). slope: by a.
struct Opened {
  Register value, slope;
};
inline Opened opened(Scalar a, Counters key, unsigned place, bool drawn) {
  Register z = all(a);
  if (drawn) {
    const Whole thousands = __builtin_convertvector(random_bits(key, place) >> 9, Whole);
    const Register u =
        (__builtin_convertvector(thousands, Register) + static_cast<Scalar>(0.5)) * static_cast<Scalar>(1.0 / 8388608);
    z = (z + logarithm(u) - logarithm(1 - u)) * static_cast<Scalar>(1.5);
  }
  const Register s = sigmoid(z), g = static_cast<Scalar>(1.2) * s - static_cast<Scalar>(0.1);
  const Register inside = g > 0 && g < 1 ? all(1) : Register{};
  const Scalar by_a = static_cast<Scalar>(drawn ? 1.2 * 1.5 : 1.2);
  return {larger(Register{}, g > 1 ? all(1) : g), inside * by_a * s * (1 - s)};
}

struct Gates {
  Register value, before, slope;  // all of it; without the L0 gate; by its parameter
};
inline Gates gates_of(const At& at, Size head) {
  const Step& s = at.step;
  Counters key;
  __builtin_memcpy(&key, at.group.keys, sizeof key);
  const Counters own = mixed(key + static_cast<unsigned>(s.layer + 1) * 0x7feb352du);
  Register before = dropped(at, own, head);
  if (at.group.controls.gates) before *= static_cast<Scalar>(at.group.controls.gates[s.layer * at.plan.heads + head]);
  if (!s.weight.is()) return {before, before, Register{}};
  const Opened gate =
      opened(at.weight(s.weight)[head], own, static_cast<unsigned>(1000 + head), at.group.controls.drawn);
  return {before * gate.value, before, before * gate.slope};
}

// What the heads give, with noise.
struct Noisy {
  const Register* x;
  Size stride, cols;
  Scalar noise;
  Counters key;
  explicit Noisy(const At& at)
      : x(at.room(at.step.a.value)),
        stride(at.step.a.value.stride),
        cols(at.step.cols),
        noise(static_cast<Scalar>(at.group.controls.noise)) {
    __builtin_memcpy(&key, at.group.keys, sizeof key);
    key = mixed(key + static_cast<unsigned>(at.step.layer + 1) * 0x846ca68bu);
  }
  Register operator()(Size row, Size col) const {
    const Register given = x[row * stride + col];
    return noise == 0 ? given : given + noise * random_normal(key, static_cast<unsigned>(row * cols + col));
  }
};

inline void forward_control(const At& at) {
  const Step& s = at.step;
  const Noisy given(at);
  Register* y = at.room(s.out.value);
  for (Size h = 0; h < s.heads; ++h) {
    const Register gate = gates_of(at, h).value;
    for (Size i = 0; i < s.rows; ++i)
      for (Size c = h * s.width; c < (h + 1) * s.width; ++c) y[i * s.out.value.stride + c] = given(i, c) * gate;
  }
}

inline void back_control(const At& at) {
  const Step& s = at.step;
  const Noisy given(at);
  const Register* d = at.room(s.out.gradient);
  const Going going(at, s.a);
  Scalar* by_gates = at.grad(s.weight);
  for (Size h = 0; h < s.heads; ++h) {
    const Gates gate = gates_of(at, h);
    Register by_gate = {};
    for (Size i = 0; i < s.rows; ++i)
      for (Size c = h * s.width; c < (h + 1) * s.width; ++c) {
        const Register di = d[i * s.out.gradient.stride + c];
        by_gate += di * given(i, c);
        going.add(i, c, di * gate.value);
      }
    if (by_gates) by_gates[h] += static_cast<Scalar>(sum_of(by_gate * gate.slope));
    if (at.group.importance)
      at.group.importance[s.layer * at.plan.heads + h] += sum_of(by_gate < 0 ? -by_gate : by_gate);
  }
}

}  // namespace
