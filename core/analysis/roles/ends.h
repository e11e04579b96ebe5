// Heads of width one: a score q k is largest where k is, or smallest, whatever q is.
#pragma once
#include "core/model/mask.h"

namespace hydra {

struct Ends {
  Index queries = 0;                  // that see three keys or more and do not give all the same
  Index at_end = 0;                   // of them: the most to a key with the largest or the smallest k that they see
  Index largest = -1, smallest = -1;  // the keys with those k, where it is the same one for every query; else -1
};
// k [n x 1], attention [n x n].
Ends ends_of(MatIn<float> k, MatIn<float> attention, const Mask& mask);

}  // namespace hydra
