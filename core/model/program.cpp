#include "core/model/program.h"

#include <algorithm>
#include <cassert>
#include <set>

namespace hydra {

bool NodeList::makes(Quantity quantity) const {
  return std::ranges::any_of(nodes, [&](const ProgramNode& node) { return node.result == quantity; });
}

bool NodeList::has(Quantity parameter) const { return std::ranges::binary_search(parameters, parameter); }

const ProgramNode& NodeList::node_of(Quantity quantity) const {
  const auto found = std::ranges::find_if(nodes, [&](const ProgramNode& node) { return node.result == quantity; });
  assert(found != nodes.end());
  return *found;
}

void NodeList::find_parameters() {
  std::set<Quantity> read;
  for (const ProgramNode& node : nodes)
    for (const Quantity operand : node.reads())
      if (is_parameter(operand)) read.insert(operand);
  parameters.assign(read.begin(), read.end());
}

namespace {

// Not kept in a large trace.
bool may_pass(Quantity quantity) {
  return has_head(quantity) && entry_of(quantity).kind == QuantityRow::Kind::recomputed;
}
// Number by number, or row by row: what it makes may stand in the place of what it reads first.
bool works_in_place(Operation operation) {
  using enum Operation;
  return operation == softmax || operation == drop || operation == subtract || operation == add ||
         operation == multiply;
}
bool reads_it(const ProgramNode& node, Quantity quantity) {
  return std::ranges::find(node.reads(), quantity) != node.reads().end();
}

}  // namespace

const Passage* Passages::find(Quantity stage) const {
  const auto found = std::ranges::find(stages, stage, &Passage::stage);
  return found == stages.end() ? nullptr : &*found;
}

// From the last node to the first, so that whoever reads a stage last says where it stands. It gives its own place to
// one stage, if nobody else reads that.
Passages passages_to(std::span<const ProgramNode> nodes, std::span<const Quantity> wanted) {
  Passages found;
  const auto is_wanted = [&](Quantity stage) { return std::ranges::find(wanted, stage) != wanted.end(); };
  for (std::size_t k = nodes.size(); k-- > 0;) {
    const ProgramNode& node = nodes[k];
    Passage of{node.result, node.result, -1, {node.result}};
    if (const Passage* passing = found.find(node.result))
      of = *passing;
    else if (!is_wanted(node.result))
      continue;
    for (const Quantity operand : node.reads()) {
      if (!may_pass(operand) || is_wanted(operand)) continue;
      auto at = std::ranges::find(found.stages, operand, &Passage::stage);
      if (at == found.stages.end()) {
        const bool alone = std::ranges::count_if(nodes, [&](const auto& n) { return reads_it(n, operand); }) == 1;
        const bool in_place = operand == node.reads()[0] && alone && works_in_place(node.operation);
        found.stages.push_back({operand, of.in, in_place ? of.buffer : found.buffers++});
        at = found.stages.end() - 1;
      }
      for (const Quantity made : of.makes)
        if (std::ranges::find(at->makes, made) == at->makes.end()) at->makes.push_back(made);
    }
  }
  return found;
}

std::string fault_of(const LayerProgram& program) {
  const auto makes = [](std::span<const ProgramNode> nodes, Quantity quantity) {
    return std::ranges::find(nodes, quantity, &ProgramNode::result) != nodes.end();
  };
  const auto told = [](Quantity quantity, const char* what) { return std::string(entry_of(quantity).key) + what; };
  for (const ProgramNode& node : program.own)
    for (const Quantity operand : node.reads())
      if (makes(program.rest, operand)) return told(operand, " is read by what stands before the scores");
  for (const std::span<const ProgramNode> nodes : {program.own, program.rest})
    for (const ProgramNode& node : nodes)
      if (is_projection(node)) return told(node.result, " is a projection, and stands after what is none");
  for (const ProgramNode& node : program.rest)
    for (std::size_t k = 0; k < node.reads().size(); ++k) {
      const Quantity operand = node.reads()[k];
      const bool all_rows = k == 1 && (node.operation == Operation::scores || node.operation == Operation::mix);
      if (all_rows && makes(program.rest, operand))
        return told(operand, " is read by all rows, and stands after the first scores");
      if (may_pass(operand) && !makes(program.rest, operand))
        return told(operand, " is not kept, and stands before the scores");
    }
  return {};
}

}  // namespace hydra
