#include "core/explain/withheld.h"

#include <bit>
#include <cassert>
#include <cstdint>

namespace hydra {

const float kWithheld = std::bit_cast<float>(std::uint32_t{0x7fd15ee1});

// As bits, which comparing would not tell from another NaN's; of either sign.
bool is_withheld(double value) {
  constexpr std::uint64_t kUnsigned = ~(std::uint64_t{1} << 63);
  return (std::bit_cast<std::uint64_t>(value) & kUnsigned) ==
         (std::bit_cast<std::uint64_t>(static_cast<double>(kWithheld)) & kUnsigned);
}

Stamp withheld_stamp(Stamp document, std::span<const Cell> cells) {
  Key key("withheld");
  key << document;
  for (const Cell& cell : cells) key << cell.site.quantity << cell.site.layer << cell.site.head << cell.row << cell.col;
  return key.stamp();
}

namespace {

template <class Change>
void change_arrays(Trace& trace, const Change& change) {
  for (Array<float>* array : {&trace.embedding, &trace.positions, &trace.types, &trace.summed, &trace.X})
    change(*array);
  for (const ProgramNode& node : trace.model.program().out) change(*trace.model.stage(node.result));
  for (LayerTrace<float>& layer : trace.layers) for_each_stage(layer, change);
  for (BlockTrace<float>& block : trace.blocks) {
    change(block.input);
    for (auto& [quantity, array] : block.stages) change(array);
  }
}

}  // namespace

std::shared_ptr<const Trace> withhold(const Trace& trace, std::span<const Cell> cells) {
  auto changed = std::make_shared<Trace>(trace);
  for (const Cell& cell : cells) {
    const Quantity quantity = cell.site.quantity;
    assert(exists(trace, cell.site) && !is_parameter(quantity) && !is_asked(quantity));
    const Array<float> before = array_once(*changed, cell.site);
    Mat<float> values = *before;
    if (is_attention(quantity) || quantity == Quantity::probabilities)
      values.row(cell.row).setConstant(kWithheld);
    else
      values(cell.row, cell.col) = kWithheld;
    const Array<float> after(std::make_shared<const Mat<float>>(std::move(values)),
                             withheld_stamp(before.stamp(), {&cell, 1}));
    change_arrays(*changed, [&](Array<float>& array) {
      if (array.stamp() == before.stamp()) array = after;
    });
  }
  changed->document = withheld_stamp(trace.document, cells);
  changed->withheld.insert(changed->withheld.end(), cells.begin(), cells.end());
  return changed;
}

}  // namespace hydra
