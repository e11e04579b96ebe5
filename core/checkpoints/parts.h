// The arrays of a model's file as the weights that they are here: row vectors times W, so that what nn.Linear stores
// (out, in) is transposed.
#pragma once
#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "core/checkpoints/stored.h"
#include "core/tensors/tensor.h"
#include "core/weights/weights.h"

namespace hydra {

// What is missing and what was not read is collected, so that one sentence names it all.
class Parts {
 public:
  using Names = std::initializer_list<std::string>;  // of one array; the first that is there counts

  // prefix: what the names of the file begin with, where they do, "transformer.".
  Parts(const TensorFile& file, std::initializer_list<std::string_view> prefixes);

  const TensorFile& file() const { return file_; }
  bool has(const std::string& name) const { return file_.find(full(name)) != nullptr; }
  // Null where it is missing, which is noted unless it may be.
  const Tensor* find(Names names, bool needed = true);
  // How many numbered parts there are: of "h." those with h.0., h.1., ...
  Index count(const std::string& before) const;

  // Of rows x cols once it is as it is used here. Zeros where it is missing. Throws where it has another shape. Nothing
  // of it is read before somebody looks at it, and it stays in the mapped file where its numbers can be used as they
  // stand there: floats, in the order that is asked for. Told apart by nothing yet (with_part_stamps).
  Array<float> array(Names names, Index rows, Index cols, Stored stored);
  // The same of so many blocks of rows x cols, (heads, rows, cols) in the file: side by side, or as they stand.
  Array<float> side_by_side(Names names, Index heads, Index rows, Index cols);
  Array<float> one_below_another(Names names, Index heads, Index rows, Index cols);
  Mat<float> row(Names names, Index size);
  // A bias; null where there is none.
  Array<float> bias(Quantity quantity, Names names, Index size);
  // Not needed here: buffers and masks. An ending of names.
  void skip(std::string_view ending) { skipped_.emplace_back(ending); }
  // Not of what is computed here: those whose names begin so, behind the prefix or without it. Gives the names.
  std::vector<std::string> leave_out(std::string_view beginning);

  // Throws UnreadModel where arrays are missing, or there are some that nobody has read: five of them by name.
  void finish() const;
  [[noreturn]] void fail(const Tensor& tensor, const std::string& what) const;

 private:
  std::string full(const std::string& name) const { return prefix_ + name; }
  void check_shape(const Tensor& tensor, const std::vector<Index>& shape) const;
  Array<float> read_later(const Tensor& tensor, Index rows, Index cols, Stored stored) const;

  const TensorFile& file_;
  std::string prefix_;
  std::vector<std::string> missing_, skipped_;
  std::set<std::string, std::less<>> read_;
};

// All numbers of it, in row-major order, as rows x cols.
Mat<float> numbers_of(const Tensor& tensor, Index rows, Index cols);
// Values that are made of others when somebody looks at them.
Array<float> made_later(Index rows, Index cols, std::function<void(Mat<float>&)> make);
// Columns of others' values, which are not read for it before somebody looks at them: of every head's `width` columns
// of all, which is a multiple of parts, the part counted from 0.
Array<float> part_of_heads(const Array<float>& all, Index heads, Index parts, Index part);

}  // namespace hydra
