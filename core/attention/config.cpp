#include "core/attention/config.h"

#include <string>

#include "core/error.h"

namespace hydra {

std::vector<Index> head_counts(Index d_model) {
  std::vector<Index> counts;
  for (Index h = 1; h <= std::min(d_model, kMaxHeads); ++h)
    if (d_model % h == 0) counts.push_back(h);
  return counts;
}

void check_sizes(Index n, Index d_model, Index heads) {
  const auto number = [](Index value) { return std::to_string(value); };
  if (n < 1) throw InputError("the sentence has no tokens; at least 1 is needed");
  if (n > kMaxTokens)
    throw InputError("the sentence has " + number(n) + " tokens; at most " + number(kMaxTokens) + " are possible");
  if (d_model < 1 || d_model > kMaxModel)
    throw InputError("d_model is " + number(d_model) + "; it must be from 1 to " + number(kMaxModel));
  if (heads < 1 || heads > kMaxHeads)
    throw InputError("heads is " + number(heads) + "; it must be from 1 to " + number(kMaxHeads));
  if (d_model % heads != 0) {
    std::string list;
    for (const Index h : head_counts(d_model)) list += (list.empty() ? "" : ", ") + number(h);
    throw InputError(number(heads) + " heads do not divide d_model " + number(d_model) + "; possible are " + list);
  }
}

}  // namespace hydra
