// The right factor of a product: numbers that stand in memory, or elsewhere in another type or order, which are
// converted piece by piece while the product is made and are not kept.
#pragma once
#include "core/linalg/array.h"

namespace hydra {

template <class S>
class Factor {
 public:
  Factor(const Array<S>& array)  // NOLINT(google-explicit-constructor): an array is one
      : elsewhere_(array.elsewhere()), rows_(array.rows()), cols_(array.cols()) {
    if (elsewhere_)
      row_ = array.first_row(), col_ = array.first_column();
    else
      stand(*array);
  }
  template <class Derived>
  Factor(const Eigen::MatrixBase<Derived>& values)  // NOLINT(google-explicit-constructor): and so is a matrix
      : rows_(values.rows()), cols_(values.cols()) {
    static_assert((Derived::Flags & Eigen::DirectAccessBit) != 0, "a temporary would be gone before the product");
    stand(values.derived());
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index size() const { return rows_ * cols_; }
  Factor block(Index row, Index rows, Index col, Index cols) const {
    Factor part = *this;
    part.rows_ = rows, part.cols_ = cols, part.row_ += row, part.col_ += col;
    if (first_) part.first_ += row * stride_ + col;
    return part;
  }
  Factor columns(Index first, Index count) const { return block(0, rows_, first, count); }
  Factor row_block(Index first, Index count) const { return block(first, count, 0, cols_); }

  // Null, and the numbers stand in values(); or where they are.
  const Elsewhere<S>* elsewhere() const { return elsewhere_; }
  // There the block has so many lines from the first on, and of each so many numbers from `from` on.
  struct Lines {
    Index first, count, from, length;
  };
  Lines lines() const {
    return elsewhere_->is_transposed() ? Lines{col_, cols_, row_, rows_} : Lines{row_, rows_, col_, cols_};
  }
  Eigen::Map<const Mat<S>, 0, Eigen::OuterStride<>> values() const {
    return {first_, rows_, cols_, Eigen::OuterStride<>(stride_)};
  }

 private:
  void stand(MatIn<S> values) { first_ = values.data(), stride_ = values.outerStride(); }

  const Elsewhere<S>* elsewhere_ = nullptr;
  const S* first_ = nullptr;
  Index row_ = 0, col_ = 0, rows_, cols_, stride_ = 0;
};

}  // namespace hydra
