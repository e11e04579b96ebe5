// What is left of an output when heads are silenced one after the other.
#pragma once
#include <cstdint>
#include <vector>

#include "core/linalg/types.h"

namespace hydra {

// What is left of Y when heads are silenced one after the other: ||sum of the silenced Z||_F / ||Y||_F, b_O stays. Only
// open heads can be silenced: one that writes nothing (Z_i = 0: its gate is 0, or its weights) is silent already.
struct Silencing {
  std::vector<int> order;      // the open heads; each next one is the one whose silencing changes Y least (greedy)
  std::vector<int> silent;     // the others, ascending
  std::vector<double> change;  // [open heads + 1] after k heads of the order; change[0] = 0
  // The same for heads in any order, after k heads: mean, and the tenth and ninetieth percentile, over all orders where
  // the sets of open heads can be gone through, else over some random ones.
  std::vector<double> random_mean, random_low, random_high;
  int random_orders = 0;  // 0: all
};
inline constexpr int kRandomOrders = 64;
inline constexpr int kMostHeadsInAllOrders = 12;  // 4096 sets

// From the Gram matrix of the contributions alone; seed for the random orders.
Silencing silencing_of(const Mat<double>& gram, double output_norm, std::uint64_t seed);

}  // namespace hydra
