#include "core/checkpoints/parts.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/tensors/numbers.h"

namespace hydra {

namespace {

constexpr std::size_t kMostNamed = 5;

Array<float> later(Index rows, Index cols, ReadLater<float>::Read read) {
  return {std::make_shared<const ReadLater<float>>(rows, cols, std::move(read)), new_stamp()};
}

bool is_little_endian_in_rows(const Tensor& tensor) { return tensor.strides.empty() && !tensor.big_endian; }
bool can_stay(const Tensor& tensor) {
  return tensor.type == NumberType::f32 && is_little_endian_in_rows(tensor) &&
         std::endian::native == std::endian::little &&
         reinterpret_cast<std::uintptr_t>(tensor.bytes.data()) % alignof(float) == 0;
}

// A large model's: products convert its numbers as they go. Whoever looks at rows has them kept as well.
class ConvertedAnew final : public ToCome<float>, public Elsewhere<float> {
 public:
  ConvertedAnew(std::unique_ptr<const ToCome<float>> looked_at, std::shared_ptr<const void> file, Tensor tensor,
                Stored stored)
      : ToCome<float>(looked_at->rows(), looked_at->cols()),
        looked_at_(std::move(looked_at)),
        file_(std::move(file)),
        tensor_(std::move(tensor)),
        transposed_(stored == Stored::transposed) {}
  const float* with_rows(Index first, Index count) const override { return looked_at_->with_rows(first, count); }
  bool has_rows(Index first, Index count) const override { return looked_at_->has_rows(first, count); }
  const Elsewhere<float>* elsewhere() const override { return this; }

  bool is_transposed() const override { return transposed_; }
  Index length() const override { return transposed_ ? rows() : cols(); }
  void convert(Index line, Index first, MatOut<float> out) const override {
    for (Index k = 0; k < out.rows(); ++k)
      to_floats(tensor_, (line + k) * length() + first, {out.row(k).data(), static_cast<std::size_t>(out.cols())});
  }
  const float* lines() const override {
    return can_stay(tensor_) ? reinterpret_cast<const float*>(tensor_.bytes.data()) : nullptr;
  }

 private:
  std::unique_ptr<const ToCome<float>> looked_at_;
  std::shared_ptr<const void> file_;
  Tensor tensor_;
  bool transposed_;
};

// Of a tensor of cols x rows: by some of its rows at a time.
Mat<float> transposed(const Tensor& tensor, Index rows, Index cols) {
  constexpr Index kAtOnce = 32;
  Mat<float> numbers(rows, cols), some(kAtOnce, rows);
  for (Index first = 0; first < cols; first += kAtOnce) {
    const Index count = std::min(kAtOnce, cols - first);
    to_floats(tensor, first * rows, {some.data(), static_cast<std::size_t>(count * rows)});
    numbers.middleCols(first, count) = some.topRows(count).transpose();
  }
  return numbers;
}

}  // namespace

std::string listed_names(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t k = 0; k < std::min(names.size(), kMostNamed); ++k)
    list += (k > 0 ? ", " : "") + std::string("“") + printable(names[k], 80) + "”";
  return names.size() > kMostNamed ? list + " and " + std::to_string(names.size() - kMostNamed) + " more" : list;
}

Mat<float> numbers_of(const Tensor& tensor, Index rows, Index cols) {
  Mat<float> numbers(rows, cols);
  to_floats(tensor, 0, {numbers.data(), static_cast<std::size_t>(numbers.size())});
  return numbers;
}

Parts::Parts(const TensorFile& file, std::initializer_list<std::string_view> prefixes) : file_(file) {
  for (const std::string_view prefix : prefixes) {
    const bool found = std::ranges::any_of(
        file.tensors, [&](const Tensor& tensor) { return std::string_view(tensor.name).starts_with(prefix); });
    if (found && prefix_.empty()) prefix_ = prefix;
  }
}

void Parts::fail(const Tensor& tensor, const std::string& what) const {
  throw InputError(printable(file_.name, 200) + ": “" + printable(tensor.name, 120) + "” is " + in_words(tensor.shape) +
                   ", and of a model of these sizes it " + what);
}

const Tensor* Parts::find(Names names, bool needed) {
  for (const std::string& name : names)
    for (const std::string& tried : {full(name), name})
      if (const Tensor* tensor = file_.find(tried)) {
        read_.insert(tensor->name);
        return tensor;
      }
  if (needed) missing_.push_back(full(*names.begin()));
  return nullptr;
}

Index Parts::count(const std::string& before) const {
  const auto has_part = [&](Index k) {
    const std::string begin = full(before) + std::to_string(k) + ".";
    const auto at = std::ranges::lower_bound(file_.tensors, begin, {}, &Tensor::name);
    return at != file_.tensors.end() && at->name.starts_with(begin);
  };
  Index count = 0;
  while (has_part(count)) ++count;
  return count;
}

Array<float> Parts::array(Names names, Index rows, Index cols, Stored stored) {
  const Tensor* tensor = find(names);
  if (!tensor) return share(Mat<float>(Mat<float>::Zero(rows, cols)));
  check_shape(*tensor, stored == Stored::as_is ? std::vector{rows, cols} : std::vector{cols, rows});
  return read_later(*tensor, rows, cols, stored);
}

Array<float> Parts::read_later(const Tensor& of, Index rows, Index cols, Stored stored) const {
  std::unique_ptr<const ToCome<float>> looked_at;
  if (stored == Stored::as_is && can_stay(of)) {
    auto read = [owner = file_.owner, bytes = of.bytes](Mat<float>&) {
      return reinterpret_cast<const float*>(bytes.data());
    };
    looked_at = std::make_unique<const ReadLater<float>>(rows, cols, std::move(read));
  } else if (stored == Stored::as_is) {  // of a table of words the few rows that a sentence has
    auto read = [owner = file_.owner, tensor = of, cols](Index first, MatOut<float> some) {
      to_floats(tensor, first * cols, {some.data(), static_cast<std::size_t>(some.size())});
    };
    looked_at = std::make_unique<const RowsLater<float>>(rows, cols, std::move(read));
  } else {
    auto read = [owner = file_.owner, tensor = of, rows, cols](Mat<float>& numbers) {
      numbers = transposed(tensor, rows, cols);
      return static_cast<const float*>(numbers.data());
    };
    looked_at = std::make_unique<const ReadLater<float>>(rows, cols, std::move(read));
  }
  if (file_.is_large && is_little_endian_in_rows(of))
    return {std::make_shared<const ConvertedAnew>(std::move(looked_at), file_.owner, of, stored), new_stamp()};
  return {std::shared_ptr<const ToCome<float>>(std::move(looked_at)), new_stamp()};
}

Array<float> Parts::side_by_side(Names names, Index heads, Index rows, Index cols) {
  const Tensor* found = find(names);
  if (!found) return share(Mat<float>(Mat<float>::Zero(rows, heads * cols)));
  check_shape(*found, {heads, rows, cols});
  return later(rows, heads * cols, [=, owner = file_.owner, tensor = *found](Mat<float>& wide) {
    wide.resize(rows, heads * cols);
    Mat<float> block(rows, cols);
    for (Index h = 0; h < heads; ++h) {
      to_floats(tensor, h * block.size(), {block.data(), static_cast<std::size_t>(block.size())});
      wide.middleCols(h * cols, cols) = block;
    }
    return static_cast<const float*>(wide.data());
  });
}

Array<float> Parts::one_below_another(Names names, Index heads, Index rows, Index cols) {
  const Tensor* tensor = find(names);
  if (!tensor) return share(Mat<float>(Mat<float>::Zero(heads * rows, cols)));
  check_shape(*tensor, {heads, rows, cols});
  return read_later(*tensor, heads * rows, cols, Stored::as_is);
}

Array<float> made_later(Index rows, Index cols, std::function<void(Mat<float>&)> make) {
  return later(rows, cols, [make = std::move(make)](Mat<float>& made) {
    make(made);
    return static_cast<const float*>(made.data());
  });
}

Array<float> part_of_heads(const Array<float>& all, Index heads, Index parts, Index part) {
  const Index d_k = all.cols() / heads / parts, rows = all.rows();
  return later(rows, heads * d_k, [=](Mat<float>& picked) {
    picked.resize(rows, heads * d_k);
    for (Index h = 0; h < heads; ++h) picked.middleCols(h * d_k, d_k) = all->middleCols((parts * h + part) * d_k, d_k);
    return static_cast<const float*>(picked.data());
  });
}

void Parts::check_shape(const Tensor& tensor, const std::vector<Index>& shape) const {
  if (tensor.shape != shape) fail(tensor, "is " + in_words(shape));
}

Mat<float> Parts::row(Names names, Index size) {
  const Tensor* tensor = find(names);
  if (!tensor) return Mat<float>::Zero(1, size);
  if (count_of(*tensor) != size) fail(*tensor, "has " + std::to_string(size) + " numbers");
  return numbers_of(*tensor, 1, size);
}

Array<float> Parts::bias(Quantity quantity, Names names, Index size) {
  return find(names, false) ? make_weight(quantity, row(names, size)) : Array<float>();
}

std::vector<std::string> Parts::leave_out(std::string_view beginning) {
  std::vector<std::string> names;
  for (const Tensor& tensor : file_.tensors)
    if (tensor.name.starts_with(beginning) || tensor.name.starts_with(full(std::string(beginning))))
      names.push_back(tensor.name);
  read_.insert(names.begin(), names.end());
  return names;
}

void Parts::finish() const {
  if (!missing_.empty())
    throw UnreadModel(printable(file_.name, 200) + ": lacks " + listed_names(missing_) +
                      ", which a model of its kind has; the file may be of another kind, or only a part");
  std::vector<std::string> unread;
  for (const Tensor& tensor : file_.tensors) {
    const auto ends = [&](const std::string& ending) { return tensor.name.ends_with(ending); };
    if (!read_.contains(tensor.name) && std::ranges::none_of(skipped_, ends)) unread.push_back(tensor.name);
  }
  if (!unread.empty())
    throw UnreadModel(printable(file_.name, 200) + ": has " + listed_names(unread) +
                      ", of which nothing is known in a model of its kind; without them its numbers would be others");
}

}  // namespace hydra
