#include "core/learn/timeline.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace hydra::learn {

std::size_t Timeline::bytes() const {
  std::size_t numbers = 0;
  for (const Branch& branch : branches_) {
    for (const Parameters& parameters : branch.parameters) numbers += parameters ? parameters->size() : 0;
    for (const auto& [step, moments] : branch.moments) numbers += moments->first.size() + moments->second.size();
  }
  return numbers * sizeof(float);
}

int Timeline::add(Branch branch, Parameters first) {
  branch.parameters = {std::move(first)};
  branch.tracks.assign(static_cast<std::size_t>(tracks_.count()), {});
  branches_.push_back(std::move(branch));
  return size() - 1;
}

void Timeline::take(int k, std::span<const float> row, Parameters after, std::shared_ptr<const Moments> moments) {
  Branch& branch = at(k);
  assert(row.size() == branch.tracks.size());
  for (std::size_t t = 0; t < row.size(); ++t) branch.tracks[t].push_back(static_cast<double>(row[t]));
  const int before = branch.last();
  branch.parameters.push_back(std::move(after));
  if (!is_kept(branch, before)) branch.parameters[static_cast<std::size_t>(before - branch.from)] = nullptr;
  if (!moments) return;
  branch.moments[branch.last()] = std::move(moments);
  while (apart_ < kMostApart && bytes() > most_bytes_) thin_out();
}

void Timeline::keep_moments(int k, int step, std::shared_ptr<const Moments> moments) {
  at(k).moments[step] = std::move(moments);
}

// The last one as well: it is what goes on.
bool Timeline::is_kept(const Branch& branch, int step) const {
  return step % apart_ == 0 || step == branch.from || step == branch.last() || branch.moments.contains(step);
}

void Timeline::thin_out() {
  apart_ *= 2;
  for (Branch& branch : branches_)
    for (int step = branch.from; step <= branch.last(); ++step)
      if (!is_kept(branch, step)) branch.parameters[static_cast<std::size_t>(step - branch.from)] = nullptr;
}

bool Timeline::can_remove(int k) const {
  return size() > 1 && std::ranges::none_of(branches_, [&](const Branch& branch) { return branch.parent == k; });
}

void Timeline::remove(int k) {
  assert(can_remove(k));
  branches_.erase(branches_.begin() + k);
  for (Branch& branch : branches_)
    if (branch.parent > k) --branch.parent;
}

Timeline::Kept Timeline::at(int k, int step) const {
  const Branch& branch = this->branch(owner(k, step));
  for (int kept = std::clamp(step, branch.from, branch.last());; --kept)
    if (const Parameters& parameters = branch.parameters[static_cast<std::size_t>(kept - branch.from)])
      return {kept, parameters};
}

std::optional<Timeline::Checkpoint> Timeline::checkpoint(int k, int step) const {
  const Branch& branch = this->branch(k);
  auto after = branch.moments.upper_bound(step);
  while (after != branch.moments.begin()) {
    --after;
    if (const Parameters& parameters = branch.parameters[static_cast<std::size_t>(after->first - branch.from)])
      return Checkpoint{after->first, parameters, after->second};
  }
  return std::nullopt;
}

double Timeline::value(int k, Index track, int step) const {
  const Branch& branch = this->branch(owner(k, step));
  if (step < branch.from) return std::numeric_limits<double>::quiet_NaN();
  const std::vector<double>& values = branch.tracks[static_cast<std::size_t>(track)];
  const auto place = static_cast<std::size_t>(step - branch.from);
  return place < values.size() ? values[place] : std::numeric_limits<double>::quiet_NaN();
}

int Timeline::owner(int k, int step) const {
  while (step < branch(k).from && branch(k).parent >= 0) k = branch(k).parent;
  return k;
}

std::vector<int> Timeline::ancestry(int k) const {
  std::vector<int> all;
  for (; k >= 0; k = branch(k).parent) all.push_back(k);
  std::ranges::reverse(all);
  return all;
}

}  // namespace hydra::learn
