// Matrix aliases. Token matrices are [n x d], a token is a row, so everything is row-major: a token is contiguous, as
// in NumPy, PyTorch and a GL texture; a head is a block of columns with inner stride 1.
#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <memory>

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

// Finished values. They never change after they are made, so Documents and Traces share them, and "the same pointer"
// means "the same values".
template <class S>
using MatPtr = std::shared_ptr<const Mat<S>>;
template <class S>
using RowVecPtr = std::shared_ptr<const RowVec<S>>;

template <class S>
MatPtr<S> share(Mat<S> values) {
  return std::make_shared<const Mat<S>>(std::move(values));
}
template <class S>
RowVecPtr<S> share(RowVec<S> values) {
  return std::make_shared<const RowVec<S>>(std::move(values));
}

}  // namespace hydra
