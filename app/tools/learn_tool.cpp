#include "app/tools/learn_tool.h"

#include <algorithm>
#include <cmath>

#include "app/views/ui.h"
#include "core/error.h"
#include "core/learn/model.h"
#include "core/learn/start.h"

namespace hydra {

namespace {

constexpr std::size_t kMostPlaces = 600;  // more than the history has steps
constexpr float kRateSeconds = 0.5f;      // in which the rate of steps is counted
constexpr double kUsualPlayed = 6;        // seconds in which a run is played that was trained as fast as it goes

Stretch::Settings settings_of(const learn::Timeline::Branch& branch) {
  return {branch.recipe, branch.seed, branch.gates};
}

// Steps to come change nothing that is taken before them, but by a schedule that ends with them.
bool trains_alike(learn::Recipe a, const learn::Recipe& b) {
  if (a.optimizer.schedule == learn::Schedule::constant) a.steps = b.steps;
  return a == b;
}

}  // namespace

Document LearnTool::model_of(Document document) {
  document.notes = {};
  document.sentence.clear();
  document.tokens.reset();
  document.weights = {};
  for (Layer& layer : document.layers) {
    layer.weights = {};
    layer.source = {};
    layer.other.reset();
    layer.gates.clear();
  }
  return document;
}

// What cannot change within a run.
bool LearnTool::needs_another_model(const LearnSetup& setup) const {
  const learn::Recipe &a = setup.recipe, &b = begun_.recipe;
  return !timeline_ || setup.task != begun_.task ||
         (setup.task == "text" && (setup.text != begun_.text || setup.characters != begun_.characters)) ||
         a.layers != b.layers || a.heads != b.heads || a.d_model != b.d_model || !(a.positions == b.positions) ||
         (a.controls.gates > 0) != (b.controls.gates > 0);
}

void LearnTool::begin(const Document& document, const LearnSetup& setup, std::string name) {
  auto model = std::make_shared<Document>(document);
  for (Layer& layer : model->layers) layer.gates.clear();
  const auto task = tasks_.of(setup);
  auto compiled = std::make_shared<const lanes::Compiled>(shape_of(*model, task->info(), setup.recipe));
  timeline_ = std::make_shared<learn::Timeline>(learn::tracks_of(task->info(), *model));
  learn::Timeline::Branch root;
  root.name = std::move(name);
  root.recipe = setup.recipe, root.seed = setup.seed, root.gates = learn::gates_of(document);
  root.own_start = true;
  timeline_->add(std::move(root),
                 std::make_shared<const std::vector<float>>(learn::parameters_of(document, *compiled)));
  learner_.let_go();
  begun_ = setup, document_ = std::move(model), compiled_ = std::move(compiled);
  places_.clear();
  shown_.task = task, shown_.timeline = timeline_, shown_.branch = shown_.step = 0;
  shown_.fits = true, shown_.edited = false;
  shown_.told.clear();
}

namespace {

std::string seed_name(std::uint64_t seed) { return "seed " + std::to_string(seed); }

Question dropping_question(const learn::Timeline& timeline) {
  int steps = 0;
  for (int k = 0; k < timeline.size(); ++k) steps += timeline.branch(k).last() - timeline.branch(k).from;
  return {Question::About::training,
          "Begin another run?",
          {"The present one has " + ui::counted(steps, "step") +
           (timeline.size() > 1 ? " in " + std::to_string(timeline.size()) + " branches" : "") +
           ", which another model cannot go on from. Its document stays: Undo brings it back, and Save keeps it."},
          {"Begin another", "Stay"}};
}

bool has_steps(const learn::Timeline& timeline) {
  return timeline.size() > 1 || timeline.branch(0).last() > timeline.branch(0).from;
}

}  // namespace

// With the document as it is, where it is such a model; else with one that the seed gives.
LearnTool::Asks LearnTool::begin_anew(const Document& document, const LearnSetup& setup) {
  const auto task = tasks_.of(setup);
  learn::check_recipe(setup.recipe);
  const auto mine = tasks_.of(document);
  const bool as_it_is = mine == task && recipe_for(task->info(), document).layers == setup.recipe.layers &&
                        recipe_for(task->info(), document).heads == setup.recipe.heads &&
                        document.d_model == setup.recipe.d_model;
  if (as_it_is) {
    begin(document, setup, "from the document");
    return {};
  }
  Asks asks;
  asks.replace = ReplaceDocument{learn::starting_document(*task, setup.recipe, setup.seed), task->info().title};
  begin(asks.replace->document, setup, seed_name(setup.seed));
  return asks;
}

// To the beginning of a branch of that name, which is there or begins now, in this run if it can.
LearnTool::Asks LearnTool::reset(const LearnSetup& setup, const std::string& name) {
  const auto task = tasks_.of(setup);
  learn::check_recipe(setup.recipe);
  const Document start = learn::starting_document(*task, setup.recipe, setup.seed);
  if (needs_another_model(setup) || !shown_.fits) {
    Asks asks;
    asks.replace = ReplaceDocument{start, task->info().title};
    begin(start, setup, name);
    return asks;
  }
  auto first = std::make_shared<const std::vector<float>>(learn::parameters_of(start, *compiled_));
  const auto is_that = [&](const learn::Timeline::Branch& branch) {
    return branch.parent < 0 && branch.seed == setup.seed && branch.gates.empty() &&
           trains_alike(branch.recipe, setup.recipe) && *branch.parameters.front() == *first;
  };
  int root = 0;
  while (root < timeline_->size() && !is_that(timeline_->branch(root))) ++root;
  if (root == timeline_->size()) {
    learn::Timeline::Branch branch;
    branch.name = name;
    branch.recipe = setup.recipe, branch.seed = setup.seed, branch.own_start = true;
    timeline_->add(std::move(branch), std::move(first));
  }
  return go_to(root, 0, true);
}

// An experiment that was made is shown as it ended.
LearnTool::Asks LearnTool::try_out(const LearnExperiment& experiment, ViewState& view) {
  const LearnSetup& setup = view.learn.setup;
  Asks asks = reset(setup, std::string(experiment.name) + ", " + seed_name(setup.seed));
  const int last = timeline_->branch(shown_.branch).last();
  if (last > 0) return go_to(shown_.branch, last, true);
  train(asks.replace ? asks.replace->document : document_at(shown_.branch, 0), setup, 0);
  return asks;
}

std::vector<double> LearnTool::own_gates(const Document& document) const {
  // Gates that nobody has moved since the step was shown are those of its branch: L0 gates multiply them.
  const std::vector<double> shown = learn::gates_of(document_at(shown_.branch, shown_.step)),
                            now = learn::gates_of(document);
  const std::vector<double>& own = timeline_->branch(timeline_->owner(shown_.branch, shown_.step)).gates;
  if (shown == now) return own;
  std::vector<double> gates(timeline_->tracks().layers * timeline_->tracks().heads, 1);
  bool any = false;
  for (std::size_t k = 0; k < gates.size(); ++k) {
    const double before = shown.empty() ? 1 : shown[k], after = now.empty() ? 1 : now[k];
    gates[k] = before == after ? (own.empty() ? 1 : own[k]) : after;
    any |= gates[k] != 1;
  }
  return any ? gates : std::vector<double>{};
}

// What a branch is called that begins here.
std::string LearnTool::difference(const LearnSetup& setup, const std::vector<double>& gates) const {
  const learn::Timeline::Branch& from = timeline_->branch(shown_.branch);
  std::vector<std::string> all;
  const Index heads = timeline_->tracks().heads;
  if (gates != from.gates) {
    int silent = -1, changed = 0;
    const std::size_t count = static_cast<std::size_t>(timeline_->tracks().layers * heads);
    for (std::size_t k = 0; k < count; ++k) {
      const double before = from.gates.empty() ? 1 : from.gates[k], after = gates.empty() ? 1 : gates[k];
      if (before == after) continue;
      ++changed;
      if (after == 0) silent = static_cast<int>(k);
    }
    const int per_layer = static_cast<int>(heads);
    all.push_back(changed == 1 && silent >= 0
                      ? ui::words("head ", silent / per_layer + 1, ".", silent % per_layer + 1, " silenced")
                      : "other gates");
  }
  if (setup.seed != from.seed) all.push_back("data of " + seed_name(setup.seed));
  const learn::HeadControls &c = setup.recipe.controls, &before = from.recipe.controls;
  const auto control = [&](const char* name, double value, double was) {
    if (value != was) all.push_back(std::string(name) + " " + ui::short_number(value));
  };
  control("DropHead", c.drop, before.drop);
  control("noise", c.noise, before.noise);
  control("repel", c.repel, before.repel);
  control("L0", c.gates, before.gates);
  control("rate", setup.recipe.optimizer.rate, from.recipe.optimizer.rate);
  if (setup.recipe.optimizer.kind != from.recipe.optimizer.kind) all.push_back("another optimizer");
  std::string text;
  for (const std::string& part : all) text += (text.empty() ? "" : ", ") + part;
  return text;
}

// The branch that goes on from where the document is: that which is shown, or a new one.
int LearnTool::branch_to_train(const Document& document, const LearnSetup& setup) {
  const learn::Timeline::Branch& from = timeline_->branch(shown_.branch);
  const std::vector<double> gates = own_gates(document);
  std::vector<float> parameters = learn::parameters_of(document, *compiled_);
  const learn::Timeline::Kept kept = timeline_->at(shown_.branch, shown_.step);
  // What a document does not have: the logits of L0 gates.
  for (const lanes::ParameterPlace& place : compiled_->parameters())
    if (place.gate_logits)
      std::copy_n(kept.parameters->begin() + place.at, place.count(), parameters.begin() + place.at);
  const bool edited = parameters != *kept.parameters,
             same = gates == from.gates && setup.seed == from.seed && trains_alike(setup.recipe, from.recipe);
  if (!edited && same && shown_.step == from.last()) return shown_.branch;
  learn::Timeline::Branch branch;
  branch.name = difference(setup, gates);
  if (edited) branch.name += branch.name.empty() ? "weights edited" : ", weights edited";
  if (branch.name.empty()) branch.name = "again";
  branch.name += " at " + std::to_string(shown_.step);
  branch.parent = shown_.branch, branch.from = shown_.step;
  branch.recipe = setup.recipe, branch.seed = setup.seed, branch.gates = gates, branch.own_start = edited;
  const auto first = edited ? std::make_shared<const std::vector<float>>(std::move(parameters)) : kept.parameters;
  return timeline_->add(std::move(branch), first);
}

void LearnTool::train(const Document& document, const LearnSetup& setup, int steps) {
  const int at = shown_.step, parent = timeline_->owner(shown_.branch, at);
  shown_.branch = parent;
  const int k = branch_to_train(document, setup);
  const learn::Timeline::Branch& branch = timeline_->branch(k);
  const bool anew = k != parent || branch.last() == branch.from;
  Stretch stretch;
  stretch.task = shown_.task;
  stretch.document = document_;
  stretch.branch = k;
  stretch.settings = settings_of(branch);
  stretch.step = at;
  stretch.first = anew;
  const int replayed = anew && branch.parent >= 0 ? branch.parent : k;
  stretch.replayed = settings_of(timeline_->branch(replayed));
  if (const auto checkpoint = timeline_->checkpoint(replayed, at))
    stretch.begin = *checkpoint;
  else
    stretch.begin = {at, timeline_->at(replayed, at).parameters, nullptr};
  if (anew && branch.own_start && branch.parent >= 0) stretch.own_start = branch.parameters.front();
  const int usual = setup.recipe.steps;
  shown_.goal = steps > 0 ? at + steps : at < usual ? usual : at + std::max(usual / 4, 50);
  stretch.stop_at = {shown_.goal, setup.stop_loss, setup.stop_accuracy};
  shown_.branch = k;
  shown_.edited = false;
  shown_.told.clear();
  shown_.playing = false;
  training_ = k;
  rate_seconds_ = 0, rate_steps_ = 0;
  learner_.train(std::move(stretch));
}

LearnTool::Asks LearnTool::go_to(int branch, int step, bool done) {
  Asks asks;
  step = std::clamp(step, 0, timeline_->branch(branch).last());
  asks.set = set_to(branch, step, "train: step ");
  asks.done = done;
  if (done) remember();
  return asks;
}

LearnTool::Asks LearnTool::handle(const LearnAction& action, const Document& document, ViewState& view, bool agreed) {
  const LearnSetup& setup = view.learn.setup;
  learner_.set_pace(view.learn.pace);
  if (const auto* choose = std::get_if<LearnChoose>(&action)) {
    view.learn.setup.task = choose->task;
    try {
      view.learn.setup.recipe = tasks_.of(view.learn.setup)->info().recipe;
    } catch (const InputError&) {  // a text that is not there yet: what is wrong with it stands in the view
    }
    return {};
  }
  if (std::holds_alternative<LearnPause>(action)) {
    pause(view);
    return {};
  }
  if (const auto* rename = std::get_if<LearnRename>(&action)) {
    if (timeline_ && !rename->name.empty()) timeline_->rename(rename->branch, rename->name);
    return {};
  }
  if (training_ >= 0) return {};  // it is paused first
  if (const auto* wanted = std::get_if<LearnTry>(&action)) {
    view.learn.setup.task = kExperimentTask;
    view.learn.setup.recipe =
        with_experiment(tasks_.of(view.learn.setup)->info().recipe, nth(learn_experiments(), wanted->which));
  }
  const bool anew = needs_another_model(setup) || !shown_.fits;
  const bool begins = anew && (std::holds_alternative<LearnTry>(action) || std::holds_alternative<LearnTrain>(action) ||
                               std::holds_alternative<LearnStep>(action) || std::holds_alternative<LearnReset>(action));
  if (begins && timeline_ && has_steps(*timeline_) && !agreed) {
    Asks asks;
    asks.question = dropping_question(*timeline_);
    return asks;
  }
  if (const auto* to = std::get_if<LearnGoTo>(&action)) {
    shown_.playing = false;
    if (!timeline_ || !shown_.fits) return {};
    return go_to(to->branch, to->step, to->done);
  }
  if (const auto* play = std::get_if<LearnPlay>(&action)) {
    if (!timeline_ || !shown_.fits) return {};
    shown_.playing = play->on;
    const bool at_end = shown_.step >= timeline_->branch(shown_.branch).last();
    if (play->on && at_end) return go_to(shown_.branch, 0, false);
    played_ = shown_.step;
    return {};
  }
  if (const auto* gone = std::get_if<LearnRemove>(&action)) {
    if (!timeline_ || !timeline_->can_remove(gone->branch)) return {};
    const learn::Timeline::Branch& branch = timeline_->branch(gone->branch);
    Asks asks;
    if (shown_.branch == gone->branch) asks = go_to(std::max(branch.parent, 0), std::max(branch.from, 0), true);
    timeline_->remove(gone->branch);
    if (shown_.branch > gone->branch) --shown_.branch;
    std::erase_if(places_, [&](const auto& place) { return place.first == gone->branch; });
    for (auto& place : places_) place.first -= place.first > gone->branch;
    learner_.let_go();
    return asks;
  }
  // What may be wrong with the controls is said, and nothing has changed.
  try {
    if (std::holds_alternative<LearnReset>(action)) return reset(setup, seed_name(setup.seed));
    if (const auto* wanted = std::get_if<LearnTry>(&action))
      return try_out(nth(learn_experiments(), wanted->which), view);
    Asks asks;
    if (anew) asks = begin_anew(document, setup);
    train(asks.replace ? asks.replace->document : document, setup, std::holds_alternative<LearnStep>(action) ? 1 : 0);
    return asks;
  } catch (const InputError& error) {
    view.notice = error.what();
    view.notice_is_error = true;
    view.notice_until = ImGui::GetTime() + 12;
    return {};
  }
}

void LearnTool::pause(ViewState&) {
  shown_.playing = false;
  learner_.pause();
}

Document LearnTool::document_at(int branch, int step) const {
  Document document = *document_;
  const std::vector<double>& gates = timeline_->branch(timeline_->owner(branch, step)).gates;
  const auto per_layer = static_cast<std::size_t>(timeline_->tracks().heads);
  for (std::size_t k = 0; !gates.empty() && k < document.layers.size(); ++k) {
    Layer& layer = document.layers[k];
    layer.gates.clear();
    for (std::size_t h = 0; h < static_cast<std::size_t>(layer.heads); ++h)
      layer.gates.push_back(static_cast<float>(gates[k * per_layer + h]));
  }
  return learn::with_parameters(document, *compiled_, timeline_->at(branch, step).parameters);
}

Edit LearnTool::set_to(int branch, int step, const std::string& what) {
  const Document document = document_at(branch, step);
  SetParameters set;
  set.weights = document.weights;
  for (const Layer& layer : document.layers) set.layers.push_back({layer.weights, layer.gates});
  set.what = what + std::to_string(step);
  shown_.branch = branch, shown_.step = step, shown_.edited = false;
  return {std::move(set), 0};
}

void LearnTool::take(Learner::Taken taken) {
  if (taken.row.empty())
    timeline_->keep_moments(taken.branch, taken.step, std::move(taken.moments));
  else
    timeline_->take(taken.branch, taken.row, std::move(taken.parameters), std::move(taken.moments));
}

// The controls are those of a task, of the document's if there is one for it.
void LearnTool::look_at_controls(const Document& document, ViewState& view) {
  LearnSetup& setup = view.learn.setup;
  if (std::exchange(unknown_document_, false)) {
    const auto task = tasks_.of(document);
    const learn::Recipe recipe = task ? recipe_for(task->info(), document) : learn::Recipe();
    const bool other = task && (setup.task != task->info().key || setup.recipe.layers != recipe.layers ||
                                setup.recipe.heads != recipe.heads || setup.recipe.d_model != recipe.d_model);
    if (other) setup.task = task->info().key, setup.recipe = recipe;
  }
  if (!looked_at_)
    setup.recipe = shown_.chosen || setup.recipe != learn::Recipe() ? setup.recipe : tasks_.of(setup)->info().recipe;
  shown_.begins_anew = needs_another_model(setup) || !shown_.fits;
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

void LearnTool::update(const Document& document, float seconds, ViewState& view, Outbox& out) {
  learner_.set_pace(view.learn.pace);
  if (view.view == ViewId::learn) look_at_controls(document, view);
  if (training_ >= 0) {
    const bool over = !learner_.training();
    std::vector<Learner::Taken> taken = learner_.fetch();
    rate_seconds_ += seconds, rate_steps_ += int_size(taken);
    if (rate_seconds_ >= kRateSeconds)
      shown_.per_second = rate_steps_ / static_cast<double>(std::exchange(rate_seconds_, 0.0f)), rate_steps_ = 0;
    const bool any = !taken.empty() && !taken.back().row.empty();
    for (Learner::Taken& one : taken) take(std::move(one));
    // What was edited meanwhile stays; it has been told to pause.
    if (any && shown_.fits && !shown_.edited)
      out.preview(set_to(training_, timeline_->branch(training_).last(), "train: step "));
    if (over) end(out);
  }
  shown_.training = training_ >= 0;
  update_pruning(view);
  if (!shown_.playing) return;
  const int last = timeline_->branch(shown_.branch).last();
  const double pace = view.learn.pace > 0 ? view.learn.pace : std::max(10.0, last / kUsualPlayed);
  played_ += pace * static_cast<double>(seconds);
  const int step = std::min(static_cast<int>(played_), last);
  if (step != shown_.step) out.preview(set_to(shown_.branch, step, "train: step "));
  if (step < last) return;
  shown_.playing = false;
  remember();
  out.commit();
}

// Of the step that is shown, while the page is open and nothing moves.
void LearnTool::update_pruning(const ViewState& view) {
  const bool looked_at = view.view == ViewId::learn && view.learn.page == LearnPage::pruning;
  if (!looked_at || !timeline_ || !shown_.fits) return pruning_.leave(shown_);
  if (under_way()) return;
  const learn::Timeline::Branch& branch = timeline_->branch(timeline_->owner(shown_.branch, shown_.step));
  pruning_.update({shown_.task, timeline_, shown_.branch, shown_.step,
                   [&] { return document_at(shown_.branch, shown_.step); }, branch.recipe, branch.seed},
                  shown_);
}

void LearnTool::end(Outbox& out) {
  const auto ended = learner_.take_ended();
  const int step = timeline_->branch(training_).last();
  const std::string at = " at step " + std::to_string(step);
  using Ended = Learner::Ended;
  if (!learner_.failure().empty())
    shown_.told = "Training has ended: " + learner_.failure() + ".";
  else if (ended == Ended::loss)
    shown_.told = "Ended" + at + ": the loss is as low as was asked for.";
  else if (ended == Ended::accuracy)
    shown_.told = "Ended" + at + ": the accuracy is as high as was asked for.";
  else if (ended == Ended::step)
    shown_.told = "Ended" + at + ".";
  else if (ended == Ended::diverged)
    shown_.told =
        "Ended" + at + ": the next one's loss is no number. These are the last good weights; a smaller rate may help.";
  if (ended == Ended::diverged) timeline_->set_diverged(training_);
  training_ = -1;
  remember();
  out.commit();
}

void LearnTool::remember() {
  const std::pair<int, int> here{shown_.branch, shown_.step};
  std::erase(places_, here);
  places_.push_front(here);
  if (places_.size() > kMostPlaces) places_.pop_back();
}

bool LearnTool::is_at(const Document& document, int branch, int step) const {
  const learn::Parameters& parameters = timeline_->at(branch, step).parameters;
  const std::vector<float> own = learn::parameters_of(document, *compiled_);
  for (const lanes::ParameterPlace& place : compiled_->parameters())
    if (!place.gate_logits &&
        !std::equal(own.begin() + place.at, own.begin() + place.at + place.count(), parameters->begin() + place.at))
      return false;
  return learn::gates_of(document) == learn::gates_of(document_at(branch, step));
}

void LearnTool::follow(const Document& document, ViewState& view) {
  if (!timeline_ || !document_ || !same_document(model_of(document), model_of(*document_))) {
    const bool was = shown_.fits;
    shown_.fits = false;
    if (was) pause(view);
    unknown_document_ = true;
    return;
  }
  shown_.fits = true;
  if (is_at(document, shown_.branch, shown_.step)) {
    shown_.edited = false;
    return;
  }
  for (const auto& [branch, step] : places_) {
    if (!is_at(document, branch, step)) continue;
    pause(view);
    shown_.branch = branch, shown_.step = step, shown_.edited = false;
    return;
  }
  pause(view);
  shown_.edited = true;
}

}  // namespace hydra
