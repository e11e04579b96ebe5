#include "app/app.h"

#include <algorithm>
#include <utility>

#include "app/app_state.h"
#include "app/platform/page.h"
#include "app/scene/actions/apply.h"
#include "app/views/model_panel/sentence_field.h"
#include "core/document/model_file.h"
#include "core/files/mapped_file.h"
#include "core/linalg/memory.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

// What the sentence field shows: a document that lists its tokens need not have a sentence.
std::string shown_sentence(const Document& document) {
  if (!document.tokens || tokenizer_of(document)) return document.sentence;
  std::string joined;
  for (const std::string& token : *document.tokens) joined += (joined.empty() ? "" : " ") + token;
  return joined;
}

}  // namespace

App::App(Document document, std::string path, HeatmapSink& sink)
    : App(OpenedDocument{std::move(document), {std::move(path), {}}}, sink) {}

App::App(OpenedDocument opened, HeatmapSink& sink) : state_(std::make_unique<State>(std::move(opened), sink)) {
  state_->hands.of<SentenceField>().draft = shown_sentence(state_->history.current());
  state_->adopt_trace();
  state_->prepare_style();
}

App::~App() = default;

bool App::take_fonts_changed() { return std::exchange(state_->fonts_changed, false); }
void App::failed(const std::exception_ptr& fault) { state_->failed("frame:not_drawn", fault); }
void App::record_in(Recording* recording, bool with_window) {
  state_->recording = recording, state_->records_window = with_window;
}
void App::withhold(std::vector<Cell> cells) { state_->withheld = std::move(cells); }

void App::set_patience(std::chrono::milliseconds patience) { state_->frame_patience = patience; }
bool App::quit_requested() const { return state_->quit; }
void App::close() {
  state_->attempt("frame:not_done", [&] { state_->close(); });
}
bool App::wants_frame() const {
  const State& s = *state_;
  return s.glance.moving || s.glyphs.wants_build() || s.glyphs.pending() || s.derived.pending() ||
         s.changes.pending() || s.evaluator.computing() || s.measures.computing() ||
         std::ranges::any_of(s.jobs, [](const auto& w) { return w.background->computing(); });
}
void App::rest() {
  State& s = *state_;
  const std::shared_ptr<const Trace>& trace = s.newest_trace();
  const auto keeps_all = [](const LayerTrace<float>& layer) { return layer.input.keep_all; };
  if (std::all_of(trace->layers.begin(), trace->layers.end(), keeps_all) || s.rested.lock() == trace) return;
  s.rested = trace;
  give_back_freed_memory();
}
bool App::pictures_pending() const { return state_->derived.pending() || state_->changes.pending(); }
bool App::wants_caret_blink() const { return ImGui::GetIO().WantTextInput; }
void App::on_background_done(std::function<void()> wake) {
  state_->wake = wake;
  for (const State::Work& work : state_->jobs) work.background->on_finished(wake);
  state_->files.on_finished(wake);
  state_->measures.on_finished(wake);
  state_->evaluator.on_finished(std::move(wake));
}
void App::say(const std::string& sentence, bool error) { state_->notify(sentence, error); }

void App::open(const std::string& path) {
  state_->attempt("frame:not_done", [&] { state_->open({path, false, {}}); });
}

void App::set_page(std::string address) { state_->page_address = std::move(address); }
void App::edit(const Edit& edit) { state_->outbox.apply(edit); }
void App::act(Action action) { state_->outbox.act(std::move(action)); }
bool App::is_acting() const {
  const State& s = *state_;
  return !s.outbox.actions.empty() || s.evaluator.computing() || s.evaluated_version != s.history.version() ||
         s.repel.under_way() || s.solve.under_way() || s.write_on.under_way() || s.learn.under_way() ||
         !s.files.reading().empty();
}
void App::hurry() { state_->learn.hurry(); }
std::vector<Action> App::done() const { return state_->done_by_now().actions(); }
std::vector<Action> App::done_from_nothing() const { return state_->done_from_nothing(); }
void App::choose(Heard::Kind kind, int index) { state_->asked_for = {kind, index}; }

void App::begin() {
  State& s = *state_;
  s.set(s.view.view, ViewId::heads);
  s.set(s.view.inspector_view, ViewId::heads);
  s.set(s.view.inspected, {Quantity::W_Q, s.view.layer, s.view.focused_head});
  s.begun = s.history.lineage();
}
const History& App::history() const { return state_->history; }
const std::string& App::failure() const { return state_->evaluator.failure(); }
const LearnTold& App::learn() const { return state_->learn.shown(); }
const Trace& App::trace() const { return *state_->newest_trace(); }
const ViewState& App::view() const { return state_->view; }
void App::set(const Action& action) { apply_if_of_view(state_->view, action); }
const Glance& App::was() const { return state_->glance; }
Hands& App::hands() { return state_->hands; }
Made& App::made() { return state_->made; }
Notice& App::notice() { return state_->notice; }
Front& App::front() { return state_->front; }
ToolsTold App::tools() const {
  return {state_->collapse.amount(), state_->repel.shown(), state_->solve.shown(), state_->write_on.under_way(),
          state_->series_here()};
}
const std::optional<Cell>& App::offered() const { return state_->offered; }
void App::listen(bool somebody_does) { state_->listening = somebody_does; }
const Heard& App::heard() const { return state_->heard; }
const KnownSentences& App::sentences() const { return state_->sentences; }
const Fonts& App::fonts() const { return state_->fonts; }

void App::keep_at_most(double bytes) { state_->evaluator.keep_at_most(bytes); }
void App::keep_done_at_most(std::size_t bytes) { state_->done.keep_at_most(bytes); }

void App::finish_names() {
  finish_evaluation();
  state_->measures.finish_rest();
  state_->update_measures(std::chrono::milliseconds(0));
}

void App::finish_evaluation() {
  state_->files.finish();
  state_->update_files();
  state_->evaluator.finish();
  state_->adopt_trace();
  // Training is no answer to anything: it goes on.
  for (int k = 0; k < 2; ++k) {  // the second time what is asked for by what came the first time
    state_->update_measures(std::chrono::milliseconds(0));
    state_->measures.finish();
    for (const State::Work& work : state_->jobs)
      if (work.background != &state_->learn.background()) work.background->finish();
  }
  state_->update_measures(std::chrono::milliseconds(0));
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
  error ? notice.fail(std::move(sentence)) : notice.say(std::move(sentence), 4);
}

// What was typed and refused gives way to the sentence that there is.
void App::State::show_sentence() {
  std::string shown = shown_sentence(this->shown().document);
  std::string& draft = hands.of<SentenceField>().draft;
  if (shown == draft) return;
  draft = std::move(shown);
  notice.forget_refusal();
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
  const auto& trace = newest_trace();
  const bool settled = evaluator.ready() && !evaluator.computing() && evaluator.failure().empty();
  const bool out_of_focus = settled && std::ssize(trace->layers) == layers && !trace->layer(focus).is_whole();
  if (evaluated_version != history.version() || out_of_focus) {
    const std::uint64_t version = history.version();
    changes.follow(history.step(), view.selection);
    const auto before = newest_trace();
    evaluator.submit(history.current(), focus, patience,
                     view.view == ViewId::flow ? ReadOut::all_rows : ReadOut::asked_rows);
    evaluated_version = version;  // unless there was no memory to ask
    changed = newest_trace() != before || !evaluator.failure().empty();
  } else {
    changed = evaluator.poll();
  }
  changes.set_gesture(history.in_gesture());
  const bool evaluated = !evaluator.computing() && evaluator.failure().empty();
  if (evaluated && !changes.has_settled(evaluated_version, newest_trace()))
    changes.settle({history.current(), newest_trace(), evaluated_version});
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
    if (!why.empty() && what) notify(wording("frame:failed", {{"what", wording(what)}, {"why", why}}), true);
  };
  if (const int cut = times_cut(); cut != told_cut) {
    told_cut = cut;
    notify(wording("frame:file_cut"), true);
  }
  report(told_failures[0], "frame:change_failed", evaluator.failure());
  for (std::size_t k = 0; k < jobs.size(); ++k)
    report(told_failures[1 + k], jobs[k].failed, jobs[k].background->failure());
  measures.each_failure([&](const char* what, const std::string& why, std::string& told) { report(told, what, why); });
}

std::vector<App::State::Work> App::State::all_jobs() {
  return {{&repel.background(), nullptr}, {&solve.background(), nullptr}, {&learn.background(), "frame:training_ended"},
          {&learn.recalling(), nullptr},  {&learn.pruning(), nullptr},    {&learn.opening(), nullptr},
          {&learn.measuring(), nullptr},  {&learn.following(), nullptr}};
}

void App::State::update_tools(float seconds) {
  // An edit that waits goes first: it may change what a tool works on. While the state before is shown, none is made.
  if (!outbox.actions.empty() || changes.peeking()) return;
  const Document& document = history.current();
  const bool evaluated = evaluator.ready() && !evaluator.computing() && evaluated_version == history.version() &&
                         evaluator.failure().empty();
  repel.update({document, evaluated ? newest_trace().get() : nullptr, seconds, fonts.unicode}, notice, outbox);
  solve.update(document, view.layer, notice, outbox);
  write_on.update({document, evaluated ? newest_trace().get() : nullptr, seconds}, notice, outbox);
  if (std::exchange(followed_by_learn, history.version()) != history.version()) {
    const std::vector<act::Choose> choices = learn.follow(document, history.lineage(), view);
    if (!choices.empty()) done.use_learn();
    choose(choices);
  }
  look_at_learn();
  learn.update(document, seconds, view, outbox);
  actions_of_tools = outbox.actions.size();
}

void App::State::look_at_learn() {
  if (view.view == ViewId::learn) choose(learn.look_at_controls(history.current(), view));
}

bool App::State::update_measures(std::chrono::milliseconds patience) {
  return in_focus() && measures.settle(moment(), patience);
}

}  // namespace hydra
