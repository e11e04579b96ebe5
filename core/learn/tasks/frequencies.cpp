#include "core/learn/tasks/frequencies.h"

#include <algorithm>
#include <cmath>

namespace hydra::learn {

double Score::error() const { return std::sqrt(accuracy() * (1 - accuracy()) / count_); }

Frequencies::Frequencies(Index contexts, Index answers)
    : answers_(answers),
      singles_(static_cast<std::size_t>(answers), 0),
      contexts_(static_cast<std::size_t>(contexts), 0),
      pairs_(static_cast<std::size_t>(contexts * answers), 0) {}

void Frequencies::add(Index context, Index answer) {
  count_ += 1;
  singles_[static_cast<std::size_t>(answer)] += 1;
  contexts_[static_cast<std::size_t>(context)] += 1;
  pairs_[at(context, answer)] += 1;
}

double Frequencies::single(Index answer) const {
  return (singles_[static_cast<std::size_t>(answer)] + 1) / (count_ + static_cast<double>(answers_));
}

double Frequencies::pair(Index context, Index answer) const {
  return (pairs_[at(context, answer)] + single(answer)) / (contexts_[static_cast<std::size_t>(context)] + 1);
}

double Frequencies::plain_pair(Index context, Index answer) const {
  return pairs_[at(context, answer)] / contexts_[static_cast<std::size_t>(context)];
}

Index Frequencies::most_frequent() const {
  return std::max_element(singles_.begin(), singles_.end()) - singles_.begin();
}

std::vector<Index> Frequencies::most_frequent_after() const {
  std::vector<Index> best(contexts_.size(), most_frequent());
  for (std::size_t context = 0; context < contexts_.size(); ++context) {
    if (contexts_[context] == 0) continue;
    const auto row = pairs_.begin() + static_cast<std::ptrdiff_t>(at(static_cast<Index>(context), 0));
    best[context] = std::max_element(row, row + answers_) - row;
  }
  return best;
}

}  // namespace hydra::learn
