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

}  // namespace hydra
