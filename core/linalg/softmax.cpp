#include "core/linalg/softmax.h"

#include <cassert>
#include <limits>

namespace hydra {

template <class S>
void softmax_rows(MatIn<S> scores, MatOut<S> out) {
  assert(scores.rows() == out.rows() && scores.cols() == out.cols());
  for (Index i = 0; i < scores.rows(); ++i) {
    const S top = scores.row(i).maxCoeff();                // pass 1: for stability only
    if (top == -std::numeric_limits<S>::infinity()) {
      out.row(i).setZero();
      continue;
    }
    out.row(i) = (scores.row(i).array() - top).exp();      // pass 2
    out.row(i) /= out.row(i).sum();                        // pass 3
  }
}

template void softmax_rows<float>(MatIn<float>, MatOut<float>);
template void softmax_rows<double>(MatIn<double>, MatOut<double>);

}  // namespace hydra
