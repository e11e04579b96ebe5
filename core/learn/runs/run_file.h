// A training run as a small file: its task, and each branch by what made it (recipe, seed, gates, edited weights), from
// which every step can be taken again to the same bits. docs/runs.md has the format.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"
#include "core/lanes/compile.h"
#include "core/learn/branch_cause.h"
#include "core/learn/run.h"

namespace hydra::learn {

struct RunFile {
  struct Branch : BranchCause {
    int last = 0;                  // steps taken, its parent's included
    bool from_document = false;    // without a parent: it began with the file's document, not with what the seed gives
    bool diverged = false;         // the loss of the step after the last was no number
    std::uint64_t parameters = 0;  // parameters_hash of the last step; 0: not known
  };
  std::string task = "induction";
  std::string text;         // of the task "text"
  bool characters = false;  // of it, not words
  std::shared_ptr<const Document> document;  // the model, where it is not the one that the task's first seed begins with
  std::vector<Branch> branches;              // each after its parent
  int branch = 0, step = 0;                  // that was looked at
};

// Throws InputError: "name: /branches/1/from must be ...". Every branch has a recipe that can be trained.
RunFile parse_run_file(std::string_view text, const std::string& name);
std::string run_file_text(const RunFile& file);
bool is_run_file(std::string_view text);  // by how it begins, as run_file_text writes it

// Throws InputError for a text that is none.
std::shared_ptr<const Task> task_of(const RunFile& file);
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

// `hydrascope train ...` that trains the branch without the file; empty where it needs that: edits, gates, branches
// before it, a document, a text, another number of steps than the recipe's.
std::string command_of(const RunFile& file, int branch, const TaskInfo& info);

}  // namespace hydra::learn
