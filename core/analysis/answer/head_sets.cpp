#include "core/analysis/answer/head_sets.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "core/analysis/answer/changed_heads.h"
#include "core/work/parallel.h"

namespace hydra {

namespace {

using Heads = std::vector<std::size_t>;

// Silences sets of heads, and reads the answer.
class Silencing {
 public:
  Silencing(const Trace& trace, const AskedAnswer& asked) : trace_(trace), asked_(asked) {
    for (int layer = 0; layer < static_cast<int>(trace.layers.size()); ++layer)
      for (Index head = 0; head < trace.layer(layer).input.heads; ++head) all_.push_back({layer, head, {}});
  }
  std::size_t size() const { return all_.size(); }

  HeadSet read(Heads silent) const {
    std::vector<ChangedHead> changed;
    for (const std::size_t head : silent) changed.push_back(all_[head]);
    const ModelTrace<float> model = changed.empty() ? trace_.model : read_out_with(trace_, changed);
    HeadSet set;
    set.heads = std::move(silent);
    set.read = read_of(model, asked_);
    const Array<float> logits = model.of_question(model.logits, asked_.question);
    const std::vector<Index> first = hydra::likeliest(logits, asked_.token, 2);
    const Index other = first.front() == asked_.answer && first.size() > 1 ? first[1] : first.front();
    set.likeliest = first.front();
    set.margin = other == asked_.answer ? std::numeric_limits<double>::infinity()
                                        : static_cast<double>(logits(asked_.token, asked_.answer)) -
                                              static_cast<double>(logits(asked_.token, other));
    return set;
  }
  HeadSet read_without_others(const Heads& kept) const {
    HeadSet set = read(others(kept));
    set.heads = kept;
    return set;
  }
  Heads others(const Heads& heads) const {
    Heads rest(size());
    std::iota(rest.begin(), rest.end(), std::size_t{0});
    std::erase_if(rest, [&](std::size_t head) { return std::ranges::binary_search(heads, head); });
    return rest;
  }

 private:
  const Trace& trace_;
  const AskedAnswer& asked_;
  std::vector<ChangedHead> all_;
};

Heads heads_in(std::uint32_t mask) {
  Heads heads;
  for (; mask != 0; mask &= mask - 1) heads.push_back(static_cast<std::size_t>(std::countr_zero(mask)));
  return heads;
}

// Every set of heads, the smallest first, until one does it; of that size the one that does it most.
class EverySet {
 public:
  EverySet(const Silencing& silencing, ThreadPool* pool, const Progress& progress)
      : silencing_(silencing),
        pool_(pool),
        progress_(progress),
        all_((std::uint32_t{1} << silencing.size()) - 1),
        margins_(std::size_t{all_} + 1, std::numeric_limits<double>::quiet_NaN()) {}

  std::optional<HeadSet> needed() {
    for (int size = 1; size <= std::popcount(all_); ++size) {
      const std::vector<std::uint32_t> sets = measured(size, 0);
      const auto least = std::ranges::min_element(sets, {}, [&](std::uint32_t set) { return margins_[set]; });
      if (margins_[*least] <= 0) return silencing_.read(heads_in(*least));
    }
    return std::nullopt;
  }
  std::optional<HeadSet> enough() {
    for (int size = 0; size <= std::popcount(all_); ++size) {
      const std::vector<std::uint32_t> sets = measured(size, all_);
      const auto most = std::ranges::max_element(sets, {}, [&](std::uint32_t set) { return margins_[set]; });
      if (margins_[*most] > 0) return silencing_.read_without_others(heads_in(*most ^ all_));
    }
    return std::nullopt;
  }
  Index tried() const { return tried_; }

 private:
  // The sets of so many heads, or with flip those of all others, once their margins are known.
  std::vector<std::uint32_t> measured(int size, std::uint32_t flip) {
    std::vector<std::uint32_t> sets, open;
    for (std::uint32_t set = 0; set <= all_; ++set)
      if (std::popcount(set) == size) sets.push_back(set ^ flip);
    for (const std::uint32_t set : sets)
      if (std::isnan(margins_[set])) open.push_back(set);
    parallel_for(pool_, std::ssize(open), [&](Index k) {
      const std::uint32_t set = open[static_cast<std::size_t>(k)];
      margins_[set] = silencing_.read(heads_in(set)).margin;
      progress_.check();
    });
    tried_ += std::ssize(open);
    progress_.step();
    return sets;
  }

  const Silencing& silencing_;
  ThreadPool* pool_;
  const Progress& progress_;
  std::uint32_t all_;
  std::vector<double> margins_;  // with these silent; NaN: not known yet
  Index tried_ = 0;
};

// Head by head: the next one is the one with which it is done most.
class HeadByHead {
 public:
  HeadByHead(const Silencing& silencing, ThreadPool* pool, const Progress& progress)
      : silencing_(silencing), pool_(pool), progress_(progress) {}

  std::optional<HeadSet> needed() {
    Heads silent;
    while (silent.size() < silencing_.size()) {
      const Heads rest = silencing_.others(silent);
      const std::vector<double> margins = each(rest, [&](std::size_t head) { return with(silent, head); });
      silent = with(silent, rest[static_cast<std::size_t>(std::ranges::min_element(margins) - margins.begin())]);
      progress_.step();
      if (silencing_.read(silent).margin <= 0) return silencing_.read(lean(silent));
    }
    return std::nullopt;
  }
  std::optional<HeadSet> enough() {
    Heads silent;
    while (silent.size() < silencing_.size()) {
      const Heads rest = silencing_.others(silent);
      const std::vector<double> margins = each(rest, [&](std::size_t head) { return with(silent, head); });
      const auto most = std::ranges::max_element(margins);
      if (*most <= 0) break;
      silent = with(silent, rest[static_cast<std::size_t>(most - margins.begin())]);
      progress_.step();
    }
    return silencing_.read_without_others(silencing_.others(silent));
  }
  Index tried() const { return tried_; }

 private:
  static Heads with(Heads heads, std::size_t head) {
    heads.insert(std::ranges::lower_bound(heads, head), head);
    return heads;
  }
  template <class Set>
  std::vector<double> each(const Heads& heads, const Set& set_of) {
    std::vector<double> margins(heads.size());
    parallel_for(pool_, std::ssize(heads), [&](Index k) {
      const auto at = static_cast<std::size_t>(k);
      margins[at] = silencing_.read(set_of(heads[at])).margin;
      progress_.check();
    });
    tried_ += std::ssize(heads);
    return margins;
  }
  // Without those that can be left out.
  Heads lean(Heads silent) {
    for (std::size_t k = silent.size(); k-- > 0 && silent.size() > 1;) {
      Heads fewer = silent;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      ++tried_;
      if (silencing_.read(fewer).margin <= 0) silent = std::move(fewer);
    }
    return silent;
  }

  const Silencing& silencing_;
  ThreadPool* pool_;
  const Progress& progress_;
  Index tried_ = 0;
};

template <class Search>
HeadSets found_by(Search search, bool exact) {
  HeadSets sets;
  sets.exact = exact;
  sets.needed = search.needed();
  sets.enough = search.enough();
  sets.tried = search.tried();
  return sets;
}

}  // namespace

std::optional<HeadSets> head_sets(const Trace& trace, const AskedAnswer& asked, ThreadPool* pool,
                                  const Progress& progress) {
  const Silencing silencing(trace, asked);
  if (silencing.read({}).margin <= 0) return std::nullopt;
  if (silencing.size() <= kMostExactHeads) return found_by(EverySet(silencing, pool, progress), true);
  return found_by(HeadByHead(silencing, pool, progress), false);
}

}  // namespace hydra
