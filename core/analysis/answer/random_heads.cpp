#include "core/analysis/answer/random_heads.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/analysis/answer/changed_heads.h"
#include "core/analysis/answer/direct_answer.h"
#include "core/analysis/redrawn_heads.h"

namespace hydra {

namespace {

struct Seen {
  double direct = 0, against_rival = 0;
  OfAnswer<double> zero;
};

// Within + and - of it are 19 in 20 of those that are finite; NaN: none is.
template <class Of>
double most_of(const std::vector<Seen>& seen, Of of) {
  std::vector<double> sizes;
  for (const Seen& one : seen)
    if (const double size = std::abs(std::invoke(of, one)); std::isfinite(size)) sizes.push_back(size);
  if (sizes.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto at = sizes.begin() + (std::ssize(sizes) * 19 + 19) / 20 - 1;
  std::ranges::nth_element(sizes, at);
  return *at;
}

}  // namespace

std::vector<RandomHeads> random_heads(const Trace& trace, const AskedAnswer& asked, ThreadPool* pool,
                                      const Progress& progress, std::uint64_t seed) {
  const DirectAnswer direct(trace, asked, pool);
  const AnswerRead now = read_of(trace.model, asked);
  std::vector<RandomHeads> layers;
  for (int k = 0; k < static_cast<int>(trace.layers.size()); ++k) {
    const auto own = whole_of(trace.layer(k));
    const Array<float> first = contribution_once(*own, 0);
    Random random(hash("random heads", seed + static_cast<std::uint64_t>(k)));
    std::vector<Array<float>> added;  // by each
    while (std::ssize(added) < kRandomHeads) {
      const LayerTrace<float> drawn = with_heads_redrawn(own->input, random, pool);
      for (Index h = 0; h < own->input.heads && std::ssize(added) < kRandomHeads; ++h)
        added.push_back(contribution_once(drawn, h));
    }
    std::vector<Seen> seen(added.size());
    parallel_for(pool, std::ssize(added), [&](Index h) {
      const auto at = static_cast<std::size_t>(h);
      const DirectAnswer::Part part = direct.of_added(k, added[at]->middleRows(asked.token, 1));
      const ChangedHead one_more{k, 0, share(Mat<float>(*first + *added[at]))};
      seen[at] = {part.effect, part.against_rival,
                  change_from(now, read_of(read_out_with(trace, {&one_more, 1}), asked))};
    });
    layers.push_back({std::ssize(added),
                      most_of(seen, &Seen::direct),
                      most_of(seen, &Seen::against_rival),
                      {most_of(seen, [](const Seen& one) { return one.zero.logit; }),
                       most_of(seen, [](const Seen& one) { return one.zero.difference; }),
                       most_of(seen, [](const Seen& one) { return one.zero.probability; })}});
    progress.step();
  }
  return layers;
}

}  // namespace hydra
