#include "core/analysis/roles.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace hydra {

namespace {

using Row = Eigen::Array<double, 1, Eigen::Dynamic>;

// A row of the pattern and where its maxima are.
struct Query {
  Index i = 0;
  Row a;
  double top = 0, equals = 0;  // the maximum, and how many keys have it
  bool is_top(Index j) const { return a[j] == top; }
};

double entropy_of(const Row& a) { return -(a > 0).select(a * a.log(), 0).sum() / std::log(2.0); }

void add_offsets(const Query& q, const SentenceTargets& targets, RoleSums& sums) {
  const Index n = q.a.size(), first = n - 1 - q.i;  // where key 0 stands
  sums.attention.segment(first, n) += q.a.transpose();
  sums.present.segment(first, n) += 1;
  if (targets.seen[static_cast<std::size_t>(q.i)] < 2) return;
  for (Index j = 0; j < n; ++j) {
    if (targets.mask.allows(q.i, j)) sums.free[first + j] += 1;
    if (q.is_top(j)) sums.maxima[first + j] += 1 / q.equals;
  }
}

// at: the row of the targets for the first query that is not below q.i; moved past it.
void add_target(const Query& q, const Targets& targets, std::optional<int> offset, std::size_t& at,
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

// Sums of squares of deviations from the sentence's means.
void add_semantic(MatIn<float> attention, const Similarity& similarity, RoleSums& sums) {
  if (similarity.pairs < 2) return;
  double sum = 0, squares = 0, products = 0;
  Row a(attention.cols());
  for (Index i = 0; i < attention.rows(); ++i) {
    a = attention.row(i).array().cast<double>() * similarity.counted.row(i).array().cast<double>();
    sum += a.sum();
    squares += a.square().sum();
    products += (a * similarity.values.row(i).array().cast<double>()).sum();
  }
  if (!std::isfinite(sum)) return;
  const double n = similarity.pairs;
  // What rounding leaves of a constant is no variance.
  const auto variance = [n](double total, double total_squares) {
    const double v = total_squares - total * total / n;
    return v > 1e-10 * total_squares ? v : 0;
  };
  const double of_attention = variance(sum, squares), of_similarity = variance(similarity.sum, similarity.squares);
  if (of_attention > 0 && of_similarity > 0) sums.covariance += products - sum * similarity.sum / n;
  sums.attention_variance += of_attention;
  sums.similarity_variance += of_similarity;
}

// Offset 0 stays at the middle.
void add_centred(Eigen::ArrayXd& sum, const Eigen::ArrayXd& other) {
  if (other.size() > sum.size()) {
    Eigen::ArrayXd wider = Eigen::ArrayXd::Zero(other.size());
    wider.segment((other.size() - sum.size()) / 2, sum.size()) = sum;
    sum = std::move(wider);
  }
  sum.segment((sum.size() - other.size()) / 2, other.size()) += other;
}

void add(RoleSums::Target& sum, const RoleSums::Target& other) {
  sum.mass += other.mass;
  sum.hits += other.hits;
  sum.offset_hits += other.offset_hits;
  sum.rows += other.rows;
}

double ratio(double sum, double count) { return count > 0 ? sum / count : kUndefined; }

void finish_target(const RoleSums::Target& sums, TargetScore& score) {
  const auto rows = static_cast<double>(sums.rows);
  score.rows = sums.rows;
  score.mass = ratio(sums.mass, rows);
  score.accuracy = ratio(sums.hits, rows);
}

void finish_positional(const RoleSums& sums, RoleMeasures& measures) {
  const auto reach = static_cast<int>(measures.reach());
  double best = 0;
  for (int distance = 0; distance < reach; ++distance)
    for (const int k : {-distance, distance}) {
      const Index at = k + reach - 1;
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
  const Index at = k + reach() - 1;
  return at >= 0 && at < static_cast<Index>(offsets.size()) ? offsets[static_cast<std::size_t>(at)] : OffsetMeasure{};
}

RoleSums& RoleSums::operator+=(const RoleSums& other) {
  rows += other.rows;
  choosing += other.choosing;
  entropy += other.entropy;
  fraction += other.fraction;
  confidence += other.confidence;
  distance += other.distance;
  add_centred(attention, other.attention);
  add_centred(present, other.present);
  add_centred(maxima, other.maxima);
  add_centred(free, other.free);
  for (std::size_t p = 0; p < patterns.size(); ++p) add(patterns[p], other.patterns[p]);
  for (std::size_t r = 0; r < relations.size(); ++r) add(relations[r], other.relations[r]);
  covariance += other.covariance;
  attention_variance += other.attention_variance;
  similarity_variance += other.similarity_variance;
  contribution += other.contribution;
  output += other.output;
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
  Query q;
  for (q.i = 0; q.i < n; ++q.i) {
    const int seen = targets.seen[static_cast<std::size_t>(q.i)];
    q.a = attention.row(q.i).array().cast<double>();
    if (seen == 0 || !std::isfinite(q.a.sum())) continue;
    q.top = q.a.maxCoeff();
    q.equals = static_cast<double>((q.a == q.top).count());
    const double entropy = entropy_of(q.a);
    ++sums.rows;
    sums.entropy += entropy;
    sums.confidence += q.top;
    sums.distance += (q.a * (Row::LinSpaced(n, 0, static_cast<double>(n - 1)) - static_cast<double>(q.i)).abs()).sum();
    if (seen > 1) {
      ++sums.choosing;
      sums.fraction += std::min(1.0, entropy / std::log2(seen));  // weights that round to a sum above 1
    }
    add_offsets(q, targets, sums);
    for (std::size_t p = 0; p < pattern_at.size(); ++p)
      add_target(q, targets.patterns[p], {}, pattern_at[p], sums.patterns[p]);
    for (std::size_t r = 0; r < relation_at.size(); ++r)
      add_target(q, targets.relations[r], targets.offsets[r], relation_at[r], sums.relations[r]);
  }
  if (targets.similarity) add_semantic(attention, *targets.similarity, sums);
  return sums;
}

RoleSums head_sums(const LayerTrace<float>& layer, int head, const SentenceTargets& targets) {
  const HeadTrace<float>& trace = layer.heads[static_cast<std::size_t>(head)];
  RoleSums sums = pattern_sums(*trace.attention, targets);
  sums.contribution = trace.contribution->cast<double>().squaredNorm();
  sums.output = layer.output->cast<double>().squaredNorm();
  return sums;
}

RoleMeasures finish(const RoleSums& sums, const RelationOffsets& offsets) {
  RoleMeasures m;
  const auto rows = static_cast<double>(sums.rows);
  m.rows = sums.rows;
  m.entropy_bits = ratio(sums.entropy, rows);
  m.entropy_fraction = ratio(sums.fraction, static_cast<double>(sums.choosing));
  m.confidence = ratio(sums.confidence, rows);
  m.mean_distance = ratio(sums.distance, rows);
  for (Index k = 0; k < sums.attention.size(); ++k)
    m.offsets.push_back({ratio(sums.attention[k], sums.present[k]), ratio(sums.maxima[k], sums.free[k])});
  finish_positional(sums, m);
  for (std::size_t p = 0; p < sums.patterns.size(); ++p) finish_target(sums.patterns[p], m.patterns[p]);
  for (std::size_t r = 0; r < sums.relations.size(); ++r) {
    finish_target(sums.relations[r], m.relations[r]);
    m.relations[r].best_offset = offsets[r];
    if (offsets[r])
      m.relations[r].offset_accuracy =
          ratio(sums.relations[r].offset_hits, static_cast<double>(sums.relations[r].rows));
  }
  const double spread = std::sqrt(sums.attention_variance * sums.similarity_variance);
  m.semantic = ratio(sums.covariance, spread);
  m.removal = std::sqrt(ratio(sums.contribution, sums.output));
  return m;
}

Chance chance_of(const std::vector<RoleMeasures>& measures) {
  Chance chance{measures.front(), measures.front()};
  const auto reduce = [&](const auto& field) {
    double sum = 0, squares = 0, count = 0;
    for (const RoleMeasures& m : measures) count += !std::isnan(field(m)), sum += std::isnan(field(m)) ? 0 : field(m);
    const double mean = ratio(sum, count);
    for (const RoleMeasures& m : measures)
      if (!std::isnan(field(m))) squares += (field(m) - mean) * (field(m) - mean);
    field(chance.mean) = mean;
    field(chance.deviation) = std::sqrt(ratio(squares, count));
  };
  for (double RoleMeasures::*number :
       {&RoleMeasures::entropy_bits, &RoleMeasures::entropy_fraction, &RoleMeasures::confidence,
        &RoleMeasures::mean_distance, &RoleMeasures::positional_share, &RoleMeasures::semantic, &RoleMeasures::removal})
    reduce([number](auto& m) -> auto& { return m.*number; });
  for (std::size_t k = 0; k < measures.front().offsets.size(); ++k) {
    reduce([k](auto& m) -> auto& { return m.offsets[k].attention; });
    reduce([k](auto& m) -> auto& { return m.offsets[k].maxima; });
  }
  for (std::size_t p = 0; p < kTokenPatterns; ++p) {
    reduce([p](auto& m) -> auto& { return m.patterns[p].mass; });
    reduce([p](auto& m) -> auto& { return m.patterns[p].accuracy; });
  }
  for (std::size_t r = 0; r < kRelations; ++r) {
    reduce([r](auto& m) -> auto& { return m.relations[r].mass; });
    reduce([r](auto& m) -> auto& { return m.relations[r].accuracy; });
  }
  return chance;
}

}  // namespace hydra
