#include "core/learn/head_counts.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <optional>
#include <tuple>

#include "core/learn/start.h"

namespace hydra::learn {

namespace {

Recipe recipe_of(const CountsAsked& asked, const Task& task, Index heads) {
  Recipe recipe = task.info().recipe;
  recipe.heads = heads;
  recipe.d_model = asked.d_model;
  recipe.steps = asked.steps;
  check_recipe(recipe);
  return recipe;
}

// A run with what has been seen of it.
class Training {
 public:
  Training(const CountsAsked& asked, const std::shared_ptr<const Task>& task, const CountExample& example, Index heads,
           std::uint64_t seed)
      : asked_(asked),
        example_(example),
        recipe_(recipe_of(asked, *task, heads)),
        run_(task, starting_document(*task, recipe_, seed), recipe_, seed),
        shown_(run_.compiled(), 1, lanes::chosen()) {
    seen_.heads = heads;
    seen_.seed = seed;
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
    const lanes::Place place = run_.compiled().value_of(Quantity::attention, 0).value;
    const Index n = example_.batch.length(0);
    Mat<float> patterns(seen_.heads * n, n);
    for (Index row = 0; row < patterns.rows(); ++row)
      for (Index col = 0; col < n; ++col) patterns(row, col) = shown_.number(0, place, row, col);
    seen_.patterns = share(std::move(patterns));
  }
  void end() {
    seen_.scores = run_.evaluate(nullptr);
    Document document = run_.document();
    show_sequence(document, run_.task().info(), example_.batch.words(0));
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
// one with the most heads, whose steps take longest. What a run becomes does not depend on it.
class Trainings {
 public:
  Trainings(const CountsAsked& asked, const std::shared_ptr<const Task>& task, const CountRuns& known,
            const CountNews& news, const Progress& progress)
      : asked_(asked), task_(task), example_(*task), news_(news), progress_(progress), runs_(asked.runs()) {
    for (std::size_t k = 0; k < std::min(known.size(), runs_.size()); ++k)
      if (known[k] && known[k]->done) runs_[k].seen = known[k];
  }

  void work() {
    for (Live* live = take(); live; live = take()) {
      const auto k = static_cast<std::size_t>(live - runs_.data());
      progress_.check();
      if (!live->training)
        live->training.emplace(asked_, task_, example_, asked_.heads[k % asked_.heads.size()],
                               static_cast<std::uint64_t>(k / asked_.heads.size()));
      std::shared_ptr<const CountRun> seen = live->training->go_on(progress_);
      if (seen->done) live->training.reset();
      const std::lock_guard lock(mutex_);
      live->seen = seen;
      live->busy = false;
      if (news_) news_(k, std::move(seen));
    }
  }

  CountRuns all() const {
    CountRuns runs;
    for (const Live& live : runs_) runs.push_back(live.seen);
    return runs;
  }

 private:
  struct Live {
    std::optional<Training> training;
    std::shared_ptr<const CountRun> seen;
    bool busy = false;
  };

  // Null: all that are not done are in other threads' hands.
  Live* take() {
    const std::lock_guard lock(mutex_);
    const auto turn = [&](const Live& live) {
      const std::size_t k = static_cast<std::size_t>(&live - runs_.data()), counts = asked_.heads.size();
      return std::tuple(k / counts, live.seen ? live.seen->step : 0, counts - k % counts);
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
  for (const Index heads : asked.heads) recipe_of(asked, *task, heads);  // refused before any of them begins
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

int steps_to_train(const CountsAsked& asked, const CountRuns& known) {
  int steps = 0;
  for (std::size_t k = 0; k < asked.runs(); ++k)
    if (k >= known.size() || !known[k] || !known[k]->done) steps += asked.steps;
  return steps;
}

Index answered(const CountRun& run) {
  return std::ranges::count_if(run.scores.by_question, [](double right) { return right >= kAnswered; });
}

}  // namespace hydra::learn
