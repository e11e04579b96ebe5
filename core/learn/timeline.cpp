#include "core/learn/timeline.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace hydra::learn {

namespace {

constexpr int kOldest = 31;  // steps are numbers of so many bits
constexpr int kMostRowsApart = 1 << 24;

int zeros_at_end(int step) { return step == 0 ? kOldest : std::countr_zero(static_cast<unsigned>(step)); }

std::size_t bytes_of(const Timeline::Kept& kept) {
  std::size_t numbers = kept.parameters->size();
  if (kept.moments) numbers += kept.moments->first.size() + kept.moments->second.size();
  return numbers * sizeof(float);
}

int next_multiple(int step, int of) { return (step + of - 1) / of * of; }

}  // namespace

double Timeline::recent() const { return std::exp2(age_); }

bool Timeline::has_room(std::size_t parameters) const {
  // Its start with moments and its last step, of each branch; and a step that is looked at.
  const std::size_t each = 4 * parameters * sizeof(float);
  return size() < 2 || (branches_.size() + 1) * each + parameters * sizeof(float) <= most_bytes_;
}

int Timeline::add(Branch branch, Parameters first) {
  branch.kept.clear();
  const auto start = branch.kept.emplace(branch.from, Kept{branch.from, std::move(first), nullptr}).first;
  bytes_ += bytes_of(start->second);
  branch.first_row = next_multiple(branch.from, rows_apart_);
  branch.tracks.assign(static_cast<std::size_t>(tracks_.count()), {});
  branches_.push_back(std::move(branch));
  hold_bound();
  return size() - 1;
}

void Timeline::hold_bound() {
  while (bytes_ > most_bytes_ && age_ > -kOldest) --age_, thin_out();
}

std::size_t Timeline::row_bytes(const Branch& branch) const {
  return branch.tracks.front().size() * branch.tracks.size() * sizeof(double);
}

bool Timeline::has_too_many_rows() const {
  return rows_bytes_ > most_bytes_ / 4 || std::ranges::any_of(branches_, [](const Branch& branch) {
           return branch.tracks.front().size() > static_cast<std::size_t>(kMostRows);
         });
}

void Timeline::take(int k, std::span<const float> row, Parameters after, std::shared_ptr<const Moments> moments) {
  Branch& branch = at(k);
  assert(row.size() == branch.tracks.size());
  const int before = branch.last(), now = before + 1;
  branch.newest.assign(row.begin(), row.end());
  if (before % rows_apart_ == 0) {
    for (std::size_t t = 0; t < row.size(); ++t) branch.tracks[t].push_back(static_cast<double>(row[t]));
    rows_bytes_ += row.size() * sizeof(double), bytes_ += row.size() * sizeof(double);
    while (has_too_many_rows() && rows_apart_ < kMostRowsApart) thin_rows();
  }
  bytes_ += bytes_of(branch.kept.emplace(now, Kept{now, std::move(after), std::move(moments)}).first->second);
  // The one before, and those that have come to their age.
  const auto grow_old = [&](int step) {
    if (step <= branch.from || is_kept(branch, step)) return;
    if (const auto kept = branch.kept.find(step); kept != branch.kept.end()) drop(branch, kept);
  };
  grow_old(before);
  for (int zeros = std::max(0, -age_); age_ + zeros < kOldest; ++zeros) {
    const int step = now - (1 << (age_ + zeros));
    if (step <= branch.from) break;
    grow_old(step);
  }
  hold_bound();
  if (bytes_ < most_bytes_ / 4 && thinned_ && age_ < kOldest - 1) ++age_;
}

void Timeline::keep_moments(int k, std::shared_ptr<const Moments> moments) {
  Branch& branch = at(k);
  if (branch.parent < 0) return;  // zeros
  Kept& start = branch.kept.begin()->second;
  bytes_ -= bytes_of(start);
  start.moments = std::move(moments);
  bytes_ += bytes_of(start);
  hold_bound();
}

void Timeline::hold(int k, int step, Parameters parameters, std::vector<float> row) {
  const bool same = held_.branch == k && held_.step == step;
  held_ = {k, step, std::move(parameters), same && row.empty() ? std::move(held_.row) : std::move(row)};
}

// The last one as well: it is what goes on.
bool Timeline::is_kept(const Branch& branch, int step) const {
  const int last = branch.last();
  if (step == branch.from || step == last) return true;
  const int age = age_ + zeros_at_end(step);
  return age >= kOldest || (age >= 0 && last - step < (1 << age));
}

void Timeline::drop(Branch& branch, std::map<int, Kept>::iterator kept) {
  bytes_ -= bytes_of(kept->second);
  branch.kept.erase(kept);
  thinned_ = true;
}

void Timeline::thin_out() {
  for (Branch& branch : branches_)
    for (auto kept = branch.kept.begin(); kept != branch.kept.end();) {
      const auto here = kept++;
      if (!is_kept(branch, here->first)) drop(branch, here);
    }
}

// Every second one goes.
void Timeline::thin_rows() {
  rows_apart_ *= 2;
  bytes_ -= rows_bytes_;
  rows_bytes_ = 0;
  for (Branch& branch : branches_) {
    const int first = next_multiple(branch.from, rows_apart_);
    const auto skipped = static_cast<std::size_t>((first - branch.first_row) / (rows_apart_ / 2));
    branch.first_row = first;
    for (std::vector<double>& track : branch.tracks) {
      std::size_t count = 0;
      for (std::size_t k = skipped; k < track.size(); k += 2) track[count++] = track[k];
      track.resize(count);
      track.shrink_to_fit();
    }
    rows_bytes_ += row_bytes(branch);
  }
  bytes_ += rows_bytes_;
}

bool Timeline::can_remove(int k) const {
  return size() > 1 && std::ranges::none_of(branches_, [&](const Branch& branch) { return branch.parent == k; });
}

void Timeline::remove(int k) {
  assert(can_remove(k));
  Branch& gone = at(k);
  for (const auto& [step, kept] : gone.kept) bytes_ -= bytes_of(kept);
  bytes_ -= row_bytes(gone), rows_bytes_ -= row_bytes(gone);
  branches_.erase(branches_.begin() + k);
  for (Branch& branch : branches_)
    if (branch.parent > k) --branch.parent;
  if (held_.branch == k) held_ = {};
  if (held_.branch > k) --held_.branch;
}

Timeline::Kept Timeline::at(int k, int step) const {
  k = owner(k, step);
  const Branch& branch = this->branch(k);
  step = std::clamp(step, branch.from, branch.last());
  if (held_.branch == k && held_.step == step) return {step, held_.parameters, nullptr};
  return std::prev(branch.kept.upper_bound(step))->second;
}

std::optional<Timeline::Kept> Timeline::checkpoint(int k, int step) const {
  const Branch& branch = this->branch(k);
  for (auto after = branch.kept.upper_bound(step); after != branch.kept.begin();) {
    --after;
    const bool zeros = branch.parent < 0 && after->first == branch.from;
    if (after->second.moments || zeros) return after->second;
  }
  return std::nullopt;
}

double Timeline::value(int k, Index track, int step) const {
  k = owner(k, step);
  const Branch& branch = this->branch(k);
  const auto t = static_cast<std::size_t>(track);
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (step < branch.from) return none;
  if (step % rows_apart_ == 0) {
    const auto place = static_cast<std::size_t>((step - branch.first_row) / rows_apart_);
    return place < branch.tracks[t].size() ? branch.tracks[t][place] : none;
  }
  if (step + 1 == branch.last()) return static_cast<double>(branch.newest[t]);
  const bool held = held_.branch == k && held_.step == step && !held_.row.empty();
  return held ? static_cast<double>(held_.row[t]) : none;
}

int Timeline::zero_since(int branch, Index track, int step) const {
  int since = -1;
  for (int k = owner(branch, step); k >= 0; k = this->branch(k).parent) {
    const Branch& own = this->branch(k);
    const std::vector<double>& values = own.tracks[static_cast<std::size_t>(track)];
    for (auto place = static_cast<std::ptrdiff_t>(values.size()) - 1; place >= 0; --place) {
      const int at = own.first_row + static_cast<int>(place) * rows_apart_;
      if (at > step) continue;
      if (values[static_cast<std::size_t>(place)] != 0) return since;
      since = at;
    }
    step = std::min(step, own.from - 1);
  }
  return since;
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
