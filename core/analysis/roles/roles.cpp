#include "core/analysis/roles/roles.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/analysis/roles/role_numbers.h"
#include "core/analysis/shares.h"

namespace hydra {

namespace {

using Row = Eigen::Array<double, 1, Eigen::Dynamic>;

double entropy_of(const Row& a) { return -(a > 0).select(a * a.log(), 0).sum() / std::log(2.0); }

void add_offsets(const QueryRow& q, const SentenceTargets& targets, RoleSums& sums) {
  const Index n = q.a.size(), first = n - 1 - q.i;  // where key 0 stands
  sums.attention.segment(first, n) += q.a.transpose();
  sums.present.segment(first, n) += 1;
  if (q.seen < 2) return;
  for (Index j = 0; j < n; ++j) {
    if (targets.mask.allows(q.i, j)) sums.free[first + j] += 1;
    if (q.is_top(j)) sums.maxima[first + j] += 1 / q.equals;
  }
}

// at: the row of the targets for the first query that is not below q.i; moved past it.
void add_target(const QueryRow& q, const Targets& targets, std::optional<int> offset, std::size_t& at,
                RoleSums::Target& sums) {
  while (at < targets.rows.size() && targets.rows[at] < q.i) ++at;
  if (at == targets.rows.size() || targets.rows[at] != q.i) return;
  ++sums.rows;
  for (int k = targets.begin[at]; k < targets.begin[at + 1]; ++k) {
    const int j = targets.keys[static_cast<std::size_t>(k)];
    sums.mass += q.a[j];
    if (q.is_top(j)) sums.hits += 1 / q.equals;
    if (offset && q.i + *offset == j) sums.offset_hits += 1;
  }
}

// Offset 0 stays at the middle.
void add_centred(Eigen::ArrayXd& sum, const Eigen::ArrayXd& other, double sign) {
  if (other.size() > sum.size()) {
    Eigen::ArrayXd wider = Eigen::ArrayXd::Zero(other.size());
    wider.segment((other.size() - sum.size()) / 2, sum.size()) = sum;
    sum = std::move(wider);
  }
  sum.segment((sum.size() - other.size()) / 2, other.size()) += sign * other;
}

void add(RoleSums::Target& sum, const RoleSums::Target& other, int sign) {
  sum.mass += sign * other.mass;
  sum.hits += sign * other.hits;
  sum.offset_hits += sign * other.offset_hits;
  sum.rows += sign * other.rows;
}

void add_rest(const QueryRow& q, const SentenceTargets& targets, std::size_t& at, RoleSums::Rest& sums) {
  while (at < targets.at_rest.size() && targets.at_rest[at] < q.i) ++at;
  if (at == targets.at_rest.size() || targets.at_rest[at] != q.i) return;
  ++sums.rows;
  sums.first += q.a[0];
  sums.self += q.a[q.i];
  for (const int j : targets.marks) sums.marks += q.a[j];
}

void add(RoleSums::Rest& sum, const RoleSums::Rest& other, int sign) {
  for (double RoleSums::Rest::*total : {&RoleSums::Rest::first, &RoleSums::Rest::self, &RoleSums::Rest::marks})
    sum.*total += sign * (other.*total);
  sum.rows += sign * other.rows;
}

// sign: 1 or -1.
void add(RoleSums& sum, const RoleSums& other, int sign) {
  for (Index RoleSums::*count : {&RoleSums::rows, &RoleSums::choosing}) sum.*count += sign * (other.*count);
  for (double RoleSums::*total :
       {&RoleSums::contribution, &RoleSums::contributions, &RoleSums::output, &RoleSums::stream})
    sum.*total += sign * (other.*total);
  for (std::size_t m = 0; m < kHeadNumbers; ++m)
    for (std::size_t k = 0; k < sum.own[m].size(); ++k) sum.own[m][k] += sign * other.own[m][k];
  for (Eigen::ArrayXd RoleSums::*by_offset :
       {&RoleSums::attention, &RoleSums::present, &RoleSums::maxima, &RoleSums::free})
    add_centred(sum.*by_offset, other.*by_offset, sign);
  for (std::size_t p = 0; p < sum.patterns.size(); ++p) add(sum.patterns[p], other.patterns[p], sign);
  for (std::size_t r = 0; r < sum.relations.size(); ++r) add(sum.relations[r], other.relations[r], sign);
  sum.jobs.resize(std::max(sum.jobs.size(), other.jobs.size()));
  for (std::size_t j = 0; j < other.jobs.size(); ++j) add(sum.jobs[j], other.jobs[j], sign);
  add(sum.rest, other.rest, sign);
}

void finish_target(const RoleSums::Target& sums, TargetScore& score) {
  const auto rows = static_cast<double>(sums.rows);
  score.rows = sums.rows;
  score.mass = ratio_of(sums.mass, rows);
  score.accuracy = ratio_of(sums.hits, rows);
}

void finish_relation(const RoleSums::Target& sums, const std::optional<int>& offset, RelationScore& score) {
  finish_target(sums, score);
  score.best_offset = offset;
  if (offset) score.offset_accuracy = ratio_of(sums.offset_hits, static_cast<double>(sums.rows));
}

void finish_positional(const RoleSums& sums, RoleMeasures& measures) {
  const auto tokens = static_cast<int>(measures.tokens());
  double best = 0;
  for (int distance = 0; distance < tokens; ++distance)
    for (const int k : {-distance, distance}) {
      const Index at = k + tokens - 1;
      const double rows = sums.free[at];
      if (rows <= 0 || 2 * rows < static_cast<double>(sums.choosing)) continue;
      const double share = sums.maxima[at] / rows;
      if (measures.positional_rows > 0 && share <= best + 1e-12) continue;
      best = measures.positional_share = share;
      measures.positional_offset = k;
      measures.positional_rows = static_cast<Index>(rows);
    }
}

}  // namespace

OffsetMeasure RoleMeasures::offset(int k) const {
  const Index at = k + tokens() - 1;
  return at >= 0 && at < static_cast<Index>(offsets.size()) ? offsets[static_cast<std::size_t>(at)] : OffsetMeasure{};
}

RoleSums& RoleSums::operator+=(const RoleSums& other) {
  add(*this, other, 1);
  return *this;
}

RoleSums& RoleSums::operator-=(const RoleSums& other) {
  add(*this, other, -1);
  return *this;
}

RoleSums pattern_sums(MatIn<float> attention, const SentenceTargets& targets) {
  const Index n = attention.rows();
  assert(attention.cols() == n && targets.n == n);
  RoleSums sums;
  for (Eigen::ArrayXd* by_offset : {&sums.attention, &sums.present, &sums.maxima, &sums.free})
    *by_offset = Eigen::ArrayXd::Zero(2 * n - 1);
  std::array<std::size_t, kTokenPatterns> pattern_at{};
  std::array<std::size_t, kRelations> relation_at{};
  std::vector<std::size_t> job_at(targets.jobs.size());
  std::size_t rest_at = 0;
  sums.jobs.resize(targets.jobs.size());
  QueryRow q;
  for (q.i = 0; q.i < n; ++q.i) {
    q.seen = targets.seen[static_cast<std::size_t>(q.i)];
    q.a = attention.row(q.i).array().cast<double>();
    if (q.seen == 0 || !std::isfinite(q.a.sum())) continue;
    q.top = q.a.maxCoeff();
    q.equals = static_cast<double>((q.a == q.top).count());
    q.entropy = entropy_of(q.a);
    ++sums.rows;
    if (q.seen > 1) ++sums.choosing;
    for (std::size_t m = 0; m < kHeadNumbers; ++m)
      if (kHeadMeasures[m]->add_row) kHeadMeasures[m]->add_row(q, sums.own[m]);
    add_offsets(q, targets, sums);
    for (std::size_t p = 0; p < pattern_at.size(); ++p)
      add_target(q, targets.patterns[p], {}, pattern_at[p], sums.patterns[p]);
    for (std::size_t r = 0; r < relation_at.size(); ++r)
      add_target(q, targets.relations[r], targets.offsets[r], relation_at[r], sums.relations[r]);
    for (std::size_t j = 0; j < job_at.size(); ++j)
      add_target(q, targets.jobs[j], targets.offsets.of_job(j), job_at[j], sums.jobs[j]);
    add_rest(q, targets, rest_at, sums.rest);
  }
  for (std::size_t m = 0; m < kHeadNumbers; ++m)
    if (kHeadMeasures[m]->add_pattern) kHeadMeasures[m]->add_pattern(attention, targets, sums.own[m]);
  return sums;
}

void measure_in_layer(const LayerTrace<float>& layer, Index head, const SentenceTargets& targets, RoleSums& sums) {
  for (std::size_t m = 0; m < kHeadNumbers; ++m)
    if (kHeadMeasures[m]->add_head) kHeadMeasures[m]->add_head(layer, head, targets, sums.own[m] = {});
}

RoleSums head_sums(const LayerTrace<float>& layer, int head, const SentenceTargets& targets) {
  RoleSums sums = pattern_sums(*attention_shares(layer, head), targets);
  sums.contribution = contribution_once(layer, head)->cast<double>().squaredNorm();
  sums.output = layer.output->cast<double>().squaredNorm();
  measure_in_layer(layer, head, targets, sums);
  return sums;
}

void add_layer(std::vector<RoleSums>& heads, double stream) {
  double contributions = 0;
  for (const RoleSums& head : heads) contributions += head.contribution;
  for (RoleSums& head : heads) {
    head.contributions = contributions;
    head.stream = stream;
  }
}

RoleMeasures finish(const RoleSums& sums, const RelationOffsets& offsets) {
  RoleMeasures m;
  m.rows = sums.rows;
  for (std::size_t k = 0; k < kHeadNumbers; ++k) {
    const HeadMeasure& measure = *kHeadMeasures[k];
    m.numbers[k] = {measure.value(sums.own[k], sums), measure.rows ? measure.rows(sums.own[k], sums) : sums.rows};
  }
  for (Index k = 0; k < sums.attention.size(); ++k)
    m.offsets.push_back({ratio_of(sums.attention[k], sums.present[k]), ratio_of(sums.maxima[k], sums.free[k])});
  finish_positional(sums, m);
  for (std::size_t p = 0; p < sums.patterns.size(); ++p) finish_target(sums.patterns[p], m.patterns[p]);
  for (std::size_t r = 0; r < sums.relations.size(); ++r)
    finish_relation(sums.relations[r], offsets[r], m.relations[r]);
  m.jobs.resize(sums.jobs.size());
  for (std::size_t j = 0; j < sums.jobs.size(); ++j) finish_relation(sums.jobs[j], offsets.of_job(j), m.jobs[j]);
  const auto at_rest = static_cast<double>(sums.rest.rows);
  m.rest = {ratio_of(sums.rest.first, at_rest), ratio_of(sums.rest.self, at_rest), ratio_of(sums.rest.marks, at_rest),
            sums.rest.rows};
  return m;
}

RoleMeasures mean_of(const std::vector<RoleMeasures>& measures) {
  RoleMeasures mean = measures.front();
  for_each_number(mean, [&](NumberKind, const auto& field, const auto&) {
    double sum = 0, count = 0;
    for (const RoleMeasures& m : measures) count += !std::isnan(field(m)), sum += std::isnan(field(m)) ? 0 : field(m);
    field(mean) = ratio_of(sum, count);
  });
  return mean;
}

}  // namespace hydra
