// The steps of a run that is a file, taken again to the same bits.
#pragma once
#include <functional>

#include "core/learn/run.h"
#include "core/learn/runs/run_file.h"

namespace hydra::learn {

// The document that a branch without a parent begins with. Throws InputError where it is not of the task.
Document start_of(const RunFile& file, const Task& task, const RunFile::Branch& branch);

// What the branch and those it came from are trained on: their steps, its own to the end of its recipe at the least.
std::vector<DrawnSteps> drawn_by(const RunFile& file, int branch);
// Takes the steps of a branch again, and those of the branches it came from up to where it left; each is called before
// every step of the branch's own, and after the last. A step whose loss is no number ends it. Throws InputError.
std::unique_ptr<Run> train_again(const RunFile& file, int branch, const std::shared_ptr<const Task>& task,
                                 ThreadPool* pool, const std::function<void(Run&)>& each = {});

// What must be edited in `before` to have `after`, which are of one length; gates of L0 are never edited.
std::vector<BranchCause::Edited> edits_between(const lanes::Compiled& compiled, const std::vector<float>& before,
                                               const std::vector<float>& after);
// Throws InputError for a number that the model does not have.
void apply_edits(const lanes::Compiled& compiled, const std::vector<BranchCause::Edited>& edits,
                 std::vector<float>& parameters);
std::uint64_t parameters_hash(const std::vector<float>& parameters);

}  // namespace hydra::learn
