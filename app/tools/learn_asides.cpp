// Runs that another was begun after: kept, and taken up again where they were left.
#include <algorithm>
#include <chrono>
#include <ctime>

#include "app/tools/learn_tool.h"
#include "app/views/frame/ui.h"
#include "core/error.h"
#include "core/learn/model.h"

namespace hydra {

namespace {

bool has_steps(const learn::Timeline& timeline) {
  return timeline.size() > 1 || timeline.branch(0).last() > timeline.branch(0).from;
}

// "2026-11-26 11.39.05 1-52763": the moment, by the user's clock, a number, and what no other window has in that
// second. They sort as they were begun.
std::string id_of_run(int number) {
  static const auto window = std::chrono::steady_clock::now().time_since_epoch().count() % 100'000;
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  char text[64] = {};
  if (::localtime_r(&now, &local) != nullptr) std::strftime(text, sizeof text, "%Y-%m-%d %H.%M.%S ", &local);
  return text + std::to_string(number) + "-" + std::to_string(window);
}

int last_of(const learn::Timeline& timeline) {
  int last = 0;
  for (int k = 0; k < timeline.size(); ++k) last = std::max(last, timeline.branch(k).last());
  return last;
}

}  // namespace

// "Induction: 2 x 4 heads, d_model 32": the task's title up to its colon, and what no run can change.
std::string LearnTool::title_of(const learn::Task& task, const learn::Recipe& recipe) {
  const std::string& title = task.info().title;
  const std::string name = title.substr(0, title.find(':'));
  const std::string run =
      recipe.layers > 1
          ? wording("tools:run.stack",
                    {{"task", name}, {"layers", recipe.layers}, {"heads", recipe.heads}, {"d_model", recipe.d_model}})
          : wording("tools:run", {{"task", name}, {"heads", recipe.heads}, {"d_model", recipe.d_model}});
  return recipe.controls.gates > 0 ? wording("tools:run.gates", {{"run", run}}) : run;
}

void LearnTool::begin_id() {
  id_ = id_of_run(++begun_runs_);
  ++changes_;
}

LearnTool::Aside LearnTool::present() const {
  return {shown_.task, timeline_, begun_, document_, compiled_, places_, shown_.branch, shown_.step, id_, {}};
}

void LearnTool::Aside::keep_as(learn::RunFile made) {
  file = std::move(made);
  timeline.reset(), document.reset(), compiled.reset();
  places.clear();
}

// As a file, which a branch less does not change.
void LearnTool::keep_a_copy() {
  Aside copy = present();
  copy.keep_as(present_file());
  copy.id = id_of_run(++begun_runs_);
  asides_.push_front(std::move(copy));
  show_asides();
}

void LearnTool::put_aside() {
  if (!timeline_ || !has_steps(*timeline_)) return forget_again();
  asides_.push_front(present());
  if (again_) {  // what is not trained again yet stands in the file alone
    asides_.front().keep_as(present_file());
    forget_again();
  }
  timeline_.reset();
  hold_bound_of_asides();
  show_asides();
}

// Together with the present run's: the older ones give up their steps, which their files can have trained again.
bool LearnTool::hold_bound_of_asides() {
  bool changed = false;
  std::size_t bytes = timeline_ ? timeline_->bytes() : 0;
  for (Aside& run : asides_) {
    if (!run.timeline) continue;
    bytes += run.timeline->bytes();
    if (bytes <= most_bytes_) continue;
    run.keep_as(file_of(run));
    changed = true;
  }
  return changed;
}

void LearnTool::show_asides() {
  shown_.aside.clear();
  for (const Aside& run : asides_) {
    RunAside shown;
    shown.name = title_of(*run.task, run.begun.recipe);
    shown.begun = run.id.substr(0, std::string_view("2026-11-26 11.39").size());
    shown.at_once = static_cast<bool>(run.timeline);
    shown.branches = run.timeline ? run.timeline->size() : int_size(run.file.branches);
    if (run.timeline) shown.steps = last_of(*run.timeline);
    for (const learn::RunFile::Branch& branch : run.file.branches) shown.steps = std::max(shown.steps, branch.last);
    shown_.aside.push_back(std::move(shown));
  }
}

void LearnTool::set_present(Aside run) {
  learner_.let_go();
  recaller_.forget();
  timeline_ = std::move(run.timeline), begun_ = std::move(run.begun);
  document_ = std::move(run.document), compiled_ = std::move(run.compiled);
  places_ = std::move(run.places);
  id_ = std::move(run.id);
  shown_.task = std::move(run.task), shown_.timeline = timeline_;
  shown_.branch = run.branch, shown_.step = run.step;
  shown_.fits = true, shown_.edited = false;
  shown_.told.clear();
  shown_.name = title_of(*shown_.task, begun_.recipe);
}

LearnTool::Asks LearnTool::take_up(int k, const ViewState& view) {
  if (k < 0 || k >= int_size(asides_)) throw InputError(wording("tools:run.none", {{"run", k}}));
  Aside run = std::move(nth(asides_, k));
  asides_.erase(asides_.begin() + k);
  if (!run.timeline) return open(std::move(run.file), view);
  put_aside();
  set_present(std::move(run));
  hold_bound_of_asides();
  show_asides();
  remember();
  return {choices_for(begun_, view), ReplaceDocument{document_at(shown_.branch, shown_.step), shown_.name}};
}

std::optional<RunsKeeper::Run> LearnTool::take_changed(bool ends) {
  const bool wanted = training_ >= 0 ? ends : changes_ != kept_changes_;
  if (!wanted || !timeline_ || !has_steps(*timeline_)) return std::nullopt;
  kept_changes_ = changes_;
  return RunsKeeper::Run{id_, present_file()};
}

void LearnTool::add_found(std::vector<RunsKeeper::Run> runs) {
  for (RunsKeeper::Run& run : runs) {
    const LearnSetup setup = setup_of(run.file);
    asides_.push_back({tasks_.of(setup), {}, setup, {}, {}, {}, 0, 0, std::move(run.id), std::move(run.file)});
  }
  if (!runs.empty()) show_asides();
}

// Undo goes back into the run that it is of.
std::optional<LearnSetup> LearnTool::find_among_asides(const Document& document) {
  if (training_ >= 0 || asides_.empty()) return std::nullopt;
  const Document model = model_of(document);
  for (int k = 0; k < int_size(asides_); ++k) {
    const Aside& run = nth(asides_, k);
    if (!run.timeline || !same_document(model, model_of(*run.document)) || !learn::has_all(*run.compiled, document))
      continue;
    const std::uint64_t parameters = hash_of(document, *run.compiled);
    const std::vector<double> gates = learn::gates_of(document);
    const auto is_here = [&](const Place& place) { return place.parameters == parameters && place.gates == gates; };
    const auto found = std::ranges::find_if(run.places, is_here);
    if (found == run.places.end()) continue;
    const Place place = *found;
    Aside taken = std::move(nth(asides_, k));
    asides_.erase(asides_.begin() + k);
    pause();
    put_aside();
    set_present(std::move(taken));
    show_asides();
    take_up(document, place);
    return begun_;
  }
  return std::nullopt;
}

}  // namespace hydra
