// Matrices and biases as files have them: whole, or as cells set by hand over what they begin as. Part of read.cpp.
#pragma once
#include "core/document/document.h"
#include "core/json/reader.h"

namespace hydra {

enum class Cells { of_matrix, of_vector };
// [[row, col, value], ...], of a vector [[col, value], ...]. Sorted by row, then column.
std::vector<CellValue> read_cells(const JsonReader& reader, const Node& node, Cells kind, Index rows, Index cols);

// The whole of a weight or bias.
Mat<float> read_parameter(const JsonReader& reader, const Node& node, Quantity parameter, Index rows, Index cols);
// Its cells over what it begins as; where it begins as none, over a row of zeros.
Mat<float> read_edits(const JsonReader& reader, const Node& node, Quantity parameter, const Array<float>& begins,
                      Index cols);

}  // namespace hydra
