#include "app/views/learn/experiments.h"

#include "core/learn/results.h"

namespace hydra {

namespace {

using learn::count_words;
using learn::Measured;
using learn::runs_words;
using learn::share_words;

constexpr double kAnswered = 0.9;  // an accuracy: both questions are answered

// What is foretold is what the runs of assets/results/collapse.json came to.
const Measured& accuracy(const char* setting) { return learn::result("collapse").measured(setting, "accuracy"); }
const Measured& alike(const char* setting) { return learn::result("collapse").measured(setting, "alike"); }
std::string answered(const char* setting) {
  const Measured& of = accuracy(setting);
  return runs_words(of.runs() - of.below(kAnswered), of.runs());
}
std::string left(const char* setting) {
  const Measured& of = accuracy(setting);
  return count_words(of.below(kAnswered)) + " of " + count_words(of.runs());
}

std::vector<LearnExperiment> make_experiments() {
  return {
      {"normal", "random start", "Every head begins with random weights of its own.",
       "Both questions are answered. The heads' patterns stay somewhat alike, a mean cosine of about " +
           share_words(alike("normal").mean(), 1) + ": eight heads share the work of two.",
       0, 0, false, 0},
      {"identical", "identical start", "Every head begins as an exact copy of the first.",
       "They stay copies for ever: equal heads get equal gradients. Eight heads are one head, which answers one "
       "question of two; the accuracy stops at about " +
           share_words(accuracy("identical").mean(), 1) + ". So did " +
           runs_words(accuracy("identical").below(kAnswered), accuracy("identical").runs()) + ".",
       0, 0, true, 0},
      {"drophead", "identical, DropHead", "The same copies, but in each step each head is silent with probability .3.",
       "The copies drift apart, because each step silences others of them, and both questions are answered: by " +
           answered("drophead") + ".",
       0.3, 0, true, 0},
      {"noise", "identical, 1 % noise", "The same copies, but for noise of 1 % of their weights.",
       "A hundredth is enough: what is a little different gets a little different gradients, and in the end both "
       "questions are answered, by " +
           answered("noise") + ".",
       0, 0, true, 0.01},
      {"repel", "random start, repelled",
       "Random heads, and every likeness of two patterns costs: .3 of the mean cosine.",
       "The patterns become much less alike, a mean cosine of " + share_words(alike("repel").mean()) + " for " +
           share_words(alike("normal").mean()) + " over " + count_words(alike("repel").runs()) +
           " runs, and both questions are answered all the same. With the weight 1 " + left("repel by 1") +
           " runs answered less than .9; with .3 from identical heads with 1 % noise " + left("noise, repel") +
           " answered less, the worst " + share_words(accuracy("noise, repel").least()) + ".",
       0, 0.3, false, 0},
  };
}

}  // namespace

std::span<const LearnExperiment> learn_experiments() {
  static const std::vector<LearnExperiment> all = make_experiments();
  return all;
}

learn::Recipe with_experiment(learn::Recipe recipe, const LearnExperiment& experiment) {
  recipe.controls = {};
  recipe.controls.drop = experiment.drop;
  recipe.controls.repel = experiment.repel;
  recipe.controls.identical = experiment.identical;
  recipe.controls.apart = experiment.apart;
  return recipe;
}

}  // namespace hydra
