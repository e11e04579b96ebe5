// How runs begin: with the document as it is, with a model that a seed gives, with an experiment.
#include "app/tools/learn_tool.h"
#include "core/error.h"
#include "core/learn/model.h"
#include "core/learn/start.h"
#include "core/text/wording.h"

namespace hydra {

std::string LearnTool::seed_name(std::uint64_t seed) { return wording("tools:seed", {{"seed", seed}}); }

std::string LearnTool::run_name(const LearnSetup& setup) {
  std::string name = seed_name(setup.seed);
  for (const std::string& part : other_settings(setup.recipe, tasks_.of(setup)->outline().recipe)) name += ", " + part;
  return name;
}

Document LearnTool::model_of(Document document) {
  document.aside.clear();
  document.notes = {};
  document.sentence.clear();
  document.tokens.reset();
  document.pads = {};
  document.weights = {};
  for (Layer& layer : document.layers) {
    layer.weights = {};
    layer.source = {};
    layer.gates.clear();
  }
  return document;
}

// What cannot change within a run.
bool LearnTool::needs_another_model(const LearnSetup& setup) const {
  const learn::Recipe &a = setup.recipe, &b = begun_.recipe;
  return !timeline_ || setup.task != begun_.task ||
         (setup.task == "text" && (setup.text != begun_.text || setup.characters != begun_.characters)) ||
         !a.has_sizes_of(b) || !(a.positions == b.positions) || (a.controls.gates > 0) != (b.controls.gates > 0);
}

void LearnTool::begin(const Document& document, const LearnSetup& setup, std::string name) {
  put_aside();
  own_lineage_ = seen_lineage_;
  begin_id();
  auto model = std::make_shared<Document>(document);
  model->aside.clear();
  for (Layer& layer : model->layers) layer.gates.clear();
  const auto task = tasks_.of(setup);
  auto compiled = std::make_shared<const lanes::Compiled>(shape_of(*model, task->info(), setup.recipe));
  timeline_ = std::make_shared<learn::Timeline>(learn::tracks_of(task->info(), *model), most_bytes_);
  learn::Timeline::Branch root;
  root.name = std::move(name);
  root.recipe = setup.recipe, root.seed = setup.seed, root.gates = learn::gates_of(document);
  root.own_start = true, root.sources = sources_of(document);
  timeline_->add(std::move(root),
                 std::make_shared<const std::vector<float>>(learn::parameters_of(document, *compiled)));
  learner_.let_go();
  recaller_.forget();
  begun_ = setup, document_ = std::move(model), compiled_ = std::move(compiled);
  places_.clear();
  shown_.task = task, shown_.timeline = timeline_, shown_.branch = shown_.step = 0;
  shown_.fits = true, shown_.edited = false;
  shown_.told.clear();
  remember();  // where Undo leads to
  shown_.name = title_of(*task, setup.recipe);
}

// With the document as it is, where it is such a model; else with one that the seed gives.
LearnTool::Asks LearnTool::begin_anew(const Document& document, const LearnSetup& setup) {
  const auto task = tasks_.of(setup);
  learn::check_recipe(setup.recipe);
  const auto mine = tasks_.of(document);
  if (mine == task && has_sizes(task->info(), document, setup.recipe)) {
    begin(document, setup, wording("tools:from_document"));
    Asks asks;
    if (setup.recipe.controls.gates > 0) asks.set = set_to(0, 0);  // with gates that begin open
    return asks;
  }
  Asks asks;
  asks.replace = ReplaceDocument{learn::starting_document(*task, setup.recipe, setup.seed), task->info().title};
  begin(asks.replace->document, setup, run_name(setup));
  asks.replace->document = document_at(0, 0);
  return asks;
}

// To the beginning of a branch of that name, which is there or begins now, in this run if it can.
LearnTool::Asks LearnTool::reset(const LearnSetup& setup, const std::string& name) {
  const auto task = tasks_.of(setup);
  learn::check_recipe(setup.recipe);
  const Document start = learn::starting_document(*task, setup.recipe, setup.seed);
  if (begins_anew(setup)) {
    Asks asks;
    asks.replace = ReplaceDocument{start, task->info().title};
    begin(start, setup, name);
    asks.replace->document = document_at(0, 0);
    return asks;
  }
  auto first = std::make_shared<const std::vector<float>>(learn::parameters_of(start, *compiled_));
  const auto is_that = [&](const learn::Timeline::Branch& branch) {
    return branch.parent < 0 && branch.seed == setup.seed && branch.gates.empty() &&
           trains_alike(branch.recipe, setup.recipe) && *branch.first() == *first;
  };
  int root = 0;
  while (root < timeline_->size() && !is_that(timeline_->branch(root))) ++root;
  if (root == timeline_->size()) {
    learn::Timeline::Branch branch;
    branch.name = name;
    branch.recipe = setup.recipe, branch.seed = setup.seed, branch.own_start = true;
    branch.sources = sources_of(start);
    timeline_->add(std::move(branch), std::move(first));
  }
  return go_to(root, 0, true);
}

// An experiment that was made is shown as it ended.
LearnTool::Asks LearnTool::try_out(const LearnExperiment& experiment, const ViewState& view, Notice& notice) {
  LearnSetup setup = view.learn.setup;
  setup.task = kExperimentTask;
  setup.recipe = with_experiment(tasks_.of(setup)->info().recipe, experiment);
  if (again_ && !begins_anew(setup)) forget_again();
  Asks asks;
  try {
    asks =
        reset(setup, wording("tools:experiment", {{"experiment", experiment.name}, {"seed", seed_name(setup.seed)}}));
    const int last = timeline_->branch(shown_.branch).last();
    if (last > 0)
      asks = go_to(shown_.branch, last, true);
    else
      train(asks.replace ? asks.replace->document : document_at(shown_.branch, 0), setup, 0);
  } catch (const InputError& error) {
    notice.fail(error.what());
    asks = {};
  }
  asks.choices = choices_for(setup, view);
  return asks;
}

}  // namespace hydra
