#include "core/writing/choosing.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <span>

#include "core/error.h"
#include "core/ops/softmax.h"

namespace hydra {

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

// The sum of many, in lanes side by side.
double sum_of(std::span<const float> values) {
  constexpr std::size_t kLanes = 8;
  double lanes[kLanes] = {};
  std::size_t first = 0;
  for (; first + kLanes <= values.size(); first += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += static_cast<double>(values[first + lane]);
  double sum = 0;
  for (const double lane : lanes) sum += lane;
  for (; first < values.size(); ++first) sum += static_cast<double>(values[first]);
  return sum;
}

// exp(logit / temperature) as shares of their sum; of logits of +inf alone where there are any.
void share_out(std::span<const float> logits, float top, double temperature, std::span<float> shares) {
  const auto by = static_cast<float>(1 / temperature);
  if (top == std::numeric_limits<float>::infinity())
    for (std::size_t k = 0; k < logits.size(); ++k) shares[k] = logits[k] == top ? 0 : kNever;
  else
    for (std::size_t k = 0; k < logits.size(); ++k) shares[k] = (logits[k] - top) * by;
  softmax::exponentials<float>(shares.data(), std::ssize(shares), 0);
  const auto share_of_one = static_cast<float>(1 / sum_of(shares));
  for (float& share : shares) share *= share_of_one;
}

// Each place whose value is above the bound, which visit may raise; most are passed by many at a time.
template <class Visit>
void for_larger(const std::vector<float>& values, float bound, const Visit& visit) {
  constexpr std::size_t kMany = 64;
  for (std::size_t first = 0; first < values.size(); first += kMany) {
    const std::size_t end = std::min(first + kMany, values.size());
    bool any = false;
    for (std::size_t k = first; k < end; ++k) any |= values[k] > bound;
    for (std::size_t k = first; any && k < end; ++k)
      if (values[k] > bound) bound = visit(k);
  }
}

}  // namespace

void check_choosing(const Choosing& choosing) {
  if (!(choosing.temperature >= 0 && choosing.temperature <= 100))
    throw InputError("the temperature must be 0 to 100; 0 chooses the likeliest word");
  if (choosing.top_k < 0) throw InputError("the number of words to draw among must be at least 0, which is all");
  if (!(choosing.top_p > 0 && choosing.top_p <= 1))
    throw InputError("the share of probability to draw among must be above 0 and at most 1, which is all");
}

Chooser::Chooser(const Choosing& choosing, std::uint64_t seed, Index words)
    : choosing_(choosing), random_(seed), order_(static_cast<std::size_t>(words)) {
  for (std::vector<float>* numbers : {&logits_, &probabilities_, &drawn_})
    numbers->resize(static_cast<std::size_t>(words));
}

bool Chooser::choose(MatIn<float> logits, ChosenWord& into) {
  assert(logits.rows() == 1 && logits.cols() == std::ssize(logits_));
  std::transform(logits.data(), logits.data() + logits.cols(), logits_.data(),
                 [](float logit) { return std::isnan(logit) ? kNever : logit; });
  Index likeliest = -1;
  for_larger(logits_, kNever, [&](std::size_t k) {
    likeliest = static_cast<Index>(k);
    return logits_[k];
  });
  if (likeliest < 0) return false;
  share_out(logits_, logits_[static_cast<std::size_t>(likeliest)], 1, probabilities_);
  let_in(likeliest);
  const auto entry = [&](Index word) -> LikelyWord {
    const auto k = static_cast<std::size_t>(word);
    return {word, probabilities_[k], drawn_[k]};
  };
  into.chosen = entry(draw());
  find_strongest(into.strongest);
  return true;
}

// Each by its probability, and where those are the same, as with one that takes all, by its logit.
void Chooser::find_strongest(std::vector<LikelyWord>& strongest) const {
  strongest.clear();
  strongest.reserve(static_cast<std::size_t>(kShownWords));
  const auto logit = [&](const LikelyWord& entry) { return logits_[static_cast<std::size_t>(entry.word)]; };
  for_larger(logits_, kNever, [&](std::size_t k) {
    if (std::ssize(strongest) == kShownWords) strongest.pop_back();
    auto at = strongest.end();
    while (at != strongest.begin() && logit(*(at - 1)) < logits_[k]) --at;
    strongest.insert(at, {static_cast<Index>(k), probabilities_[k], drawn_[k]});
    return std::ssize(strongest) == kShownWords ? logit(strongest.back()) : kNever;
  });
}

// What each word is drawn with.
void Chooser::let_in(Index likeliest) {
  if (choosing_.temperature == 0) {
    std::fill(drawn_.begin(), drawn_.end(), 0.0f);
    drawn_[static_cast<std::size_t>(likeliest)] = 1;
    return;
  }
  share_out(logits_, logits_[static_cast<std::size_t>(likeliest)], choosing_.temperature, drawn_);
  const auto words = std::ssize(drawn_);
  const bool some = choosing_.top_k > 0 && choosing_.top_k < words;
  if (!some && choosing_.top_p == 1) return;
  for (std::size_t k = 0; k < order_.size(); ++k) order_[k] = static_cast<Index>(k);
  const auto share = [&](Index word) { return drawn_[static_cast<std::size_t>(word)]; };
  // Of a share of probability the rest cannot be among the fewest: what is smaller than its mean over all words.
  const float least = static_cast<float>((1 - choosing_.top_p) / static_cast<double>(words));
  const auto end = std::partition(order_.begin(), order_.end(), [&](Index word) { return share(word) > least; });
  const auto most = std::min<std::ptrdiff_t>(some ? choosing_.top_k : words, end - order_.begin());
  std::partial_sort(order_.begin(), order_.begin() + most, end,
                    [&](Index a, Index b) { return share(a) != share(b) ? share(a) > share(b) : a < b; });
  double sum = 0;
  std::ptrdiff_t count = 0;
  while (count < most && (count == 0 || sum < choosing_.top_p)) sum += static_cast<double>(share(order_[count++]));
  std::sort(order_.begin(), order_.begin() + count);
  for (std::ptrdiff_t k = 0, word = 0; word < words; ++word) {
    float& drawn = drawn_[static_cast<std::size_t>(word)];
    if (k < count && order_[static_cast<std::size_t>(k)] == word)
      drawn = static_cast<float>(static_cast<double>(drawn) / sum), ++k;
    else
      drawn = 0;
  }
}

Index Chooser::draw() {
  const double at = random_.uniform();
  double sum = 0;
  Index last = 0;  // that can be drawn: where rounding leaves something over, it takes that
  for (std::size_t k = 0; k < drawn_.size(); ++k) {
    if (drawn_[k] == 0) continue;
    last = static_cast<Index>(k);
    if ((sum += static_cast<double>(drawn_[k])) > at) break;
  }
  return last;
}

}  // namespace hydra
