// What runs a plan, compiled from one source (set.cpp) for every instruction set, as the kernels of products are
// (linalg/kernels/kernels.h); and the same in double, for tests. A register's lanes are sequences: 4, 8 or 16 of them.
//
// What a number's bits depend on: sums run in one order, whatever else is computed; gradients of a weight are summed
// over rows, then over a group's lanes, then over groups. So they depend on how many lanes there are, never on threads.
#pragma once
#include "core/lanes/plan.h"

namespace hydra::lanes {

// p = (1 - rate decay) p - rate m' / (sqrt(v') + epsilon), m' and v' being the moments of clip times the gradient,
// divided by correction = 1 - beta^t. (Kingma and Ba 2015, algorithm 1; the decay: Loshchilov and Hutter 2019,
// algorithm 2.)
struct AdamStep {
  double rate, beta_1, beta_2, correction_1, correction_2, epsilon, decay, clip;
};

template <class S>
struct Set {
  const char* name;
  int lanes;
  // Forward, and back where the group has room for gradients.
  void (*run)(const Plan&, const Group<S>&);
  // sum = the groups' gradients, [groups x parameters] `stride` apart, from the parameter `first` on to before `end`;
  // returns the sum of their squares, which loses little where these are few.
  double (*gather)(const S* gradients, Size groups, Size stride, Size first, Size end, S* sum);
  // Of the parameters from first on, `count` of them.
  void (*adam)(const AdamStep&, Size first, Size count, const S* g, S* m, S* v, S* p);
  void (*momentum)(double rate, double momentum, double clip, Size first, Size count, const S* g, S* v, S* p);
};

const Set<float>& named(const char* name);  // of the sets that linalg/kernels has
const Set<float>& chosen();                 // the one that it chose
const Set<double>& reference();             // two lanes of doubles, plain

}  // namespace hydra::lanes
