#include "core/learn/fit/fit_target.h"

#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/linalg/random.h"

namespace hydra::learn {

namespace {

constexpr std::array<FitTargetEntry, 5> kFitTargets = {{
    {FitTarget::identity, "identity", "training:fit.identity", "training:fit.identity.tip"},
    {FitTarget::previous, "previous", "training:fit.previous", "training:fit.previous.tip"},
    {FitTarget::permutation, "permutation", "training:fit.permutation", "training:fit.permutation.tip"},
    {FitTarget::several, "several", "training:fit.several", "training:fit.several.tip"},
    {FitTarget::any, "any", "training:fit.any", "training:fit.any.tip"},
}};

// The first `count` of the places in a drawn order.
std::vector<Index> drawn(std::vector<Index> places, Index count, Random& random) {
  const auto all = static_cast<Index>(places.size());
  for (Index k = 0; k < std::min(count, all); ++k) {
    const Index other = k + static_cast<Index>(random.uniform() * static_cast<double>(all - k));
    std::swap(places[static_cast<std::size_t>(k)], places[static_cast<std::size_t>(other)]);
  }
  places.resize(static_cast<std::size_t>(std::min(count, all)));
  return places;
}

std::vector<Index> seen_by(const Mask& mask, Index query, Index n) {
  std::vector<Index> keys;
  for (Index j = 0; j < n; ++j)
    if (mask.allows(query, j)) keys.push_back(j);
  return keys;
}

bool hides_any(const Mask& mask, Index n) {
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (!mask.allows(i, j)) return true;
  return false;
}

void fill_permutation(Mat<float>& P, const Mask& mask, Random& random) {
  const Index n = P.rows();
  if (hides_any(mask, n)) {
    for (Index i = 0; i < n; ++i)
      for (const Index j : drawn(seen_by(mask, i, n), 1, random)) P(i, j) = 1;
    return;
  }
  std::vector<Index> places(static_cast<std::size_t>(n));
  std::iota(places.begin(), places.end(), 0);
  places = drawn(std::move(places), n, random);
  for (Index i = 0; i < n; ++i) P(i, places[static_cast<std::size_t>(i)]) = 1;
}

void fill_any(Mat<float>& P, const Mask& mask, Random& random) {
  for (Index i = 0; i < P.rows(); ++i) {
    double sum = 0;
    for (Index j = 0; j < P.cols(); ++j) {
      const double weight = std::exp(1.5 * random.normal());
      if (!mask.allows(i, j)) continue;
      P(i, j) = static_cast<float>(weight);
      sum += weight;
    }
    if (sum > 0) P.row(i) /= static_cast<float>(sum);
  }
}

}  // namespace

std::span<const FitTargetEntry> fit_targets() { return kFitTargets; }

const FitTargetEntry& entry_of(FitTarget target) { return kFitTargets[static_cast<std::size_t>(target)]; }

FitTarget fit_target_of(std::string_view key) {
  std::string keys;
  for (const FitTargetEntry& entry : kFitTargets) {
    if (key == entry.key) return entry.target;
    keys += (keys.empty() ? "" : ", ") + std::string(entry.key);
  }
  throw InputError(in_quotes(key) + " is no pattern to fit; there are " + keys);
}

Mat<float> make_fit_target(FitTarget target, Index n, const Mask& mask, std::uint64_t seed) {
  constexpr Index kSeveral = 3;
  Mat<float> P = Mat<float>::Zero(n, n);
  Random random(hash(entry_of(target).key, seed));
  switch (target) {
    case FitTarget::identity:
    case FitTarget::previous:
      for (Index i = 0, before = target == FitTarget::previous ? 1 : 0; i < n; ++i)
        if (i >= before && mask.allows(i, i - before)) P(i, i - before) = 1;
      break;
    case FitTarget::permutation:
      fill_permutation(P, mask, random);
      break;
    case FitTarget::several:
      for (Index i = 0; i < n; ++i) {
        const std::vector<Index> places = drawn(seen_by(mask, i, n), kSeveral, random);
        for (const Index j : places) P(i, j) = 1 / static_cast<float>(places.size());
      }
      break;
    case FitTarget::any:
      fill_any(P, mask, random);
      break;
  }
  return P;
}

}  // namespace hydra::learn
