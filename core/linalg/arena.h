// Room for arrays that are made together: small ones stand side by side in a few blocks of memory instead of in two
// allocations each, and a block goes when the last of them does.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include "core/linalg/array.h"

namespace hydra {

// An array in the making, to be filled by whoever has it; none by default.
template <class S>
class Fresh {
 public:
  using Values = Eigen::Map<Mat<S>, Eigen::Unaligned, Eigen::OuterStride<>>;
  Fresh() = default;
  Fresh(S* first, Index cols) : first_(first), cols_(cols) {}
  explicit operator bool() const { return first_ != nullptr; }
  Index cols() const { return cols_; }
  S* data() const { return first_; }  // row after row
  Values rows(Index row, Index count) const {
    return Values(first_ + row * cols_, count, cols_, Eigen::OuterStride<>(cols_));
  }

 private:
  S* first_ = nullptr;
  Index cols_ = 0;
};

template <class S>
class Arena {
 public:
  // Puts an array of that size into the slot. Its values are not set.
  Fresh<S> make(Array<S>& slot, Stamp stamp, Index rows, Index cols) {
    const auto count = static_cast<std::size_t>(rows * cols);
    if (count >= kLarge) {
      const std::shared_ptr<S> own = allocate(count);
      put(slot, {own, count * sizeof(S)}, own.get(), rows, cols, stamp);
      return {own.get(), cols};
    }
    if (block_size_ - taken_ < count) {
      block_size_ = std::clamp(4 * block_size_, std::max(kFirst, count), kLargest);
      block_ = allocate(block_size_);
      taken_ = 0;
    }
    S* first = block_.get() + taken_;
    taken_ = std::min(block_size_, taken_ + (count + kAligned - 1) / kAligned * kAligned);
    put(slot, {block_, block_size_ * sizeof(S)}, first, rows, cols, stamp);
    return {first, cols};
  }

 private:
  // In values. A large array has a block of its own, so that one that is shared for long pins no others.
  static constexpr std::size_t kAligned = 64 / sizeof(S);
  static constexpr std::size_t kFirst = (32u << 10) / sizeof(S), kLarge = (128u << 10) / sizeof(S),
                               kLargest = (1u << 20) / sizeof(S);

  // In the slot's place: of most what stands there is nothing, and assigning would move an array of many fields.
  static void put(Array<S>& slot, typename Array<S>::Owner owner, S* first, Index rows, Index cols, Stamp stamp) {
    std::destroy_at(&slot);
    std::construct_at(&slot, std::move(owner), first, rows, cols, cols, stamp);
  }

  static std::shared_ptr<S> allocate(std::size_t count) {
    constexpr std::align_val_t aligned{64};
    S* values = static_cast<S*>(::operator new(std::max<std::size_t>(count, 1) * sizeof(S), aligned));
    return {values, [](S* freed) { ::operator delete(freed, aligned); }};
  }

  std::shared_ptr<S> block_;
  std::size_t block_size_ = 0, taken_ = 0;
};

}  // namespace hydra
