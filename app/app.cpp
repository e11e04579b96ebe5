#include "app/app.h"

#include <algorithm>
#include <utility>

#include "app/app_state.h"
#include "app/views/likeness/likeness_view.h"
#include "app/views/tradeoff/tradeoff_view.h"
#include "core/document/file.h"
#include "core/error.h"

namespace hydra {

namespace {

// What the sentence field shows: a document that lists its tokens need not have a sentence.
std::string shown_sentence(const Document& document) {
  if (!document.tokens) return document.sentence;
  std::string joined;
  for (const std::string& token : *document.tokens) joined += (joined.empty() ? "" : " ") + token;
  return joined;
}

}  // namespace

App::App(Document document, std::string path, HeatmapSink& sink)
    : state_(std::make_unique<State>(std::move(document), std::move(path), sink)) {
  state_->view.sentence_draft = shown_sentence(state_->history.current());
  state_->adopt_trace();
  state_->prepare_style();
}

App::~App() = default;

bool App::take_fonts_changed() { return std::exchange(state_->fonts_changed, false); }
void App::set_patience(std::chrono::milliseconds patience) { state_->frame_patience = patience; }
bool App::quit_requested() const { return state_->quit; }
bool App::may_close() { return state_->may_close(); }
bool App::wants_frame() const {
  const State& s = *state_;
  return s.view.animating || s.evaluator.computing() || s.roles.computing() || s.mixing.computing() ||
         s.likeness.computing() || s.sweep.computing();
}
bool App::wants_caret_blink() const { return ImGui::GetIO().WantTextInput; }
void App::on_background_done(std::function<void()> wake) {
  state_->roles.on_finished(wake);
  state_->mixing.on_finished(wake);
  state_->likeness.on_finished(wake);
  state_->sweep.on_finished(wake);
  state_->ways.on_news(wake);
  state_->evaluator.on_finished(std::move(wake));
}
void App::open(const std::string& path) { state_->open(path); }
const History& App::history() const { return state_->history; }
const std::string& App::path() const { return state_->path; }
const Trace& App::trace() const { return *state_->evaluator.trace(); }
ViewState& App::view() { return state_->view; }
const HeadRoles& App::roles() const { return state_->roles.roles(); }
const Fonts& App::fonts() const { return state_->fonts; }

void App::finish_evaluation() {
  state_->evaluator.finish();
  state_->adopt_trace();
  state_->update_roles(std::chrono::milliseconds(0));
  state_->roles.finish();
  state_->update_roles(std::chrono::milliseconds(0));
  state_->update_together(std::chrono::milliseconds(0));
  state_->mixing.finish();
  state_->likeness.finish();
  state_->sweep.finish();
  state_->update_together(std::chrono::milliseconds(0));
  state_->update_ways();
  state_->ways.finish();
  state_->update_ways();
}

void App::State::prepare_style() {
  const float scale = view.display_scale * view.text_scale * (view.presentation ? 1.5f : 1.0f);
  if (scale != built_scale) {
    fonts = build_fonts(scale);
    fonts_changed = true;
  }
  if (scale != built_scale || view.dark != built_dark) apply_style(theme(view.dark), scale);
  built_scale = scale;
  built_dark = view.dark;
}

void App::State::adopt_trace() {
  derived.set_trace(evaluator.trace());
  const Trace& trace = *evaluator.trace();
  const LayerTrace<float>& layer = trace.layers.front();
  const int heads = static_cast<int>(layer.input.heads);
  view.focused_head = std::min(view.focused_head, heads - 1);
  if (static_cast<int>(view.selected_heads.size()) != heads) {
    view.selected_heads.assign(static_cast<std::size_t>(heads), true);
    view.average = false;
  }
  if (!exists(trace, view.inspected)) view.inspected = {Quantity::W_Q, 0, view.focused_head};
  const auto gone = [&](const CellRef& cell) {
    if (!exists(trace, cell.matrix)) return true;
    const Shape shape = shape_of(trace, cell.matrix);
    return cell.row >= shape.rows || cell.col >= shape.cols;
  };
  if (view.selection && gone(*view.selection)) view.selection.reset(), view.breadcrumb.clear();
  std::erase_if(view.breadcrumb, gone);
  if (view.typed_bar && !view.selection) view.typed_bar.reset();
  if (view.bar_drag && gone(view.bar_drag->cell)) view.bar_drag.reset();
  if (view.ghost && gone(view.ghost->cell)) view.ghost.reset();
  if (view.hover && gone(*view.hover)) view.hover.reset();
  if (view.next_hover && gone(*view.next_hover)) view.next_hover.reset();
}

void App::State::notify(std::string sentence, bool error) {
  view.notice = std::move(sentence);
  view.notice_is_error = error;
  view.notice_until = ImGui::GetTime() + (error ? 12 : 4);
}

void App::State::open(const std::string& file) {
  try {
    ReplaceDocument replacement{read_document(file), file};
    apply_edit(std::move(replacement), true);
    path = file;
    history.mark_saved();
    notify("opened " + file, false);
  } catch (const InputError& error) {
    notify(error.what(), true);
  }
}

void App::State::save(const std::string& file) {
  const std::string target = file.empty() ? path : file;
  try {
    write_document(history.current(), target);
    path = target;
    history.mark_saved();
    notify("saved " + target, false);
  } catch (const InputError& error) {
    notify(error.what(), true);
  }
}

bool App::State::may_close() {
  if (!history.modified() || warned_version == history.version()) return true;
  warned_version = history.version();
  notify("There are unsaved changes: save them with Ctrl S, or close once more to leave without them.", true);
  return false;
}

namespace {
// What an edit of the sizes took along without being asked, in one sentence; empty: nothing.
std::string lost_with(const Edit& edit, Index group_before, const Layer& after) {
  const bool sizes = std::holds_alternative<SetHeads>(edit) || std::holds_alternative<SetModelWidth>(edit);
  if (!sizes || group_before == 1 || after.group_size() > 1) return "";
  return "Groups of " + std::to_string(group_before) + " do not fit into " + std::to_string(after.heads) +
         (after.heads == 1 ? " head" : " heads") +
         ": each has its own keys and values now. Undo brings the groups back.";
}
}  // namespace

void App::State::apply_edit(const Edit& edit, bool commit) {
  try {
    const Index group = history.current().layers.front().group_size();
    history.preview(edit);
    if (commit) history.commit();
    const std::string lost = lost_with(edit, group, history.current().layers.front());
    if (!lost.empty()) notify(lost, false);
  } catch (const InputError& error) {
    notify(error.what(), true);
  }
}

namespace {
// Two gestures are the same when they edit the same thing; a preview of another thing ends the gesture before it.
bool same_gesture(const Edit& a, const Edit& b) {
  if (a.index() != b.index()) return false;
  if (const auto* form = std::get_if<SetForm>(&a)) {
    const auto& other = std::get<SetForm>(b);
    return form->which == other.which && form->head == other.head && form->row == other.row && form->col == other.col;
  }
  if (const auto* design = std::get_if<DesignHead>(&a)) return design->head == std::get<DesignHead>(b).head;
  if (const auto* weights = std::get_if<SetWeights>(&a)) return weights->tool == std::get<SetWeights>(b).tool;
  if (const auto* gate = std::get_if<SetGate>(&a)) return gate->head == std::get<SetGate>(b).head;
  const auto* row_a = std::get_if<PaintAttention>(&a);
  const auto* row_b = std::get_if<PaintAttention>(&b);
  if (row_a) return row_a->head == row_b->head && row_a->row == row_b->row;
  const auto* block_a = std::get_if<SetBlock>(&a);
  const auto* block_b = std::get_if<SetBlock>(&b);
  return !block_a ||
         (block_a->parameter == block_b->parameter && block_a->row == block_b->row && block_a->col == block_b->col);
}
}  // namespace

void App::State::handle(Outbox::Message& message) {
  if (auto* preview = std::get_if<Outbox::Preview>(&message)) {
    if (gesture && !same_gesture(*gesture, preview->edit)) history.commit();
    apply_edit(preview->edit, false);
    gesture = std::move(preview->edit);
    return;
  }
  if (auto* apply = std::get_if<Outbox::Apply>(&message)) {
    history.commit();
    apply_edit(apply->edit, true);
  } else if (std::holds_alternative<Outbox::Commit>(message)) {
    history.commit();
  } else if (std::holds_alternative<Outbox::Cancel>(message)) {
    history.cancel();
  } else if (std::holds_alternative<Outbox::Undo>(message)) {
    history.undo();
  } else if (std::holds_alternative<Outbox::Redo>(message)) {
    history.redo();
  } else if (auto* file = std::get_if<Outbox::Open>(&message)) {
    history.commit();
    open(file->path);
  } else if (auto* target = std::get_if<Outbox::Save>(&message)) {
    history.commit();
    save(target->path);
  } else {
    quit = may_close();
  }
  gesture.reset();
}

bool App::State::apply_messages() {
  for (Outbox::Message& message : outbox.messages) handle(message);
  const bool any = !outbox.messages.empty();
  outbox.messages.clear();
  if (!view.typing_sentence) view.sentence_draft = shown_sentence(history.current());
  return any;
}

bool App::State::update_trace(std::chrono::milliseconds patience) {
  bool changed = false;
  if (evaluated_version != history.version()) {
    evaluated_version = history.version();
    const auto before = evaluator.trace();
    evaluator.submit(history.current(), patience);
    changed = evaluator.trace() != before;
  } else {
    changed = evaluator.poll();
  }
  if (changed) adopt_trace();
  return changed;
}

bool App::State::update_roles(std::chrono::milliseconds patience) {
  return roles.update({evaluator.trace(), history.current(), history.version(), view.roles_pooled, view.role_threshold},
                      patience);
}

bool App::State::update_together(std::chrono::milliseconds patience) {
  if (view.view != ViewId::tradeoff) sweep.leave();
  if (view.view == ViewId::mixing) return mixing.update(evaluator.trace(), patience);
  if (view.view == ViewId::likeness)
    return likeness.update({evaluator.trace(), history.current(), history.version(), view.likeness_pooled,
                            wanted_likeness(view), roles.roles().marked},
                           patience);
  if (view.view == ViewId::tradeoff && view.tradeoff_page != TradeoffPage::computed) {
    const Document& document = history.current();
    const auto tokens = static_cast<Index>(evaluator.trace()->tokens.size());
    if (view.tradeoff_page == TradeoffPage::sharing) {
      const std::vector<Index> counts = usual_kv_head_counts(document, tokens);
      return !counts.empty() &&
             sweep.update({document, history.version(), tokens, counts, -1, Swept::kv_heads}, patience);
    }
    return sweep.update(
        {document, history.version(), tokens, wanted_head_counts(view, document, tokens), view.focused_head}, patience);
  }
  return false;
}

bool App::State::update_ways() {
  const bool asked = view.timing != ViewState::Timing::none;
  switch (std::exchange(view.timing, ViewState::Timing::none)) {
    case ViewState::Timing::none:
      break;
    case ViewState::Timing::start:
      ways.start(evaluator.trace()->layers.front().input, timing_lengths(view));
      break;
    case ViewState::Timing::cancel:
      ways.cancel();
      break;
  }
  return ways.update() || asked;
}

}  // namespace hydra
