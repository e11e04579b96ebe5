#include "core/analysis/roles/role_bounds.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/analysis/shares.h"
#include "core/linalg/fit.h"
#include "core/linalg/matmul.h"
#include "core/work/progress.h"

namespace hydra {

namespace {

constexpr std::uint64_t kFirstSeedOfBounds = 6'000'000;  // far from those that are typed
constexpr float kHidden = -1e30f;                        // a score that softmax makes 0, and that times 0 is 0

using Scores = std::array<double, kClaims>;

// A score on an unbounded scale, so that scores near 0 and 1 are as far apart as their odds are.
double logit_of(int claim, double score) {
  const double share = claim == kSemanticClaim ? (1 + score) / 2 : score;
  const double inside = std::clamp(share, 1e-9, 1 - 1e-9);
  return std::isnan(share) ? kUndefined : std::log(inside / (1 - inside));
}
double score_at(int claim, double logit) {
  const double share = 1 / (1 + std::exp(-logit));
  return claim == kSemanticClaim ? 2 * share - 1 : share;
}

// What a sentence's claims are summed over.
struct Asked {
  Array<float> X;
  Index first = 0, n = 0;  // its rows of X, all sentences one below the other
  const SentenceTargets* targets = nullptr;
  std::vector<Index> cells;  // of the pattern, targets of one claim after the other: patterns, then relations
  std::array<std::size_t, kTokenPatterns + kRelations + 1> begin{};
};

void add_cells(const Targets& targets, Index n, std::vector<Index>& cells) {
  for (std::size_t k = 0; k < targets.rows.size(); ++k)
    for (int at = targets.begin[k]; at < targets.begin[k + 1]; ++at)
      cells.push_back(targets.rows[k] * n + targets.keys[static_cast<std::size_t>(at)]);
}

// Sums over the rows of one head.
struct HeadTotals {
  double fraction = 0, covariance = 0, attention_variance = 0;
  std::array<double, kTokenPatterns + kRelations> mass{};
  Eigen::ArrayXd maxima;  // by offset
};

// Matrices of a layer under way.
struct Workplace {
  Mat<float> Q, K, attention;
};

// Draws layers and measures their heads' claims: pattern_sums and finish, for these claims alone and for many heads.
class RandomLayers {
 public:
  RandomLayers(const std::vector<BaselineSentence>& sentences, const HeadsLike& layer) : layer_(layer) {
    Index rows = 0;
    for (const BaselineSentence& s : sentences) rows += s.X->rows(), longest_ = std::max(longest_, s.X->rows());
    X_.resize(rows, sentences.front().X->cols());
    free_ = Eigen::ArrayXd::Zero(2 * longest_ - 1);
    Index first = 0;
    for (const BaselineSentence& s : sentences) add_sentence(s, first), first += s.X->rows();
  }

  Scores best_of(std::uint64_t seed, Workplace& at) const {
    const AttentionWeights<float> weights = random_weights(X_.cols(), layer_, seed);
    if (is_made_of_several(layer_.settings) || norms_all_heads(layer_.settings) || layer_.settings.offset_bias ||
        !layer_.own.empty())
      return best_of_traces(weights);
    fit(at.Q, X_.rows(), weights.W_Q.cols());
    fit(at.K, X_.rows(), weights.W_K.cols());
    multiply<float>(X_, *weights.W_Q, at.Q);
    multiply<float>(X_, *weights.W_K, at.K);
    for (const Asked& asked : sentences_)
      for (Mat<float>* rows : {&at.Q, &at.K})
        for (Index col = 0, d_k = layer_.d_k(X_.cols()); col < rows->cols(); col += d_k)
          norm_and_rotate(layer_, 0, rows->block(asked.first, col, asked.n, d_k));
    Scores best;
    best.fill(kUndefined);
    for (Index head = 0; head < layer_.heads; ++head) raise(best, scores_of(head, at));
    return best;
  }
  const std::array<Index, kClaims>& rows() const { return rows_; }

 private:
  void add_sentence(const BaselineSentence& sentence, Index first) {
    const SentenceTargets& t = *sentence.targets;
    X_.middleRows(first, t.n) = *sentence.X;
    Asked asked{sentence.X, first, t.n, &t, {}, {}};
    std::size_t list = 0;
    const auto add = [&](const Targets& targets) {
      asked.begin[list] = asked.cells.size();
      add_cells(targets, t.n, asked.cells);
      rows_[kPatternClaims + list++] += targets.count();
    };
    for (const Targets& targets : t.patterns) add(targets);
    for (const Targets& targets : t.relations) add(targets);
    asked.begin[list] = asked.cells.size();
    for (Index i = 0; i < t.n; ++i) {
      if (t.seen[static_cast<std::size_t>(i)] < 2) continue;
      ++rows_[kUniformClaim];
      for (Index j = 0; j < t.n; ++j)
        if (t.mask.allows(i, j)) free_[longest_ - 1 + j - i] += 1;
    }
    if (t.similarity && t.similarity->pairs >= 2) {
      rows_[kSemanticClaim] += counted_rows(*t.similarity);
      const double pairs = t.similarity->pairs;
      similarity_variance_ += t.similarity->squares - t.similarity->sum * t.similarity->sum / pairs;
    }
    rows_[kOffsetClaim] = rows_[kUniformClaim];
    sentences_.push_back(std::move(asked));
  }

  static void raise(Scores& best, const Scores& scores) {
    for (std::size_t k = 0; k < best.size(); ++k)
      if (!(best[k] >= scores[k])) best[k] = scores[k];
  }

  // No head is known before all are, or attends by one softmax alone, or by queries and keys alone; or heads see other
  // words.
  Scores best_of_traces(const AttentionWeights<float>& weights) const {
    std::vector<RoleSums> pooled(static_cast<std::size_t>(layer_.heads));
    for (const Asked& asked : sentences_) {
      const LayerTrace<float> trace = forward<float>(random_input(asked.X, asked.targets->mask, weights, layer_));
      for (std::size_t h = 0; h < pooled.size(); ++h)
        pooled[h] += pattern_sums(*attention_shares(trace, static_cast<Index>(h)),
                                  asked.targets->of_head(static_cast<Index>(h)));
    }
    Scores best;
    best.fill(kUndefined);
    for (const RoleSums& sums : pooled) {
      const Claims claims = claims_of(finish(sums));
      Scores scores;
      std::ranges::transform(claims, scores.begin(), [](const Role& claim) { return claim.score; });
      raise(best, scores);
    }
    return best;
  }

  Scores scores_of(Index head, Workplace& at) const {
    HeadTotals totals;
    totals.maxima = Eigen::ArrayXd::Zero(2 * longest_ - 1);
    for (const Asked& asked : sentences_)
      if (!add_pattern(asked, head, at, totals)) {
        Scores none;
        none.fill(kUndefined);
        return none;
      }
    return finished(totals);
  }

  // False when the scores are not finite.
  bool add_pattern(const Asked& asked, Index head, Workplace& at, HeadTotals& totals) const {
    const Index n = asked.n, d_k = layer_.d_k(X_.cols());
    const Index kv = layer_.key_groups().set_of(head) * d_k;
    fit(at.attention, n, n);
    scores::forward<float>(at.Q.block(asked.first, head * d_k, n, d_k), at.K.block(asked.first, kv, n, d_k),
                           score_rule(layer_, head), Mask(), 0, at.attention);
    const Mask& mask = asked.targets->mask;
    for (Index i = 0; mask.may_hide() && i < n; ++i)
      for (Index j = 0; j < n; ++j)
        if (!mask.allows(i, j)) at.attention(i, j) = kHidden;
    for (Index i = 0; i < n; ++i)
      if (!add_row(asked, i, at.attention.row(i).array(), totals)) return false;
    const float* A = at.attention.data();
    for (std::size_t list = 0; list < totals.mass.size(); ++list) {
      float sum = 0;
      for (std::size_t k = asked.begin[list]; k < asked.begin[list + 1]; ++k) sum += A[asked.cells[k]];
      totals.mass[list] += static_cast<double>(sum);
    }
    if (asked.targets->similarity) add_similarity(*asked.targets->similarity, at.attention, totals);
    return true;
  }

  // From a row of scores to its softmax.
  template <class Row>
  bool add_row(const Asked& asked, Index i, Row row, HeadTotals& totals) const {
    const int seen = asked.targets->seen[static_cast<std::size_t>(i)];
    if (seen == 0) {
      row.setZero();
      return true;
    }
    const float top = row.maxCoeff();
    row -= top;
    if (!std::isfinite(row.sum())) return false;
    if (seen > 1) add_maxima(row, i, totals.maxima);
    float weighted = 0, sum = 0, sink_part = 0;  // of the sink
    if (const std::optional<float> sink = sink_of(layer_)) {
      const float higher = std::max(0.0f, *sink - top);
      row -= higher;
      sink_part = std::exp(*sink - top - higher);
    }
    for (Index j = 0; j < row.size(); ++j) {
      const float e = std::exp(row[j]);
      weighted += e * row[j];
      sum += e;
      row[j] = e;
    }
    const float given = sum / (sum + sink_part);
    sum += sink_part;
    row /= sum;
    if (seen > 1) {
      const double entropy = static_cast<double>(given * std::log(sum) - weighted / sum) / std::log(2.0);
      totals.fraction += std::clamp(entropy / std::log2(seen), 0.0, 1.0);
    }
    return true;
  }

  // row: scores less their maximum.
  template <class Row>
  void add_maxima(const Row& row, Index i, Eigen::ArrayXd& maxima) const {
    const auto equals = static_cast<double>((row == 0).count());
    for (Index j = 0; j < row.size(); ++j)
      if (row[j] == 0) maxima[longest_ - 1 + j - i] += 1 / equals;
  }

  static void add_similarity(const Similarity& similarity, const Mat<float>& attention, HeadTotals& totals) {
    if (similarity.pairs < 2) return;
    const auto a = attention.array();
    const auto counted = (a * similarity.counted.array()).eval();
    const double sum = static_cast<double>(counted.sum());
    const double squares = static_cast<double>((counted * a).sum());
    totals.covariance +=
        static_cast<double>((counted * similarity.values.array()).sum()) - sum * similarity.sum / similarity.pairs;
    totals.attention_variance += std::max(0.0, squares - sum * sum / similarity.pairs);
  }

  Scores finished(const HeadTotals& totals) const {
    Scores scores;
    scores.fill(kUndefined);
    const auto rows = [&](int claim) { return static_cast<double>(rows_[static_cast<std::size_t>(claim)]); };
    if (rows_[kUniformClaim] > 0) scores[kUniformClaim] = totals.fraction / rows(kUniformClaim);
    for (Index k = 0; k < free_.size(); ++k)
      if (free_[k] > 0 && 2 * free_[k] >= rows(kUniformClaim) && !(scores[kOffsetClaim] >= totals.maxima[k] / free_[k]))
        scores[kOffsetClaim] = totals.maxima[k] / free_[k];
    for (std::size_t list = 0; list < totals.mass.size(); ++list)
      if (const int claim = kPatternClaims + static_cast<int>(list); rows(claim) > 0)
        scores[static_cast<std::size_t>(claim)] = totals.mass[list] / rows(claim);
    const double spread = std::sqrt(totals.attention_variance * similarity_variance_);
    if (spread > 0) scores[kSemanticClaim] = totals.covariance / spread;
    return scores;
  }

  HeadsLike layer_;
  Mat<float> X_;
  std::vector<Asked> sentences_;
  std::array<Index, kClaims> rows_{};
  Index longest_ = 1;
  Eigen::ArrayXd free_;  // by offset: rows that may see it, and something else
  double similarity_variance_ = 0;
};

// Mean and deviation of the layers' best, on the scale of the logits.
void standardise(int claim, const std::vector<Scores>& layers, NameBounds& bounds) {
  const auto k = static_cast<std::size_t>(claim);
  std::vector<double> best;
  double sum = 0, squares = 0;
  for (const Scores& scores : layers)
    if (!std::isnan(scores[k])) best.push_back(scores[k]), sum += logit_of(claim, scores[k]);
  bounds.median[k] = bounds.middle[k] = bounds.spread[k] = kUndefined;
  if (best.empty()) return;
  const auto count = static_cast<double>(best.size());
  for (const double score : best) squares += std::pow(logit_of(claim, score) - sum / count, 2);
  std::nth_element(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(best.size() / 2), best.end());
  bounds.median[k] = best[best.size() / 2];
  bounds.middle[k] = sum / count;
  bounds.spread[k] = std::max(1e-6, std::sqrt(squares / count));
}

}  // namespace

double height_of(const NameBounds& bounds, int claim, double score) {
  if (bounds.layers == 0) return kUndefined;
  const auto k = static_cast<std::size_t>(claim);
  return (logit_of(claim, score) - bounds.middle[k]) / bounds.spread[k];
}

bool exceeds(const NameBounds& bounds, int claim, const Role& score) {
  return score.rows >= kLeastRows && height_of(bounds, claim, score.score) > bounds.height + 1e-9;
}

NameBounds higher_of(const NameBounds& a, const NameBounds& b) {
  NameBounds higher = a;
  for (std::size_t k = 0; k < higher.needed.size(); ++k) {
    if (!(b.needed[k] > a.needed[k])) continue;
    higher.median[k] = b.median[k];
    higher.needed[k] = b.needed[k];
    higher.middle[k] = b.middle[k];
    higher.spread[k] = b.spread[k] * b.height / a.height;  // so that the height of a is where b has its own
  }
  return higher;
}

Index exceeding_layers(Index layers) {
  const auto n = static_cast<double>(layers);
  double probability = std::pow(1 - kNamedByChance, n), below = 0;  // of 0 layers above the true limit; of fewer than k
  for (Index k = 0;; ++k) {
    below += probability;
    if (below > 1 - kBoundConfidence) return k;
    probability *= (n - static_cast<double>(k)) / static_cast<double>(k + 1) * kNamedByChance / (1 - kNamedByChance);
  }
}

Index layers_to_draw(const std::vector<BaselineSentence>& sentences, const HeadsLike& layer) {
  const Index width = sentences.front().X->cols();
  const auto d_model = static_cast<double>(width), heads = static_cast<double>(layer.heads);
  const auto columns = static_cast<double>((layer.heads + layer.kv_heads) * layer.d_k(width));
  double rows = 0, pairs = 0;
  for (const BaselineSentence& s : sentences) {
    const auto n = static_cast<double>(s.X->rows());
    rows += n, pairs += n * n;
  }
  // Nanoseconds, about: the products, the random numbers, the heads' cells and rows.
  const double talk = is_made_of_several(layer.settings) ? heads * pairs * (40 + heads) : 0;
  const double layer_time =
      talk + 0.1 * rows * d_model * columns + 3 * d_model * columns + heads * (12 * pairs + 60 * rows);
  if (static_cast<double>(kLeastLayers) * layer_time > 30e9) return 0;
  return std::clamp(static_cast<Index>(1e9 / layer_time), kLeastLayers, kMostLayers);
}

std::array<double, kClaims> best_of_layer(const std::vector<BaselineSentence>& sentences, const HeadsLike& layer,
                                          std::uint64_t seed) {
  assert(!sentences.empty());
  Workplace at;
  return RandomLayers(sentences, layer).best_of(seed, at);
}

NameBounds name_bounds(const std::vector<BaselineSentence>& sentences, const HeadsLike& layer, ThreadPool* pool,
                       const std::stop_token& stop) {
  assert(!sentences.empty());
  NameBounds bounds;
  bounds.layers = layers_to_draw(sentences, layer);
  bounds.heads = layer.heads;
  if (bounds.layers == 0) return bounds;
  const RandomLayers random(sentences, layer);
  std::vector<Scores> layers(static_cast<std::size_t>(bounds.layers));
  const Index places = pool ? pool->threads() : 1;
  parallel_for(pool, places, [&](Index place) {
    Workplace at;
    for (Index draw = place; draw < bounds.layers; draw += places) {
      Progress{stop}.check();
      layers[static_cast<std::size_t>(draw)] =
          random.best_of(kFirstSeedOfBounds + static_cast<std::uint64_t>(draw), at);
    }
  });
  for (int k = 0; k < kClaims; ++k) standardise(k, layers, bounds);
  std::vector<double> heights;
  for (const Scores& scores : layers) {
    double height = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < kClaims; ++k)
      if (random.rows()[static_cast<std::size_t>(k)] >= kLeastRows)
        height = std::max(height, std::isnan(scores[static_cast<std::size_t>(k)])
                                      ? height
                                      : height_of(bounds, k, scores[static_cast<std::size_t>(k)]));
    heights.push_back(height);
  }
  const auto k = static_cast<std::ptrdiff_t>(exceeding_layers(bounds.layers)) - 1;
  std::nth_element(heights.begin(), heights.begin() + k, heights.end(), std::greater<>());
  bounds.height = heights[static_cast<std::size_t>(k)];
  for (std::size_t claim = 0; claim < bounds.needed.size(); ++claim)
    bounds.needed[claim] =
        score_at(static_cast<int>(claim), bounds.middle[claim] + bounds.height * bounds.spread[claim]);
  return bounds;
}

}  // namespace hydra
