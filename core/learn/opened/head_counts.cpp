#include "core/learn/opened/head_counts.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <limits>
#include <mutex>
#include <tuple>

#include "core/attention/forward.h"
#include "core/document/evaluate.h"
#include "core/learn/start.h"

namespace hydra::learn {

namespace {

Recipe recipe_of(const CountsAsked& asked, const Task& task, const CountKey& key) {
  Recipe recipe = task.info().recipe;
  recipe.layers = key.layers;
  recipe.heads = key.heads;
  recipe.d_k = key.d_k, recipe.kv_heads = key.kv_heads;
  recipe.d_model = asked.d_model;
  recipe.steps = asked.steps;
  recipe.optimizer.rate = key.rate;
  check_recipe(recipe);
  return recipe;
}

// Of all layers, one after the other: the least of many, so that what else the machine does is left out.
double forward_seconds(const Document& document) {
  using Clock = std::chrono::steady_clock;
  const auto trace = evaluate(document);
  double all = 0;
  for (const LayerTrace<float>& layer : trace->layers) {
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 50; ++k) {
      const auto began = Clock::now();
      forward<float>(layer.input, nullptr, nullptr);
      least = std::min(least, std::chrono::duration<double>(Clock::now() - began).count());
    }
    all += least;
  }
  return all;
}

// A run with what has been seen of it.
class Training {
 public:
  Training(const CountsAsked& asked, const std::shared_ptr<const Task>& task, const CountExample& example,
           const CountKey& key)
      : asked_(asked),
        example_(example),
        recipe_(recipe_of(asked, *task, key)),
        run_(task, starting_document(*task, recipe_, key.seed), recipe_, key.seed),
        shown_(run_.compiled(), 1, lanes::chosen()) {
    static_cast<CountKey&>(seen_) = key;
    shown_.load(0,
                {example.batch.words(0), example.batch.targets(0), example.batch.gold(0), example.batch.length(0), 0});
  }

  // Up to the next point of its curve.
  std::shared_ptr<const CountRun> go_on(const Progress& progress) {
    CountPoint mean;
    int taken = 0;
    while (taken < asked_.every && run_.step() < asked_.steps) {
      const Scores& scores = run_.take_step(nullptr);
      progress.step();
      seen_.diverged = !scores.is_finite();
      if (seen_.diverged) break;
      mean.loss += scores.loss, mean.accuracy += scores.accuracy;
      ++taken;
      seen_.scores = scores;
    }
    seen_.step = run_.step();
    if (taken > 0) seen_.curve.push_back({run_.step(), mean.loss / taken, mean.accuracy / taken});
    seen_.done = seen_.diverged || run_.step() >= asked_.steps;
    look();
    if (seen_.done) end();
    return std::make_shared<const CountRun>(seen_);
  }

 private:
  void look() {
    const std::vector<float>& learned = run_.state().parameters;
    std::copy(learned.begin(), learned.end(), shown_.parameters().begin());
    lanes::Executor<float>::Request request;
    request.sequences = 1;
    shown_.run(request, nullptr);
    const Index n = example_.batch.length(0), rows = seen_.heads * n;  // of a layer
    Mat<float> patterns(seen_.layers * rows, n);
    for (Index layer = 0; layer < seen_.layers; ++layer) {
      const lanes::Place place = run_.compiled().value_of(Quantity::attention, static_cast<int>(layer)).value;
      for (Index row = 0; row < rows; ++row)
        for (Index col = 0; col < n; ++col) patterns(layer * rows + row, col) = shown_.number(0, place, row, col);
    }
    seen_.patterns = share(std::move(patterns));
  }
  void end() {
    seen_.scores = run_.evaluate(nullptr);
    Document document = run_.document();
    show_sequence(document, run_.task().info(), example_.batch.words(0));
    seen_.forward_seconds = forward_seconds(document);
    seen_.document = std::make_shared<const Document>(std::move(document));
  }

  const CountsAsked& asked_;
  const CountExample& example_;
  Recipe recipe_;
  Run run_;
  lanes::Executor<float> shown_;  // of the example
  CountRun seen_;
};

// Who is to go on: seed by seed, within one whoever has the fewest steps, so that all fill in together; of those the
// one whose steps take longest. What a run becomes does not depend on it.
class Trainings {
 public:
  Trainings(const CountsAsked& asked, const std::shared_ptr<const Task>& task, const CountRuns& known,
            const CountNews& news, const Progress& progress)
      : asked_(asked), task_(task), example_(*task), news_(news), progress_(progress) {
    for (const CountKey& key : asked.runs()) {
      const auto found = known.find(key);
      runs_.push_back({key, found != known.end() && found->second->done ? found->second : nullptr});
    }
  }

  void work() {
    for (Live* live = take(); live; live = take()) {
      progress_.check();
      if (!live->training) live->training = std::make_unique<Training>(asked_, task_, example_, live->key);
      std::shared_ptr<const CountRun> seen = live->training->go_on(progress_);
      if (seen->done) live->training.reset();
      const std::lock_guard lock(mutex_);
      live->seen = seen;
      live->busy = false;
      if (news_) news_(std::move(seen));
    }
  }

  CountRuns all() const {
    CountRuns runs;
    for (const Live& live : runs_) runs.emplace(live.key, live.seen);
    return runs;
  }

 private:
  struct Live {
    CountKey key;
    std::shared_ptr<const CountRun> seen;
    std::unique_ptr<Training> training = nullptr;
    bool busy = false;
  };

  // Null: all that are not done are in other threads' hands.
  Live* take() {
    const std::lock_guard lock(mutex_);
    const auto turn = [](const Live& live) {
      return std::tuple(live.key.seed, live.seen ? live.seen->step : 0, -live.key.layers, -live.key.heads);
    };
    Live* next = nullptr;
    for (Live& live : runs_)
      if (!live.busy && !(live.seen && live.seen->done) && (!next || turn(live) < turn(*next))) next = &live;
    if (next) next->busy = true;
    return next;
  }

  const CountsAsked& asked_;
  std::shared_ptr<const Task> task_;
  CountExample example_;
  const CountNews& news_;
  const Progress& progress_;
  std::mutex mutex_;
  std::vector<Live> runs_;
};

}  // namespace

CountExample::CountExample(const Task& task) : batch(task.info().shape, 1) {
  draw(task, 0, Stream::evaluation, 0, 0, batch);
  tokens = tokens_of(task.info(), batch.words(0));
}

Index CountExample::gold(Index query, Index relation) const {
  const std::uint64_t places = batch.gold(0)[static_cast<std::size_t>(query * batch.shape().relations + relation)];
  return places == 0 ? kNone : std::countr_zero(places);
}

CountRuns train_head_counts(const CountsAsked& asked, const std::shared_ptr<const Task>& task, const CountRuns& known,
                            ThreadPool* pool, const CountNews& news, const Progress& progress) {
  for (const CountKey& key : asked.runs()) recipe_of(asked, *task, key);  // refused before any of them begins
  Trainings trainings(asked, task, known, news, progress);
  parallel_for(pool, pool ? pool->threads() : 1, [&](Index) { trainings.work(); });
  return trainings.all();
}

std::vector<Index> halvings(Index d_model) {
  std::vector<Index> heads;
  for (Index h = 1; h <= d_model; h *= 2)
    if (d_model % h == 0) heads.push_back(h);
  return heads;
}

std::vector<CountModel> quality_grid(Index d_model) {
  std::vector<CountModel> grid;
  for (const Index heads : {1, 2, 4, 8, 16})
    for (Index d_k = 2; d_k <= 32; d_k *= 2) {
      if (heads * d_k > 2 * d_model) continue;
      const bool usual = heads * d_k == d_model;
      grid.push_back({1, heads, usual ? 0 : d_k});
      for (Index kv_heads = 1; usual && kv_heads < std::min<Index>(heads, 3); ++kv_heads)
        grid.push_back({1, heads, 0, kv_heads});
    }
  return grid;
}

LayerSizes sizes_of(const CountModel& model, Index d_model) {
  const Index d_k = model.d_k == 0 ? d_model / model.heads : model.d_k;
  LayerSizes sizes;
  sizes.d_model = static_cast<double>(d_model), sizes.heads = static_cast<double>(model.heads);
  sizes.kv_heads = static_cast<double>(model.kv_heads == 0 ? model.heads : model.kv_heads);
  sizes.d_k = static_cast<double>(d_k);
  return sizes;
}

std::vector<CountModel> CountsAsked::models() const {
  std::vector<CountModel> all;
  for (const Index h : heads) all.push_back({1, h});
  if (deep > 0) all.push_back({deep, 1});
  all.insert(all.end(), also.begin(), also.end());
  return all;
}

std::vector<CountKey> CountsAsked::runs() const {
  std::vector<CountKey> all;
  for (int seed = 0; seed < seeds; ++seed)
    for (const CountModel& m : models())
      for (const double rate : rates) all.push_back({m, rate, static_cast<std::uint64_t>(seed)});
  return all;
}

std::size_t runs_to_train(const CountsAsked& asked, const CountRuns& known) {
  const std::vector<CountKey> all = asked.runs();
  return static_cast<std::size_t>(std::ranges::count_if(all, [&](const CountKey& key) {
    const auto found = known.find(key);
    return found == known.end() || !found->second->done;
  }));
}

Index answered(const CountRun& run) {
  return std::ranges::count_if(run.scores.by_question, [](double right) { return right >= kAnswered; });
}

}  // namespace hydra::learn
