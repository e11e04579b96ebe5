#include "app/views/learn/experiments.h"

namespace hydra {

namespace {

// What is foretold was counted over five seeds of 600 steps (tests/core/learn/recipes.tests.cpp).
constexpr LearnExperiment kExperiments[] = {
    {"normal", "random start", "Every head begins with random weights of its own.",
     "Both questions are answered. The heads' patterns stay somewhat alike, a mean cosine of about .4: eight heads "
     "share "
     "the work of two.",
     0, 0, false, 0},
    {"identical", "identical start", "Every head begins as an exact copy of the first.",
     "They stay copies for ever: equal heads get equal gradients. Eight heads are one head, which answers one question "
     "of "
     "two; the accuracy stops at about .6. So did each of twenty runs.",
     0, 0, true, 0},
    {"drophead", "identical, DropHead", "The same copies, but in each step each head is silent with probability .3.",
     "The copies drift apart, because each step silences others of them, and both questions are answered: by each of "
     "twenty runs.",
     0.3, 0, true, 0},
    {"noise", "identical, 1 % noise", "The same copies, but for noise of 1 % of their weights.",
     "A hundredth is enough: what is a little different gets a little different gradients, and in the end both "
     "questions "
     "are answered, by each of twenty runs.",
     0, 0, true, 0.01},
    {"repel", "random start, repelled",
     "Random heads, and every likeness of two patterns costs: .3 of the mean cosine.",
     "The patterns become much less alike, a mean cosine of .11 for .37 over twenty runs, and both questions are "
     "answered all the same. With the weight 1 twelve of twenty other runs answered less than .9; with .3 from "
     "identical heads with a little noise ten of forty answered less, the worst .83.",
     0, 0.3, false, 0},
};

}  // namespace

std::span<const LearnExperiment> learn_experiments() { return kExperiments; }

learn::Recipe with_experiment(learn::Recipe recipe, const LearnExperiment& experiment) {
  recipe.controls = {};
  recipe.controls.drop = experiment.drop;
  recipe.controls.repel = experiment.repel;
  recipe.controls.identical = experiment.identical;
  recipe.controls.apart = experiment.apart;
  return recipe;
}

}  // namespace hydra
