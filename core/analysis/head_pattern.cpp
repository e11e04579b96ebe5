#include "core/analysis/head_pattern.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <utility>

namespace hydra {

namespace {

// Numbers are summed in so many lanes, which are added up at the end: the compiler makes vectors of them.
constexpr Index kLanes = 16;

// Stands for ln 0. A weight of 0 makes 0 of it, the least weight above 0 (1e-45) still more than any finite sum.
constexpr double kLogOfZero = -1e300;
constexpr double kInfinite = -1e200;

template <class T>
double dot(const float* a, const T* b, Index count) {
  double sums[kLanes] = {};
  Index k = 0;
  for (; k + kLanes <= count; k += kLanes)
    for (Index l = 0; l < kLanes; ++l) sums[l] += static_cast<double>(a[k + l]) * static_cast<double>(b[k + l]);
  for (Index l = 0; k + l < count; ++l) sums[l] += static_cast<double>(a[k + l]) * static_cast<double>(b[k + l]);
  for (Index half = kLanes / 2; half > 0; half /= 2)
    for (Index l = 0; l < half; ++l) sums[l] += sums[l + half];
  return sums[0];
}

using Doubles [[gnu::vector_size(32)]] = double;
using Bits [[gnu::vector_size(32)]] = std::uint64_t;
using Floats [[gnu::vector_size(16), gnu::aligned(4), gnu::may_alias]] = float;  // may start anywhere

// sum -= x ln x, for x from 0 to 1; 0 ln 0 = 0. Exact to a few units of the last place: with x = 2^e f, f between the
// roots of 1/2 and 2, ln f = 2 artanh s = 2 (s + s^3 / 3 + s^5 / 5 + ...), s = (f - 1) / (f + 1), |s| < 0.172.
inline void subtract_x_ln_x(const Doubles& x, Doubles& sum) {
  constexpr std::uint64_t one = 0x3FF0000000000000, root_of_half = 0x3FE6A09E667F3BCD, two_to_52 = 0x4330000000000000;
  const Doubles positive = x + std::numeric_limits<double>::min();  // changes nothing but 0
  const Bits bits = reinterpret_cast<Bits>(positive);
  const Bits exponent = (bits - root_of_half + one) >> 52;  // e + 1023
  const Bits fraction = bits - (exponent << 52) + one, counted = exponent | two_to_52;
  const Doubles e = reinterpret_cast<Doubles>(counted) - (0x1p52 + 1023);
  const Doubles f = reinterpret_cast<Doubles>(fraction);
  const Doubles s = (f - 1) / (f + 1), t = s * s;
  const Doubles u = t * t;
  const Doubles series =
      (1.0 / 3 + t * (1.0 / 5)) +
      u * ((1.0 / 7 + t * (1.0 / 9)) +
           u * ((1.0 / 11 + t * (1.0 / 13)) + u * ((1.0 / 15 + t * (1.0 / 17)) + u * (1.0 / 19 + t * (1.0 / 21)))));
  sum -= x * (e * std::numbers::ln2 + 2 * (s + s * t * series));
}

// sum -= m ln m of four numbers m = (a + b) / 2.
inline void subtract_four(const float* a, const float* b, Doubles& sum) {
  const Doubles x = __builtin_convertvector(*reinterpret_cast<const Floats*>(a), Doubles),
                y = __builtin_convertvector(*reinterpret_cast<const Floats*>(b), Doubles);
  const Doubles m = 0.5 * (x + y);
  subtract_x_ln_x(m, sum);
}

// - sum m ln m of m = (a + b) / 2.
double entropy_of_mean(const float* a, const float* b, Index count) {
  Doubles sum = {};
  Index k = 0;
  for (; k + 4 <= count; k += 4) subtract_four(a + k, b + k, sum);
  if (k < count) {
    float last[2][4] = {};
    std::copy(a + k, a + count, last[0]);
    std::copy(b + k, b + count, last[1]);
    subtract_four(last[0], last[1], sum);
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double entropy_of_mean(const HeadPattern& a, const HeadPattern& g) {
  double sum = 0;
  for (std::size_t s = 0; s < a.parts.size(); ++s)
    sum += entropy_of_mean(a.parts[s]->data(), g.parts[s]->data(), a.parts[s]->size());
  return sum;
}

// sum of p ln q, p of a and q of g; -infinity where q is 0 and p is not.
double log_product(const HeadPattern& a, const HeadPattern& g) {
  double sum = 0;
  for (std::size_t s = 0; s < a.parts.size(); ++s) sum += dot(a.parts[s]->data(), g.logs[s].data(), a.parts[s]->size());
  return sum < kInfinite ? -std::numeric_limits<double>::infinity() : sum;
}

// What rounding takes from rows that sum to 1 does not count.
double mass_of(const HeadPattern& pattern) {
  constexpr double rounding = 1e-4;
  double sum = 0;
  for (const Array<float>& part : pattern.parts) sum += part->cast<double>().sum();
  const auto rows = static_cast<double>(pattern.rows);
  return std::abs(sum - rows) <= rounding * rows ? rows : sum;
}

// The patterns without the rows that do not count.
HeadPattern only(const HeadPattern& pattern, const RowCounts& counts) {
  HeadPattern kept;
  kept.counts = counts;
  kept.rows = number_of(counts);
  std::size_t row = 0;
  for (const Array<float>& part : pattern.parts) {
    Mat<float> values = *part;
    for (Index i = 0; i < values.rows(); ++i)
      if (!counts[row++]) values.row(i).setZero();
    kept.parts.push_back(share(std::move(values)));
  }
  kept.mass = mass_of(kept);
  return kept;
}

// Both with the rows that count in both.
std::pair<HeadPattern, HeadPattern> in_common(const HeadPattern& a, const HeadPattern& g) {
  const RowCounts both = in_both(a.counts, g.counts);
  return {only(a, both), only(g, both)};
}

}  // namespace

RowCounts counting_rows(const std::vector<Array<float>>& patterns) {
  RowCounts counts;
  for (const Array<float>& pattern : patterns)
    for (Index i = 0; i < pattern->rows(); ++i) {
      const float sum = pattern->row(i).sum();
      counts.push_back(std::isfinite(sum) && sum > 0);
    }
  return counts;
}

RowCounts in_both(const RowCounts& a, const RowCounts& b) {
  assert(a.size() == b.size());
  RowCounts both(a.size());
  std::transform(a.begin(), a.end(), b.begin(), both.begin(), std::logical_and<>());
  return both;
}

Index number_of(const RowCounts& counts) { return std::count(counts.begin(), counts.end(), 1); }

HeadPattern head_pattern(std::vector<Array<float>> patterns) {
  HeadPattern pattern;
  pattern.counts = counting_rows(patterns);
  pattern.parts = std::move(patterns);
  pattern.rows = number_of(pattern.counts);
  const auto finite = [](const Array<float>& part) { return part->allFinite(); };
  pattern.mass = mass_of(pattern);
  if (std::all_of(pattern.parts.begin(), pattern.parts.end(), finite)) return pattern;
  return only(pattern, pattern.counts);
}

void add_entropy(HeadPattern& pattern) {
  if (!pattern.entropy) pattern.entropy = entropy_of_mean(pattern, pattern);
}

void add_logs(HeadPattern& pattern) {
  if (!pattern.logs.empty()) return;
  for (const Array<float>& part : pattern.parts) {
    std::vector<double>& logs = pattern.logs.emplace_back(static_cast<std::size_t>(part->size()));
    Eigen::Map<Eigen::ArrayXd> values(logs.data(), part->size());
    values = Eigen::Map<const Eigen::ArrayXf>(part->data(), part->size()).cast<double>();
    // A temporary of its own, which starts at a boundary of vectors: so the bits do not depend on the address.
    const Eigen::ArrayXd ln = values.max(std::numeric_limits<double>::min()).log();
    values = (values > 0).select(ln, kLogOfZero);
  }
  pattern.own_log = log_product(pattern, pattern);
}

double pattern_product(const HeadPattern& a, const HeadPattern& g) {
  assert(a.parts.size() == g.parts.size());
  double sum = 0;
  for (std::size_t s = 0; s < a.parts.size(); ++s)
    sum += dot(a.parts[s]->data(), g.parts[s]->data(), a.parts[s]->size());
  return sum;
}

double js_bits(const HeadPattern& a, const HeadPattern& g) {
  if (a.counts != g.counts) {
    auto [x, y] = in_common(a, g);
    add_entropy(x), add_entropy(y);
    return js_bits(x, y);
  }
  if (a.rows == 0) return std::numeric_limits<double>::quiet_NaN();
  const double nats = entropy_of_mean(a, g) - (*a.entropy + *g.entropy) / 2;
  return std::clamp(nats / std::numbers::ln2 / static_cast<double>(a.rows), 0.0, 1.0);
}

double kl_bits(const HeadPattern& a, const HeadPattern& g) {
  if (a.counts != g.counts) {
    auto [x, y] = in_common(a, g);
    add_logs(x), add_logs(y);
    return kl_bits(x, y);
  }
  if (a.rows == 0) return std::numeric_limits<double>::quiet_NaN();
  const double nats = a.own_log - log_product(a, g) + g.mass - a.mass;
  return std::max(nats / std::numbers::ln2 / static_cast<double>(a.rows), 0.0);
}

}  // namespace hydra
