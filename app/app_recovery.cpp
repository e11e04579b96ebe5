// Unsaved work survives the program: it is kept beside the user's files, and offered when the next window opens.
#include <algorithm>
#include <ctime>
#include <utility>

#include "app/app_state.h"
#include "app/scene/choose.h"
#include "app/scene/scene.h"
#include "core/error.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

// "22 November 2026, 01:02", as the user's clock has it.
std::string moment(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm local{};
  char text[64];
  if (::localtime_r(&time, &local) == nullptr || std::strftime(text, sizeof text, "%d %B %Y, %H:%M", &local) == 0)
    return wording("frame:recover.unknown_time");
  return text[0] == '0' ? text + 1 : text;
}

std::string title_of(const RecoveryKeeper::Found& found) {
  const KeptFile& file = found.recovery.file;
  return file.path.empty() ? wording("frame:recover.an_untitled") : name_of(file);
}

// A text to learn from may be of any length; without it the controls are what they were.
std::string kept_scene(ViewState view) {
  std::string& text = view.learn.setup.text;
  if (text.size() > Recovery::kMostScene / 8) text.clear();
  return scene_text(view);
}

constexpr std::size_t kMostLines = 6;

// One for all of them, the latest first.
Question recovering_question(const std::vector<RecoveryKeeper::Found>& found) {
  Question question{Question::About::recovering,
                    "",
                    {},
                    {wording("frame:recover.do"), wording("frame:discard"), wording("frame:later")}};
  const RecoveryKeeper::Found& first = found.front();
  if (found.size() == 1) {
    const bool untitled = first.recovery.file.path.empty();
    const std::string what = first_words(first.recovery.document);
    question.title =
        untitled ? wording("frame:recover.untitled") : wording("frame:recover", {{"file", title_of(first)}});
    question.lines = {untitled ? what : first.recovery.file.path + ": " + what,
                      wording("frame:recover.written", {{"time", moment(first.recovery.written)}})};
  } else {
    question.title = wording("frame:recover.several", {{"n", found.size()}});
    question.lines.push_back(wording("frame:recover.left"));
    for (std::size_t k = 0; k < std::min(found.size(), kMostLines); ++k)
      question.lines.push_back(wording("frame:recover.line", {{"document", title_of(found[k])},
                                                              {"time", moment(found[k].recovery.written)},
                                                              {"words", first_words(found[k].recovery.document)}}));
    if (found.size() > kMostLines)
      question.lines.push_back(wording("frame:recover.more", {{"n", found.size() - kMostLines}}));
    question.lines.push_back(wording("frame:recover.latest"));
    question.answers = {wording("frame:recover.all"), wording("frame:discard_all"), wording("frame:later")};
  }
  if (first.waiting > 0) question.lines.push_back(wording("frame:recover.waiting", {{"n", first.waiting}}));
  question.lines.push_back(wording("frame:recover.later"));
  return question;
}

}  // namespace

void App::keep_recovery_in(const std::string& folder) {
  state_->recovery.emplace(folder);
  if (state_->wake) state_->recovery->on_news(state_->wake);
}

void App::keep_runs_in(const std::string& folder) {
  state_->runs.emplace(folder);
  if (state_->wake) state_->runs->on_news(state_->wake);
}

// True when it has something to say, or has found some.
bool App::State::update_runs() {
  if (!runs) return false;
  if (auto changed = learn.take_changed(quit)) runs->keep(std::move(*changed));
  std::vector<RunsKeeper::Run> left = runs->take_found();  // by earlier windows
  const bool any = !left.empty();
  learn.add_found(std::move(left));
  const std::optional<std::string> fault = runs->take_fault();
  if (fault) notify(*fault, true);
  return any || fault;
}

void App::hide() {
  const ViewState& view = state_->view;
  if (!state_->learn.shown().training || view.learn.trains_hidden) return;
  state_->train(act::LearnPause{});
  state_->notify(wording("frame:hidden"), false);
  state_->notice.insist(10);
}

void App::finish_recovery() {
  if (state_->runs) {
    state_->update_runs();
    state_->runs->finish();
  }
  if (!state_->recovery) return;
  state_->keep_recovery();
  state_->recovery->finish();
}

bool App::State::update_recovery() {
  if (!recovery || quit) return false;
  if (kept_version != history.unsaved_version()) {
    recovery->keep(history.unsaved(), history.lineage(),
                   [now = recovered_look ? recovered_look->view : view] { return kept_scene(now); });
    kept_version = history.unsaved_version();
  }
  for (RecoveryKeeper::Found& one : recovery->take_found()) found.push_back(std::move(one));
  const std::optional<std::string> fault = recovery->take_fault();
  if (fault) notify(*fault, true);
  front.documents_aside = recovery->documents_aside();
  const bool asks = !found.empty() && !front.asks() && !closing;
  if (asks) front.question = recovering_question(found);
  return asks || fault;
}

void App::State::answer_recovering(int choice) {
  std::vector<RecoveryKeeper::Found> all = std::exchange(found, {});
  if (all.empty()) return;
  if (choice == 0) {
    for (auto one = all.rbegin(); one != all.rend(); ++one) recover(std::move(*one));
  } else if (choice == 1) {
    for (RecoveryKeeper::Found& one : all) recovery->discard(std::move(one));
  } else {
    recovery->put_aside();
  }
}

// As a step of the history. What could not be opened stays where it is.
void App::State::recover(RecoveryKeeper::Found one) {
  const KeptFile& file = one.recovery.file;
  history.commit();
  const int before = history.lineage();
  const ReplaceDocument recovered{one.recovery.document, name_of(file), file, true};
  if (replace_document(recovered)) note(act::Do{recovered});
  if (history.lineage() != before) {
    recovered_look.reset();
    try {
      recovered_look = RecoveredLook{history.lineage(), parse_scene(one.recovery.scene, "the scene")};
    } catch (const InputError&) {  // of another version, or damaged: it is looked at as the window looks
    }
    recovery->adopt(std::move(one), history.lineage());
  } else if (same_document(history.current(), one.recovery.document)) {
    recovery->discard(std::move(one));  // it is what is open already
  }
}

// When its trace is there, which the place speaks of; not where it has none, or somebody has done something since.
void App::State::look_as_recovered() {
  if (!recovered_look) return;
  if (recovered_look->lineage != history.lineage() || !evaluator.failure().empty()) return recovered_look.reset();
  if (evaluator.computing() || evaluated_version != history.version() || !has_layers() || changes.peeking()) return;
  const ViewState there = std::exchange(recovered_look, std::nullopt)->view;
  for (act::Choose& choose : differences(view, there)) outbox.act(std::move(choose));
}

}  // namespace hydra
