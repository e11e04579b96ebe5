// Results of runs that were trained apart, brought together: all of them, and for every size and recipe of the model
// how accuracy and loss spread.
#pragma once
#include <string>
#include <vector>

namespace hydra::learn {

struct NamedText {
  std::string name, text;
};
// Each text is what `hydrascope train` wrote, of one run or several, or what this function gave. Runs that are there
// twice (same task, settings and seed) are kept once. {"runs": [...], "summary": [{task, heads, d_model, layers,
// settings, best_rate, runs, accuracy: {median, mean, deviation, least, most}, loss: {...}, questions: {name: mean}},
// ...]}, by task, then heads, d_model, layers, settings; best_rate: of those that differ in the learning rate alone its
// median accuracy is the highest. Throws InputError, naming the file, for what is none.
std::string merged(const std::vector<NamedText>& results);

}  // namespace hydra::learn
