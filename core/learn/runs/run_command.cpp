#include "core/learn/runs/run_command.h"

#include <algorithm>
#include <map>

#include "core/json/json.h"
#include "core/learn/runs/recipe_fields.h"

namespace hydra::learn {

namespace {

std::string shortest(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

// Of each field what is not the task's, as an option of `train`.
struct Options {
  std::string text;
  bool complete = true;  // there is an option for each
  std::map<std::string_view, std::string> usual;

  void add(const char* name, const std::string& value) {
    if (const auto found = usual.find(name); found != usual.end() && found->second == value) return;
    complete &= !std::string_view(name).starts_with("positions") && value != "false" &&
                (value != "true" || std::string_view(name) == "identical");
    std::string option = name;
    std::ranges::replace(option, '_', '-');
    text += " --" + option + (value == "true" ? "" : " " + value);
  }
};
template <class Add>
struct EachAsText {
  Add add;
  template <class T>
  void whole(const char* name, const T& value) {
    add(name, std::to_string(value));
  }
  void number(const char* name, double value) { add(name, shortest(value)); }
  void flag(const char* name, bool value) { add(name, value ? "true" : "false"); }
  template <class T, std::size_t COUNT>
  void choice(const char* name, T value, const char* const (&names)[COUNT]) {
    add(name, names[static_cast<std::size_t>(value)]);
  }
  void numbers(const char*, const std::vector<double>&) {}  // the task's own
};
template <class Add>
EachAsText(Add) -> EachAsText<Add>;

}  // namespace

std::string command_of(const RunFile& file, int k, const TaskInfo& info) {
  const RunFile::Branch& branch = file.branches[static_cast<std::size_t>(k)];
  if (branch.parent >= 0 || branch.from_document || file.document || !branch.gates.empty() || file.task == "text" ||
      branch.last != branch.recipe.steps)
    return "";
  Options options;
  visit_fields(info.recipe,
               EachAsText{[&](const char* name, std::string value) { options.usual[name] = std::move(value); }});
  visit_fields(branch.recipe,
               EachAsText{[&](const char* name, const std::string& value) { options.add(name, value); }});
  if (!options.complete) return "";
  return "hydrascope train --task " + file.task + " --seed " + std::to_string(branch.seed) + options.text + " --save " +
         file.task + ".json --out " + file.task + ".result.json";
}

}  // namespace hydra::learn
