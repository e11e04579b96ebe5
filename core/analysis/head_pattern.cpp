#include "core/analysis/head_pattern.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <utility>

#include "core/analysis/shares.h"
#include "core/linalg/kernels/kernels.h"

namespace hydra {

namespace {

constexpr double kInfinite = kLogOfZero / 1e100;  // a sum with a weight times the logarithm of 0 is below

double entropy_of_mean(const HeadPattern& a, const HeadPattern& g) {
  double sum = 0;
  for (std::size_t s = 0; s < a.shares.size(); ++s)
    sum += kernels::chosen().entropy_of_mean(a.shares[s]->data(), g.shares[s]->data(), a.shares[s]->size());
  return sum;
}

// sum of p ln q, p of a and q of g; -infinity where q is 0 and p is not.
double log_product(const HeadPattern& a, const HeadPattern& g) {
  double sum = 0;
  for (std::size_t s = 0; s < a.shares.size(); ++s)
    sum += kernels::chosen().dot_doubles(a.shares[s]->data(), g.logs[s].data(), a.shares[s]->size());
  return sum < kInfinite ? -std::numeric_limits<double>::infinity() : sum;
}

// What rounding takes from rows that sum to 1 does not count.
double mass_of(const HeadPattern& pattern) {
  constexpr double rounding = 1e-4;
  double sum = 0;
  for (const Array<float>& part : pattern.shares) sum += part->cast<double>().sum();
  const auto rows = static_cast<double>(pattern.rows);
  return std::abs(sum - rows) <= rounding * rows ? rows : sum;
}

std::vector<Array<float>> only(const std::vector<Array<float>>& parts, const RowCounts& counts) {
  std::vector<Array<float>> kept;
  std::size_t row = 0;
  for (const Array<float>& part : parts) {
    Mat<float> values = *part;
    for (Index i = 0; i < values.rows(); ++i)
      if (!counts[row++]) values.row(i).setZero();
    kept.push_back(share(std::move(values)));
  }
  return kept;
}

// The patterns without the rows that do not count.
HeadPattern only(const HeadPattern& pattern, const RowCounts& counts) {
  HeadPattern kept;
  kept.counts = counts;
  kept.rows = number_of(counts);
  kept.parts = only(pattern.parts, counts);
  kept.shares = pattern.shares == pattern.parts ? kept.parts : only(pattern.shares, counts);
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
      const float sum = pattern->row(i).cwiseAbs().sum();
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

HeadPattern head_pattern(std::vector<Array<float>> patterns, bool may_be_negative) {
  HeadPattern pattern;
  pattern.counts = counting_rows(patterns);
  pattern.parts = std::move(patterns);
  pattern.shares = pattern.parts;
  for (Array<float>& part : pattern.shares)
    if (may_be_negative) part = share(shares_of(*part));
  pattern.rows = number_of(pattern.counts);
  const auto finite = [](const Array<float>& part) { return part->allFinite(); };
  pattern.mass = mass_of(pattern);
  if (std::all_of(pattern.parts.begin(), pattern.parts.end(), finite)) return pattern;
  return only(pattern, pattern.counts);
}

void add_entropy(HeadPattern& pattern) {
  if (!pattern.entropy) pattern.entropy = entropy_of_mean(pattern, pattern);
}

void add_logs(HeadPattern& pattern, std::vector<Mat<double>> logs) {
  pattern.logs = std::move(logs);
  pattern.own_log = log_product(pattern, pattern);
}

double pattern_product(const HeadPattern& a, const HeadPattern& g) {
  assert(a.parts.size() == g.parts.size());
  double sum = 0;
  for (std::size_t s = 0; s < a.parts.size(); ++s)
    sum += kernels::chosen().dot(a.parts[s]->data(), g.parts[s]->data(), a.parts[s]->size());
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
    add_logs(x, a.logs), add_logs(y, g.logs);
    return kl_bits(x, y);
  }
  if (a.rows == 0) return std::numeric_limits<double>::quiet_NaN();
  const double nats = a.own_log - log_product(a, g) + g.mass - a.mass;
  return std::max(nats / std::numbers::ln2 / static_cast<double>(a.rows), 0.0);
}

}  // namespace hydra
