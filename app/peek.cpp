// While its key is held, the state before the last change is what everything shows: the frame's document and trace are
// those of before, and what runs in the background measures them.
#include "app/app_state.h"
#include "app/platform/input.h"
#include "app/views/shell/commands.h"
#include "core/explain/withheld.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

// What follows the sizes of the trace (App::State::adopt_trace), back as it was.
void restore_sized(ViewState& view, ViewState& from) {
  view.layer = from.layer;
  view.focused_head = from.focused_head;
  view.selected_heads = std::move(from.selected_heads);
  view.average = from.average;
  view.inspected = from.inspected;
  view.selection = from.selection;
  view.breadcrumb = std::move(from.breadcrumb);
}

// Or makes one.
bool is_edit(const Action& action) {
  return is_one_of<act::Try, act::Do, act::Collapse, act::Repel, act::Solve, act::Open, act::OpenExample>(action);
}

}  // namespace

const std::shared_ptr<const Trace>& App::State::newest_trace() const {
  const std::shared_ptr<const Trace>& whole = evaluator.trace();
  if (withheld.empty() || !whole) return whole;
  if (!without_them || made_from.lock() != whole) without_them = hydra::withhold(*whole, withheld), made_from = whole;
  return without_them;
}

App::State::Shown App::State::shown() const {
  if (!changes.peeking()) return {newest_trace(), history.current()};
  return {changes.before()->trace, changes.before()->document};
}

Stamp App::State::stamp_of_now() {
  if (!stamped || stamped->first != history.version()) stamped = {history.version(), stamp_of(history.current())};
  return withheld.empty() ? stamped->second : withheld_stamp(stamped->second, withheld);
}

Moment App::State::moment() {
  const Shown looked_at = shown();
  const Stamp now = stamp_of_now(), before = changes.before() ? changes.before()->trace->document : Stamp{};
  const bool peeks = changes.peeking();
  return {looked_at.trace, looked_at.document, peeks ? before : now, peeks ? now : before, sentences.marked, bounds};
}

void App::State::follow_peek_key() {
  const ImGuiIO& io = ImGui::GetIO();
  const bool held = io.KeysDown[kPeekKey] && !io.KeyCtrl && !io.WantTextInput;
  const bool was = changes.peeking();
  changes.set_peeking(held);
  if (held && !was && !changes.before() && ui::key_pressed(kPeekKey))
    notify(wording(changes.too_large() ? "frame:peek.too_large" : "frame:peek.none"), false);
  if (changes.peeking() == was) return;
  if (changes.peeking() && !changes.same_sizes()) unpeeked = view;
  adopt_trace();
  if (was && unpeeked) {
    restore_sized(view, *unpeeked);
    unpeeked.reset();
    adopt_trace();
  }
}

void App::State::hold_back_edits() {
  if (std::erase_if(outbox.actions, is_edit) == 0) return;
  notify(wording("frame:peek.let_go"), false);
}

}  // namespace hydra
