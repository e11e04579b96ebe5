// The tasks that were chosen so far: made once each, and which of them a document is of.
#pragma once
#include <map>
#include <memory>
#include <string>

#include "app/scene/view_state.h"
#include "core/document/document.h"
#include "core/learn/task.h"

namespace hydra {

class LearnTasks {
 public:
  // Throws InputError for a text that is none.
  std::shared_ptr<const learn::Task> of(const LearnSetup& setup);
  // The task that ships whose words and answers the document has; null: none.
  std::shared_ptr<const learn::Task> of(const Document& document);

 private:
  std::map<std::string, std::shared_ptr<const learn::Task>> made_;  // by key; the text's by its text
};

// The recipe of the task with the sizes that the document has.
learn::Recipe recipe_for(const learn::TaskInfo& info, const Document& document);
// Whether those are the recipe's.
bool has_sizes(const learn::TaskInfo& info, const Document& document, const learn::Recipe& recipe);

}  // namespace hydra
