#include "core/document/edits/blocks.h"

#include <cassert>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/document/model.h"
#include "core/error.h"
#include "core/files/mapped_file.h"
#include "core/linalg/same_bits.h"

namespace hydra {

namespace {

void check_block(const SetBlock& edit, Index rows, Index cols) {
  assert(edit.values && edit.values->size() > 0);
  const MatView<float> values = *edit.values;
  if (edit.row < 0 || edit.col < 0 || edit.row + values.rows() > rows || edit.col + values.cols() > cols)
    throw InputError(at_cell(edit.quantity, edit.row, edit.col) + " lies outside of the " + std::to_string(rows) +
                     " x " + std::to_string(cols) + " numbers of " + entry_of(edit.quantity).key);
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      if (!std::isfinite(values(i, j)))
        throw InputError(at_cell(edit.quantity, edit.row + i, edit.col + j) + " must be a finite number");
}

Array<float> with_block(const Array<float>& matrix, const SetBlock& edit) {
  return with_block(matrix, edit.row, edit.col, *edit.values);
}

// Embeddings from a seed stay so: the cells set by hand are kept in a list of their own. A cell that has its value
// already enters no list.
void edit_seeded(Document& document, const SetBlock& edit) {
  const MatView<float> values = *edit.values;
  const Mat<float> seeded = seeded_rows(document, edit.row, values.rows());
  const auto before = [](const CellValue& a, const CellValue& b) {
    return a.row != b.row ? a.row < b.row : a.col < b.col;
  };
  const std::vector<CellValue>& old = document.embedding.edits;
  std::vector<CellValue> merged;
  auto next = old.begin();
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) {
      const CellValue cell{edit.row + i, edit.col + j, values(i, j)};
      for (; next != old.end() && before(*next, cell); ++next) merged.push_back(*next);
      const bool listed = next != old.end() && next->row == cell.row && next->col == cell.col;
      if (listed) ++next;
      if (listed || cell.value != seeded(i, cell.col)) merged.push_back(cell);
    }
  }
  merged.insert(merged.end(), next, old.end());
  document.embedding.edits = std::move(merged);
}

// The edit as slices let it be: weights that they do not read stay as they are stored under a 0.
SetBlock within_slices(const SetBlock& edit, MatIn<float> stored, Index d_k) {
  Mat<float> values = *edit.values;
  bool any_read = false;
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) {
      const Index row = edit.row + i, col = edit.col + j;
      const bool read = reads(Split::slice, d_k, row, col);
      any_read |= read;
      if (read) continue;
      if (values(i, j) != 0 && values(i, j) != stored(row, col))
        throw InputError(at_cell(edit.quantity, row, col) + " does not count while head " +
                         std::to_string(col / d_k + 1) + " reads only its slice of X; let each head see the whole " +
                         "embedding to change it");
      values(i, j) = stored(row, col);
    }
  }
  if (!any_read)
    throw InputError(at_cell(edit.quantity, edit.row, edit.col) +
                     " does not count while each head reads only its slice of X; let each head see the whole embedding "
                     "to change it");
  return {edit.quantity, edit.row, edit.col, share(std::move(values))};
}

// A bias that is not there yet begins as zeros.
void edit_bias(Array<float>& bias, const SetBlock& edit, Index width) {
  check_block(edit, 1, width);
  if (!bias) bias = make_weight(edit.quantity, Mat<float>::Zero(1, width));
  bias = with_block(bias, edit);
}

}  // namespace

namespace {

// Of a large matrix a copy that shares with it what is not changed.
std::optional<Array<float>> shared_copy(const Array<float>& matrix, Index row, Index col, MatIn<float> values) {
  constexpr Index kLarge = 1 << 16, kSmallPart = 8;
  if (matrix.size() < kLarge || values.size() > matrix.size() / kSmallPart) return std::nullopt;
  const auto whole = *matrix;
  const Index stride = whole.outerStride();
  const auto bytes = [](Index numbers) { return static_cast<std::size_t>(numbers) * sizeof(float); };
  std::vector<ByteRange> changed;
  for (Index i = 0; i < values.rows(); ++i) changed.push_back({bytes((row + i) * stride + col), bytes(values.cols())});
  const std::size_t size = bytes((matrix.rows() - 1) * stride + matrix.cols());
  const auto copy = copy_to_change({reinterpret_cast<const std::byte*>(whole.data()), size}, changed);
  if (!copy) return std::nullopt;
  auto* const first = reinterpret_cast<float*>(copy->first);
  Eigen::Map<Mat<float>, Eigen::Unaligned, Eigen::OuterStride<>>(first + row * stride + col, values.rows(),
                                                                 values.cols(), Eigen::OuterStride<>(stride)) = values;
  return Array<float>({copy->owner, copy->own}, first, matrix.rows(), matrix.cols(), stride, new_stamp());
}

}  // namespace

Array<float> with_block(const Array<float>& matrix, Index row, Index col, MatIn<float> values) {
  const Index rows = values.rows(), cols = values.cols();
  if (same_bits<float>(matrix->block(row, col, rows, cols), values)) return matrix;
  if (const auto shared = shared_copy(matrix, row, col, values))
    return replaced_block(matrix, *shared, row, col, rows, cols);
  Mat<float> changed = *matrix;
  changed.block(row, col, rows, cols) = values;
  return replaced_block(matrix, std::move(changed), row, col, rows, cols);
}

void change_model(Document& document, const SetBlock& edit) {
  check_has(document, edit.quantity);
  const ModelWidths widths = widths_of(document);
  Array<float>& values = *field_of(document.weights, edit.quantity);
  if (is_bias(edit.quantity)) return edit_bias(values, edit, widths.cols(edit.quantity));
  check_block(edit, widths.rows(edit.quantity), widths.cols(edit.quantity));
  values = with_block(values, edit);
}

void change(Document& document, Layer& layer, const SetBlock& edit) {
  AttentionWeights<float>& weights = layer.weights;
  const Index d_model = document.d_model;
  if (edit.quantity == Quantity::X) {
    check_block(edit, static_cast<Index>(tokens_of(document).size()), d_model);
    if (document.embedding.kind != Embedding::Kind::explicit_values) return edit_seeded(document, edit);
    document.embedding.X = with_block(document.embedding.X, edit);
    return;
  }
  check_has(layer, edit.quantity);
  const LayerWidths widths = layer.widths(d_model);
  if (is_bias(edit.quantity)) {
    edit_bias(*field_of(weights, edit.quantity), edit, widths.cols(edit.quantity));
  } else {
    check_block(edit, widths.rows(edit.quantity), widths.cols(edit.quantity));
    Array<float>& matrix = *field_of(weights, edit.quantity);
    if (layer.split == Split::slice && is_projection_weight(edit.quantity))
      matrix = with_block(matrix, within_slices(edit, *matrix, layer.d_k(d_model)));
    else
      matrix = with_block(matrix, edit);
  }
}

}  // namespace hydra
