// A branch of a run as a command.
#pragma once
#include "core/learn/runs/run_file.h"

namespace hydra::learn {

// `hydrascope train ...` that trains the branch without the file; empty where it needs that: edits, gates, branches
// before it, a document, a text, another number of steps than the recipe's.
std::string command_of(const RunFile& file, int branch, const TaskInfo& info);

}  // namespace hydra::learn
