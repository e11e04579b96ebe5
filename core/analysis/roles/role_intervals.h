// How far a pooled score can be trusted: its 95 % confidence interval, with sentences as what was sampled (rows of one
// sentence are not independent).
//
// The standard error is the jackknife's that leaves out one sentence at a time (Efron and Stein 1981), and t is
// Student's with one degree of freedom less than the sentences that have such a row. A share gets Wilson's interval
// (1927) with t, at as many rows as would give a yes or no of that share this standard error; where it is 0 or 1 in all
// rows, at the rows that there are. It leaves room for what no row has shown: of something that none of n rows had,
// 1 - .05^(1/n) of all may still have it (Clopper and Pearson 1934). A correlation gets Fisher's: z +- t of the
// error of z = artanh r. All others get the number +- t of its error, not below 0. Tested for coverage over simulated
// sentences.
#pragma once
#include "core/analysis/roles/roles.h"

namespace hydra {

struct RoleIntervals {
  RoleMeasures low, high;  // number by number; undefined where fewer than two sentences have such a row
};

struct Interval {
  double low = kUndefined, high = kUndefined;
};

// by_sentence: the sums of one head, sentence by sentence; they are pooled. Of the positional share: at its offset.
RoleIntervals intervals_of(const std::vector<RoleSums>& by_sentence, const RelationOffsets& offsets = {});

}  // namespace hydra
