#include "core/linalg/matmul.h"

#include <cassert>

namespace hydra {

template <class S>
void multiply(MatIn<S> A, MatIn<S> B, MatOut<S> out) {
  assert(A.cols() == B.rows() && out.rows() == A.rows() && out.cols() == B.cols());
  out.noalias() = A * B;
}

template <class S>
void multiply_transposed(MatIn<S> A, MatIn<S> B, S scale, MatOut<S> out) {
  assert(A.cols() == B.cols() && out.rows() == A.rows() && out.cols() == B.rows());
  out.noalias() = scale * A * B.transpose();
}

template void multiply<float>(MatIn<float>, MatIn<float>, MatOut<float>);
template void multiply<double>(MatIn<double>, MatIn<double>, MatOut<double>);
template void multiply_transposed<float>(MatIn<float>, MatIn<float>, float, MatOut<float>);
template void multiply_transposed<double>(MatIn<double>, MatIn<double>, double, MatOut<double>);

}  // namespace hydra
