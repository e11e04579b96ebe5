// What of a head's weights dropout leaves to multiply V: rows that need not sum to 1.
#include "app/draw/format.h"
#include "app/views/heads/head_picture.h"
#include "core/attention/forward.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

bool drops(const LayerInput<float>& input) { return input.settings.dropout > 0; }

Quantity what_multiplies_V(const LayerInput<float>& input) {
  return drops(input) ? Quantity::dropped_attention : Quantity::attention;
}

Mat<float> weights_left(const LayerTrace<float>& layer, Index head) {
  return *pattern_once(layer, what_multiplies_V(layer.input), head);
}

std::string told_dropped(const LayerTrace<float>& layer, Index head, Index row, Index col) {
  const Array<float> left = pattern_of(layer, what_multiplies_V(layer.input), head);
  const auto number = [](float value) { return ui::number(static_cast<double>(value)); };
  const float weight = (*layer.heads[static_cast<std::size_t>(head)].attention)(row, col);
  const double sum = left->row(row).cast<double>().sum();
  return wording(left(row, col) == 0 && weight != 0 ? "heads:picture.dropped.told.gone" : "heads:picture.dropped.told",
                 {{"weight", number(weight)},
                  {"rate", ui::number(layer.input.settings.dropout, As::rough)},
                  {"sum", ui::number(sum, As::rough)}});
}

}  // namespace

const HeadPicture head_picture::dropped{.key = "dropped",
                                        .title = "heads:picture.dropped",
                                        .tip = "heads:picture.dropped.tip",
                                        .formula = "heads:picture.dropped.formula",
                                        .of = weights_left,
                                        .told = told_dropped,
                                        .quantity = Quantity::dropped_attention,
                                        .offered = drops};

}  // namespace hydra
