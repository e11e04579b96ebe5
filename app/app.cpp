#include "app/app.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <utility>

#include "app/app_state.h"
#include "app/platform/page.h"
#include "app/views/heads/heads_rollout.h"
#include "app/views/likeness/likeness_view.h"
#include "app/views/notice.h"
#include "app/views/questions.h"
#include "app/views/token_in_view.h"
#include "app/views/tradeoff/tradeoff_view.h"
#include "app/views/tradeoff/trained_words.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/failure.h"
#include "core/linalg/memory.h"

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
    : App(OpenedDocument{std::move(document), {std::move(path), {}}}, sink) {}

App::App(OpenedDocument opened, HeatmapSink& sink) : state_(std::make_unique<State>(std::move(opened), sink)) {
  state_->view.sentence_draft = shown_sentence(state_->history.current());
  state_->adopt_trace();
  state_->prepare_style();
}

App::~App() = default;

bool App::take_fonts_changed() { return std::exchange(state_->fonts_changed, false); }
void App::failed(const std::exception_ptr& fault) { state_->failed("The window could not be drawn", fault); }
void App::set_patience(std::chrono::milliseconds patience) { state_->frame_patience = patience; }
bool App::quit_requested() const { return state_->quit; }
void App::close() {
  state_->attempt("Not all of it could be done", [&] { state_->close(); });
}
bool App::wants_frame() const {
  const State& s = *state_;
  return s.view.animating || s.glyphs.wants_build() || s.glyphs.pending() || s.derived.pending() ||
         s.changes.pending() || s.evaluator.computing() ||
         std::ranges::any_of(s.jobs, [](const auto& w) { return w.draws && w.beside->computing(); });
}
void App::rest() {
  State& s = *state_;
  const std::shared_ptr<const Trace>& trace = s.evaluator.trace();
  const auto keeps_all = [](const LayerTrace<float>& layer) { return layer.input.keep_all; };
  if (std::all_of(trace->layers.begin(), trace->layers.end(), keeps_all) || s.rested.lock() == trace) return;
  s.rested = trace;
  give_back_freed_memory();
}
bool App::pictures_pending() const { return state_->derived.pending() || state_->changes.pending(); }
bool App::wants_caret_blink() const { return ImGui::GetIO().WantTextInput; }
void App::on_background_done(std::function<void()> wake) {
  state_->wake = wake;
  for (const State::Work& work : state_->jobs) work.beside->on_finished(wake);
  state_->files.on_finished(wake);
  state_->ways.on_news(wake);
  state_->head_counts.on_news(wake);
  state_->evaluator.on_finished(std::move(wake));
}
void App::say(const std::string& sentence, bool error) { state_->notify(sentence, error); }

void App::open(const std::string& path) {
  state_->attempt("Not all of it could be done", [&] { state_->open(path, false); });
}

void App::set_page(std::string address) { state_->page_address = std::move(address); }
void App::edit(const Edit& edit) { state_->outbox.apply(edit); }
void App::choose(Heard::Kind kind, int index) { state_->view.asked = {kind, index}; }

void App::begin() {
  State& s = *state_;
  s.view.view = s.view.inspector_view.emplace(ViewId::heads);
  s.view.inspected = {Quantity::W_Q, s.view.layer, s.view.focused_head};
  s.begun = s.history.lineage();
}
const History& App::history() const { return state_->history; }
const std::string& App::failure() const { return state_->evaluator.failure(); }
const LearnShown& App::learn() const { return state_->learn.shown(); }
const Trace& App::trace() const { return *state_->evaluator.trace(); }
ViewState& App::view() { return state_->view; }
const HeadRoles& App::roles() const { return state_->roles.roles(); }
const Fonts& App::fonts() const { return state_->fonts; }

void App::keep_at_most(double bytes) { state_->evaluator.keep_at_most(bytes); }

void App::finish_names() {
  finish_evaluation();
  for (Beside* names : {&state_->roles.names(), &state_->stack_roles.names()}) names->finish();
  state_->update_roles(std::chrono::milliseconds(0));
  state_->update_together(std::chrono::milliseconds(0));
}

void App::finish_evaluation() {
  state_->files.finish();
  state_->update_files();
  state_->evaluator.finish();
  state_->adopt_trace();
  state_->update_roles(std::chrono::milliseconds(0));
  state_->roles.tables().finish();
  state_->update_roles(std::chrono::milliseconds(0));
  // Names may come later, and training is no answer to anything: it goes on.
  const auto goes_on = [&](const Beside* beside) {
    return beside == &state_->roles.names() || beside == &state_->stack_roles.names() ||
           beside == &state_->learn.beside();
  };
  for (int k = 0; k < 2; ++k) {  // the second time the numbers over seeds, which what a sweep gave asks for
    state_->update_together(std::chrono::milliseconds(0));
    state_->update_ways();
    state_->update_head_counts();
    for (const State::Work& work : state_->jobs)
      if (!goes_on(work.beside)) work.beside->finish();
  }
  state_->update_together(std::chrono::milliseconds(0));
  state_->update_ways();
  state_->update_head_counts();
  state_->report_failures();
}

void App::State::prepare_style() {
  constexpr float kFinger = 44;  // pixels of CSS
  const float scale = view.display_scale * view.text_scale * (view.presentation ? 1.5f : 1.0f);
  if (scale != built_scale || glyphs.wants_build()) {
    fonts = build_fonts(scale, glyphs.rows_wanted());
    glyphs.adopt(*ImGui::GetIO().Fonts);
    fonts_changed = true;
  }
  const float finger = fingers_point() ? kFinger * view.display_scale : 0;
  if (scale != built_scale || view.dark != built_dark || finger != built_finger)
    apply_style(theme(view.dark), scale, fonts.text->FontSize, finger);
  built_scale = scale;
  built_finger = finger;
  built_dark = view.dark;
}

void App::State::notify(std::string sentence, bool error) {
  view.notice = std::move(sentence);
  view.notice_is_error = error;
  view.notice_insists = view.notice_is_refusal = false;
  view.notice_until = ImGui::GetTime() + (error ? 12 : 4);
}

namespace {
double needs(const Document& document) { return trace_bytes(document, static_cast<Index>(tokens_of(document).size())); }

// "1.3 GB"
std::string gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", bytes / 1e9);
  return text;
}

bool sets_sizes(const Edit& edit) {
  return std::holds_alternative<SetHeads>(edit.what) || std::holds_alternative<SetHeadSizes>(edit.what) ||
         std::holds_alternative<SetModelWidth>(edit.what);
}

// Rows that are set by hand, of all layers.
std::size_t painted_rows_in(const Document& document) {
  std::size_t rows = 0;
  for (const Layer& layer : document.layers)
    for (const PaintedHead<float>& head : layer.painted) rows += head.attention.size() + head.values.size();
  return rows;
}

// What an edit of the sizes took along without being asked, in one sentence; empty: nothing.
std::string lost_with(const Edit& edit, Index group_before, const Layer& after) {
  if (!sets_sizes(edit) || group_before == 1 || after.group_size > 1) return "";
  return "Groups of " + std::to_string(group_before) + " do not fit into " + std::to_string(after.heads) +
         (after.heads == 1 ? " head" : " heads") +
         ": each has its own keys and values now. Undo brings the groups back.";
}
}  // namespace

// Whether the edit must be agreed to, because the system may not have the memory for it.
bool App::State::asks_first(const Edit& edit) {
  const bool of_size =
      std::holds_alternative<SetSentence>(edit.what) || sets_sizes(edit) || std::holds_alternative<AddLayer>(edit.what);
  if (!of_size || agreed) return false;
  const double before = needs(history.current());
  const double after = needs(hydra::apply(history.current(), edit)), available = available_memory();
  if (after <= std::max(before, kMostKept) || after <= available) return false;
  unanswered = edit;
  view.question =
      Question{Question::About::memory,
               "Is there enough memory?",
               {"This change needs " + gigabytes(after) + " of memory, and " + gigabytes(available) +
                " are available. Without enough, what is shown stays as it is and the change can be undone."},
               {"Change it all the same", "Leave it"},
               1};
  return true;
}

void App::State::answer_memory(bool go_on) {
  const std::optional<Edit> edit = std::exchange(unanswered, std::nullopt);
  if (!edit || !go_on) return;
  agreed = true;
  apply_edit(*edit, true);
  agreed = false;
}

void App::State::tell_of(const Edit& edit, Index group_before, std::size_t painted_before, double bytes_before) {
  if (std::holds_alternative<SetSentence>(edit.what) && painted_rows_in(history.current()) < painted_before)
    notify("Rows that were set by hand were of the words before, and are gone. Undo brings both back.", false);
  const std::string lost = lost_with(edit, group_before, focused_layer());
  if (!lost.empty()) notify(lost, false);
  const double after = needs(history.current());
  if (after > kMostKept && after > 1.1 * bytes_before) notify("This takes " + gigabytes(after) + " of memory.", false);
}

bool App::State::apply_edit(const Edit& edit, bool commit) {
  try {
    if (asks_first(edit)) return false;
    const double before = needs(history.current());
    const Index group = focused_layer().group_size;
    const std::size_t painted = painted_rows_in(history.current());
    if (commit)
      history.apply(edit);
    else
      history.preview(edit);
    if (std::holds_alternative<ReplaceDocument>(edit.what)) changes.forget();
    forget_refusal(view);
    attempt("Done", [&] { tell_of(edit, group, painted, before); });
    return true;
  } catch (const InputError& error) {
    refuse(view, error.what());
  } catch (const std::bad_alloc&) {
    refuse(view, "Not done: " + reason_of(std::current_exception()));
  }
  return false;
}

void App::State::handle(Outbox::Message& message) {
  if (auto* preview = std::get_if<Outbox::Preview>(&message)) {
    if (gesture && !one_gesture(*gesture, preview->edit)) history.commit();
    apply_edit(preview->edit, false);
    gesture = std::move(preview->edit);
    return;
  }
  if (const auto* pulled = std::get_if<Outbox::Collapse>(&message)) {
    Outbox::Message preview = Outbox::Preview{collapse.moved(pulled->amount, history.current(), view)};
    return handle(preview);
  }
  if (auto* apply = std::get_if<Outbox::Apply>(&message)) {
    history.commit();
    if (auto* replacement = std::get_if<ReplaceDocument>(&apply->edit.what))
      replace_document(std::move(*replacement));
    else
      apply_edit(apply->edit, true);
  } else if (std::holds_alternative<Outbox::Commit>(message)) {
    history.commit();
  } else if (std::holds_alternative<Outbox::Cancel>(message)) {
    history.cancel();
    forget_refusal(view);
  } else if (std::holds_alternative<Outbox::Undo>(message)) {
    step_through_history(&History::undo);
  } else if (std::holds_alternative<Outbox::Redo>(message)) {
    step_through_history(&History::redo);
  } else if (auto* file = std::get_if<Outbox::Open>(&message)) {
    open(file->path, file->as_text);
  } else if (auto* target = std::get_if<Outbox::Save>(&message)) {
    history.commit();
    save(target->path);
  } else if (std::holds_alternative<Outbox::Recover>(message)) {
    if (recovery) recovery->look_aside();
  } else if (auto* run = std::get_if<Outbox::SaveRun>(&message)) {
    save_run(run->path);
  } else if (std::holds_alternative<Outbox::CopyLink>(message)) {
    history.commit();
    copy_link();
  } else if (const auto* given = std::get_if<Outbox::Answer>(&message)) {
    answer(given->answer);
  } else if (const auto* lesson = std::get_if<Outbox::Learn>(&message)) {
    return train(lesson->action);
  } else if (std::holds_alternative<Outbox::Repel>(message)) {
    history.commit();
    repel.start(history.current(), view);
  } else if (auto* asked = std::get_if<Outbox::Solve>(&message)) {
    history.commit();
    solve.start(std::move(*asked), history.current(), view);
  } else {
    close();
  }
  gesture.reset();
}

void App::State::train(const LearnAction& action) {
  const auto* to = std::get_if<LearnGoTo>(&action);
  if (!to || !gesture || !std::holds_alternative<SetParameters>(gesture->what)) history.commit(), gesture.reset();
  LearnTool::Asks asks = learn.handle(action, history.current(), view);
  if (asks.replace) replace_document(std::move(*asks.replace));
  if (asks.set) apply_edit(*asks.set, false), gesture = std::move(asks.set);
  if (asks.done) history.commit(), gesture.reset();
}

// What was typed and refused gives way to the sentence that there is.
void App::State::show_sentence() {
  std::string shown = shown_sentence(this->shown().document);
  if (shown == view.sentence_draft) return;
  view.sentence_draft = std::move(shown);
  forget_refusal(view);
}

bool App::State::apply_messages() {
  constexpr const char* fault = "Not all of it could be done";
  if (changes.peeking()) attempt(fault, [&] { hold_back_edits(); });
  std::vector<Outbox::Message> messages = std::exchange(outbox.messages, {});
  for (Outbox::Message& message : messages) {
    // A gesture that could not be ended is ended by what follows.
    if (!attempt(fault, [&] { handle(message); }) && !history.in_gesture()) gesture.reset();
  }
  attempt(fault, [&] {
    const bool asks = view.question || view.file_dialog != FileDialog::none;
    if (closing && !quit && !asks && !overwriting && files.writing().empty()) stay_open();
    if (!view.typing_sentence) show_sentence();
    collapse.update(history.current(), view);
  });
  return !messages.empty();
}

bool App::State::in_focus() const {
  if (!evaluator.ready() || !has_layers()) return false;
  const std::vector<LayerTrace<float>>& layers = shown().trace->layers;
  return layers[std::min(static_cast<std::size_t>(view.layer), layers.size() - 1)].is_whole();
}

bool App::State::update_trace(std::chrono::milliseconds patience) {
  bool changed = false;
  if (evaluated_version != history.version()) wish_layer();
  const Index layers = std::ssize(history.current().layers);
  const int focus = std::min(wished_layer.value_or(view.layer), static_cast<int>(layers) - 1);
  const auto& trace = evaluator.trace();
  const bool settled = evaluator.ready() && !evaluator.computing() && evaluator.failure().empty();
  const bool out_of_focus = settled && std::ssize(trace->layers) == layers && !trace->layer(focus).is_whole();
  if (evaluated_version != history.version() || out_of_focus) {
    const std::uint64_t version = history.version();
    changes.follow(history.step(), view.selection);
    const auto before = evaluator.trace();
    evaluator.submit(history.current(), focus, patience);
    evaluated_version = version;  // unless there was no memory to ask
    changed = evaluator.trace() != before || !evaluator.failure().empty();
  } else {
    changed = evaluator.poll();
  }
  changes.set_gesture(history.in_gesture());
  const bool evaluated = !evaluator.computing() && evaluator.failure().empty();
  if (evaluated && !changes.has_settled(evaluated_version, evaluator.trace()))
    changes.settle({history.current(), evaluator.trace(), evaluated_version});
  // Of a stack that was left, until the trace of the shorter one is there.
  view.layer = std::min(view.layer, static_cast<int>(shown().document.layers.size()) - 1);
  if (changed) adopt_trace();
  return changed;
}

// A view shows a failure as long as it lasts; the notice says it in whatever view is open.
void App::State::report_failures() {
  told_failures.resize(1 + jobs.size());
  const auto report = [&](std::string& told, const char* what, const std::string& why) {
    if (told == why) return;
    told = why;
    if (!why.empty() && what) notify(std::string(what) + ": " + why + ".", true);
  };
  report(told_failures[0], "What was last changed could not be computed", evaluator.failure());
  for (std::size_t k = 0; k < jobs.size(); ++k) report(told_failures[1 + k], jobs[k].failed, jobs[k].beside->failure());
}

std::vector<App::State::Work> App::State::all_jobs() {
  std::vector<Work> all{{&roles.tables(), "What the heads do could not be measured"},
                        {&roles.names(), "What the heads do could not be measured", false},
                        {&stack_roles.tables(), "What the heads do could not be measured"},
                        {&stack_roles.names(), "What the heads do could not be measured"},
                        {&mixing.beside(), "What the heads add could not be measured"},
                        {&stream.beside(), "The stream could not be measured"},
                        {&circuit.beside(), "Composition could not be measured"},
                        {&routing.beside(), "Routing could not be computed"},
                        {&rollout.beside(), "Rollout could not be computed"},
                        {&likeness.beside(), "How alike the heads are could not be measured"},
                        {&ways.beside(), "The measurement of time has ended", false},
                        {&head_counts.beside(), "The training has ended", false},
                        {&repel.beside(), nullptr},
                        {&solve.beside(), nullptr},
                        {&learn.beside(), "Training has ended"},
                        {&learn.recalling(), nullptr},
                        {&learn.pruning(), nullptr},
                        {&learn.opening(), nullptr},
                        {&learn.measuring(), nullptr},
                        {&learn.following(), nullptr}};
  for (Beside* fitting : fit.beside()) all.push_back({fitting, nullptr});
  for (Beside* sweeping : sweep.beside()) all.push_back({sweeping, "Other numbers of heads could not be computed"});
  return all;
}

bool App::State::update_roles(std::chrono::milliseconds patience) {
  if (!in_focus()) return false;
  const Shown now = shown();
  // Names stand in all views: only Roles itself may look at this sentence alone.
  const bool pooled = view.roles.pooled || view.view != ViewId::roles;
  return roles.update({now.trace, view.layer, now.document, now.version, pooled, view.roles.threshold}, patience);
}

bool App::State::update_together(std::chrono::milliseconds patience) {
  if (!in_focus()) return false;
  if (view.view != ViewId::tradeoff) sweep.leave(history.version());
  const Shown now = shown();
  if (view.view != ViewId::mixing) mixing.leave(now.trace);
  const auto streams = [&](StreamPage page) { return view.view == ViewId::stream && view.stream.page == page; };
  if (!streams(StreamPage::circuit)) circuit.leave(now.trace);
  if (!streams(StreamPage::routing)) routing.leave(now.trace);
  if (!streams(StreamPage::words)) stream.leave(now.trace);
  if (view.view != ViewId::likeness) likeness.leave(now.trace);
  const bool rolls = view.view == ViewId::heads && shows_rollout(view);
  if (!rolls) rollout.leave(now.trace);
  const bool all_roles = view.view == ViewId::roles && is_of_all_layers(view.roles.all_layers, *now.trace);
  if (!all_roles) stack_roles.leave(now.trace);
  // What is looked at, now that the rest is left.
  if (all_roles)
    return stack_roles.update(
        {now.trace, view.layer, now.document, now.version, view.roles.pooled, view.roles.threshold},
        roles.roles().marked, patience);
  if (rolls) return rollout.update(now.trace, view.layer + 1, *view.heads.rollout, patience);
  if (view.view == ViewId::mixing) {
    const bool varying = view.mixing.varying && view.mixing.page != MixingPage::output;
    return mixing.update(now.trace, view.layer, varying ? Written::varying : Written::all, patience);
  }
  if (streams(StreamPage::circuit)) return circuit.update(now.trace, patience);
  if (streams(StreamPage::routing)) return routing.update(now.trace, view.layer, patience);
  if (streams(StreamPage::words))
    return stream.update({now.trace, token_in_view(view, source()), question_in_view(view, source())}, patience);
  if (view.view == ViewId::likeness)
    return likeness.update({now.trace, likeness_layer(view, *now.trace), now.document, now.version,
                            view.likeness.pooled, wanted_likeness(view), roles.roles().marked},
                           patience);
  const auto fits = [&](TradeoffPage page) { return view.view == ViewId::tradeoff && view.tradeoff.page == page; };
  if (fits(TradeoffPage::width) || fits(TradeoffPage::needed)) {
    const FitAsked asked = std::exchange(view.tradeoff.fit.asked, FitAsked::none);
    if (asked == FitAsked::stop) fit.stop();
    if (asked == FitAsked::again) fit.again();
    const bool changed =
        fits(TradeoffPage::width)
            ? fit.update({*now.trace, view.layer, view.focused_head, roles.roles().marks, view.tradeoff.fit.choice},
                         patience)
            : fit.update(view.tradeoff.fit.problem, patience);
    return changed || asked != FitAsked::none;
  }
  fit.leave(*now.trace, view.layer);
  if (view.view == ViewId::tradeoff && sweeps(view.tradeoff.page)) {
    const Document& document = now.document;
    const auto tokens = static_cast<Index>(now.trace->tokens.size());
    if (view.tradeoff.page == TradeoffPage::sharing) {
      const std::vector<Index> counts = usual_kv_head_counts(document.layer(view.layer), tokens);
      return !counts.empty() &&
             sweep.update({document, view.layer, now.version, tokens, counts, -1, Swept::kv_heads}, patience);
    }
    return sweep.update(
        {document, view.layer, now.version, tokens, wanted_head_counts(view, document, tokens), view.focused_head},
        patience);
  }
  return false;
}

void App::State::update_tools(float seconds) {
  // An edit that waits goes first: it may change what a tool works on. While the state before is shown, none is made.
  if (!outbox.messages.empty() || changes.peeking()) return;
  const Document& document = history.current();
  const bool evaluated = evaluator.ready() && !evaluator.computing() && evaluated_version == history.version() &&
                         evaluator.failure().empty();
  repel.update({document, evaluated ? evaluator.trace().get() : nullptr, seconds, fonts.unicode}, view, outbox);
  solve.update(document, view, outbox);
  if (followed_by_learn != history.version()) learn.follow(document, history.lineage(), view);
  followed_by_learn = history.version();
  learn.update(document, seconds, view, outbox);
}

// What is trained depends on no document.
bool App::State::update_head_counts() {
  TrainedState& trained = view.tradeoff.trained;
  const TrainedState::Asked asked = std::exchange(trained.asked, TrainedState::Asked::none);
  if (asked == TrainedState::Asked::cancel) head_counts.cancel();
  if (asked == TrainedState::Asked::start) head_counts.start(tradeoff::asked_of(trained));
  return head_counts.update() || asked != TrainedState::Asked::none;
}

bool App::State::update_ways() {
  if (!in_focus()) return false;
  const bool asked = view.tradeoff.timing != TimingAsked::none;
  switch (std::exchange(view.tradeoff.timing, TimingAsked::none)) {
    case TimingAsked::none:
      break;
    case TimingAsked::start:
      ways.start(evaluator.trace()->layer(view.layer).input, timing_lengths(view));
      break;
    case TimingAsked::cancel:
      ways.cancel();
      break;
  }
  return ways.update() || asked;
}

}  // namespace hydra
