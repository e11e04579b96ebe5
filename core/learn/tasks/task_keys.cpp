#include <array>

#include "core/error.h"
#include "core/files/printable.h"
#include "core/learn/tasks/parts.h"

namespace hydra::learn {

namespace {
struct KnownTask {
  std::string_view key;
  std::shared_ptr<const Task> (*make)();
};
constexpr std::array<KnownTask, 8> kTasks = {{
    {"induction", induction_task},
    {"students", [] { return students_task(4, 20, 12); }},
    {"crowd", crowd_task},
    {"collapse", collapse_task},
    {"grammar", [] { return sentences_task(Sentences::grammar); }},
    {"pronoun", [] { return sentences_task(Sentences::pronoun); }},
    {"animal", [] { return sentences_task(Sentences::animal); }},
    {"markov", [] { return markov_task(3, 64); }},
}};
constexpr auto kKeys = [] {
  std::array<std::string_view, kTasks.size()> keys;
  for (std::size_t k = 0; k < keys.size(); ++k) keys[k] = kTasks[k].key;
  return keys;
}();
}  // namespace

std::span<const std::string_view> task_keys() { return kKeys; }

std::shared_ptr<const Task> make_task(std::string_view key) {
  for (const KnownTask& task : kTasks)
    if (task.key == key) return task.make();
  std::string keys;
  for (const std::string_view known : kKeys) keys += std::string(known) + ", ";
  throw InputError("there is no task “" + printable(key) + "”; the tasks are " + keys +
                   "and text, which needs a text of your own");
}

}  // namespace hydra::learn
