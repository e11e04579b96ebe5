#include "core/learn/runs/run_file.h"

#include <algorithm>
#include <fstream>

#include "core/document/limits.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/json/reader.h"
#include "core/json/writer.h"
#include "core/learn/runs/recipe_fields.h"
#include "core/learn/start.h"

namespace hydra::learn {

namespace {

constexpr std::size_t kMostBranches = 1000;
constexpr std::size_t kMostNameBytes = 200;
constexpr Index kMostSteps = 1'000'000;
constexpr const char* kMark = "hydrascope_run";

// --- writing

void exact(JsonWriter& to, const char* name, double value) { append_number(to.key(name).text, value); }

struct WriteFields {
  JsonWriter& to;
  template <class T>
  void whole(const char* name, const T& value) {
    to.whole(name, static_cast<Index>(value));
  }
  void number(const char* name, double value) { exact(to, name, value); }
  void flag(const char* name, bool value) { to.key(name).text += value ? "true" : "false"; }
  template <class T, std::size_t COUNT>
  void choice(const char* name, T value, const char* const (&names)[COUNT]) {
    to.string(name, names[static_cast<std::size_t>(value)]);
  }
  void numbers(const char* name, const std::vector<double>& values) {
    if (values.empty()) return;
    to.key(name).text += "[";
    for (const double value : values) append_number(to.entry().text, value);
    to.text += "]";
  }
};

void write_edits(JsonWriter& to, const std::vector<BranchCause::Edited>& edits) {
  to.key("edited").text += "{";
  for (std::size_t k = 0; k < edits.size();) {
    const Site site = edits[k].cell.site;
    to.key(spelled(site)).text += "[";
    for (; k < edits.size() && edits[k].cell.site == site; ++k) {
      const auto& [cell, value] = edits[k];
      to.entry().text += "[" + std::to_string(cell.row) + ", " + std::to_string(cell.col) + ", ";
      append_number(to.text, value);
      to.text += "]";
    }
    to.text += "]";
  }
  to.text += "}";
}

std::string hexadecimal(std::uint64_t value) {
  std::string digits(16, '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, value >>= 4)
    *digit = "0123456789abcdef"[value & 15];
  return digits;
}

void write_branch(JsonWriter& to, const RunFile::Branch& branch) {
  to.text += "{";
  to.string("name", branch.name);
  if (branch.parent >= 0) {
    to.whole("parent", branch.parent);
    to.whole("from", branch.from);
  } else if (branch.from_document) {
    to.string("start", "document");
  }
  to.whole("last", branch.last);
  to.key("seed").text += std::to_string(branch.seed);
  WriteFields{to}.numbers("gates", branch.gates);
  if (!branch.edited.empty()) write_edits(to, branch.edited);
  if (branch.diverged) to.key("diverged").text += "true";
  if (branch.parameters != 0) to.string("parameters", hexadecimal(branch.parameters));
  to.key("recipe").text += "{";
  visit_fields(branch.recipe, WriteFields{to});
  to.text += "}}";
}

// --- reading

struct ReadFields {
  const JsonReader& reader;
  const Node& of;
  std::vector<std::string_view> names;  // that there are

  Node node(const char* name) {
    names.push_back(name);
    return reader.member(of, name);
  }
  template <class T>
  void whole(const char* name, T& value) {
    value = static_cast<T>(reader.whole_number(node(name), 0, kMostSteps, static_cast<Index>(value)));
  }
  void number(const char* name, double& value) {
    const Node at = node(name);
    if (!at) return;
    if (!at.json->is_number()) reader.fail_type(at, "a finite number");
    value = at.json->as<double>();
  }
  void flag(const char* name, bool& value) { value = reader.flag(node(name), value); }
  template <class T, std::size_t COUNT>
  void choice(const char* name, T& value, const char* const (&choices)[COUNT]) {
    std::vector<std::pair<const char*, T>> all;
    for (std::size_t k = 0; k < COUNT; ++k) all.emplace_back(choices[k], static_cast<T>(k));
    value = reader.choice(node(name), value, all);
  }
  void numbers(const char* name, std::vector<double>& values) {
    const Node at = node(name);
    if (!at) return;
    values.clear();
    for (const Node& entry : reader.elements(at, "an array of numbers")) {
      if (!entry.json->is_number()) reader.fail_type(entry, "a finite number");
      values.push_back(entry.json->as<double>());
    }
  }
};

Node needed(const JsonReader& reader, const Node& object, const char* key) {
  const Node node = reader.member(object, key);
  if (!node) reader.fail(node.pointer, "is missing; give a file that Learn has saved as a run");
  return node;
}

// What it leaves out is as the task has it.
Recipe read_recipe(const JsonReader& reader, const Node& node, Recipe recipe) {
  ReadFields fields{reader, node, {}};
  if (!node.json->is_object()) reader.fail_type(node, "an object");
  visit_fields(recipe, fields);
  reader.check_object(node, fields.names);
  reader.check_at(node.pointer, [&] { check_recipe(recipe); });
  const Index weights = 2 * recipe.layers * recipe.d_model * (recipe.concat_width() + recipe.kv_width());
  if (static_cast<std::uint64_t>(weights) > kMostLinkNumbers)
    reader.fail(node.pointer, "asks for " + std::to_string(weights) + " weights; a file of a run may ask for " +
                                  std::to_string(kMostLinkNumbers));
  return recipe;
}

std::vector<BranchCause::Edited> read_edits(const JsonReader& reader, const Node& node) {
  std::vector<BranchCause::Edited> edits;
  if (!node) return edits;
  if (!node.json->is_object()) reader.fail_type(node, "an object of matrices");
  for (auto at = node.json->begin(); at != node.json->end(); ++at) {
    const Node matrix{&*at, pointer_to(node.pointer, at.key())};
    Site site;
    reader.check_at(matrix.pointer, [&] { site = parse_site(at.key()); });
    for (const Node& cell : reader.elements(matrix, "an array of [row, column, value]")) {
      const Json& numbers = reader.array(*cell.json, cell.pointer, 3, "[row, column, value]");
      const auto place = [&](std::size_t k) {
        return reader.whole_number({&numbers[k], pointer_to(cell.pointer, std::to_string(k))}, 0, 1 << 20, 0);
      };
      const Json& value = numbers[2];
      if (!value.is_number()) reader.fail_type({&value, pointer_to(cell.pointer, "2")}, "a finite number");
      edits.push_back({{site, place(0), place(1)}, value.as<float>()});
    }
  }
  return edits;
}

std::uint64_t read_hash(const JsonReader& reader, const Node& node) {
  if (!node) return 0;
  const std::string text = reader.string(node);
  std::uint64_t value = 0;
  for (const char c : text) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(c);
    if (digit == std::string_view::npos || text.size() != 16) reader.fail(node.pointer, "must be 16 digits, 0 to f");
    value = value << 4 | digit;
  }
  return value;
}

RunFile::Branch read_branch(const JsonReader& reader, const Node& node, const RunFile& file, const Recipe& usual) {
  reader.check_object(
      node, {"name", "parent", "from", "start", "last", "seed", "gates", "edited", "diverged", "parameters", "recipe"});
  RunFile::Branch branch;
  const Node name = needed(reader, node, "name");
  branch.name = reader.string(name);
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
  if (branch.name.empty() || branch.name.size() > kMostNameBytes || std::ranges::any_of(branch.name, is_control))
    reader.fail(name.pointer, "must have 1 to " + std::to_string(kMostNameBytes) + " bytes in one line");
  branch.recipe = read_recipe(reader, needed(reader, node, "recipe"), usual);
  branch.seed = reader.seed(needed(reader, node, "seed"), 0);
  const Node parent = reader.member(node, "parent"), start = reader.member(node, "start");
  if (parent) {
    if (start) reader.fail(start.pointer, "goes with a branch without a parent");
    const Index before = std::ssize(file.branches);
    if (before == 0) reader.fail(parent.pointer, "cannot be: the first branch has none");
    branch.parent = static_cast<int>(reader.whole_number(parent, 0, before - 1, 0));
    const RunFile::Branch& left = file.branches[static_cast<std::size_t>(branch.parent)];
    branch.from = static_cast<int>(reader.whole_number(needed(reader, node, "from"), left.from, left.last, 0));
    const Recipe &a = left.recipe, &b = branch.recipe;
    if (!a.has_sizes_of(b) || !(a.positions == b.positions) || (a.controls.gates > 0) != (b.controls.gates > 0))
      reader.fail(pointer_to(node.pointer, "recipe"), "must have the parent's sizes, positions and L0 gates");
  } else {
    branch.from_document = reader.choice(start, false, {{"seed", false}, {"document", true}});
    if (branch.from_document && !file.document)
      reader.fail(start.pointer, "needs /document, with which the branch began");
  }
  const Node last = needed(reader, node, "last");
  branch.last = static_cast<int>(reader.whole_number(last, branch.from, kMostSteps, 0));
  ReadFields{reader, node, {}}.numbers("gates", branch.gates);
  const auto heads = static_cast<std::size_t>(branch.recipe.layers * branch.recipe.heads);
  if (!branch.gates.empty() && branch.gates.size() != heads)
    reader.fail(pointer_to(node.pointer, "gates"),
                "must have " + std::to_string(heads) + " numbers, one for each head");
  if (std::ranges::any_of(branch.gates, [](double gate) { return gate < 0 || gate > static_cast<double>(kMaxGate); }))
    reader.fail(pointer_to(node.pointer, "gates"), "must be from 0 to 2");
  branch.edited = read_edits(reader, reader.member(node, "edited"));
  if (branch.parent < 0 && !branch.edited.empty())
    reader.fail(pointer_to(node.pointer, "edited"), "goes with a branch that has a parent");
  branch.diverged = reader.flag(reader.member(node, "diverged"), false);
  branch.parameters = read_hash(reader, reader.member(node, "parameters"));
  return branch;
}

}  // namespace

bool is_run_file(std::string_view text) {
  const std::size_t key = text.find_first_not_of(" \t\r\n{");
  return key != std::string_view::npos && text.substr(key).starts_with("\"" + std::string(kMark) + "\"");
}

bool is_run_path(const std::string& path) {
  char begin[64] = {};
  std::ifstream(path, std::ios::binary).read(begin, sizeof begin - 1);
  return is_run_file(begin);
}

std::string run_file_text(const RunFile& file) {
  JsonWriter to;
  to.text = "{";
  to.whole(kMark, 1);
  to.string("task", file.task);
  if (file.task == "text") {
    to.string("text", file.text);
    to.key("characters").text += file.characters ? "true" : "false";
  }
  to.key("branches").text += "[";
  for (std::size_t k = 0; k < file.branches.size(); ++k) {
    to.text += k == 0 ? "\n" : ",\n";
    write_branch(to, file.branches[k]);
  }
  to.text += "],\n\"shown\": {";
  to.whole("branch", file.branch);
  to.whole("step", file.step);
  to.text += "}";
  if (file.document) to.text += ",\n\"document\": " + document_text(*file.document);
  while (to.text.back() == '\n') to.text.pop_back();
  return to.text + "}\n";
}

RunFile parse_run_file(std::string_view text, const std::string& name) {
  const JsonTree tree = parse_json(text, name, kMaxValues, JsonNumbers::doubles);
  const JsonReader reader(name, "the run");
  const Node whole{&tree.root(), ""};
  if (reader.member(whole, "hydrascope")) reader.fail("", "is a document, and no run: open it as one");
  reader.check_object(whole, {kMark, "task", "text", "characters", "branches", "shown", "document"});
  if (const Node mark = needed(reader, whole, kMark); !mark.json->is(1))
    reader.fail(mark.pointer, "must be 1, not " + in_words(*mark.json) + "; a newer program has made the file");
  RunFile file;
  const Node task = needed(reader, whole, "task"), own = reader.member(whole, "text");
  file.task = reader.string(task);
  if (file.task == "text") file.text = reader.string(needed(reader, whole, "text"));
  if (file.task != "text" && own) reader.fail(own.pointer, "goes with the task \"text\"");
  if (file.text.size() > kMostTextBytes) reader.fail(own.pointer, "must have at most 1 MB");
  file.characters = reader.flag(reader.member(whole, "characters"), false);
  Recipe usual;
  reader.check_at(task.pointer, [&] { usual = task_of(file)->outline().recipe; });
  if (const Node document = reader.member(whole, "document")) {
    std::string json;
    append_json(json, *document.json);
    file.document = std::make_shared<const Document>(parse_document(json, name + ": /document"));
  }
  const Node branches = needed(reader, whole, "branches");
  reader.check_count(branches, kMostBranches, "branches");
  for (const Node& branch : reader.elements(branches, "an array of branches"))
    file.branches.push_back(read_branch(reader, branch, file, usual));
  if (file.branches.empty()) reader.fail(branches.pointer, "must have a branch");
  file.step = file.branches.front().last;
  if (const Node shown = reader.member(whole, "shown")) {
    reader.check_object(shown, {"branch", "step"});
    file.branch =
        static_cast<int>(reader.whole_number(reader.member(shown, "branch"), 0, std::ssize(file.branches) - 1, 0));
    const int last = file.branches[static_cast<std::size_t>(file.branch)].last;
    file.step = static_cast<int>(reader.whole_number(reader.member(shown, "step"), 0, last, last));
  }
  return file;
}

std::shared_ptr<const Task> task_of(const RunFile& file) {
  return file.task == "text" ? make_text_task(file.text, file.characters ? Unit::character : Unit::word)
                             : make_task(file.task);
}

}  // namespace hydra::learn
