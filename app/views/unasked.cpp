#include "app/views/unasked.h"

#include "core/design/asked.h"

namespace hydra {

std::string unasked_note(const Frame& frame, const Cell& cell) {
  const Quantity quantity = cell.site.quantity;
  if (quantity != Quantity::scores && quantity != Quantity::attention) return {};
  const auto& designs = document_layer(frame).source.designs;
  const LayerTrace<float>& layer = layer_of(frame);
  const auto head = static_cast<std::size_t>(cell.site.head);
  if (designs.size() != layer.heads.size() || cell.site.head == kNoHead || !designs[head]) return {};
  const MatView<float> attention = *layer.heads[head].attention;
  if (cell.row >= attention.rows() || !(attention.row(cell.row).maxCoeff() > kBoldWeight)) return {};
  if (asks_in_row(*designs[head], frame.trace.tokens, frame.trace.words, layer.input.mask, cell.row)) return {};
  return "nothing was asked in this row, and yet the head attends boldly";
}

}  // namespace hydra
