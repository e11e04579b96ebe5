#include "core/analysis/stream/circuit.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "core/linalg/random.h"
#include "core/work/parallel.h"
#include "core/work/progress.h"

namespace hydra {

namespace {

constexpr double kUsualShare = 0.01, kUsualLines = 20;
constexpr double kTail = 0.02;
constexpr Index kFewestRandom = 12, kMostRandom = 64;  // heads on each side
constexpr double kMostRandomWork = 1e10;               // multiply-adds

Eigen::MatrixXd uniform(Random& random, Index rows, Index cols) {
  return Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return random.uniform(-1, 1); });
}

std::vector<HeadForm> random_forms(Random& random, Index d_model, Index d_k, Index count) {
  std::vector<HeadForm> forms;
  for (Index h = 0; h < count; ++h) {
    HeadForm form{uniform(random, d_model, d_k), uniform(random, d_model, d_k), 0};
    form.square = (form.left.transpose() * form.left).cwiseProduct(form.right.transpose() * form.right).sum();
    forms.push_back(std::move(form));
  }
  return forms;
}

Stamp writing_stamp(const LayerInput<float>& layer) {
  return (Key("writes") << layer.weights.W_V.stamp() << layer.weights.W_O.stamp() << layer.heads).stamp();
}
Stamp pair_stamp(const LayerInput<float>& earlier, const LayerInput<float>& later) {
  return (Key("composition") << writing_stamp(earlier) << writing_stamp(later) << later.weights.W_Q.stamp()
                             << later.weights.W_K.stamp())
      .stamp();
}

}  // namespace

bool Circuit::has(const CircuitLine& line) const {
  return line.layer >= 0 && line.layer < line.to_layer && line.to_layer < layers() &&
         line.head < heads[static_cast<std::size_t>(line.layer)] &&
         line.to_head < heads[static_cast<std::size_t>(line.to_layer)];
}

std::size_t Circuit::count() const {
  std::size_t lines = 0;
  for (const auto& pair : pairs) lines += static_cast<std::size_t>(kInto * pair->query.size());
  return lines;
}

double Circuit::usual_least() const {
  return random->least(std::min(kUsualShare, kUsualLines / static_cast<double>(count())));
}

RandomScores::RandomScores(std::vector<double> scores) : sorted_(std::move(scores)) {
  std::ranges::sort(sorted_);
  const auto tail = std::max<std::size_t>(2, static_cast<std::size_t>(kTail * static_cast<double>(sorted_.size())));
  const std::size_t first = sorted_.size() - tail;
  from_ = sorted_[first] * sorted_[first];
  for (std::size_t k = first; k < sorted_.size(); ++k)
    decay_ += (sorted_[k] * sorted_[k] - from_) / static_cast<double>(tail - 1);
}

double RandomScores::share(double least) const {
  const double beyond = least * least - from_;
  if (beyond > 0) return kTail * std::exp(-beyond / decay_);
  const auto reach = sorted_.end() - std::ranges::lower_bound(sorted_, least);
  return static_cast<double>(reach) / static_cast<double>(sorted_.size());
}

double RandomScores::least(double share) const {
  if (share < kTail) return std::sqrt(from_ + decay_ * std::log(kTail / share));
  const auto passing = static_cast<std::size_t>(std::min(1.0, share) * static_cast<double>(sorted_.size()));
  return sorted_[sorted_.size() - std::max<std::size_t>(1, passing)];
}

std::vector<CircuitLine> lines_from(const Circuit& circuit, double least, const std::array<bool, kInto>& into) {
  std::vector<CircuitLine> lines;
  for (int later = 1; later < circuit.layers(); ++later)
    for (int earlier = 0; earlier < later; ++earlier)
      for (int k = 0; k < kInto; ++k) {
        if (!into[static_cast<std::size_t>(k)]) continue;
        const Mat<double>& scores = circuit.between(earlier, later).into(static_cast<Into>(k));
        for (Index h = 0; h < scores.rows(); ++h)
          for (Index g = 0; g < scores.cols(); ++g)
            if (scores(h, g) >= least)
              lines.push_back(
                  {earlier, static_cast<int>(h), later, static_cast<int>(g), static_cast<Into>(k), scores(h, g)});
      }
  std::ranges::stable_sort(lines, std::ranges::greater(), &CircuitLine::score);
  return lines;
}

std::vector<double> random_scores(Index d_model, Index writes, Index reads, ThreadPool* pool) {
  const double work = static_cast<double>(d_model) * static_cast<double>(writes) * static_cast<double>(reads);
  const auto count = std::clamp(static_cast<Index>(std::sqrt(kMostRandomWork / work)), kFewestRandom, kMostRandom);
  Random random(static_cast<std::uint64_t>(d_model));
  // Both sides of a random form are alike, so what writes may stand for what reads; and so are query, key and value.
  const HeadFactors from = writes_of(random_forms(random, d_model, writes, count)),
                    to = writes_of(random_forms(random, d_model, reads, count));
  const Mat<double> scores = composition_scores(from, to, pool);
  return {scores.data(), scores.data() + scores.size()};
}

std::shared_ptr<const RandomScores> CircuitMeasures::random_of(const Trace& trace) {
  std::vector<Index> sizes{trace.X.cols()};
  for (std::size_t k = 0; k < trace.layers.size(); ++k) sizes.push_back(trace.layer(static_cast<int>(k)).input.d_k());
  if (random_ && random_sizes_ == sizes) return random_;
  std::set<std::pair<Index, Index>> met;
  for (std::size_t later = 2; later < sizes.size(); ++later)
    for (std::size_t earlier = 1; earlier < later; ++earlier) met.emplace(sizes[earlier], sizes[later]);
  std::vector<double> all;
  for (const auto& [writes, reads] : met) {
    const std::vector<double> scores = random_scores(sizes[0], writes, reads, pool_);
    all.insert(all.end(), scores.begin(), scores.end());
  }
  random_sizes_ = sizes;
  return random_ = std::make_shared<const RandomScores>(std::move(all));
}

Circuit CircuitMeasures::of(const Trace& trace, const std::stop_token& stop, std::atomic<int>* done) {
  Circuit circuit;
  circuit.d_model = trace.X.cols();
  const auto layers = static_cast<int>(trace.layers.size());
  const auto input = [&](int k) -> const LayerInput<float>& { return trace.layer(k).input; };
  for (int k = 0; k < layers; ++k) circuit.heads.push_back(static_cast<int>(input(k).heads));
  kept_.resize(static_cast<std::size_t>(layers * (layers - 1) / 2));
  std::vector<std::optional<HeadFactors>> writes(static_cast<std::size_t>(layers));
  std::size_t at = 0;
  for (int later = 1; later < layers; ++later) {
    std::optional<LayerReads> reads;
    for (int earlier = 0; earlier < later; ++earlier, ++at) {
      Progress{stop}.check();
      const Stamp of = pair_stamp(input(earlier), input(later));
      if (kept_[at].of != of) {
        auto& from = writes[static_cast<std::size_t>(earlier)];
        if (!from) from = writes_of(input(earlier), pool_);
        if (!reads) reads = reads_of(input(later), pool_);
        kept_[at] = {of, std::make_shared<const Composition>(composition(*from, *reads, pool_))};
      }
      circuit.pairs.push_back(kept_[at].scores);
      if (done) ++*done;
    }
  }
  if (layers > 1) circuit.random = random_of(trace);
  return circuit;
}

}  // namespace hydra
