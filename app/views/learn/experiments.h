// The experiments of the collapse page: eight heads for two questions, that begin alike or are driven apart.
#pragma once
#include <span>
#include <string>

#include "core/learn/recipe.h"

namespace hydra {

struct LearnExperiment {
  const char* key;            // for tests
  const char* name;           // of its branch, which files keep: in no other language
  const char *title, *does;   // texts: what it is called, what is done
  std::string (*foretold)();  // what will happen, as it was measured
  double drop, repel;         // learn::HeadControls
  bool identical;
  double apart;
};
std::span<const LearnExperiment> learn_experiments();
// The recipe with what the experiment does.
learn::Recipe with_experiment(learn::Recipe recipe, const LearnExperiment& experiment);
inline constexpr const char* kExperimentTask = "collapse";

}  // namespace hydra
