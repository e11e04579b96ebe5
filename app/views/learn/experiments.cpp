#include "app/views/learn/experiments.h"

#include "core/learn/results.h"
#include "core/text/wording.h"

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
  return wording("learn:try.some", {{"some", count_words(of.below(kAnswered))}, {"all", count_words(of.runs())}});
}

constexpr LearnExperiment kExperiments[] = {
    {"normal", "random start", "learn:try.normal", "learn:try.normal.does",
     [] {
       return wording("learn:try.normal.foretold", {{"alike", share_words(alike("normal").mean(), 1)}});
     },
     0, 0, false, 0},
    {"identical", "identical start", "learn:try.identical", "learn:try.identical.does",
     [] {
       const Measured& of = accuracy("identical");
       return wording("learn:try.identical.foretold",
                      {{"accuracy", share_words(of.mean(), 1)}, {"runs", runs_words(of.below(kAnswered), of.runs())}});
     },
     0, 0, true, 0},
    {"drophead", "identical, DropHead", "learn:try.drophead", "learn:try.drophead.does",
     [] {
       return wording("learn:try.drophead.foretold", {{"runs", answered("drophead")}});
     },
     0.3, 0, true, 0},
    {"noise", "identical, 1 % noise", "learn:try.noise", "learn:try.noise.does",
     [] {
       return wording("learn:try.noise.foretold", {{"runs", answered("noise")}});
     },
     0, 0, true, 0.01},
    {"repel", "random start, repelled", "learn:try.repel", "learn:try.repel.does",
     [] {
       return wording("learn:try.repel.foretold", {{"repelled", share_words(alike("repel").mean())},
                                                   {"usual", share_words(alike("normal").mean())},
                                                   {"runs", count_words(alike("repel").runs())},
                                                   {"less", left("repel by 1")},
                                                   {"noise_less", left("noise, repel")},
                                                   {"worst", share_words(accuracy("noise, repel").least())}});
     },
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
