// What a head attends to beyond what all heads do: its weights less their mean.
#include <numeric>

#include "app/draw/format.h"
#include "app/views/heads/head_picture.h"
#include "core/analysis/weighted.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

float mean_weight(const LayerTrace<float>& layer, Index row, Index col) {
  double sum = 0;
  for (const HeadTrace<float>& head : layer.heads) sum += static_cast<double>((*head.attention)(row, col));
  return static_cast<float>(sum / static_cast<double>(layer.heads.size()));
}

Mat<float> weights_beyond_mean(const LayerTrace<float>& layer, Index head) {
  std::vector<int> all(layer.heads.size());
  std::iota(all.begin(), all.end(), 0);
  return *layer.heads[static_cast<std::size_t>(head)].attention - mean_attention(layer, all);
}

std::string told_beyond_mean(const LayerTrace<float>& layer, Index head, Index row, Index col) {
  const float own = (*layer.heads[static_cast<std::size_t>(head)].attention)(row, col);
  return wording("heads:picture.beyond_mean.told",
                 {{"own", ui::number(static_cast<double>(own))},
                  {"mean", ui::number(static_cast<double>(mean_weight(layer, row, col)))},
                  {"heads", layer.heads.size()}});
}

}  // namespace

const HeadPicture head_picture::beyond_mean{.key = "beyond_mean",
                                            .title = "heads:picture.beyond_mean",
                                            .tip = "heads:picture.beyond_mean.tip",
                                            .formula = "heads:picture.beyond_mean.formula",
                                            .of = weights_beyond_mean,
                                            .told = told_beyond_mean,
                                            .is_signed = true};

}  // namespace hydra
