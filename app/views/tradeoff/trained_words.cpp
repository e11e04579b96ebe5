#include "app/views/tradeoff/trained_words.h"

#include <algorithm>
#include <cmath>

#include "app/widgets/format.h"

namespace hydra::tradeoff {

std::vector<CountSummary> summaries(const HeadCountsShown::Trained& trained) {
  const learn::CountsAsked& asked = trained.asked;
  std::vector<CountSummary> all;
  for (std::size_t count = 0; count < asked.heads.size(); ++count) {
    CountSummary summary;
    summary.heads = asked.heads[count];
    std::vector<const learn::CountRun*> runs;
    for (int seed = 0; seed < asked.seeds; ++seed) {
      const learn::CountRun* run = trained.runs[asked.number_of(count, seed)].get();
      summary.by_seed.push_back(run ? static_cast<int>(learn::answered(*run)) : -1);
      if (!run) continue;
      summary.done |= run->done;
      runs.push_back(run);
    }
    if (summary.done) std::erase_if(runs, [](const learn::CountRun* run) { return !run->done; });
    std::vector<double> accuracies, losses, answered;
    for (const learn::CountRun* run : runs) {
      const bool live = !run->done && !run->curve.empty();  // a batch alone is noisier than its neighbours' mean
      accuracies.push_back(live ? run->curve.back().accuracy : run->scores.accuracy);
      losses.push_back(live ? run->curve.back().loss : run->scores.loss);
      answered.push_back(static_cast<double>(learn::answered(*run)));
    }
    summary.runs = static_cast<int>(runs.size());
    summary.accuracy = spread_of(std::move(accuracies));
    summary.loss = spread_of(std::move(losses));
    if (!runs.empty()) summary.answered = static_cast<int>(std::floor(spread_of(std::move(answered)).median));
    all.push_back(std::move(summary));
  }
  return all;
}

Index parameter_count(const learn::TaskInfo& info, Index d_model) {
  const Index answers = info.answers.size() * info.shape.questions;
  return info.words.size() * d_model + 4 * d_model * d_model + d_model * answers + answers;
}

namespace {

// "4", "4 and 8", "4, 8 and 16"
std::string listed(const std::vector<Index>& counts) {
  std::string text;
  for (std::size_t k = 0; k < counts.size(); ++k)
    text += (k == 0 ? "" : k + 1 == counts.size() ? " and " : ", ") + std::to_string(counts[k]);
  return text;
}

std::string so_many(int answered, Index questions) {
  return answered == questions ? "all" : answered == 0 ? "none" : std::to_string(answered);
}

}  // namespace

std::string walls_sentence(const std::vector<CountSummary>& counts, Index questions, bool brief) {
  if (counts.empty() || std::ranges::any_of(counts, [](const CountSummary& c) { return c.runs == 0; })) return "";
  struct Part {
    std::vector<Index> heads;  // neighbours that answer as many
    int answered;
  };
  std::vector<Part> parts;
  for (const CountSummary& count : counts) {
    if (parts.empty() || parts.back().answered != count.answered) parts.push_back({{}, count.answered});
    parts.back().heads.push_back(count.heads);
  }
  const int most = std::ranges::max(parts, {}, &Part::answered).answered;
  std::string text;
  for (const Part& part : parts) {
    const bool first = &part == &parts.front();
    if (brief && !first && &part != &parts.back() && part.answered != most) continue;
    const bool one = part.heads == std::vector<Index>{1};
    text += (first ? "" : "; ") + so_many(part.answered, questions) + " with " + listed(part.heads);
    if (first) text += one ? " head" : " heads";
  }
  return "Of " + std::to_string(questions) + " questions the median run answers " + text;
}

std::string progress_text(const HeadCountsShown& shown) {
  if (shown.ending) return "Ending";
  const HeadCountsShown::Trained* trained = shown.of(shown.now.d_model, shown.now.steps);
  std::size_t done = 0;
  const std::size_t runs = shown.now.runs();
  for (std::size_t k = 0; trained && k < runs; ++k) done += trained->runs[k] && trained->runs[k]->done ? 1 : 0;
  std::string text = ui::words(done, " of ", ui::counted(static_cast<long long>(runs), "run"), " done");
  if (shown.seconds_left >= 0) text += ui::words(", ", std::max(1LL, std::llround(shown.seconds_left)), " s left");
  return text;
}

namespace {

// What other budgets and widths were found to do; a slow test of core/learn/head_counts holds most of it.
std::string measured(Index d_model, int steps) {
  if (d_model == 32 && steps == 1500)
    return ": with 6000 steps 16 heads gave .97 to 1.0 of the answers in ten runs, 32 heads still only .37 to .53.";
  if (d_model == 32 && steps == 6000)
    return ": with 1500 steps 16 heads gave .53 to .80 of the answers in twenty runs, 32 heads .35 to .40.";
  if (d_model == 64 && steps == 1500)
    return " and stands further right than with d_model 32: 16 and 32 heads gave all answers in ten of ten runs, 64 "
           "heads .63 to .75.";
  if (d_model == 64 && steps == 6000) return ": with 1500 steps 64 heads gave .63 to .75 of the answers in ten runs.";
  return ".";
}

}  // namespace

std::string budget_note(const learn::TaskInfo& info, Index d_model, int steps) {
  return ui::words("The same for every h: ", ui::grouped(static_cast<double>(parameter_count(info, d_model))),
                   " numbers to learn, ", ui::grouped(steps),
                   " steps, the same sequences. The right wall is under this "
                   "budget of steps",
                   measured(d_model, steps));
}

std::string accuracy_text(double share) {
  if (!std::isfinite(share)) return "n/a";
  const std::string text = ui::fixed(share, 2);
  return text == "1.00" ? "1.0" : text.starts_with("0") ? text.substr(1) : text;
}

}  // namespace hydra::tradeoff
