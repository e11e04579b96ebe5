// Matrix aliases. Token matrices are [n x d], a token is a row, so everything is row-major: a token is contiguous, as
// in NumPy, PyTorch and a GL texture; a head is a block of columns with inner stride 1.
#pragma once
#include <Eigen/Core>
#include <cstdint>

namespace hydra {

using Index = Eigen::Index;

template <class S>
using Mat = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class S>
using RowVec = Eigen::Matrix<S, 1, Eigen::Dynamic>;

// Arguments: any row-major matrix, block or map, without a copy (a transpose would copy; kernels transpose inside).
template <class S>
using MatView = Eigen::Ref<const Mat<S>, 0, Eigen::OuterStride<>>;
template <class S>
using MatIn = const MatView<S>&;
template <class S>
using MatOut = Eigen::Ref<Mat<S>, 0, Eigen::OuterStride<>>;

}  // namespace hydra
