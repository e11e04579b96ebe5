#include "core/learn/runs/train_again.h"

#include <algorithm>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/learn/model.h"
#include "core/learn/start.h"

namespace hydra::learn {

Document start_of(const RunFile& file, const Task& task, const RunFile::Branch& branch) {
  Document document = branch.from_document ? *file.document : starting_document(task, branch.recipe, branch.seed);
  shape_of(document, task.info(), branch.recipe);
  return document;
}

std::vector<DrawnSteps> drawn_by(const RunFile& file, int k) {
  std::vector<DrawnSteps> drawn;
  int end = kNone;
  for (; k >= 0; k = file.branches[static_cast<std::size_t>(k)].parent) {
    const RunFile::Branch& branch = file.branches[static_cast<std::size_t>(k)];
    if (end == kNone) end = std::max(branch.last, branch.recipe.steps);
    drawn.push_back({branch.seed, branch.from, std::max(end, branch.from), branch.recipe.batch});
    end = branch.from;
  }
  return drawn;
}

namespace {

struct Again {
  const RunFile& file;
  const std::shared_ptr<const Task>& task;
  ThreadPool* pool;
  const std::function<void(Run&)>& each;

  // To that step of the branch.
  std::unique_ptr<Run> train(int k, int to, bool wanted) const {
    const RunFile::Branch& branch = file.branches[static_cast<std::size_t>(k)];
    Document document = model_of(k);
    std::optional<RunState> state;
    if (branch.parent >= 0) {
      const std::unique_ptr<Run> before = train(branch.parent, branch.from, false);
      state = before->state();
      if (state->step < branch.from)
        throw InputError("“" + printable(branch.name) + "” leaves its branch at step " + std::to_string(branch.from) +
                         ", but that ends at step " + std::to_string(state->step) + ": its loss is no number");
      apply_edits(before->compiled(), branch.edited, state->parameters);
    }
    put_gates(document, branch.gates);
    auto run = std::make_unique<Run>(task, std::move(document), branch.recipe, branch.seed);
    if (state) run->go_to(std::move(*state));
    if (wanted) run->set_training(drawn_by(file, k));
    while (true) {
      if (wanted && each) each(*run);
      if (run->step() >= to || !run->take_step(pool).is_finite()) return run;
    }
  }

  Document model_of(int k) const {
    while (file.branches[static_cast<std::size_t>(k)].parent >= 0)
      k = file.branches[static_cast<std::size_t>(k)].parent;
    return start_of(file, *task, file.branches[static_cast<std::size_t>(k)]);
  }
};

}  // namespace

std::unique_ptr<Run> train_again(const RunFile& file, int branch, const std::shared_ptr<const Task>& task,
                                 ThreadPool* pool, const std::function<void(Run&)>& each) {
  return Again{file, task, pool, each}.train(branch, file.branches[static_cast<std::size_t>(branch)].last, true);
}

std::vector<BranchCause::Edited> edits_between(const lanes::Compiled& compiled, const std::vector<float>& before,
                                               const std::vector<float>& after) {
  std::vector<BranchCause::Edited> edits;
  for (const lanes::ParameterPlace& place : compiled.parameters()) {
    if (place.gate_logits) continue;
    for (Index k = 0; k < place.count(); ++k) {
      const auto at = static_cast<std::size_t>(place.at + k);
      if (before[at] != after[at]) edits.push_back({{place.site, k / place.cols, k % place.cols}, after[at]});
    }
  }
  return edits;
}

void apply_edits(const lanes::Compiled& compiled, const std::vector<BranchCause::Edited>& edits,
                 std::vector<float>& parameters) {
  for (const auto& [cell, value] : edits) {
    const lanes::ParameterPlace* place = compiled.find(cell.site);
    if (place == nullptr || cell.row >= place->rows || cell.col >= place->cols)
      throw InputError("the run's model has no " + spelled(cell));
    parameters[static_cast<std::size_t>(place->at + cell.row * place->cols + cell.col)] = value;
  }
}

std::uint64_t parameters_hash(const std::vector<float>& parameters) {
  return hash({reinterpret_cast<const char*>(parameters.data()), parameters.size() * sizeof(float)}, 0);
}

}  // namespace hydra::learn
