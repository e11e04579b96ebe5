#include "core/analysis/answer/over_text.h"

#include <cassert>

namespace hydra {

namespace {

// Of one head, an entry for each answer.
struct Changes : OfAnswer<std::vector<double>> {
  void add(const OfAnswer<double>& change) {
    logit.push_back(change.logit);
    difference.push_back(change.difference);
    probability.push_back(change.probability);
  }
  OfAnswer<MeanInterval> over() const {
    return {mean_interval(logit), mean_interval(difference), mean_interval(probability)};
  }
};
struct HeadEffects {
  std::vector<double> direct, against_rival;
  Changes zero, mean;
};

}  // namespace

OverText over_text(std::span<const TextAnswer> text, std::span<const Mat<double>> means, ThreadPool* pool,
                   const Progress& progress) {
  assert(!text.empty());
  std::vector<HeadEffects> all;
  for (const TextAnswer& answer : text) {
    progress.check();
    const AnswerHeads here = head_answers(*answer.trace, answer.asked, {.means = means}, pool);
    all.resize(here.heads.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      const HeadAnswer& head = here.heads[k];
      all[k].direct.push_back(head.direct);
      all[k].against_rival.push_back(head.against_rival);
      all[k].zero.add(change_from(here.read, head.zero));
      if (head.mean) all[k].mean.add(change_from(here.read, *head.mean));
    }
    progress.step();
  }
  OverText over{std::ssize(text), {}};
  for (const HeadEffects& head : all) {
    over.heads.push_back({mean_interval(head.direct), mean_interval(head.against_rival), head.zero.over(), {}});
    if (!means.empty()) over.heads.back().mean = head.mean.over();
  }
  return over;
}

}  // namespace hydra
