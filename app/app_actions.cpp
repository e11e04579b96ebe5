// What the program does with an action.
#include <cstdio>
#include <new>
#include <utility>

#include "app/app_state.h"
#include "app/measures/fit.h"
#include "app/measures/head_counts.h"
#include "app/measures/ways.h"
#include "app/scene/actions/apply.h"
#include "app/scene/why_not.h"
#include "app/views/model_panel/sentence_field.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/failure.h"
#include "core/linalg/memory.h"
#include "core/text/wording.h"

namespace hydra {

namespace {
// Numbers, patterns and gates take the room of those before: an edit of them is never asked whether it may.
bool takes_memory(const Edit& edit) {
  return !is_one_of<SetBlock, SetGate, SetGates, SetParameters, PaintAttention, PaintValue, Unpaint, MarkPair,
                    DropRelation>(edit.what);
}

double needs(const Document& document) { return trace_bytes(document, static_cast<Index>(tokens_of(document).size())); }

// "1.3 GB"
std::string gigabytes(double bytes) {
  char number[32];
  std::snprintf(number, sizeof number, "%.1f", bytes / 1e9);
  return wording("frame:gigabytes", {{"number", number}});
}

bool sets_sizes(const Edit& edit) { return is_one_of<SetHeads, SetHeadSizes, SetModelWidth>(edit.what); }

// Rows that are set by hand, of all layers.
std::size_t painted_rows_in(const Document& document) {
  std::size_t rows = 0;
  for (const Layer& layer : document.layers)
    for (const PaintedHead<float>& head : layer.painted) rows += head.attention.size() + head.values.size();
  return rows;
}

// What an edit of the sizes took along without being asked, in one sentence; empty: nothing. group_before: of heads
// that shared keys; 0: groups were given.
std::string lost_with(const Edit& edit, Index group_before, const Layer& after) {
  if (!sets_sizes(edit) || group_before == 1 || after.key_groups().shares()) return "";
  if (group_before == 0) return wording("frame:given_groups_lost", {{"n", after.heads}});
  return wording("frame:groups_lost", {{"group", group_before}, {"n", after.heads}});
}
}  // namespace

// Whether the edit must be agreed to, because the system may not have the memory for it.
bool App::State::asks_first(const Edit& edit) {
  const bool of_size = sets_sizes(edit) || is_one_of<SetSentence, AddLayer>(edit.what);
  if (!of_size || agreed) return false;
  const double before = needs(history.current());
  const double after = needs(hydra::apply(history.current(), edit)), available = available_memory();
  if (after <= std::max(before, kMostKept) || after <= available) return false;
  unanswered = edit;
  front.question =
      Question{Question::About::memory,
               wording("frame:memory"),
               {wording("frame:memory.needs", {{"needed", gigabytes(after)}, {"available", gigabytes(available)}})},
               {wording("frame:memory.change"), wording("frame:memory.leave")},
               1};
  return true;
}

void App::State::answer_memory(bool go_on) {
  const std::optional<Edit> edit = std::exchange(unanswered, std::nullopt);
  if (!edit || !go_on) return;
  agreed = true;
  if (apply_edit(*edit, true)) note(act::Do{*edit});
  agreed = false;
}

void App::State::tell_of(const Edit& edit, Index group_before, std::size_t painted_before, double bytes_before) {
  if (std::holds_alternative<SetSentence>(edit.what))
    if (const std::size_t stay = painted_rows_in(history.current()); stay < painted_before)
      notify(stay == 0 ? wording("frame:painted_lost")
                       : wording("frame:painted_lost.some", {{"lost", painted_before - stay}, {"stay", stay}}),
             false);
  const std::string lost = lost_with(edit, group_before, focused_layer());
  if (!lost.empty()) notify(lost, false);
  if (!takes_memory(edit)) return;
  const double after = needs(history.current());
  if (after > kMostKept && after > 1.1 * bytes_before)
    notify(wording("frame:memory.taken", {{"memory", gigabytes(after)}}), false);
}

bool App::State::apply_edit(const Edit& edit, bool commit) {
  try {
    if (asks_first(edit)) return false;
    const double before = takes_memory(edit) ? needs(history.current()) : 0;
    const Layer& layer = focused_layer();
    const Index group = layer.kv_of.empty() ? layer.group_size : 0;
    const std::size_t painted = painted_rows_in(history.current());
    if (commit)
      history.apply(edit);
    else
      history.preview(edit);
    const auto* replaced = std::get_if<ReplaceDocument>(&edit.what);
    if (replaced && !replaced->goes_on) changes.forget();
    notice.forget_refusal();
    attempt("frame:done", [&] { tell_of(edit, group, painted, before); });
    return true;
  } catch (const InputError& error) {
    notice.refuse(error.what());
  } catch (const std::bad_alloc&) {
    notice.refuse(wording("frame:refused", {{"why", reason_of(std::current_exception())}}));
  }
  return false;
}

// One overload for each kind of action.
struct App::State::Perform {
  State& s;

  // What is looked at leaves a gesture as it is.
  template <OfView Looked>
  void operator()(Looked& action) {
    if (const std::string refusal = why(action); !refusal.empty()) return s.notice.refuse(refusal);
    const ViewState from = s.view;
    hydra::apply(s.view, action);
    if (s.view.selection != from.selection || s.view.made != from.made) s.notice.forget_remark();
    if constexpr (std::same_as<Looked, act::Choose>) s.put_right();
    s.by_tool ? s.done.note_of_tool(action) : s.done.note_look(action, from, s.view);
  }

  // A gesture goes on.
  void operator()(act::Try& draft) {
    if (attempt(draft.edit)) s.note(draft);
    s.gesture = std::move(draft.edit);
  }
  void operator()(act::Collapse& pulled) {
    if (pulled.anew) s.collapse.begin();
    pulled.anew = !s.collapse.amount();
    Edit draft = s.collapse.moved(pulled.amount, s.history.current(), s.view.layer);
    if (attempt(draft)) s.note(pulled);
    s.gesture = std::move(draft);
  }
  template <OfLearn Lesson>
  void operator()(Lesson& lesson) {
    s.train(lesson);
  }
  // All others end it.
  template <class Alone>
  void operator()(Alone& action) {
    perform(action);
    s.gesture.reset();
  }

 private:
  std::string why(const act::GoTo& to) const {
    return why_not(to, s.history.current(), *s.shown().trace, s.view.layer);
  }
  std::string why(const act::Select& number) const { return why_not(number, *s.shown().trace); }
  std::string why(const act::SelectMade& number) const { return why_not(number); }
  std::string why(const act::Inspect& matrix) const { return why_not(matrix, *s.shown().trace); }
  template <class Anything>
  std::string why(const Anything&) const {
    return "";
  }

  bool attempt(const Edit& draft) {
    if (s.gesture && !one_gesture(*s.gesture, draft)) s.history.commit();
    return s.apply_edit(draft, false);
  }

  void perform(const act::Keep& kept) {
    s.history.commit();
    s.note(kept);
  }
  void perform(const act::TakeBack& back) {
    s.history.cancel();
    s.note(back);
    s.notice.forget_refusal();
  }
  void perform(const act::Do& kept) {
    s.history.commit();
    s.note(act::Keep{});
    const auto* replacement = std::get_if<ReplaceDocument>(&kept.edit.what);
    if (replacement ? s.replace_document(*replacement) : s.apply_edit(kept.edit, true)) s.note(kept);
  }
  void perform(const act::Undo& undo) {
    if (s.history.can_undo()) s.note(undo);
    s.step_through_history(&History::undo);
  }
  void perform(const act::Redo& redo) {
    s.history.commit();
    s.done.leave(s.view, s.history.depth());
    s.note(redo);
    s.step_through_history(&History::redo);
    s.done.leave(s.view, s.history.depth(), true);
  }

  void perform(const act::Open& file) { s.open(file); }
  void perform(const act::OpenExample& example) { s.open_example(example.file); }
  void perform(const act::PutBeside& file) { s.put_beside(file.path); }
  void perform(const act::KeepBeside&) { s.keep_beside(); }
  void perform(const act::PutKept& kept) { s.put_kept(kept.which); }
  void perform(const act::TakeAway&) { s.take_away(); }
  void perform(const act::OpenBeside&) { s.open_beside(); }
  void perform(const act::Save& file) {
    s.history.commit();
    s.save(file.path);
  }
  void perform(const act::SaveRun& file) { s.save_run(file.path); }
  void perform(const act::SaveDone& file) { s.save_done(file.path); }
  void perform(const act::Recover&) {
    if (s.recovery) s.recovery->look_aside();
  }
  void perform(const act::CopyLink&) {
    s.history.commit();
    s.copy_link();
  }
  void perform(const act::Quit&) { s.close(); }
  void perform(const act::Answer& given) { s.answer(given.answer); }

  void perform(const act::LayOut& model) { s.begin_layout(model.path); }
  void perform(const act::SetLayout& one) {
    s.change_layout([&](LayoutDraft& draft) { draft.layout = changed(draft.layout, one.key, one.value); });
  }
  void perform(const act::SuggestLayout&) {
    std::size_t before = 0, after = 0;
    s.change_layout([&](LayoutDraft& draft) {  // of what is said nothing is replaced
      const auto& suggested = draft.suggested.arrays;
      before = draft.layout.arrays.size();
      draft.layout.arrays.insert(suggested.begin(), suggested.end());
      after = draft.layout.arrays.size();
    });
    if (before == after) s.notify(wording("mapping:suggest.none"), false);
  }
  void perform(const act::SaveLayout&) { s.save_layout(); }
  void perform(const act::GoToCheckpoint& asked) { s.go_to_checkpoint(asked); }

  void perform(const act::Repel& asked) {
    s.history.commit();
    s.note(asked);
    s.repel.start(s.history.current(), s.view.layer, asked.steps);
  }
  void perform(const act::Solve& asked) {
    s.history.commit();
    const bool computing = s.evaluator.computing() || s.evaluated_version != s.history.version();
    s.solve.start(asked, {s.history.current(), *s.newest_trace(), s.view.layer, computing, s.sentences.marked},
                  s.notice);
    s.note(asked);
  }
  void perform(const act::Write& asked) {
    s.history.commit();
    s.note(asked);
    s.write_on.start(asked, s.history.current());
  }
  void perform(const act::StopWriting&) {
    s.write_on.stop();
    s.history.commit();
    s.note(act::Keep{});
  }
  void perform(const act::MeasureWays& asked) {
    if (s.in_focus()) s.measures.start<WaysMeasure>({s.newest_trace()->layer(s.view.layer).input, asked.lengths});
  }
  void perform(const act::StopWays&) { s.measures.stop_started<WaysMeasure>(); }
  void perform(const act::TrainCounts& asked) { s.measures.start<HeadCountsMeasure>(asked.asked); }
  void perform(const act::StopCounts&) { s.measures.stop_started<HeadCountsMeasure>(); }
  void perform(const act::Fit&) {
    s.measures.again<FitWidthsMeasure>();
    s.measures.again<FitHeadsMeasure>();
  }
  void perform(const act::StopFit&) {
    s.measures.stop<FitWidthsMeasure>();
    s.measures.stop<FitHeadsMeasure>();
  }
};

void App::State::choose(const std::vector<act::Choose>& choices) {
  for (const act::Choose& choice : choices) hydra::apply(view, choice);
}

void App::State::train(const Action& action) {
  const auto* to = std::get_if<act::LearnGoTo>(&action);
  if (!to || !gesture || !std::holds_alternative<SetParameters>(gesture->what)) history.commit(), gesture.reset();
  const bool trained = learn.trains();
  if (plays_run) note_run();
  LearnTool::Asks asks = learn.handle(action, history.current(), view, notice);
  choose(asks.choices);
  if (asks.replace) replace_document(std::move(*asks.replace));
  if (asks.set) apply_edit(*asks.set, false), gesture = std::move(asks.set);
  if (asks.done) history.commit(), gesture.reset();
  // A run that is played back is noted by where that ends, one that is trained by the steps that it takes; while it is,
  // it has no other wishes.
  plays_run = learn.shown().playing;
  if (plays_run || (trained && !is_one_of<act::LearnChoose, act::LearnRename>(action))) return;
  note(action);
  if (trained || !learn.trains() || !std::holds_alternative<act::LearnTrain>(action)) return;
  done.begin_training();
  trained_from = learn.shown().step;
}

void App::State::end_run_in(ActionList& list) const {
  const LearnTold& run = learn.shown();
  if (list.training()) list.end_training(run.step - trained_from);
  if (plays_run) list.note(act::LearnGoTo{run.branch, run.step});
}

void App::State::note_run() {
  end_run_in(done);
  plays_run = false;
}

ActionList App::State::done_by_now() const {
  ActionList now = done;
  end_run_in(now);
  return now;
}

std::vector<Action> App::State::done_from_nothing() const {
  return done_by_now().from_nothing({history.current(), view});
}

bool App::State::at_rest() const {
  return !evaluator.computing() && evaluated_version == history.version() && !wished_layer && !history.in_gesture() &&
         !collapse.amount() && !repel.under_way() && !solve.under_way() && !write_on.under_way() &&
         !learn.under_way() && files.reading().empty() && !front.question && !closing && !changes.peeking() &&
         !recovered_look;
}

void App::State::note(const Action& action) {
  if (by_tool) return done.note_of_tool(action);
  if (done.training() && is_one_of<act::Try, act::Collapse, act::Do, act::Undo, act::Redo>(action)) note_run();
  done.note(action);
}

bool App::State::perform_actions() {
  constexpr const char* fault = "frame:not_done";
  if (changes.peeking()) attempt(fault, [&] { hold_back_edits(); });
  std::vector<Action> actions = std::exchange(outbox.actions, {});
  std::size_t of_tools = std::exchange(actions_of_tools, 0);
  for (Action& action : actions) {
    by_tool = of_tools > 0;
    if (by_tool)
      --of_tools;
    else
      recovered_look.reset();
    if (!closing) done.find(history.current(), view, history.depth(), at_rest());
    // A gesture that could not be ended is ended by what follows.
    if (!attempt(fault, [&] { std::visit(Perform{*this}, action); }) && !history.in_gesture()) gesture.reset();
    attempt(fault, [&] { look_at_learn(); });
    if (!closing) done.leave(view, history.depth());
  }
  by_tool = false;
  if ((done.training() && !learn.trains()) || (plays_run && !learn.shown().playing)) note_run();
  attempt(fault, [&] {
    if (closing && !quit && !front.asks() && !overwriting && files.writing().empty()) stay_open();
    if (!hands.of<SentenceField>().typing) show_sentence();
    collapse.update(history.current(), view.layer);
  });
  return !actions.empty();
}

}  // namespace hydra
