// Finished values: a matrix, a bias (of one row), a head's block of a matrix. They never change after they are made, so
// documents and traces share them.
#pragma once
#include <algorithm>
#include <cassert>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/linalg/stamp.h"
#include "core/linalg/types.h"
#include "core/work/once.h"

namespace hydra {

// Where a matrix stands in another type, or transposed, for products that convert it as they go (factor.h). Its lines
// are rows there: of the matrix, or, where it is transposed, its columns.
template <class S>
class Elsewhere {
 public:
  virtual ~Elsewhere() = default;
  virtual bool is_transposed() const = 0;
  virtual Index length() const = 0;  // of a line
  // out [lines x count] = the numbers first .. first + count of the lines from that one on.
  virtual void convert(Index line, Index first, MatOut<S> out) const = 0;
  // Where they need no converting: the first of the lines, which follow each other without gaps. Else null.
  virtual const S* lines() const = 0;
};

// Values that are there when somebody first looks at them.
template <class S>
class ToCome {
 public:
  ToCome(Index rows, Index cols) : rows_(rows), cols_(cols) {}
  virtual ~ToCome() = default;
  ToCome(const ToCome&) = delete;
  ToCome& operator=(const ToCome&) = delete;
  // Where the values stand, in rows of cols without gaps, of which these rows are there now. Whichever thread comes
  // first gets them, once; throws what getting them throws, and is as before then.
  virtual const S* with_rows(Index first, Index count) const = 0;
  virtual bool has_rows(Index first, Index count) const = 0;
  // Null: products read the values here.
  virtual const Elsewhere<S>* elsewhere() const { return nullptr; }
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }

 private:
  Index rows_, cols_;
};

// All at once: of a file, where most may never be looked at.
template <class S>
class ReadLater final : public ToCome<S> {
 public:
  // Gives where the values stand. It may write them into the matrix, which is empty and stays, or know of a place that
  // lives as long as itself.
  using Read = std::function<const S*(Mat<S>&)>;
  ReadLater(Index rows, Index cols, Read read) : ToCome<S>(rows, cols), read_(std::move(read)) {}
  const S* with_rows(Index, Index) const override {
    once_.run([&] {
      values_ = read_(matrix_);
      if (matrix_.size() > 0) read_ = nullptr;  // with what it kept
    });
    return values_;
  }
  bool has_rows(Index, Index) const override { return once_.is_done(); }

 private:
  mutable Read read_;
  mutable Once once_;
  mutable Mat<S> matrix_;
  mutable const S* values_ = nullptr;
};

// Some rows at a time: of what is computed, where few rows may ever be looked at. Rows that are not take no memory
// where the system gives it by the page.
template <class S>
class RowsLater final : public ToCome<S> {
 public:
  static constexpr Index kTogether = 8;  // what is read for one row is read for as many
  using Compute = std::function<void(Index first, MatOut<S> rows)>;
  RowsLater(Index rows, Index cols, Compute compute)
      : ToCome<S>(rows, cols),
        compute_(std::move(compute)),
        values_(new S[static_cast<std::size_t>(rows * cols)]),  // not set to 0: that would touch its pages
        blocks_(std::make_unique<Once[]>(static_cast<std::size_t>((rows + kTogether - 1) / kTogether))) {}
  const S* with_rows(Index first, Index count) const override {
    make_rows(first, count, compute_);
    return values_.get();
  }
  // Those of them that are not there, made in another way to the same bits: by who has threads for it.
  void make_rows(Index first, Index count, const Compute& compute) const {
    for (Index k = first / kTogether; k * kTogether < first + count; ++k)
      blocks_[static_cast<std::size_t>(k)].run([&] {
        const Index row = k * kTogether, rows = std::min(kTogether, this->rows() - row);
        compute(row, Eigen::Map<Mat<S>>(values_.get() + row * this->cols(), rows, this->cols()));
      });
  }
  bool has_rows(Index first, Index count) const override {
    for (Index k = first / kTogether; k * kTogether < first + count; ++k)
      if (!blocks_[static_cast<std::size_t>(k)].is_done()) return false;
    return true;
  }

 private:
  Compute compute_;
  std::unique_ptr<S[]> values_;
  std::unique_ptr<Once[]> blocks_;
};

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
  Array(std::shared_ptr<const ToCome<S>> later, Stamp stamp)
      : later_(later.get()), rows_(later->rows()), cols_(later->cols()), stride_(cols_), stamp_(stamp) {
    owner_ = {std::move(later), static_cast<std::size_t>(size()) * sizeof(S)};
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
  View operator*() const { return rows(0, rows_); }
  // Some rows, of which alone the values need be there.
  View rows(Index first, Index count) const {
    assert(owner_.values && first >= 0 && count >= 0 && first + count <= rows_);
    const S* values = first_;
    if (later_) values = later_->with_rows(first_row() + first, count) + from_;
    return View(values + first * stride_, count, cols_, Eigen::OuterStride<>(stride_));
  }
  View row(Index row) const { return rows(row, 1); }
  S operator()(Index row, Index col) const { return rows(row, 1)(0, col); }
  // Whether looking at the values reads, or computes, nothing.
  bool is_read() const { return !later_ || later_->has_rows(first_row(), rows_); }
  // For products, of values that are better converted again than kept: where, from the row and column on at which this
  // block begins. Else null.
  const Elsewhere<S>* elsewhere() const { return later_ ? later_->elsewhere() : nullptr; }
  Index first_row() const { return stride_ > 0 ? from_ / stride_ : 0; }  // in what is to come
  Index first_column() const { return stride_ > 0 ? from_ % stride_ : 0; }
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
    return count == cols_ ? *this : block(first, rows_, count, stamp_of_columns(first, count));
  }
  Array row_block(Index first, Index count) const {
    return count == rows_ ? *this : block(first * stride_, count, cols_, stamp_of_rows(first, count));
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
  // The block that begins so many values behind the first.
  Array block(Index from, Index rows, Index cols, Stamp stamp) const {
    Array array(owner_, later_ ? nullptr : first_ + from, rows, cols, stride_, stamp);
    array.later_ = later_, array.from_ = from_ + from;
    return array;
  }
  Stamp block_stamp(Key key, Index first, Index count, const Stamps& stamps) const {
    assert(first >= 0 && count >= 0);
    if (!stamps) return (key << stamp_ << first << count).stamp();
    for (Index k = first; k < first + count; ++k) key << (*stamps)[static_cast<std::size_t>(k)];
    return key.stamp();
  }

  Owner owner_;
  const ToCome<S>* later_ = nullptr;  // the owner's
  Index from_ = 0;                    // of its values the first
  const S* first_ = nullptr;          // where they are there
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
Array<S> replaced_block(const Array<S>& old, const Array<S>& values, Index row, Index col, Index rows, Index cols) {
  const auto renewed = [](const typename Array<S>::Stamps& stamps, Index first, Index count) {
    if (!stamps) return stamps;
    auto changed = std::make_shared<std::vector<Stamp>>(*stamps);
    for (Index k = first; k < first + count; ++k) (*changed)[static_cast<std::size_t>(k)] = new_stamp();
    return typename Array<S>::Stamps(std::move(changed));
  };
  assert(values.rows() == old.rows() && values.cols() == old.cols());
  return values.with_column_stamps(renewed(old.column_stamps(), col, cols))
      .with_row_stamps(renewed(old.row_stamps(), row, rows));
}
template <class S>
Array<S> replaced_block(const Array<S>& old, Mat<S> values, Index row, Index col, Index rows, Index cols) {
  return replaced_block(old, share(std::move(values)), row, col, rows, cols);
}

}  // namespace hydra
