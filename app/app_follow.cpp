// The view state follows the trace: its layers, when some came or went, and its sizes.
#include <algorithm>
#include <utility>

#include "app/app_state.h"
#include "app/widgets/nth.h"
#include "core/document/opening.h"

namespace hydra {

bool App::State::has_layers() const { return shown().trace->layers.size() == shown().document.layers.size(); }

void App::State::wish_layer() {
  const LayerStamps now = layers_of(history.current());
  if (now.size() != evaluated_layers.size())
    wished_layer = LayerMoves(evaluated_layers, now).focus(wished_layer.value_or(view.layer));
  evaluated_layers = now;
}

void App::State::adopt_layers(const Trace& trace) {
  const LayerStamps now = layers_of(trace);
  const LayerMoves moves(adopted_layers, now);
  const bool arrived = wished_layer && !changes.peeking() && has_layers();
  const int focus = arrived ? *std::exchange(wished_layer, std::nullopt) : moves.focus(view.layer);
  if (now.size() != adopted_layers.size()) follow_layers(view, moves, focus);
  focus_layer(view, std::min(focus, int_size(now) - 1));
  adopted_layers = now;
}

void App::State::adopt_trace() {
  derived.set_trace(evaluator.trace());
  const Trace& trace = *shown().trace;
  adopt_layers(trace);
  if (trace.tokens != adopted_tokens) adopted_tokens = trace.tokens, view.token.reset();
  const LayerTrace<float>& layer = trace.layer(view.layer);
  const int heads = static_cast<int>(layer.input.heads);
  view.focused_head = std::min(view.focused_head, heads - 1);
  if (static_cast<int>(view.selected_heads.size()) != heads) {
    view.selected_heads.assign(static_cast<std::size_t>(heads), true);
    view.average = false;
  }
  if (!exists(trace, view.inspected)) view.inspected = {Quantity::W_Q, view.layer, view.focused_head};
  const auto gone = [&](const Cell& cell) {
    if (!exists(trace, cell.site)) return true;
    const Shape shape = shape_of(trace, cell.site);
    return cell.row >= shape.rows || cell.col >= shape.cols;
  };
  if (view.selection && gone(*view.selection)) forget_selection(view);
  std::erase_if(view.breadcrumb, gone);
  if (view.inspector.typed_bar && !view.selection) view.inspector.typed_bar.reset();
  if (view.inspector.bar_drag && gone(view.inspector.bar_drag->cell)) view.inspector.bar_drag.reset();
  if (view.hover && gone(*view.hover)) view.hover.reset();
  if (view.next_hover && gone(*view.next_hover)) view.next_hover.reset();
  // What a view that nobody looks at has worked out of a trace before may hold much of it.
  const bool heatmaps = view.view == ViewId::tradeoff && view.tradeoff.page == TradeoffPage::computed;
  if (!heatmaps) view.tradeoff.tile_numbers.reset();
  if (view.view != ViewId::mixing) view.mixing.numbers.reset();
  if (view.view != ViewId::stream) view.stream.circuit.drawn.reset();
  if (view.view != ViewId::likeness) view.likeness.difference = {};
  adopted = shown().trace;
  adopted_layer = view.layer;
}

void App::State::follow_document() {
  const int lineage = history.lineage();
  view.inspector.offers = begun == lineage;
  const std::optional<int> before = std::exchange(followed_lineage, lineage);
  if (!before || *before == lineage) return;
  view.sides.inspector_whole = false;
  view.model_panel.was_used = {};
  if (!view.selection) view.sides.inspector = false;
}

void App::State::follow_offer() {
  InspectorState& inspector = view.inspector;
  const Site site = view.inspected;
  const Trace& trace = *shown().trace;
  const bool of_head = site.quantity == Quantity::W_Q && site.head != kNoHead;
  inspector.offered.reset();
  if (!inspector.offers || view.selection || !of_head || !in_focus() || !can_offer_weight(trace, site.layer)) return;
  const Site pattern{Quantity::attention, site.layer, site.head};
  const Stamp of = (Key("offered weight") << stamp_of(trace, site) << stamp_of(trace, pattern)).stamp();
  if (offer.of != of) {
    const float step = 0.5f * shown_derived().shared_reach({Quantity::W_Q, site.layer, kNoHead}).usual;
    const OfferedWeight weight = offered_weight(trace, site.layer, site.head, step);
    offer = {of, std::nullopt};
    if (std::min(weight.up, weight.down) > 0) offer.cell = weight.cell;
  }
  inspector.offered = offer.cell;
}

}  // namespace hydra
