#include "core/io/numbers_json.h"

#include <algorithm>
#include <utility>

namespace hydra {

std::vector<CellValue> read_cells(const JsonReader& reader, const Node& node, Cells kind, Index rows, Index cols) {
  const bool vector = kind == Cells::of_vector;
  const Elements cells =
      reader.elements(node, vector ? "an array of [place, value]" : "an array of [row, column, value]");
  std::vector<CellValue> values;
  values.reserve(std::min(cells.size(), static_cast<std::size_t>(rows * cols) + 1));
  for (const Node& cell : cells) {
    const Json& json = reader.array(*cell.json, cell.pointer, vector ? 2 : 3, "number");
    const auto place = [&](std::size_t k, Index count) {
      const Node at{&json[k], pointer_to(cell.pointer, std::to_string(k))};
      const Index index = reader.whole_number(at, 0);
      if (index < 0 || index >= count) reader.fail_type(at, "from 0 to " + std::to_string(count - 1));
      return index;
    };
    const std::size_t last = json.size() - 1;
    const float value = reader.number(json[last], pointer_to(cell.pointer, std::to_string(last)));
    values.push_back({vector ? 0 : place(0, rows), place(last - 1, cols), value});
    if (values.size() > static_cast<std::size_t>(rows * cols)) break;  // one is there twice
  }
  const auto key = [](const CellValue& cell) { return std::pair(cell.row, cell.col); };
  std::sort(values.begin(), values.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  const auto twice =
      std::adjacent_find(values.begin(), values.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); });
  if (twice != values.end())
    reader.fail(node.pointer,
                "sets row " + std::to_string(twice->row) + ", column " + std::to_string(twice->col) + " twice");
  return values;
}

Mat<float> read_parameter(const JsonReader& reader, const Node& node, Quantity parameter, Index rows, Index cols) {
  return is_bias(parameter) ? Mat<float>(reader.vector(node, cols)) : reader.matrix(node, rows, cols);
}

Mat<float> read_edits(const JsonReader& reader, const Node& node, Quantity parameter, const Array<float>& begins,
                      Index cols) {
  Mat<float> values = begins ? Mat<float>(*begins) : Mat<float>::Zero(1, cols);
  const Cells kind = is_bias(parameter) ? Cells::of_vector : Cells::of_matrix;
  for (const CellValue& cell : read_cells(reader, node, kind, values.rows(), cols))
    values(cell.row, cell.col) = cell.value;
  return values;
}

}  // namespace hydra
