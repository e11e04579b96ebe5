#include "core/lanes/executor.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <functional>

namespace hydra::lanes {

namespace {

constexpr Size kChunk = 2048;  // of the gradient: parameters

template <class T>
std::size_t size(T count) {
  return static_cast<std::size_t>(count);
}

}  // namespace

// Of a group: how many sums it has, and where they are.
struct GroupSums {
  Size questions, heads, relations, layers;
  explicit GroupSums(const Plan& plan)
      : questions(plan.questions), heads(plan.layers * plan.heads), relations(plan.relations), layers(plan.layers) {}
  Size right() const { return questions; }
  Size masses() const { return 2 * questions; }
  Size alike() const { return masses() + heads * relations; }
  Size importance() const { return alike() + layers; }
  Size count() const { return importance() + heads; }
};

template <class S>
Executor<S>::Executor(const Compiled& compiled, Index sequences, const Set<S>& set, Purpose purpose)
    : compiled_(compiled), set_(set), sequences_(sequences), purpose_(purpose) {
  const Plan& plan = compiled.plan();
  const Size lanes = set.lanes, groups = groups_of(sequences), all = groups * lanes;
  room_count_ = keeps() ? groups : std::min<Size>(groups, threads_of_the_machine());
  parameters_ = Aligned<S>(plan.parameters);
  constants_ = Aligned<S>(static_cast<Size>(compiled.constants().size()));
  std::ranges::transform(compiled.constants(), constants_.data(), [](double v) { return static_cast<S>(v); });
  rooms_ = Aligned<S>(room_count_ * plan.registers * lanes);
  gradients_ = Aligned<S>((purpose == Purpose::learning ? groups : room_count_) * plan.parameters);
  gradient_ = Aligned<S>(purpose == Purpose::learning ? plan.parameters : 0);
  words_ = Aligned<std::int32_t>(all * plan.length * plan.slots);
  std::ranges::fill(words_.span(), -1);
  targets_ = Aligned<std::int32_t>(all * plan.length * plan.questions);
  std::ranges::fill(targets_.span(), -1);
  gold_ = Aligned<unsigned long long>(all * plan.length * std::max<Size>(plan.relations, 1));
  lengths_ = Aligned<std::int32_t>(all);
  keys_ = Aligned<unsigned>(all);
  counts_ = Aligned<double>(all * (plan.questions + plan.relations));
  scales_.resize(size(plan.questions));
  squares_.resize(size((plan.parameters + kChunk - 1) / kChunk));
  const GroupSums sums(plan);
  sums_.resize(size(groups * sums.count()));
  for (std::vector<double>* of : {&totals_.losses, &totals_.right, &totals_.answers}) of->resize(size(plan.questions));
  totals_.masses.resize(size(sums.heads * sums.relations));
  totals_.queries.resize(size(plan.relations));
  totals_.alike.resize(size(plan.layers));
  totals_.importance.resize(size(sums.heads));
}

template <class S>
void Executor<S>::load(Index k, const Sequence& sequence) {
  const Plan& plan = compiled_.plan();
  const Size lanes = set_.lanes, group = k / lanes, lane = k % lanes;
  const auto put = [&](const auto& to, Size count, const auto& from, auto none) {
    assert(from.empty() || static_cast<Size>(from.size()) == count);
    auto* first = to.data() + group * count * lanes + lane;
    for (Size j = 0; j < count; ++j) first[j * lanes] = from.empty() ? none : from[size(j)];
  };
  put(words_, plan.length * plan.slots, sequence.words, -1);
  put(targets_, plan.length * plan.questions, sequence.targets, -1);
  put(gold_, plan.length * plan.relations, sequence.gold, std::uint64_t{0});
  lengths_[k] = sequence.length;
  double* counts = counts_.data() + k * (plan.questions + plan.relations);
  const auto count = [](const auto& of, Size kinds, double* into, const auto& counts_for) {
    std::fill_n(into, kinds, 0.0);
    for (std::size_t j = 0; j < of.size(); ++j)
      if (counts_for(of[j])) ++into[static_cast<Size>(j) % kinds];
  };
  count(sequence.targets, plan.questions, counts, [](std::int32_t target) { return target >= 0; });
  if (plan.relations > 0)
    count(sequence.gold, plan.relations, counts + plan.questions, [](std::uint64_t where) { return where != 0; });
  keys_[k] = static_cast<unsigned>(sequence.key ^ (sequence.key >> 32));
}

// What each answer counts in the loss.
template <class S>
void Executor<S>::count_answers(const Request& request) {
  const Plan& plan = compiled_.plan();
  std::ranges::fill(totals_.answers, 0);
  std::ranges::fill(totals_.queries, 0);
  totals_.rows = 0;
  for (Index k = 0; k < request.sequences; ++k) {
    totals_.rows += lengths_[k];
    const double* counts = counts_.data() + k * (plan.questions + plan.relations);
    for (Size q = 0; q < plan.questions; ++q) totals_.answers[size(q)] += counts[q];
    for (Size r = 0; request.masses && r < plan.relations; ++r) totals_.queries[size(r)] += counts[plan.questions + r];
  }
  if (compiled_.shape().square) {
    scales_[0] =
        static_cast<S>(1.0 / static_cast<double>(request.sequences * plan.length * compiled_.shape().widths.d_model));
    return;
  }
  double all = 0;
  for (const double answers : totals_.answers) all += answers;
  for (std::size_t q = 0; q < scales_.size(); ++q) {
    const double weight = request.weights.empty() ? 1 : request.weights[q];
    const double of = request.by_question ? totals_.answers[q] * static_cast<double>(plan.questions) / weight : all;
    scales_[q] = of > 0 ? static_cast<S>(1 / of) : S(0);
  }
}

template <class S>
void Executor<S>::run(const Request& request, ThreadPool* pool) {
  assert(request.sequences <= sequences_);
  const Plan& plan = compiled_.plan();
  const Size lanes = set_.lanes;
  const Index groups = groups_ = groups_of(request.sequences);
  // Lanes beyond the last sequence ask nothing and have no words.
  for (Size k = request.sequences; k < groups * lanes; ++k)
    if (lengths_[k] > 0) load(k, {});
  count_answers(request);
  const GroupSums sums(plan);
  std::fill_n(sums_.begin(), groups * sums.count(), 0.0);
  Controls controls = request.controls;
  controls.repel = totals_.rows > 0 ? controls.repel / totals_.rows : 0;
  const auto run_group = [&](Index g, Index room) {
    Group<S> group;
    group.parameters = parameters_.data();
    group.constants = constants_.data();
    group.room = rooms_.data() + room * plan.registers * lanes;
    group.words = words_.data() + g * plan.length * plan.slots * lanes;
    group.targets = targets_.data() + g * plan.length * plan.questions * lanes;
    group.lengths = lengths_.data() + g * lanes;
    group.keys = keys_.data() + g * lanes;
    group.scales = scales_.data();
    group.controls = controls;
    group.target_values = target_values_.data();
    if (request.back) {
      group.gradients = gradients_.data() + (purpose_ == Purpose::learning ? g : room) * plan.parameters;
      std::fill_n(group.gradients, plan.parameters, S(0));
    }
    double* made = sums_.data() + g * sums.count();
    group.losses = made;
    group.right = made + sums.right();
    if (request.masses && plan.relations > 0) {
      group.gold = gold_.data() + g * plan.length * plan.relations * lanes;
      group.masses = made + sums.masses();
    }
    if (request.alike) group.alike = made + sums.alike();
    if (request.importance) group.importance = made + sums.importance();
    set_.run(plan, group);
  };
  // Each room takes one group after the other.
  std::atomic<Index> next{0};
  const auto fill_room = [&](Index room) {
    if (keeps()) return run_group(room, room);
    for (Index g = next++; g < groups; g = next++) run_group(g, room);
  };
  parallel_for(pool, std::min(groups, room_count_), std::ref(fill_room));
  sum_up();
}

template <class S>
void Executor<S>::sum_up() {
  const Plan& plan = compiled_.plan();
  const GroupSums sums(plan);
  const auto add = [&](std::vector<double>& to, Size first) {
    for (std::size_t k = 0; k < to.size(); ++k) {
      to[k] = 0;
      for (Index g = 0; g < groups_; ++g) to[k] += sums_[size(g * sums.count() + first) + k];
    }
  };
  add(totals_.losses, 0);
  add(totals_.right, sums.right());
  add(totals_.masses, sums.masses());
  add(totals_.alike, sums.alike());
  add(totals_.importance, sums.importance());
  loss_ = 0;
  for (std::size_t q = 0; q < scales_.size(); ++q) loss_ += totals_.losses[q] * static_cast<double>(scales_[q]);
}

// By chunks, whose sums are added in their order: the same bits at any number of threads.
template <class S>
double Executor<S>::gather(ThreadPool* pool) {
  assert(purpose_ == Purpose::learning);
  const Plan& plan = compiled_.plan();
  const auto of_chunk = [&](Index chunk) {
    const Size first = chunk * kChunk, end = std::min(first + kChunk, plan.parameters);
    squares_[size(chunk)] = set_.gather(gradients_.data(), groups_, plan.parameters, first, end, gradient_.data());
  };
  parallel_for(pool, static_cast<Index>(squares_.size()), std::ref(of_chunk));
  double squares = 0;
  for (const double of : squares_) squares += of;
  return squares;
}

template <class S>
S Executor<S>::number(Index sequence, const Place& place, Index row, Index col) const {
  const Size lanes = set_.lanes;
  assert(keeps() || groups_ == 1);
  return rooms_[((sequence / lanes) * compiled_.plan().registers + place.at + row * place.stride + col) * lanes +
                sequence % lanes];
}

template class Executor<float>;
template class Executor<double>;

}  // namespace hydra::lanes
