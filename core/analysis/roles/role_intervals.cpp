#include "core/analysis/roles/role_intervals.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/mean_interval.h"
#include "core/analysis/roles/role_numbers.h"

namespace hydra {

namespace {

// Measures with the share of maxima at this offset as the positional one.
RoleMeasures measured(const RoleSums& sums, const RelationOffsets& offsets, int offset) {
  RoleMeasures m = finish(sums, offsets);
  m.positional_share = m.offset(offset).maxima;
  return m;
}

double scaled(NumberKind kind, double value) {
  return kind == NumberKind::correlation ? std::atanh(std::clamp(value, -1 + 1e-9, 1 - 1e-9)) : value;
}

// Of a share that has this standard error, from so many rows of so many sentences.
Interval share_interval(double share, double error, double rows, Index sentences) {
  const double variance = share * (1 - share);
  const double n = variance > 1e-12 && error > 0 ? variance / (error * error) : rows;
  const ScoreInterval score = score_interval(share, student(sentences - 1), n);
  const double unseen = rows > 0 ? 1 - std::pow(0.05, 1 / rows) : 1;
  return {std::max(0.0, std::min(score.low, share * (1 - unseen))),
          std::min(1.0, std::max(score.high, share + (1 - share) * unseen))};
}

Interval interval_of(NumberKind kind, double value, double error, double rows, Index sentences) {
  if (kind == NumberKind::share) return share_interval(value, error, rows, sentences);
  const double middle = scaled(kind, value), half = student(sentences - 1) * error;
  if (kind == NumberKind::correlation) return {std::tanh(middle - half), std::tanh(middle + half)};
  return {std::max(0.0, middle - half), middle + half};
}

}  // namespace

RoleIntervals intervals_of(const std::vector<RoleSums>& by_sentence, const RelationOffsets& offsets) {
  RoleSums total;
  for (const RoleSums& sums : by_sentence) total += sums;
  const RoleMeasures pooled = finish(total, offsets);
  const int offset = pooled.positional_offset;
  std::vector<RoleMeasures> own, rest;  // of each sentence, of all the others
  for (const RoleSums& sums : by_sentence) {
    RoleSums others = total;
    others -= sums;
    rest.push_back(measured(others, offsets, offset));
    RoleSums alone = others;
    alone -= others;  // nothing, but of the length of all
    alone += sums;
    own.push_back(measured(alone, offsets, offset));
  }
  RoleIntervals intervals{pooled, pooled};
  for_each_number(pooled, [&](NumberKind kind, const auto& field, const auto& rows) {
    double sum = 0, squares = 0;
    Index sentences = 0;
    for (std::size_t k = 0; k < own.size(); ++k) {
      if (std::isnan(field(own[k])) || std::isnan(field(rest[k]))) continue;
      const double value = scaled(kind, field(rest[k]));
      sum += value, squares += value * value, ++sentences;
    }
    const auto count = static_cast<double>(sentences);
    const double spread = sentences > 1 ? std::max(0.0, squares - sum * sum / count) : 0;
    const double error = std::sqrt(spread * (count - 1) / count);
    const Interval interval =
        sentences > 1 ? interval_of(kind, field(pooled), error, static_cast<double>(rows(pooled)), sentences)
                      : Interval{};
    field(intervals.low) = interval.low;
    field(intervals.high) = interval.high;
  });
  return intervals;
}

}  // namespace hydra
