// A training run as a small file: its task, and each branch by what made it (recipe, seed, gates, edited weights), from
// which every step can be taken again to the same bits. docs/runs.md has the format.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"
#include "core/learn/branch_cause.h"
#include "core/learn/task.h"

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
  std::shared_ptr<const Document>
      document;                  // the model, where it is not the one that the task's first seed begins with
  std::vector<Branch> branches;  // each after its parent
  int branch = 0, step = 0;      // that was looked at
};

// Throws InputError: "name: /branches/1/from must be ...". Every branch has a recipe that can be trained.
RunFile parse_run_file(std::string_view text, const std::string& name);
std::string run_file_text(const RunFile& file);
bool is_run_file(std::string_view text);    // by how it begins, as run_file_text writes it
bool is_run_path(const std::string& path);  // that a file which begins so is there

// Throws InputError for a text that is none.
std::shared_ptr<const Task> task_of(const RunFile& file);

}  // namespace hydra::learn
