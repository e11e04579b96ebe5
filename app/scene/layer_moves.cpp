#include "app/scene/layer_moves.h"

#include <algorithm>

#include "app/scene/focus.h"

namespace hydra {

LayerStamps layers_of(const Document& document) {
  LayerStamps stamps;
  for (const Layer& layer : document.layers) stamps.push_back(layer.weights.W_O.stamp());
  return stamps;
}

LayerStamps layers_of(const Trace& trace) {
  LayerStamps stamps;
  for (const LayerTrace<float>& layer : trace.layers) stamps.push_back(layer.input.weights.W_O.stamp());
  return stamps;
}

LayerMoves::LayerMoves(const LayerStamps& before, const LayerStamps& now)
    : before_(static_cast<int>(before.size())), now_(static_cast<int>(now.size())) {
  const int most = std::min(before_, now_);
  if (before_ == now_) {  // each is what it was, or has been changed
    below_ = most;
    return;
  }
  while (below_ < most && before[static_cast<std::size_t>(below_)] == now[static_cast<std::size_t>(below_)]) ++below_;
  while (above_ < most - below_ &&
         before[static_cast<std::size_t>(before_ - 1 - above_)] == now[static_cast<std::size_t>(now_ - 1 - above_)])
    ++above_;
}

std::optional<int> LayerMoves::moved(int layer) const {
  if (layer < below_) return layer;
  if (layer >= before_ - above_) return layer + now_ - before_;
  return std::nullopt;
}

int LayerMoves::focus(int layer) const {
  const bool others = below_ + above_ == 0;
  if (others) return std::clamp(layer, 0, now_ - 1);
  if (now_ > before_) return below_;
  return std::clamp(moved(layer).value_or(below_ - 1), 0, now_ - 1);
}

void follow_layers(ViewState& view, const LayerMoves& moves, int focus) {
  const auto stays = [&](Cell& cell) {
    if (is_of_model(cell.site.quantity)) return true;
    const std::optional<int> layer = moves.moved(cell.site.layer);
    cell.site.layer = layer.value_or(0);
    return layer.has_value();
  };
  if (view.selection && !stays(*view.selection)) forget_selection(view);
  std::erase_if(view.breadcrumb, [&](Cell& cell) { return !stays(cell); });
  view.layer = moves.moved(view.layer).value_or(focus);
  if (!is_of_model(view.inspected.quantity)) view.inspected.layer = view.layer;
  focus_layer(view, focus);
}

}  // namespace hydra
