// From where the document is a run goes on as the branch that is shown, or as a new one: what differs, and what it is
// called.
#include <algorithm>

#include "app/tools/learn_tool.h"
#include "app/views/frame/ui.h"
#include "core/error.h"
#include "core/learn/model.h"
#include "core/learn/runs/train_again.h"

namespace hydra {

namespace {

Stretch::Settings settings_of(const learn::Timeline::Branch& branch) {
  return {branch.recipe, branch.seed, branch.gates};
}

}  // namespace

std::vector<WeightSource> LearnTool::sources_of(const Document& document) {
  std::vector<WeightSource> sources;
  for (const Layer& layer : document.layers) sources.push_back(layer.source);
  return sources;
}

// Steps to come change nothing that is taken before them, but by a schedule, or a price of gates, that ends with them.
bool LearnTool::trains_alike(learn::Recipe a, const learn::Recipe& b) {
  if (a.optimizer.schedule == learn::Schedule::constant && a.controls.gates == 0) a.steps = b.steps;
  return a == b;
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

// In what the first differs: "L0 0.1", "rate 0.02".
std::vector<std::string> LearnTool::other_settings(const learn::Recipe& recipe, const learn::Recipe& from) {
  std::vector<std::string> all;
  const learn::HeadControls &c = recipe.controls, &before = from.controls;
  const learn::OptimizerSettings &o = recipe.optimizer, &old = from.optimizer;
  const auto number = [&](const char* name, double value, double was) {  // name: a text
    if (value == was) return;
    all.push_back(wording("tools:setting", {{"name", wording(name)}, {"value", ui::number(value, As::axis)}}));
  };
  number("tools:setting.drop", c.drop, before.drop);
  number("tools:setting.noise", c.noise, before.noise);
  number("tools:setting.repel", c.repel, before.repel);
  number("tools:setting.gates", c.gates, before.gates);
  number("tools:setting.rate", o.rate, old.rate);
  number("tools:setting.warm_up", o.warm_up, old.warm_up);
  number("tools:setting.clip", o.clip, old.clip);
  number("tools:setting.momentum", o.momentum, old.momentum);
  number("tools:setting.decay", o.decay, old.decay);
  number("tools:setting.batch", static_cast<double>(recipe.batch), static_cast<double>(from.batch));
  if (c.identical != before.identical)
    all.push_back(wording(c.identical ? "tools:setting.identical" : "tools:setting.random"));
  if (o.kind != old.kind)
    all.push_back(o.kind == learn::Optimizer::sgd ? "SGD" : o.kind == learn::Optimizer::adamw ? "AdamW" : "Adam");
  return all;
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
    all.push_back(changed == 1 && silent >= 0 ? wording("tools:branch.silenced", {{"layer", silent / per_layer + 1},
                                                                                  {"head", silent % per_layer + 1}})
                                              : wording("tools:branch.gates"));
  }
  if (setup.seed != from.seed) all.push_back(wording("tools:branch.data", {{"seed", seed_name(setup.seed)}}));
  for (std::string& part : other_settings(setup.recipe, from.recipe)) all.push_back(std::move(part));
  std::string text;
  for (const std::string& part : all) text += (text.empty() ? "" : ", ") + part;
  return text;
}

// Of the document, at the step that is shown; of L0 gates, which a document does not have, those of the step.
std::string LearnTool::why_not(const Action& action) const {
  const auto no_branch = [&](int branch) {
    const bool there = !timeline_ || (branch >= 0 && branch < timeline_->size());
    return there ? std::string() : wording("tools:branch.none", {{"branch", branch}});
  };
  if (const auto* to = std::get_if<act::LearnGoTo>(&action)) return no_branch(to->branch);
  if (const auto* named = std::get_if<act::LearnRename>(&action)) return no_branch(named->branch);
  if (const auto* gone = std::get_if<act::LearnRemove>(&action)) return no_branch(gone->branch);
  const auto* wanted = std::get_if<act::LearnTry>(&action);
  if (!wanted || (wanted->which >= 0 && wanted->which < std::ssize(learn_experiments()))) return {};
  return wording("tools:experiment.none", {{"which", wanted->which}});
}

std::vector<float> LearnTool::own_parameters(const Document& document) const {
  std::vector<float> parameters = learn::parameters_of(document, *compiled_);
  const learn::Parameters kept = timeline_->at(shown_.branch, shown_.step).parameters;
  for (const lanes::ParameterPlace& place : compiled_->parameters())
    if (place.gate_logits) std::copy_n(kept->begin() + place.at, place.count(), parameters.begin() + place.at);
  return parameters;
}

// The document and the controls are what the next step of the branch was, or would be, taken with.
bool LearnTool::is_as_trained(const Document& document, const LearnSetup& setup) const {
  const learn::Timeline::Branch& branch = timeline_->branch(timeline_->owner(shown_.branch, shown_.step));
  return setup.seed == branch.seed && trains_alike(setup.recipe, branch.recipe) &&
         own_gates(document) == branch.gates &&
         own_parameters(document) == *timeline_->at(shown_.branch, shown_.step).parameters;
}

// The branch that goes on from where the document is: that which is shown, or a new one.
int LearnTool::branch_to_train(const Document& document, const LearnSetup& setup) {
  const learn::Timeline::Branch& from = timeline_->branch(shown_.branch);
  const std::vector<double> gates = own_gates(document);
  std::vector<float> parameters = own_parameters(document);
  const learn::Timeline::Kept kept = timeline_->at(shown_.branch, shown_.step);
  const bool edited = parameters != *kept.parameters;
  if (shown_.step == from.last() && is_as_trained(document, setup)) return shown_.branch;
  if (!timeline_->has_room(parameters.size()))
    throw InputError(wording("tools:branch.no_room", {{"n", timeline_->size()}}));
  learn::Timeline::Branch branch;
  std::string what = difference(setup, gates);
  if (edited) what += (what.empty() ? "" : ", ") + wording("tools:branch.edited");
  if (what.empty()) what = wording("tools:branch.again");
  branch.name = wording("tools:branch.at", {{"what", what}, {"step", shown_.step}});
  branch.parent = shown_.branch, branch.from = shown_.step;
  branch.recipe = setup.recipe, branch.seed = setup.seed, branch.gates = gates, branch.own_start = edited;
  if (edited) branch.sources = sources_of(document);
  if (edited) branch.edited = learn::edits_between(*compiled_, *kept.parameters, parameters);
  const auto first = edited ? std::make_shared<const std::vector<float>>(std::move(parameters)) : kept.parameters;
  return timeline_->add(std::move(branch), first);
}

// What the branch's line of held-out sequences is held out from: the recipe's steps, or as many beyond where it began
// late, but of each branch on the way no more than a moment's drawing; not how far it has come, so that a step that is
// trained again shows the same numbers.
std::vector<learn::DrawnSteps> LearnTool::to_be_drawn(int branch) const {
  constexpr int kMostSteps = 2000;
  const learn::Timeline::Branch& own = timeline_->branch(branch);
  std::vector<learn::DrawnSteps> drawn =
      drawn_by(branch, own.from < own.recipe.steps ? own.recipe.steps : own.from + own.recipe.steps);
  for (learn::DrawnSteps& steps : drawn) steps.to = std::min(steps.to, steps.from + kMostSteps);
  return drawn;
}

// From the last checkpoint of the branch before that step, to it.
Stretch LearnTool::up_to(int branch, int step) const {
  const learn::Timeline::Branch& own = timeline_->branch(branch);
  Stretch stretch;
  stretch.task = shown_.task;
  stretch.document = document_;
  stretch.step = step;
  stretch.settings = stretch.replayed = settings_of(own);
  stretch.drawn = to_be_drawn(branch);
  if (const auto checkpoint = timeline_->checkpoint(branch, step)) {
    stretch.begin = *checkpoint;
    return stretch;
  }
  // It has begun and taken no step: it is where its parent was.
  stretch = up_to(timeline_->owner(own.parent, own.from), own.from);
  stretch.settings = settings_of(own);
  stretch.drawn = to_be_drawn(branch);
  if (own.own_start) stretch.own_start = own.first();
  return stretch;
}

void LearnTool::train(const Document& document, const LearnSetup& setup, int steps) {
  const int at = shown_.step, parent = timeline_->owner(shown_.branch, at);
  shown_.branch = parent;
  const int usual = setup.recipe.steps;
  const int goal = steps > 0 ? at + steps : at < usual ? usual : at + std::max(usual / 4, 50);
  take_on(branch_to_train(document, setup), parent, at, {goal, setup.stop_loss, setup.stop_accuracy});
}

// From that step on, which the parent took where the branch has taken none.
void LearnTool::take_on(int k, int parent, int at, StopAt stop_at) {
  const learn::Timeline::Branch& branch = timeline_->branch(k);
  const bool anew = k != parent || branch.last() == branch.from;
  Stretch stretch = up_to(anew && branch.parent >= 0 ? branch.parent : k, at);
  stretch.branch = k;
  stretch.settings = settings_of(branch);
  stretch.drawn = to_be_drawn(k);
  stretch.first = anew;
  if (anew && branch.own_start && branch.parent >= 0) stretch.own_start = branch.first();
  shown_.goal = stop_at.step;
  stretch.stop_at = stop_at;
  shown_.branch = k;
  shown_.edited = false;
  shown_.told.clear();
  shown_.playing = false;
  training_ = k;
  rate_seconds_ = 0, rate_steps_ = 0;
  learner_.train(std::move(stretch));
}

}  // namespace hydra
