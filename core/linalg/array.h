// Finished values: a matrix, a bias (of one row), a head's block of a matrix. They never change after they are made, so
// documents and traces share them.
#pragma once
#include <cassert>
#include <memory>
#include <utility>
#include <vector>

#include "core/linalg/stamp.h"
#include "core/linalg/types.h"

namespace hydra {

template <class S>
class Array {
 public:
  using View = Eigen::Map<const Mat<S>, Eigen::Unaligned, Eigen::OuterStride<>>;

  using Stamps = std::shared_ptr<const std::vector<Stamp>>;

  Array() = default;
  Array(std::nullptr_t) {}  // NOLINT(google-explicit-constructor): nullptr, no array
  // What keeps values alive: so many bytes, which go when the last array of them does.
  struct Owner {
    std::shared_ptr<const void> values;
    std::size_t bytes = 0;
    bool operator==(const Owner& other) const { return values == other.values; }
  };
  // Rows of cols values of the owner's, each stride after the one before.
  Array(Owner owner, const S* first, Index rows, Index cols, Index stride, Stamp stamp)
      : owner_(std::move(owner)), first_(first), rows_(rows), cols_(cols), stride_(stride), stamp_(stamp) {}
  Array(std::shared_ptr<const Mat<S>> matrix, Stamp stamp)
      : first_(matrix->data()), rows_(matrix->rows()), cols_(matrix->cols()), stride_(cols_), stamp_(stamp) {
    owner_ = {std::move(matrix), static_cast<std::size_t>(size()) * sizeof(S)};
  }
  // Values that are known by their stamp only: not kept.
  static Array dropped(Stamp stamp) {
    Array array;
    array.stamp_ = stamp;
    return array;
  }

  explicit operator bool() const { return owner_.values != nullptr; }  // whether the values are there
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index size() const { return rows_ * cols_; }
  View operator*() const {
    assert(owner_.values);
    return View(first_, rows_, cols_, Eigen::OuterStride<>(stride_));
  }
  struct Arrow {
    View view;
    const View* operator->() const { return &view; }
  };
  Arrow operator->() const { return {**this}; }

  Stamp stamp() const { return stamp_; }
  bool operator==(const Array& other) const { return stamp_ == other.stamp_; }
  const Owner& owner() const { return owner_; }  // equal for arrays of which one is a block of the other

  // Blocks of whole columns and whole rows, without a copy. Where an array tells its columns, or rows, apart (below),
  // the block's stamp is of its own ones only: it is the same when others were changed.
  Array columns(Index first, Index count) const {
    return count == cols_ ? *this
                          : Array(owner_, first_ + first, rows_, count, stride_, stamp_of_columns(first, count));
  }
  Array row_block(Index first, Index count) const {
    return count == rows_ ? *this
                          : Array(owner_, first_ + first * stride_, count, cols_, stride_, stamp_of_rows(first, count));
  }
  Stamp stamp_of_columns(Index first, Index count) const {
    return count == cols_ ? stamp_ : block_stamp(Key("columns"), first, count, column_stamps_);
  }
  Stamp stamp_of_rows(Index first, Index count) const {
    return count == rows_ ? stamp_ : block_stamp(Key("rows"), first, count, row_stamps_);
  }

  // Tells columns, or rows, apart: each has a stamp of its own.
  Array with_column_stamps(Stamps stamps) const {
    Array array = *this;
    array.column_stamps_ = std::move(stamps);
    return array;
  }
  Array with_row_stamps(Stamps stamps) const {
    Array array = *this;
    array.row_stamps_ = std::move(stamps);
    return array;
  }
  const Stamps& column_stamps() const { return column_stamps_; }
  const Stamps& row_stamps() const { return row_stamps_; }

 private:
  Stamp block_stamp(Key key, Index first, Index count, const Stamps& stamps) const {
    assert(first >= 0 && count >= 0);
    if (!stamps) return (key << stamp_ << first << count).stamp();
    for (Index k = first; k < first + count; ++k) key << (*stamps)[static_cast<std::size_t>(k)];
    return key.stamp();
  }

  Owner owner_;
  const S* first_ = nullptr;
  Index rows_ = 0, cols_ = 0, stride_ = 0;
  Stamp stamp_;
  Stamps column_stamps_, row_stamps_;
};

template <class S>
Array<S> share(Mat<S> values, Stamp stamp = new_stamp()) {
  return Array<S>(std::make_shared<const Mat<S>>(std::move(values)), stamp);
}
template <class S>
Array<S> share(RowVec<S> values, Stamp stamp = new_stamp()) {
  return share(Mat<S>(std::move(values)), stamp);
}

// Values whose columns, or rows, are told apart: by these stamps, or all as new.
template <class S>
Array<S> share_columns(Mat<S> values, std::vector<Stamp> stamps) {
  assert(static_cast<Index>(stamps.size()) == values.cols());
  Key key("columns");
  for (const Stamp stamp : stamps) key << stamp;
  return share(std::move(values), key.stamp())
      .with_column_stamps(std::make_shared<const std::vector<Stamp>>(std::move(stamps)));
}
template <class S>
Array<S> share_columns(Mat<S> values) {
  const Index cols = values.cols();
  return share_columns(std::move(values), new_stamps(cols));
}
template <class S>
Array<S> share_rows(Mat<S> values) {
  auto stamps = std::make_shared<const std::vector<Stamp>>(new_stamps(values.rows()));
  return share(std::move(values)).with_row_stamps(std::move(stamps));
}
// Values that differ from the old ones, of the same size, in a block only.
template <class S>
Array<S> replaced_block(const Array<S>& old, Mat<S> values, Index row, Index col, Index rows, Index cols) {
  const auto renewed = [](const typename Array<S>::Stamps& stamps, Index first, Index count) {
    if (!stamps) return stamps;
    auto changed = std::make_shared<std::vector<Stamp>>(*stamps);
    for (Index k = first; k < first + count; ++k) (*changed)[static_cast<std::size_t>(k)] = new_stamp();
    return typename Array<S>::Stamps(std::move(changed));
  };
  assert(values.rows() == old.rows() && values.cols() == old.cols());
  return share(std::move(values))
      .with_column_stamps(renewed(old.column_stamps(), col, cols))
      .with_row_stamps(renewed(old.row_stamps(), row, rows));
}

}  // namespace hydra
