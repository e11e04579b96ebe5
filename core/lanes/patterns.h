// Steps from queries and keys to what heads give, forward and back. For the files that define Scalar and kLanes alone.
//
// Of a causal pattern a row goes as far as its query; from there to the end of the tile that reads it stand zeros.
#pragma once
#include "core/lanes/rows.h"

namespace {

inline Size end_of_row(const Step& s, Size i) { return s.causal ? i + 1 : s.rows; }
inline Size end_of_tile(const Step& s, Size i) {
  if (!s.causal) return s.rows;
  const Size end = (i / kTileRows + 1) * kTileRows;
  return end <= s.rows ? end : i + 1;  // the last rows are read one by one
}
inline bool may_see(const Step& s, Size h, Size i, Size j) {
  return !s.allowed || s.allowed[h * s.from_head_to_head + i * s.rows + j];
}

inline Size set_of(const Step& s, Size h) { return s.sets ? s.sets[h] : h / s.group; }
inline bool is_first_of_set(const Step& s, Size h) { return h == 0 || set_of(s, h - 1) != set_of(s, h); }

inline Register* pattern(const At& at, const Place& place, Size head) {
  return at.room(place) + head * at.step.rows * at.step.rows;
}
inline Register* head_columns(const At& at, const Place& place, Size head) {
  return at.room(place) + head * at.step.width + at.step.first;
}

// f(head, row, column) for all that a pattern has.
template <class Function>
inline void for_pattern(const Step& s, const Function& f) {
  for (Size h = 0; h < s.heads; ++h)
    for (Size i = 0; i < s.rows; ++i)
      for (Size j = 0; j < end_of_row(s, i); ++j) f(h, i, j);
}
inline void end_with_zeros(const At& at, const Place& place) {
  const Step& s = at.step;
  for (Size h = 0; h < s.heads; ++h)
    for (Size i = 0; i < s.rows; ++i)
      for (Size j = end_of_row(s, i); j < end_of_tile(s, i); ++j) pattern(at, place, h)[i * s.rows + j] = Register{};
}

// --- scores ----------------------------------------------------------------------------------------------------------

inline Scalar factor_of(const At& at, Size head) {
  const Step& s = at.step;
  return s.factors == kNowhere ? static_cast<Scalar>(s.factor) : at.group.constants[s.factors + head];
}
// Among a head's biases the place of an offset, key less query.
inline Size place_of_offset(Size offset, Size reach) {
  return (offset < -reach ? -reach : offset > reach ? reach : offset) + reach;
}

inline Bounds bounds(const Step& s, Bounds of_causal) { return s.causal ? of_causal : Bounds::all; }

inline void forward_scores(const At& at) {
  const Step& s = at.step;
  const Scalar* slopes = s.constants == kNowhere ? nullptr : at.constants();
  const Scalar* biases = at.weight(s.weight);
  const auto cap = static_cast<Scalar>(s.cap);
  for (Size h = 0; h < s.heads; ++h) {
    Register* scores = pattern(at, s.out.value, h);
    multiply_by_lanes({head_columns(at, s.a.value, h), s.a.value.stride, 1, head_columns(at, s.b.value, set_of(s, h)),
                       1, s.b.value.stride, scores, s.rows, 1, s.rows, s.depth, s.rows, bounds(s, Bounds::to_row),
                       factor_of(at, h)});
    if (!slopes && !biases && cap == 0) continue;
    for (Size i = 0; i < s.rows; ++i)
      for (Size j = 0; j < end_of_row(s, i); ++j) {
        Register& score = scores[i * s.rows + j];
        if (cap != 0) score = cap * (2 * sigmoid(2 / cap * score) - 1);
        if (slopes) score -= slopes[h] * static_cast<Scalar>(i - j);
        if (biases) score += biases[h * s.weight.row + place_of_offset(j - i, s.reach)];
      }
  }
}

// By the biases of a head. No sequence has offsets beyond its length.
inline void add_grad_biases(const At& at, Size h, const Register* d) {
  const Step& s = at.step;
  Scalar* dB = at.grad(s.weight);
  if (!dB) return;
  const Size most = least(s.reach, s.rows - 1);
  Register sums[2 * kMostRows] = {};
  for (Size i = 0; i < s.rows; ++i)
    for (Size j = 0; j < end_of_row(s, i); ++j)
      if (may_see(s, h, i, j)) sums[place_of_offset(j - i, most)] += d[i * s.rows + j];
  for (Size k = 0; k <= 2 * most; ++k)
    dB[h * s.weight.row + s.reach - most + k] += static_cast<Scalar>(sum_of(sums[k]));
}

inline void back_scores(const At& at) {
  const Step& s = at.step;
  const Scalar* slopes = s.constants == kNowhere ? nullptr : at.constants();
  const auto cap = static_cast<Scalar>(s.cap);
  const Scalar* biases = at.weight(s.weight);
  const Going dQ(at, s.a), dK(at, s.b);
  for (Size h = 0; h < s.heads; ++h) {
    Register* d = pattern(at, s.out.gradient, h);
    add_grad_biases(at, h, d);
    if (cap != 0)
      for (Size i = 0; i < s.rows; ++i)
        for (Size j = 0; j < end_of_row(s, i); ++j) {
          Register capped = pattern(at, s.out.value, h)[i * s.rows + j];
          if (slopes) capped += slopes[h] * static_cast<Scalar>(i - j);
          if (biases) capped -= biases[h * s.weight.row + place_of_offset(j - i, s.reach)];
          capped *= 1 / cap;
          d[i * s.rows + j] *= 1 - capped * capped;
        }
    const Size kv = set_of(s, h);
    const Scalar factor = factor_of(at, h);
    multiply_by_lanes({d, s.rows, 1, head_columns(at, s.b.value, kv), s.b.value.stride, 1,
                       head_columns(at, s.a.gradient, h), dQ.stride, 1, s.rows, s.rows, s.depth,
                       bounds(s, Bounds::sum_to), factor, !dQ.sets});
    multiply_by_lanes({d, 1, s.rows, head_columns(at, s.a.value, h), s.a.value.stride, 1,
                       head_columns(at, s.b.gradient, kv), dK.stride, 1, s.rows, s.rows, s.depth,
                       bounds(s, Bounds::sum_from), factor, !(dK.sets && is_first_of_set(s, h))});
  }
}

// --- softmax ---------------------------------------------------------------------------------------------------------

constexpr Scalar kHidden = static_cast<Scalar>(-1e30);

// By key: 1 in the lanes whose sequence has it, 0 in those that end before it.
inline void find_there(const At& at, Register* there) {
  Whole lengths;
  __builtin_memcpy(&lengths, at.group.lengths, sizeof lengths);
  for (Size j = 0; j < at.step.rows; ++j) {
    there[j] = __builtin_convertvector(lengths > static_cast<int>(j) ? Whole{} + 1 : Whole{}, Register);
  }
}

inline void forward_softmax(const At& at) {
  const Step& s = at.step;
  const Scalar* sinks = s.kind == 2 ? at.weight(s.weight) : nullptr;  // SinkKind: none, zero, learned
  Register there[kMostRows];
  const bool hides = at.plan.some_are_shorter;
  if (hides) find_there(at, there);
  const auto score = [&](const Register* scores, Size j) {
    return hides ? scores[j] + (1 - there[j]) * kHidden : scores[j];
  };
  for (Size h = 0; h < s.heads; ++h)
    for (Size i = 0; i < s.rows; ++i) {
      const Register* scores = pattern(at, s.a.value, h) + i * s.rows;
      Register* out = pattern(at, s.out.value, h) + i * s.rows;
      const Scalar sink = sinks ? sinks[h] : 0;
      Register top = all(s.kind != 0 ? sink : 2 * kHidden);
      const Size end = end_of_row(s, i);
      for (Size j = 0; j < end; ++j)
        if (may_see(s, h, i, j)) top = larger(score(scores, j), top);
      Register sum = s.kind != 0 ? exponential(sink - top) : Register{};
      for (Size j = 0; j < end; ++j) {
        if (!may_see(s, h, i, j)) {
          out[j] = Register{};
          continue;
        }
        out[j] = exponential(score(scores, j) - top);
        if (hides) out[j] *= there[j];
        sum += out[j];
      }
      const Register share = 1 / (sum == 0 ? all(1) : sum);
      for (Size j = 0; j < end; ++j) out[j] *= share;
      for (Size j = end; j < end_of_tile(s, i); ++j) out[j] = Register{};
    }
}

inline void back_softmax(const At& at) {
  const Step& s = at.step;
  Scalar* by_sinks = s.kind == 2 ? at.grad(s.weight) : nullptr;
  const bool in_place = s.a.gradient.at == s.out.gradient.at;
  for (Size h = 0; h < s.heads; ++h) {
    Register by_sink = {};
    for (Size i = 0; i < s.rows; ++i) {
      const Register *A = pattern(at, s.out.value, h) + i * s.rows, *d = pattern(at, s.out.gradient, h) + i * s.rows;
      Register* to = pattern(at, s.a.gradient, h) + i * s.rows;
      const Size end = end_of_row(s, i);
      Register sum = {}, share = all(1);
      for (Size j = 0; j < end; ++j) sum += A[j] * d[j], share -= A[j];
      by_sink -= share * sum;
      for (Size j = 0; j < end; ++j) {
        const Register by = A[j] * (d[j] - sum);
        to[j] = in_place || s.a.sets ? by : to[j] + by;
      }
      for (Size j = end; j < end_of_tile(s, i); ++j) to[j] = Register{};
    }
    if (by_sinks) by_sinks[h] += static_cast<Scalar>(sum_of(by_sink));
  }
}

// --- talk ------------------------------------------------------------------------------------------------------------

inline void forward_talk(const At& at) {
  const Step& s = at.step;
  const Scalar* P = at.weight(s.weight);
  for_pattern(s, [&](Size h, Size i, Size j) {
    Register sum = {};
    for (Size l = 0; l < s.heads; ++l) sum += P[h * s.heads + l] * pattern(at, s.a.value, l)[i * s.rows + j];
    pattern(at, s.out.value, h)[i * s.rows + j] = sum;
  });
  end_with_zeros(at, s.out.value);
}
inline void back_talk(const At& at) {
  const Step& s = at.step;
  const Scalar* P = at.weight(s.weight);
  for_pattern(s, [&](Size l, Size i, Size j) {
    Register sum = {};
    for (Size h = 0; h < s.heads; ++h) sum += P[h * s.heads + l] * pattern(at, s.out.gradient, h)[i * s.rows + j];
    Register& to = pattern(at, s.a.gradient, l)[i * s.rows + j];
    to = s.a.sets ? sum : to + sum;
  });
  end_with_zeros(at, s.a.gradient);
  Scalar* dP = at.grad(s.weight);
  if (!dP) return;
  for (Size h = 0; h < s.heads; ++h)
    for (Size l = 0; l < s.heads; ++l) {
      Register sum = {};
      for (Size i = 0; i < s.rows; ++i)
        for (Size j = 0; j < end_of_row(s, i); ++j)
          if (may_see(s, h, i, j))
            sum += pattern(at, s.a.value, l)[i * s.rows + j] * pattern(at, s.out.gradient, h)[i * s.rows + j];
      dP[h * s.heads + l] += static_cast<Scalar>(sum_of(sum));
    }
}

// --- the difference of two patterns ----------------------------------------------------------------------------------

inline Scalar exponential_of(const Scalar* q, const Scalar* k, Size count) {
  double sum = 0;
  for (Size c = 0; c < count; ++c) sum += static_cast<double>(q[c]) * static_cast<double>(k[c]);
  return static_cast<Scalar>(__builtin_exp(sum));
}
inline void forward_lambda(const At& at) {
  const Step& s = at.step;
  const Scalar value = exponential_of(at.weight(s.weight), at.weight(s.bias), s.depth) -
                       exponential_of(at.weight(s.more[0]), at.weight(s.more[1]), s.depth) +
                       static_cast<Scalar>(s.offset);
  *at.room(s.out.value) = all(value);
}
inline void back_lambda(const At& at) {
  const Step& s = at.step;
  const auto d = static_cast<Scalar>(sum_of(*at.room(s.out.gradient)));
  const auto pair = [&](const Weight& first, const Weight& second, Scalar by) {
    const Scalar *q = at.weight(first), *k = at.weight(second);
    by *= exponential_of(q, k, s.depth);
    for (Size c = 0; c < s.depth; ++c) {
      if (Scalar* dq = at.grad(first)) dq[c] += by * k[c];
      if (Scalar* dk = at.grad(second)) dk[c] += by * q[c];
    }
  };
  pair(s.weight, s.bias, d);
  pair(s.more[0], s.more[1], -d);
}

inline void forward_subtract(const At& at) {
  const Step& s = at.step;
  const Register lambda = *at.room(s.c.value);
  for_pattern(s, [&](Size h, Size i, Size j) {
    const Size k = i * s.rows + j;
    pattern(at, s.out.value, h)[k] = pattern(at, s.a.value, h)[k] - lambda * pattern(at, s.b.value, h)[k];
  });
  end_with_zeros(at, s.out.value);
}
inline void back_subtract(const At& at) {
  const Step& s = at.step;
  const Register lambda = *at.room(s.c.value);
  Register by_lambda = {};
  for_pattern(s, [&](Size h, Size i, Size j) {
    const Size k = i * s.rows + j;
    const Register d = pattern(at, s.out.gradient, h)[k];
    by_lambda -= d * pattern(at, s.b.value, h)[k];
    pattern(at, s.a.gradient, h)[k] = d;
    pattern(at, s.b.gradient, h)[k] = -lambda * d;
  });
  *at.room(s.c.gradient) = by_lambda;
}

// --- sums and products of two patterns, number by number: steps without columns ------------------------------------

template <class Function>
inline void forward_pair(const At& at, const Function& f) {
  const Step& s = at.step;
  for_pattern(s, [&](Size h, Size i, Size j) {
    const Size k = i * s.rows + j;
    pattern(at, s.out.value, h)[k] = f(pattern(at, s.a.value, h)[k], pattern(at, s.b.value, h)[k]);
  });
  end_with_zeros(at, s.out.value);
}
// f(value of the other): what the derivative is multiplied by.
template <class Function>
inline void back_pair(const At& at, const Function& f) {
  const Step& s = at.step;
  const auto add = [&](const Value& to, Size h, Size k, Register by) {
    Register& there = pattern(at, to.gradient, h)[k];
    there = to.sets ? by : there + by;
  };
  for_pattern(s, [&](Size h, Size i, Size j) {
    const Size k = i * s.rows + j;
    const Register d = pattern(at, s.out.gradient, h)[k];
    add(s.b, h, k, d * f(pattern(at, s.a.value, h)[k]));
    add(s.a, h, k, d * f(pattern(at, s.b.value, h)[k]));
  });
  end_with_zeros(at, s.b.gradient);
  end_with_zeros(at, s.a.gradient);
}
inline bool of_patterns(const Step& s) { return s.cols == 0; }
inline void forward_add_patterns(const At& at) {
  forward_pair(at, [](Register a, Register b) { return a + b; });
}
inline void back_add_patterns(const At& at) {
  back_pair(at, [](Register) { return all(1); });
}
inline void forward_multiply_patterns(const At& at) {
  forward_pair(at, [](Register a, Register b) { return a * b; });
}
inline void back_multiply_patterns(const At& at) {
  back_pair(at, [](Register other) { return other; });
}

// --- mix -------------------------------------------------------------------------------------------------------------

// Attention to where gold says, summed over rows and sequences: of some relations at once, row by row for all heads.
inline void measure_patterns(const At& at) {
  constexpr Size kAtOnce = 4;
  const Step& s = at.step;
  const Size relations = at.plan.relations;
  if (!at.group.masses || !at.group.gold) return;
  for (Size first = 0; first < relations; first += kAtOnce) {
    const Size count = least(kAtOnce, relations - first);
    Register sums[kMostHeads * kAtOnce];
    for (Size k = 0; k < s.heads * count; ++k) sums[k] = Register{};
    for (Size i = 0; i < s.rows; ++i) {
      // 1 in the lanes whose sequence has gold there, of each key that any lane has it at.
      Register here[kAtOnce * kMostRows];
      Size keys[kAtOnce * kMostRows], ends[kAtOnce], some = 0;
      for (Size r = 0; r < count; ++r) {
        const unsigned long long* gold = at.group.gold + (i * relations + first + r) * kLanes;
        unsigned long long any = 0;
        for (int lane = 0; lane < kLanes; ++lane) any |= gold[lane];
        for (; any; any &= any - 1) {
          const Size j = __builtin_ctzll(any);
          if (j >= end_of_row(s, i)) break;
          for (int lane = 0; lane < kLanes; ++lane) here[some][lane] = static_cast<Scalar>(gold[lane] >> j & 1);
          keys[some++] = j;
        }
        ends[r] = some;
      }
      for (Size h = 0; h < s.heads; ++h) {
        const Register* A = pattern(at, s.a.value, h) + i * s.rows;
        for (Size r = 0, k = 0; r < count; ++r) {
          Register sum = sums[h * count + r];
          for (; k < ends[r]; ++k) sum += here[k] * A[keys[k]];
          sums[h * count + r] = sum;
        }
      }
    }
    for (Size h = 0; h < s.heads; ++h)
      for (Size r = 0; r < count; ++r)
        at.group.masses[(s.layer * at.plan.heads + h) * relations + first + r] += sum_of(sums[h * count + r]);
  }
}

// Patterns are measured as they are before some of their weights are dropped.
inline void forward_drop(const At& at) {
  const Step& s = at.step;
  for_pattern(s, [&](Size h, Size i, Size j) {
    const Size k = i * s.rows + j;
    pattern(at, s.out.value, h)[k] = at.constants()[h * s.rows * s.rows + k] * pattern(at, s.a.value, h)[k];
  });
  end_with_zeros(at, s.out.value);
  measure_patterns(at);
}
inline void back_drop(const At& at) {
  const Step& s = at.step;
  for_pattern(s, [&](Size h, Size i, Size j) {
    const Size k = i * s.rows + j;
    const Register by = at.constants()[h * s.rows * s.rows + k] * pattern(at, s.out.gradient, h)[k];
    Register& to = pattern(at, s.a.gradient, h)[k];
    to = s.a.sets ? by : to + by;
  });
  end_with_zeros(at, s.a.gradient);
}

inline void forward_mix(const At& at) {
  const Step& s = at.step;
  for (Size h = 0; h < s.heads; ++h)
    multiply_by_lanes({pattern(at, s.a.value, h), s.rows, 1, head_columns(at, s.b.value, set_of(s, h)),
                       s.b.value.stride, 1, head_columns(at, s.out.value, h), s.out.value.stride, 1, s.rows, s.rows,
                       s.width, bounds(s, Bounds::sum_to)});
  if (s.kind == 0) measure_patterns(at);
}
inline void back_mix(const At& at) {
  const Step& s = at.step;
  const Going dA(at, s.a), dV(at, s.b);
  for (Size h = 0; h < s.heads; ++h) {
    const Register* d = head_columns(at, s.out.gradient, h);
    const Size kv = set_of(s, h), stride = s.out.gradient.stride;
    if (dA)
      multiply_by_lanes({d, stride, 1, head_columns(at, s.b.value, kv), 1, s.b.value.stride,
                         pattern(at, s.a.gradient, h), s.rows, 1, s.rows, s.width, s.rows, bounds(s, Bounds::to_row), 1,
                         !dA.sets});
    if (dV)
      multiply_by_lanes({pattern(at, s.a.value, h), 1, s.rows, d, stride, 1, head_columns(at, s.b.gradient, kv),
                         dV.stride, 1, s.rows, s.rows, s.width, bounds(s, Bounds::sum_from), 1,
                         !(dV.sets && is_first_of_set(s, h))});
  }
}

// --- repel -----------------------------------------------------------------------------------------------------------

constexpr Scalar kTiny = static_cast<Scalar>(1e-9);   // added to a row's length, as the recipe has it
constexpr Scalar kNext = static_cast<Scalar>(1e-30);  // so that a row of zeros divides nothing by zero

// The rows of two heads' patterns: their cosine, where the sequence has that row.
struct Pair {
  Register cosine, by_f, by_g;  // 1 / (length of each row + kTiny)
  Register of_f, of_g;          // 1 / length
};
inline Pair pair_of(const At& at, const Register* f, const Register* g, Size i) {
  Register ff = {}, gg = {}, fg = {};
  for (Size j = 0; j < end_of_row(at.step, i); ++j) ff += f[j] * f[j], gg += g[j] * g[j], fg += f[j] * g[j];
  Whole lengths;
  __builtin_memcpy(&lengths, at.group.lengths, sizeof lengths);
  const Register there = __builtin_convertvector(lengths > static_cast<int>(i) ? Whole{} + 1 : Whole{}, Register);
  const Register size_f = root(ff), size_g = root(gg), by_f = 1 / (size_f + kTiny), by_g = 1 / (size_g + kTiny);
  return {there * fg * by_f * by_g, there * by_f, there * by_g, 1 / (size_f + kNext), 1 / (size_g + kNext)};
}
template <class Function>
inline void for_pairs_of_heads(const At& at, const Function& f) {
  for (Size g = 0; g < at.step.heads; ++g)
    for (Size h = 0; h < g; ++h)
      for (Size i = 0; i < at.step.rows; ++i) f(h, g, i);
}

inline void forward_repel(const At& at) {
  const Step& s = at.step;
  if (!at.group.alike) return;
  Register sum = {};
  for_pairs_of_heads(at, [&](Size f, Size g, Size i) {
    sum += pair_of(at, pattern(at, s.a.value, f) + i * s.rows, pattern(at, s.a.value, g) + i * s.rows, i).cosine;
  });
  at.group.alike[s.layer] += sum_of(sum);
}
inline void back_repel(const At& at) {
  const Step& s = at.step;
  const Size pairs = s.heads * (s.heads - 1) / 2;
  if (at.group.controls.repel == 0 || pairs == 0) return;
  const auto factor = static_cast<Scalar>(at.group.controls.repel / static_cast<double>(pairs));
  for_pairs_of_heads(at, [&](Size f, Size g, Size i) {
    const Register *Af = pattern(at, s.a.value, f) + i * s.rows, *Ag = pattern(at, s.a.value, g) + i * s.rows;
    Register *df = pattern(at, s.a.gradient, f) + i * s.rows, *dg = pattern(at, s.a.gradient, g) + i * s.rows;
    const Pair pair = pair_of(at, Af, Ag, i);
    const Register across = factor * pair.by_f * pair.by_g;
    const Register along_f = factor * pair.cosine * pair.by_f * pair.of_f,
                   along_g = factor * pair.cosine * pair.by_g * pair.of_g;
    for (Size j = 0; j < end_of_row(s, i); ++j) {
      df[j] += across * Ag[j] - along_f * Af[j];
      dg[j] += across * Af[j] - along_g * Ag[j];
    }
  });
}

}  // namespace
