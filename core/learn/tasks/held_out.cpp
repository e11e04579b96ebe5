#include "core/learn/tasks/held_out.h"

#include <algorithm>
#include <atomic>
#include <string_view>
#include <unordered_map>

#include "core/work/parallel.h"

namespace hydra::learn {

namespace {

constexpr Index kTries = 4;  // of an evaluation's sequence, of which the first that training does not draw is taken
constexpr int kStepsOfAPiece = 32;

std::uint64_t hash_of(std::span<const std::int32_t> words) {
  return hash({reinterpret_cast<const char*>(words.data()), words.size_bytes()}, 0);
}

// Which of them training draws.
class Candidates {
 public:
  explicit Candidates(const Batch& batch) : batch_(batch), seen_(static_cast<std::size_t>(batch.count())) {
    for (Index k = 0; k < batch.count(); ++k) places_.emplace(hash_of(batch.words(k)), k);
  }
  void see(std::span<const std::int32_t> words) {
    const auto [first, end] = places_.equal_range(hash_of(words));
    for (auto place = first; place != end; ++place)
      if (std::ranges::equal(words, batch_.words(place->second)))
        seen_[static_cast<std::size_t>(place->second)].store(true, std::memory_order_relaxed);
  }
  bool seen(Index k) const { return seen_[static_cast<std::size_t>(k)].load(std::memory_order_relaxed); }

 private:
  const Batch& batch_;
  std::unordered_multimap<std::uint64_t, Index> places_;
  std::vector<std::atomic<bool>> seen_;
};

void draw_training(const Task& task, const DrawnSteps& steps, Candidates& candidates, ThreadPool* pool,
                   const Progress& progress) {
  if (steps.to <= steps.from || steps.batch <= 0) return;
  parallel_for(pool, (steps.to - steps.from + kStepsOfAPiece - 1) / kStepsOfAPiece, [&](Index piece) {
    Batch batch(task.outline().shape, 1);
    const int first = steps.from + static_cast<int>(piece) * kStepsOfAPiece;
    for (int step = first; step < std::min(first + kStepsOfAPiece, steps.to); ++step)
      for (Index k = 0; k < steps.batch; ++k) {
        Random random =
            random_of(steps.seed, Stream::training, static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(k));
        task.draw(random, Stream::training, batch.sequence(0));
        candidates.see(batch.words(0));
      }
    progress.check();
  });
}

RepeatShares shares_of(const Batch& batch, const std::vector<bool>& repeats) {
  const TaskShape& shape = batch.shape();
  const auto share = [&](const auto& counts) {
    double of = 0, all = 0;
    for (Index k = 0; k < batch.count(); ++k)
      if (counts(k)) all += 1, of += repeats[static_cast<std::size_t>(k)];
    return all > 0 ? of / all : 0;
  };
  RepeatShares shares;
  shares.all = share([](Index) { return true; });
  for (Index q = 0; q < shape.questions; ++q)
    shares.by_question.push_back(share([&](Index k) {
      for (Index i = 0; i < shape.length; ++i)
        if (batch.targets(k)[static_cast<std::size_t>(i * shape.questions + q)] != kNone) return true;
      return false;
    }));
  for (Index r = 0; r < shape.relations; ++r)
    shares.by_relation.push_back(share([&](Index k) {
      for (Index i = 0; i < shape.length; ++i)
        if (batch.gold(k)[static_cast<std::size_t>(i * shape.relations + r)] != 0) return true;
      return false;
    }));
  return shares;
}

}  // namespace

HeldOut hold_out(const Task& task, std::uint64_t seed, Index count, const std::vector<DrawnSteps>& training,
                 ThreadPool* pool, const Progress& progress) {
  const TaskShape& shape = task.outline().shape;
  HeldOut held{Batch(shape, count), std::vector<bool>(static_cast<std::size_t>(count)), 0, {}, {}};
  // The tries of a sequence stand one after the other. The first is what the evaluation's stream draws.
  Batch tries(shape, count * kTries);
  const auto draw_try = [&](Index k, Index t, const SequenceOut& out) {
    Random random = random_of(seed, Stream::evaluation, static_cast<std::uint64_t>(t), static_cast<std::uint64_t>(k));
    task.draw(random, Stream::evaluation, out);
  };
  for (Index k = 0; k < count; ++k)
    for (Index t = 0; t < kTries; ++t) draw_try(k, t, tries.sequence(k * kTries + t));
  Candidates candidates(tries);
  for (const DrawnSteps& steps : training) draw_training(task, steps, candidates, pool, progress);

  for (Index k = 0; k < count; ++k) {
    held.repeats[static_cast<std::size_t>(k)] = candidates.seen(k * kTries);
    draw_try(k, 0, held.batch.sequence(k));
  }
  held.as_drawn = held.shares = shares_of(held.batch, held.repeats);
  if (held.as_drawn.all == 0 || held.as_drawn.all > HeldOut::kMostReplaced) return held;
  for (Index k = 0; k < count; ++k)
    for (Index t = 1; t < kTries && held.repeats[static_cast<std::size_t>(k)]; ++t) {
      if (candidates.seen(k * kTries + t)) continue;
      draw_try(k, t, held.batch.sequence(k));
      held.repeats[static_cast<std::size_t>(k)] = false;
      ++held.drawn_again;
    }
  held.shares = shares_of(held.batch, held.repeats);
  return held;
}

}  // namespace hydra::learn
