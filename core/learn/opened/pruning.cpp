#include "core/learn/opened/pruning.h"

#include <algorithm>
#include <numeric>

#include "core/learn/model.h"

namespace hydra::learn {

namespace {

// Gates of all heads, put back when it goes.
class Gating {
 public:
  explicit Gating(Run& run) : run_(run), before_(run.gates()), open_(before_) {
    if (open_.empty())
      open_.assign(static_cast<std::size_t>(run.compiled().plan().layers * run.compiled().plan().heads), 1);
  }
  ~Gating() { run_.set_gates(before_); }
  Gating(const Gating&) = delete;
  Gating& operator=(const Gating&) = delete;

  void cut(const std::vector<int>& heads) {
    std::vector<double> gates = open_;
    for (const int head : heads) gates[static_cast<std::size_t>(head)] = 0;
    run_.set_gates(std::move(gates));
  }

 private:
  Run& run_;
  std::vector<double> before_, open_;
};

std::vector<int> open_heads(const Run& run) {
  const auto& layers = run.compiled().shape().layers;
  const auto most = static_cast<int>(run.compiled().plan().heads);
  std::vector<int> heads;
  for (int k = 0; k < static_cast<int>(layers.size()); ++k)
    for (int h = 0; h < static_cast<int>(layers[static_cast<std::size_t>(k)].widths.heads); ++h) {
      const int place = k * most + h;
      if (run.gates().empty() || run.gates()[static_cast<std::size_t>(place)] != 0) heads.push_back(place);
    }
  return heads;
}

void note(Pruning& pruning, const Scores& scores) {
  pruning.loss.push_back(scores.loss);
  pruning.accuracy.push_back(scores.accuracy);
}

}  // namespace

HeadWorth head_worth(Run& run, ThreadPool* pool, const Progress& progress) {
  HeadWorth worth;
  worth.heads = open_heads(run);
  worth.repeats = run.held_out(pool, {progress.stop, nullptr}).shares;
  const Scores all = run.evaluate(pool, true);
  progress.step();
  worth.loss = all.loss, worth.accuracy = all.accuracy;
  Gating gating(run);
  for (const int head : worth.heads) {
    worth.importance.push_back(all.importance[static_cast<std::size_t>(head)]);
    gating.cut({head});
    const Scores without = run.evaluate(pool);
    worth.ablation.push_back(without.loss - all.loss);
    worth.ablation_answers.push_back(all.accuracy - without.accuracy);
    progress.step();
  }
  return worth;
}

ClosedGates close_gates(const std::shared_ptr<const Task>& task, const Document& document, Recipe recipe,
                        std::uint64_t seed, double price, int steps, const std::vector<int>& heads, ThreadPool* pool,
                        const Progress& progress) {
  recipe.controls = {};
  recipe.controls.gates = price;
  recipe.steps = steps;
  recipe.optimizer.schedule = Schedule::constant;
  Run run(task, document, recipe, seed);
  ClosedGates closed;
  closed.price = price, closed.steps = steps;
  closed.gates.assign(heads.size(), 1), closed.closed.assign(heads.size(), 0);
  std::vector<double> gates(static_cast<std::size_t>(run.compiled().plan().layers * run.compiled().plan().heads), 1);
  for (int step = 1; step <= steps; ++step) {
    if (!run.take_step(pool).is_finite()) break;
    const std::vector<float>& numbers = run.state().parameters;
    for (const lanes::ParameterPlace& place : run.compiled().parameters())
      for (Index h = 0; place.gate_logits && h < place.count(); ++h)
        gates[static_cast<std::size_t>(place.site.layer * run.compiled().plan().heads + h)] =
            gate_of(static_cast<double>(numbers[static_cast<std::size_t>(place.at + h)]));
    for (std::size_t k = 0; k < heads.size(); ++k) {
      closed.gates[k] = gates[static_cast<std::size_t>(heads[k])];
      if (closed.gates[k] > 0.5) closed.closed[k] = step;
    }
    progress.step();
  }
  return closed;
}

Pruning prune_by_importance(Run& run, const HeadWorth& worth, ThreadPool* pool, const Progress& progress) {
  Pruning pruning;
  pruning.order.resize(worth.heads.size());
  std::iota(pruning.order.begin(), pruning.order.end(), 0);
  std::ranges::stable_sort(pruning.order, {}, [&](int k) { return worth.importance[static_cast<std::size_t>(k)]; });
  pruning.loss = {worth.loss}, pruning.accuracy = {worth.accuracy};
  Gating gating(run);
  std::vector<int> cut;
  for (const int k : pruning.order) {
    cut.push_back(worth.heads[static_cast<std::size_t>(k)]);
    gating.cut(cut);
    note(pruning, run.evaluate(pool));
    progress.step();
  }
  return pruning;
}

Pruning prune_greedily(Run& run, const HeadWorth& worth, ThreadPool* pool, const Progress& progress) {
  Pruning pruning;
  pruning.loss = {worth.loss}, pruning.accuracy = {worth.accuracy};
  Gating gating(run);
  std::vector<int> cut, left(worth.heads.size());
  std::iota(left.begin(), left.end(), 0);
  while (!left.empty()) {
    Scores best;
    std::size_t chosen = 0;
    cut.push_back(0);
    for (std::size_t k = 0; k < left.size(); ++k) {
      cut.back() = worth.heads[static_cast<std::size_t>(left[k])];
      gating.cut(cut);
      const Scores scores = run.evaluate(pool);
      progress.step();
      if (k == 0 || scores.loss < best.loss) best = scores, chosen = k;
    }
    cut.back() = worth.heads[static_cast<std::size_t>(left[chosen])];
    pruning.order.push_back(left[chosen]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(chosen));
    note(pruning, best);
  }
  return pruning;
}

int evaluations_of_worth(int heads) { return heads + 1; }
int evaluations_of_importance_pruning(int heads) { return heads; }
int evaluations_of_greedy_pruning(int heads) { return heads * (heads + 1) / 2; }

Placed placed(const std::vector<std::vector<double>>& measures) {
  Placed all;
  if (measures.empty()) return all;
  const std::size_t heads = measures.front().size();
  for (const std::vector<double>& measure : measures) {
    std::vector<double> places;
    for (std::size_t k = 0; k < heads; ++k) {
      const auto below = std::ranges::count_if(measure, [&](double v) { return v < measure[k]; });
      const auto same = std::ranges::count(measure, measure[k]);
      places.push_back(static_cast<double>(below) + 0.5 * static_cast<double>(same + 1));
    }
    all.places.push_back(std::move(places));
  }
  for (std::size_t k = 0; k < heads; ++k) {
    double least = all.places[0][k], most = least;
    for (const std::vector<double>& places : all.places)
      least = std::min(least, places[k]), most = std::max(most, places[k]);
    all.disagree.push_back(most - least >= 0.5 * static_cast<double>(heads) && heads > 1);
  }
  return all;
}

}  // namespace hydra::learn
