#include "core/weights/config.h"

#include <cmath>
#include <string>

#include "core/error.h"

namespace hydra {

namespace {

std::string number(Index value) { return std::to_string(value); }

void check_head_count(Index heads) {
  if (heads < 1 || heads > kMaxHeads)
    throw InputError("heads is " + number(heads) + "; it must be from 1 to " + number(kMaxHeads));
}

}  // namespace

std::vector<Index> head_counts(Index width) {
  std::vector<Index> counts;
  for (Index h = 1; h <= std::min(width, kMaxHeads); ++h)
    if (width % h == 0) counts.push_back(h);
  return counts;
}

void check_sizes(Index n, Index d_model, Index heads, Index widest) {
  if (n < 1) throw InputError("the sentence has no tokens; at least 1 is needed");
  if (n > kMaxTokens)
    throw InputError("the sentence has " + number(n) + " tokens; at most " + number(kMaxTokens) + " are possible");
  if (d_model < 1 || d_model > widest)
    throw InputError("d_model is " + number(d_model) + "; it must be from 1 to " + number(widest));
  check_heads(heads, d_model, d_model);
}

void check_patterns(Index n, Index heads) {
  if (n * n <= kMaxPatterns / heads) return;
  const auto fits = static_cast<Index>(std::sqrt(static_cast<double>(kMaxPatterns) / static_cast<double>(heads)));
  throw InputError("the patterns of " + number(heads) + (heads == 1 ? " head" : " heads") + " over " + number(n) +
                   " tokens are too many numbers to show; so many heads can read at most " + number(fits) + " tokens");
}

void check_heads(Index heads, Index concat, Index d_model) {
  check_head_count(heads);
  if (concat % heads == 0) return;
  std::string list;
  for (const Index h : head_counts(concat)) list += (list.empty() ? "" : ", ") + number(h);
  const std::string what = concat == d_model ? "d_model " + number(d_model)
                                             : "the " + number(concat) + " numbers that all of them have for a token";
  throw InputError(number(heads) + " heads do not divide " + what + "; possible are " + list);
}

void check_head_width(Index d_k, Index heads) {
  check_head_count(heads);
  if (d_k < 1 || d_k > kMaxConcat / heads)
    throw InputError("d_k is " + number(d_k) + "; for " + number(heads) + (heads == 1 ? " head" : " heads") +
                     " it must be from 1 to " + number(kMaxConcat / heads) + ", so that all have at most " +
                     number(kMaxConcat) + " numbers for a token");
}

}  // namespace hydra
