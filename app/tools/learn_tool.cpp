#include "app/tools/learn_tool.h"

#include <algorithm>
#include <cmath>

#include "app/views/frame/ui.h"
#include "core/error.h"
#include "core/learn/model.h"
#include "core/learn/start.h"

namespace hydra {
namespace {

constexpr std::size_t kMostPlaces = 600;  // more than the history has steps
constexpr float kRateSeconds = 0.5f;      // in which the rate of steps is counted
constexpr double kUsualPlayed = 6;        // seconds in which a run is played that was trained as fast as it goes

}  // namespace

LearnTool::Asks LearnTool::go_to(int branch, int step, bool done) {
  Asks asks;
  step = std::clamp(step, 0, timeline_->branch(branch).last());
  recaller_.forget();
  if (done && !timeline_->is_there(branch, step)) {
    remember();  // where it was dragged to
    recall(branch, step);
    asks.done = false;  // it ends with the step
    return asks;
  }
  asks.set = set_to(branch, timeline_->at(branch, step).step);
  asks.done = done;
  if (done) remember();
  return asks;
}

LearnTool::Asks LearnTool::handle(const Action& action, const Document& document, const ViewState& view,
                                  Notice& notice) {
  const LearnSetup& setup = view.learn.setup;
  set_pace(view.learn.pace);
  most_bytes_ = view.learn.most_bytes;
  if (const std::string why = why_not(action); !why.empty()) {
    notice.fail(why);
    return {};
  }
  if (const auto* choose = std::get_if<act::LearnChoose>(&action)) {
    LearnSetup chosen = setup;
    this->choose(choose->task, chosen);
    return {choices_for(chosen, view)};
  }
  if (std::holds_alternative<act::LearnPause>(action)) {
    pause();
    return {};
  }
  if (const auto* rename = std::get_if<act::LearnRename>(&action)) {
    if (timeline_ && !rename->name.empty()) timeline_->rename(rename->branch, rename->name), ++changes_;
    return {};
  }
  if (training_ >= 0) return {};  // it is paused first
  recaller_.forget();
  if (const auto* wanted = std::get_if<act::LearnTry>(&action))
    return try_out(nth(learn_experiments(), wanted->which), view, notice);
  const bool anew = begins_anew(setup);
  const auto* train_on = std::get_if<act::LearnTrain>(&action);
  const bool trains = train_on != nullptr;
  const int count = trains ? std::max(train_on->steps, 0) : 0;
  if (again_ && again_->paused && trains && !anew && !shown_.edited) {
    again_->paused = false;
    return {};
  }
  if (again_ && !anew &&
      (trains || std::holds_alternative<act::LearnStep>(action) || std::holds_alternative<act::LearnReset>(action) ||
       std::holds_alternative<act::LearnRemove>(action)))
    forget_again();  // the run is another one from here on
  if (const auto* run = std::get_if<act::LearnTakeUp>(&action)) {
    try {
      return take_up(run->run, view);
    } catch (const InputError& error) {
      notice.fail(error.what());
      return {};
    }
  }
  if (std::holds_alternative<act::LearnCopyCommand>(action)) {
    copy_command(notice);
    return {};
  }
  if (const auto* to = std::get_if<act::LearnGoTo>(&action)) {
    shown_.playing = false;
    if (!timeline_ || !shown_.fits) return {};
    return go_to(to->branch, to->step, to->done);
  }
  if (const auto* play = std::get_if<act::LearnPlay>(&action)) {
    if (!timeline_ || !shown_.fits) return {};
    shown_.playing = play->on;
    const bool at_end = shown_.step >= timeline_->branch(shown_.branch).last();
    if (play->on && at_end) return go_to(shown_.branch, 0, false);
    played_ = shown_.step;
    return {};
  }
  if (const auto* gone = std::get_if<act::LearnRemove>(&action)) {
    if (!timeline_ || !timeline_->can_remove(gone->branch)) return {};
    keep_a_copy();
    const learn::Timeline::Branch& branch = timeline_->branch(gone->branch);
    Asks asks;
    if (shown_.branch == gone->branch) {
      const int parent = std::max(branch.parent, 0), from = branch.from;
      if (branch.parent >= 0 && !branch.own_start)
        timeline_->hold(timeline_->owner(parent, from), from, branch.first());
      asks = go_to(parent, timeline_->at(parent, from).step, true);
    }
    timeline_->remove(gone->branch);
    ++changes_;
    shown_.told.clear();
    if (shown_.branch > gone->branch) --shown_.branch;
    std::erase_if(places_, [&](const Place& place) { return place.branch == gone->branch; });
    for (Place& place : places_) place.branch -= place.branch > gone->branch;
    learner_.let_go();
    return asks;
  }
  // What may be wrong with the controls is said, and nothing has changed.
  try {
    if (std::holds_alternative<act::LearnBegin>(action)) return anew ? begin_anew(document, setup) : Asks();
    if (std::holds_alternative<act::LearnReset>(action)) return reset(setup, run_name(setup));
    const bool steps = std::holds_alternative<act::LearnStep>(action);
    if (steps && !anew && shown_.step < timeline_->branch(shown_.branch).last() && is_as_trained(document, setup))
      return go_to(shown_.branch, shown_.step + 1, true);  // it has been taken
    Asks asks;
    if (anew) asks = begin_anew(document, setup);
    if (!anew && shown_.step < timeline_->branch(shown_.branch).last() && is_as_trained(document, setup)) {
      const int last = timeline_->branch(shown_.branch).last();  // what follows has been taken
      if (last >= setup.recipe.steps) {
        shown_.playing = true, played_ = shown_.step;
        return {};
      }
      asks = go_to(shown_.branch, last, true);
      train(document_at(shown_.branch, shown_.step), setup, count);
      return asks;
    }
    train(asks.replace ? asks.replace->document : asks.set ? document_at(0, 0) : document, setup, steps ? 1 : count);
    return asks;
  } catch (const InputError& error) {
    notice.fail(error.what());
    return {};
  }
}

// What makes the controls those.
std::vector<act::Choose> LearnTool::choices_for(const LearnSetup& setup, const ViewState& view) {
  ViewState with = view;
  with.learn.setup = setup;
  return differences(view, with);
}

// Its recipe, and its seed where the present one is not the user's own.
void LearnTool::choose(const std::string& key, LearnSetup& setup) {
  setup.task = key;
  setup.seed = 0;
  setup.stop_loss.reset(), setup.stop_accuracy.reset();
  try {
    const learn::TaskInfo& info = tasks_.of(setup)->info();
    setup.recipe = info.recipe;
    setup.seed = info.seed;
  } catch (const InputError&) {  // a text that is not there yet: what is wrong with it stands in the view
  }
}

void LearnTool::pause() {
  shown_.playing = false;
  learner_.pause();
  recaller_.forget();
  if (again_) again_->paused = true;
}

void LearnTool::forget_again() {
  again_.reset();
  shown_.again_of = 0;
}

Document LearnTool::document_at(int branch, int step) const {
  Document document = *document_;
  learn::put_gates(document, timeline_->branch(timeline_->owner(branch, step)).gates);
  document = learn::with_parameters(document, *compiled_, timeline_->at(branch, step).parameters);
  say_sources(document, branch, step);
  return document;
}

// A branch that begins with weights of its own begins with where they came from; every step after that has trained
// them.
void LearnTool::say_sources(Document& document, int branch, int step) const {
  const learn::Timeline::Branch& own = timeline_->branch(branch);
  if (step < own.from || (step == own.from && !own.own_start)) return say_sources(document, own.parent, step);
  if (step > own.from) return learn::mark_layers(document, WeightSource::Kind::trained);
  for (std::size_t k = 0; k < document.layers.size(); ++k) document.layers[k].source = own.sources[k];
}

Edit LearnTool::set_to(int branch, int step) {
  const Document document = document_at(branch, step);
  SetParameters set;
  set.weights = document.weights;
  for (const Layer& layer : document.layers) set.layers.push_back({layer.source, layer.weights, layer.gates});
  set.what = wording("tools:train.step", {{"step", step}});
  shown_.branch = branch, shown_.step = step, shown_.edited = false;
  timeline_->hold(timeline_->owner(branch, step), step, timeline_->at(branch, step).parameters);
  return {std::move(set), 0};
}

void LearnTool::take(Learner::Taken taken) {
  if (taken.row.empty())
    timeline_->keep_moments(taken.branch, std::move(taken.moments));
  else
    timeline_->take(taken.branch, taken.row, std::move(taken.parameters), std::move(taken.moments));
}

std::vector<act::Choose> LearnTool::look_at_controls(const Document& document, const ViewState& view) {
  const std::optional<LearnSetup> others = other_controls(document, view.learn.setup);
  tell_of_controls(document, others ? *others : view.learn.setup);
  return others ? choices_for(*others, view) : std::vector<act::Choose>();
}

// None: they stay as they are.
std::optional<LearnSetup> LearnTool::other_controls(const Document& document, const LearnSetup& setup) {
  std::optional<LearnSetup> others;
  if (std::exchange(unknown_document_, false)) {
    const auto task = documents_task_ = tasks_.of(document);
    const learn::Recipe recipe = task ? recipe_for(task->info(), document) : learn::Recipe();
    const bool other = task && (setup.task != task->info().key || !setup.recipe.has_sizes_of(recipe));
    if (other) choose(task->info().key, others.emplace(setup)), others->recipe = recipe;
  }
  const LearnSetup& now = others ? *others : setup;
  if (!looked_at_ && !shown_.chosen && now.recipe == learn::Recipe()) {
    learn::Recipe recipe = tasks_.of(now)->info().recipe;
    if (!others) others = setup;
    others->recipe = std::move(recipe);
  }
  return others;
}

void LearnTool::tell_of_controls(const Document& document, const LearnSetup& setup) {
  shown_.begins_anew = begins_anew(setup);
  const auto& of_document = shown_.fits ? shown_.task : documents_task_;
  shown_.usable =
      of_document && shown_.chosen == of_document && has_sizes(of_document->outline(), document, setup.recipe);
  if (looked_at_ == setup) return;
  looked_at_ = setup;
  shown_.chosen = nullptr;
  shown_.fault.clear();
  try {
    shown_.chosen = tasks_.of(setup);
    learn::check_recipe(setup.recipe);
  } catch (const InputError& error) {
    shown_.fault = error.what();
  }
}

void LearnTool::update(const Document& document, float seconds, const ViewState& view, Outbox& out) {
  set_pace(view.learn.pace);
  if (training_ >= 0) {
    const bool over = !learner_.training();
    std::vector<Learner::Taken> taken = learner_.fetch();
    rate_seconds_ += seconds, rate_steps_ += int_size(taken);
    if (rate_seconds_ >= kRateSeconds)
      shown_.per_second = rate_steps_ / static_cast<double>(std::exchange(rate_seconds_, 0.0f)), rate_steps_ = 0;
    const bool any = !taken.empty() && !taken.back().row.empty();
    for (Learner::Taken& one : taken) take(std::move(one));
    if (any && hold_bound_of_asides()) show_asides();
    // What was edited meanwhile stays; it has been told to pause.
    if (any && shown_.fits && !shown_.edited) out.preview(set_to(training_, timeline_->branch(training_).last()));
    if (over) end(out);
  }
  shown_.training = training_ >= 0;
  update_recall(out);
  go_on_again(out);
  update_pruning(view);
  update_opened(document, view);
  update_followed(view);
  find_best_held_out();
  if (!shown_.playing) return;
  const int last = timeline_->branch(shown_.branch).last();
  const double pace = view.learn.pace > 0 ? view.learn.pace : std::max(10.0, last / kUsualPlayed);
  played_ += pace * static_cast<double>(seconds);
  const int step = std::min(static_cast<int>(played_), last);
  const int there = timeline_->at(shown_.branch, step).step;
  if (there != shown_.step) out.preview(set_to(shown_.branch, there));
  if (step < last) return;
  shown_.playing = false;
  remember();
  out.commit();
}

void LearnTool::tell(std::string text) {
  shown_.told = std::move(text);
  shown_.told_branch = shown_.branch, shown_.told_step = shown_.step;
}

void LearnTool::end(Outbox& out) {
  ++changes_;
  const auto ended = learner_.take_ended();
  const int step = timeline_->branch(training_).last();
  using Ended = Learner::Ended;
  std::string text;
  if (!learner_.failure().empty())
    text = wording("tools:ended.failure", {{"failure", learner_.failure()}});
  else if (ended == Ended::loss)
    text = wording("tools:ended.loss", {{"step", step}});
  else if (ended == Ended::accuracy)
    text = wording("tools:ended.accuracy", {{"step", step}});
  else if (ended == Ended::step)
    text = wording("tools:ended.step", {{"step", step}});
  else if (ended == Ended::diverged)
    text = wording("tools:ended.diverged", {{"step", step}});
  tell(std::move(text));
  if (ended == Ended::diverged) timeline_->set_diverged(training_);
  training_ = -1;
  remember();
  out.commit();
}

// What a document of the run's model is told by; of L0 gates it has none, only what they come to.
std::uint64_t LearnTool::hash_of(const Document& document, const lanes::Compiled& compiled) {
  const std::vector<float> own = learn::parameters_of(document, compiled);
  std::uint64_t parameters = 0;
  for (const lanes::ParameterPlace& part : compiled.parameters())
    if (!part.gate_logits)
      parameters = hash(
          {reinterpret_cast<const char*>(own.data() + part.at), static_cast<std::size_t>(part.count()) * sizeof(float)},
          parameters);
  return parameters;
}

LearnTool::Place LearnTool::place_of(const Document& document, int branch, int step) const {
  return {branch, step, hash_of(document, *compiled_), learn::gates_of(document)};
}

void LearnTool::remember() {
  Place here = place_of(document_at(shown_.branch, shown_.step), shown_.branch, shown_.step);
  std::erase(places_, here);
  places_.push_front(std::move(here));
  if (places_.size() > kMostPlaces) places_.pop_back();
}

// The document is that step's: its parameters stand there, or they are trained again where it does not have them all.
bool LearnTool::take_up(const Document& document, const Place& place) {
  const int branch = timeline_->owner(place.branch, place.step);
  if (!timeline_->is_there(branch, place.step)) {
    const auto is_gate = [](const lanes::ParameterPlace& part) { return part.gate_logits; };
    if (std::ranges::any_of(compiled_->parameters(), is_gate)) {
      recall(branch, place.step);
      return false;
    }
    timeline_->hold(branch, place.step,
                    std::make_shared<const std::vector<float>>(learn::parameters_of(document, *compiled_)));
  }
  shown_.branch = place.branch, shown_.step = place.step, shown_.edited = false;
  return true;
}

bool LearnTool::is_shown(const Document& document) const {
  const learn::Parameters& parameters = timeline_->at(shown_.branch, shown_.step).parameters;
  const std::vector<float> own = learn::parameters_of(document, *compiled_);
  for (const lanes::ParameterPlace& place : compiled_->parameters())
    if (!place.gate_logits &&
        !std::equal(own.begin() + place.at, own.begin() + place.at + place.count(), parameters->begin() + place.at))
      return false;
  return learn::gates_of(document) == learn::gates_of(document_at(shown_.branch, shown_.step));
}

std::vector<act::Choose> LearnTool::follow(const Document& document, int lineage, const ViewState& view) {
  seen_lineage_ = lineage;
  const bool same_model = timeline_ && document_ && same_document(model_of(document), model_of(*document_)) &&
                          learn::has_all(*compiled_, document);
  if (same_model) {
    shown_.fits = true;
    if (is_shown(document)) {
      own_lineage_ = lineage;
      shown_.edited = false;
      return {};
    }
    pause();
    const Place here = place_of(document, shown_.branch, shown_.step);
    for (const Place& place : places_)
      if (place.parameters == here.parameters && place.gates == here.gates) {
        own_lineage_ = lineage;
        if (take_up(document, place)) return {};
      }
    if (lineage == own_lineage_) {
      shown_.edited = true;
      ++edits_;
      return {};
    }
  }
  // Another document, which may have such a model as well.
  if (const auto begun = find_among_asides(document)) return choices_for(*begun, view);
  const bool was = shown_.fits;
  shown_.fits = false;
  if (was) pause();
  unknown_document_ = true;
  return {};
}

}  // namespace hydra
