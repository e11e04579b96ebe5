// The view state follows the trace: its layers, when some came or went, and its sizes.
#include <algorithm>
#include <utility>

#include "app/app_state.h"
#include "app/draw/nth.h"
#include "app/scene/focus.h"
#include "app/scene/inspector_follow.h"
#include "app/views/inspector/hands.h"
#include "app/views/model_panel/model_panel_hands.h"
#include "app/views/roles/roles_columns.h"
#include "core/error.h"
#include "core/io/opening.h"

namespace hydra {

namespace {

bool has(const Trace& trace, const Cell& cell) {
  if (!exists(trace, cell.site)) return false;
  const Shape shape = shape_of(trace, cell.site);
  return cell.row >= 0 && cell.col >= 0 && cell.row < shape.rows && cell.col < shape.cols;
}

}  // namespace

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
  if (now.size() != adopted_layers.size()) {
    follow_layers(view, moves, focus);
    glance.cell.reset();
    auto& held = hands.of<InspectorHands>();
    held.drag.reset(), held.bar_drag.reset();
  }
  focus_layer(view, std::min(focus, int_size(now) - 1));
  adopted_layers = now;
}

void App::State::adopt_trace() {
  derived.set_trace(newest_trace());
  const Trace& trace = *shown().trace;
  adopt_layers(trace);
  if (trace.tokens != adopted_tokens) adopted_tokens = trace.tokens, view.token.reset();
  const LayerTrace<float>& layer = trace.layer(view.layer);
  const int heads = static_cast<int>(layer.input.heads);
  if (view.focused_head >= heads) {
    view.head_beyond = std::max(view.focused_head, view.head_beyond.value_or(0));
    view.focused_head = heads - 1;
  } else if (view.head_beyond) {  // nobody has chosen another since
    view.focused_head = std::min(*view.head_beyond, heads - 1);
    if (*view.head_beyond < heads) view.head_beyond.reset();
  }
  adopt_sizes();
  const auto gone = [&](const Cell& cell) { return !has(trace, cell); };
  auto& held = hands.of<InspectorHands>();
  if (held.bar_drag && gone(held.bar_drag->cell)) held.bar_drag.reset();
  if (glance.cell && gone(*glance.cell)) glance.cell.reset();
  adopted = shown().trace;
  adopted_layer = view.layer;
  look_as_recovered();
}

// Of what is looked at only what there is stays.
void App::State::adopt_sizes() {
  const Trace& trace = *shown().trace;
  const std::size_t heads = static_cast<std::size_t>(trace.layer(view.layer).input.heads);
  if (view.selected_heads.size() != heads) {
    view.selected_heads.assign(heads, true);
    view.average = false;
  }
  if (!exists(trace, view.inspected)) view.inspected = {Quantity::W_Q, view.layer, view.focused_head};
  if (view.selection && !has(trace, *view.selection)) forget_selection(view);
  std::erase_if(view.breadcrumb, [&](const Cell& cell) { return !has(trace, cell); });
}

void App::State::put_right() {
  const Trace& trace = *shown().trace;
  view.layer = std::clamp(view.layer, 0, int_size(trace.layers) - 1);
  const auto heads = static_cast<int>(trace.layer(view.layer).input.heads);
  view.focused_head = std::clamp(view.focused_head, 0, heads - 1);
  if (view.head_beyond && *view.head_beyond < 0) view.head_beyond.reset();
  adopt_sizes();
  if (view.token && (*view.token < 0 || *view.token >= std::ssize(trace.tokens))) view.token.reset();
  if (view.roles.sorted && static_cast<std::size_t>(*view.roles.sorted) >= role_columns().size())
    view.roles.sorted.reset();
  try {
    learn::check_problem(view.tradeoff.fit.problem);
  } catch (const InputError&) {
    view.tradeoff.fit.problem = {};
  }
}

void App::State::follow_document() {
  const int lineage = history.lineage();
  offers = begun == lineage;
  const std::optional<int> before = std::exchange(followed_lineage, lineage);
  if (!before || *before == lineage) return;
  view.sides.inspector_whole = false;
  hands.of<UsedFolds>() = {};
  if (!view.selection) view.sides.inspector = false;
}

void App::State::follow_notes() {
  const Notes& notes = shown().document.notes;
  if (followed_notes.is_page_of(notes)) return;
  followed_notes = notes;
  // A lesson that begins to train has its curves to be seen, and its buttons stay where they are.
  const bool begins = !notes.empty() && notes != opening_notes() && view.view != ViewId::learn;
  view.notes_open = begins || (view.notes_open && !notes.empty());
  view.sides.notes &= view.notes_open;
  if (view.presentation && !view.still) set_open(view, Side::notes, begins);
}

void App::State::follow_window(float width, float em) {
  constexpr float kNarrow = 65;  // text sizes: less leaves a view between two panels no room
  const bool was_narrow = std::exchange(view.narrow, width < kNarrow * em);
  if (view.narrow && !was_narrow) view.sides.inspector |= view.selection.has_value();
  follow_notes();
  follow_view(view, offers);
  const std::optional<Cell>& cell = view.selection;
  const Trace& trace = *shown().trace;
  if (cell && shape_of(trace, cell->site).row_axis == Axis::token) view.token = cell->row;
}

void App::State::follow_offer() {
  const Site site = view.inspected;
  const Trace& trace = *shown().trace;
  const bool of_head = site.quantity == Quantity::W_Q && site.head != kNoHead;
  offered.reset();
  if (!offers || view.selection || !of_head || !in_focus() || !can_offer_weight(trace, site.layer)) return;
  const Site pattern{Quantity::attention, site.layer, site.head};
  const Stamp of = (Key("offered weight") << stamp_of(trace, site) << stamp_of(trace, pattern)).stamp();
  if (offer.of != of) {
    const float step = 0.5f * shown_derived().shared_reach({Quantity::W_Q, site.layer, kNoHead}).usual;
    const OfferedWeight weight = offered_weight(trace, site.layer, site.head, step);
    offer = {of, std::nullopt};
    if (std::min(weight.up, weight.down) > 0) offer.cell = weight.cell;
  }
  offered = offer.cell;
}

}  // namespace hydra
