// The model that stands beside the one that is shown, and those that were kept.
#include <algorithm>

#include "app/app_state.h"
#include "core/io/examples.h"
#include "core/text/wording.h"

namespace hydra {

void App::State::put_beside(const std::string& file) {
  if (!may_read(wording("frame:next_file"))) return;
  const bool example = find_example(file) != nullptr;
  if (example && !has_example(file)) return notify(wording("frame:beside.fetch"), true);
  read({file, example ? FileKeeper::Kind::example : FileKeeper::Kind::document, true});
}

void App::State::lay_beside(std::shared_ptr<const ModelBeside> model) {
  notify(wording("frame:beside", {{"model", model->name}}), false);
  set(view.beside.head, std::nullopt);
  beside.shown = std::move(model);
}

// Two that are kept of one document have two names.
void App::State::keep_beside() {
  history.commit();
  note(act::KeepBeside{});
  const std::string& title = history.current().notes.title;
  const std::string of = !history.file().path.empty() ? name_of(history.file()) : title.substr(0, title.find(':'));
  const std::string first = of.empty() ? wording("frame:beside.kept") : wording("frame:beside.kept.of", {{"name", of}});
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::any_of(beside.kept, [&](const ModelsBeside::Kept& kept) { return kept.model->name == name; });
  };
  std::string name = first;
  for (int n = 2; is_taken(name); ++n) name = wording("frame:beside.kept.nth", {{"name", first}, {"n", n}});
  auto model = std::make_shared<const ModelBeside>(ModelBeside{std::move(name), history.current()});
  beside.kept.push_back({model, history.modified()});
  lay_beside(std::move(model));
}

void App::State::put_kept(int which) {
  if (which < 0 || static_cast<std::size_t>(which) >= beside.kept.size())
    return notify(wording("frame:beside.kept.none", {{"n", which + 1}}), true);
  note(act::PutKept{which});
  lay_beside(beside.kept[static_cast<std::size_t>(which)].model);
}

void App::State::take_away() {
  note(act::TakeAway{});
  beside.shown.reset();
  set(view.beside.head, std::nullopt);
}

// As the document, which can be saved; what was shown is an undo away.
void App::State::open_beside() {
  if (!beside.shown) return notify(wording("frame:beside.none"), true);
  const std::shared_ptr<const ModelBeside> model = beside.shown;
  const auto kept = std::ranges::find(beside.kept, model, &ModelsBeside::Kept::model);
  const bool unsaved = kept != beside.kept.end() && kept->unsaved;
  history.commit();
  gesture.reset();
  if (!replace_document({model->document, model->name, {}, unsaved})) return;
  note(act::OpenBeside{});
  if (unsaved) kept->unsaved = false;  // from here on it is the history's, which asks for it
}

// Before the window closes: whether it asked for one that stands in no file.
bool App::State::ask_of_kept() {
  const auto lost = [](const ModelsBeside::Kept& kept) { return kept.unsaved; };
  const auto first = std::ranges::find_if(beside.kept, lost);
  if (closing->kept_discarded || first == beside.kept.end()) return false;
  Question question{Question::About::kept, wording("frame:closing.kept", {{"model", first->model->name}}), {}, {}};
  question.lines.push_back(wording("frame:closing.kept.what", {{"words", first_words(first->model->document)}}));
  if (const auto others = std::ranges::count_if(beside.kept, lost) - 1; others > 0)
    question.lines.push_back(wording("frame:closing.kept.others", {{"n", others}}));
  question.answers = {wording("frame:closing.kept.open"), wording("frame:discard"), wording("frame:stay")};
  front.question = std::move(question);
  return true;
}

void App::State::answer_kept(int choice) {
  if (choice == 1) {
    closing->kept_discarded = true;
    return ask_before_closing();
  }
  stay_open();
  if (choice != 0) return;
  beside.shown = std::ranges::find_if(beside.kept, &ModelsBeside::Kept::unsaved)->model;
  open_beside();
}

bool App::has_unsaved() const {
  return !state_->history.unsaved().empty() || std::ranges::any_of(state_->beside.kept, &ModelsBeside::Kept::unsaved);
}

std::uint64_t App::unsaved_version() const { return state_->history.unsaved_version() + state_->beside.kept.size(); }

}  // namespace hydra
