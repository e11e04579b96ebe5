#include "core/document/edit.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/attention/config.h"
#include "core/error.h"
#include "core/linalg/same_bits.h"
#include "core/text/embedding.h"
#include "core/text/tokenizer.h"

namespace hydra {

namespace {

std::string at_cell(Parameter parameter, Index row, Index col) {
  if (parameter >= Parameter::b_Q) return std::string(name_of(parameter)) + "[" + std::to_string(col) + "]";
  return std::string(name_of(parameter)) + "[" + std::to_string(row) + ", " + std::to_string(col) + "]";
}

// --- SetSentence -----------------------------------------------------------------------------------------------------

bool stays(const std::vector<std::string>& before, const std::vector<std::string>& after, Index row) {
  const auto i = static_cast<std::size_t>(row);
  return i < before.size() && i < after.size() && before[i] == after[i];
}

MatPtr<float> rows_for(const Embedding& embedding, const std::vector<std::string>& before,
                       const std::vector<std::string>& after) {
  if (before == after) return embedding.X;
  const Index d_model = embedding.X->cols();
  Mat<float> X = hashed_embedding(after, d_model, embedding.seed);
  for (Index i = 0; i < X.rows(); ++i)
    if (stays(before, after, i)) X.row(i) = embedding.X->row(i);
  return share(std::move(X));
}

void change(Document& document, const SetSentence& edit) {
  check_sentence(edit.sentence);
  const std::vector<std::string> before = tokens_of(document);
  const std::vector<std::string> after = tokenize(edit.sentence);
  const auto n = static_cast<Index>(after.size());
  check_sizes(n, document.d_model, document.layers.front().heads);
  document.sentence = edit.sentence;
  document.tokens.reset();
  Embedding& embedding = document.embedding;
  if (embedding.kind == Embedding::Kind::explicit_values) embedding.X = rows_for(embedding, before, after);
  std::erase_if(embedding.edits, [&](const CellValue& cell) { return !stays(before, after, cell.row); });
  for (Layer& layer : document.layers) layer.mask = resized(layer.mask, n);
}

// --- the model -------------------------------------------------------------------------------------------------------

Index nearest_head_count(Index d_model, Index heads) {
  const std::vector<Index> counts = head_counts(d_model);
  return *std::min_element(counts.begin(), counts.end(),
                           [&](Index a, Index b) { return std::abs(a - heads) < std::abs(b - heads); });
}

void make_initial(Layer& layer, Index d_model, Init init, std::uint64_t seed) {
  layer.source = {WeightSource::Kind::random, init, seed};
  layer.weights = initial_weights(d_model, init, seed);
}

void make_hashed(Embedding& embedding, std::uint64_t seed) {
  embedding.kind = Embedding::Kind::hashed;
  embedding.seed = seed;
  embedding.edits.clear();
  embedding.X = nullptr;
}

void change(Document& document, const SetModelWidth& edit) {
  if (edit.d_model == document.d_model) return;
  check_sizes(1, edit.d_model, 1);
  document.d_model = edit.d_model;
  make_hashed(document.embedding, document.embedding.seed);
  for (Layer& layer : document.layers) {
    layer.heads = nearest_head_count(edit.d_model, layer.heads);
    make_initial(layer, edit.d_model, layer.source.init, layer.source.seed);
  }
}

void change(Document& document, const SetHeads& edit) {
  check_sizes(1, document.d_model, edit.heads);
  document.layers.front().heads = edit.heads;
}

void change(Document& document, const SetMask& edit) {
  Mask mask = edit.mask;
  if (mask.kind != Mask::Kind::custom) {
    mask.allowed = nullptr;
  } else {
    const auto n = static_cast<Index>(tokens_of(document).size());
    if (!mask.allowed || mask.allowed->rows() != n || mask.allowed->cols() != n)
      throw InputError("the mask must have a row and a column for each of the " + std::to_string(n) + " tokens");
    if (mask.allowed->maxCoeff() > 1)
      mask.allowed = share(Mat<std::uint8_t>((mask.allowed->array() != 0).cast<std::uint8_t>()));
  }
  document.layers.front().mask = std::move(mask);
}

void change(Document& document, const SetScale& edit) { document.layers.front().scale = edit.on; }

void change(Document& document, const SetTemperature& edit) {
  check_temperature(edit.temperature);
  document.layers.front().temperature = edit.temperature;
}

void change(Document& document, const SetPositions& edit) {
  if (document.embedding.kind == Embedding::Kind::explicit_values)
    throw InputError("X is given number by number; positions are added to hashed embeddings only");
  document.embedding.positions = edit.positions;
}

void change(Document& document, const SetEmbeddingSeed& edit) { make_hashed(document.embedding, edit.seed); }

void change(Document& document, const SetWeightSource& edit) {
  for (Layer& layer : document.layers) make_initial(layer, document.d_model, edit.init, edit.seed);
}

// --- SetBlock --------------------------------------------------------------------------------------------------------

void check_block(const SetBlock& edit, Index rows, Index cols) {
  assert(edit.values && edit.values->size() > 0);
  const Mat<float>& values = *edit.values;
  if (edit.row < 0 || edit.col < 0 || edit.row + values.rows() > rows || edit.col + values.cols() > cols)
    throw InputError(at_cell(edit.parameter, edit.row, edit.col) + " lies outside of the " + std::to_string(rows) +
                     " x " + std::to_string(cols) + " numbers of " + name_of(edit.parameter));
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      if (!std::isfinite(values(i, j)))
        throw InputError(at_cell(edit.parameter, edit.row + i, edit.col + j) + " must be a finite number");
}

// The matrix with the block placed in it; the same matrix when the block is there already.
template <class Matrix>
std::shared_ptr<const Matrix> with_block(const std::shared_ptr<const Matrix>& matrix, const SetBlock& edit) {
  const Mat<float>& values = *edit.values;
  const MatView<float> old = matrix->block(edit.row, edit.col, values.rows(), values.cols());
  if (same_bits<float>(old, values)) return matrix;
  Matrix changed = *matrix;
  changed.block(edit.row, edit.col, values.rows(), values.cols()) = values;
  return share(std::move(changed));
}

// Hashed embeddings stay hashed: the cells set by hand are kept in a list of their own. A cell that has its value
// already enters no list.
void edit_hashed(Document& document, const SetBlock& edit) {
  const std::vector<std::string> tokens = tokens_of(document);
  const auto first = tokens.begin() + edit.row;
  const Mat<float>& values = *edit.values;
  Mat<float> seeded = hashed_embedding({first, first + values.rows()}, document.d_model, document.embedding.seed);
  if (document.embedding.positions == Embedding::Positions::sinusoidal)
    seeded += sinusoidal_positions(edit.row + values.rows(), document.d_model).bottomRows(values.rows());

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

void edit_bias(RowVecPtr<float>& bias, const SetBlock& edit, Index d_model) {
  check_block(edit, 1, d_model);
  if (!bias) bias = share(RowVec<float>(RowVec<float>::Zero(d_model)));
  bias = with_block(bias, edit);
}

void change(Document& document, const SetBlock& edit) {
  AttentionWeights<float>& weights = document.layers.front().weights;
  const Index d_model = document.d_model;
  if (edit.parameter == Parameter::X) {
    check_block(edit, static_cast<Index>(tokens_of(document).size()), d_model);
    if (document.embedding.kind == Embedding::Kind::hashed) return edit_hashed(document, edit);
    document.embedding.X = with_block(document.embedding.X, edit);
  } else if (RowVecPtr<float>* bias = bias_of(weights, edit.parameter)) {
    edit_bias(*bias, edit, d_model);
  } else {
    check_block(edit, d_model, d_model);
    MatPtr<float>& matrix = *matrix_of(weights, edit.parameter);
    matrix = with_block(matrix, edit);
  }
}

void change(Document& document, const ReplaceDocument& edit) {
  check_document(edit.document);
  document = edit.document;
}

// --- describe --------------------------------------------------------------------------------------------------------

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

// At most 40 bytes, cut between characters.
std::string shortened(const std::string& text) {
  constexpr std::size_t most = 40;
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

std::string text_of(Init init) {
  return init == Init::xavier ? "Xavier" : init == Init::identity ? "identity" : "zero";
}

std::string label(const SetSentence& edit) { return "sentence \"" + shortened(edit.sentence) + "\""; }
std::string label(const SetModelWidth& edit) { return "d_model " + std::to_string(edit.d_model); }
std::string label(const SetHeads& edit) { return "heads " + std::to_string(edit.heads); }
std::string label(const SetMask& edit) {
  const auto kind = edit.mask.kind;
  return kind == Mask::Kind::none ? "no mask" : kind == Mask::Kind::causal ? "causal mask" : "custom mask";
}
std::string label(const SetScale& edit) { return edit.on ? "scale on" : "scale off"; }
std::string label(const SetTemperature& edit) { return "temperature " + short_number(edit.temperature); }
std::string label(const SetPositions& edit) {
  return edit.positions == Embedding::Positions::none ? "no positions" : "sinusoidal positions";
}
std::string label(const SetEmbeddingSeed& edit) { return "embedding seed " + std::to_string(edit.seed); }
std::string label(const SetWeightSource& edit) {
  return edit.init == Init::xavier ? "Xavier weights, seed " + std::to_string(edit.seed)
                                   : text_of(edit.init) + " weights";
}
std::string label(const SetBlock& edit) {
  const Mat<float>& values = *edit.values;
  const std::string place = at_cell(edit.parameter, edit.row, edit.col);
  if (values.size() == 1) return place + " = " + short_number(values(0, 0));
  return std::to_string(values.rows()) + " x " + std::to_string(values.cols()) + " numbers at " + place;
}
std::string label(const ReplaceDocument& edit) { return "open " + (edit.name.empty() ? "a document" : edit.name); }

}  // namespace

SetBlock set_cell(Parameter parameter, Index row, Index col, float value) {
  return {parameter, row, col, share(Mat<float>(Mat<float>::Constant(1, 1, value)))};
}

Document apply(const Document& document, const Edit& edit) {
  Document changed = document;
  std::visit([&](const auto& e) { change(changed, e); }, edit);
  return changed;
}

std::string describe(const Edit& edit) {
  return std::visit([](const auto& e) { return label(e); }, edit);
}

}  // namespace hydra
