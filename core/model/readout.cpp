// The ends of a stack. In: a token's word and its place are rows of tables, where they are learned. Out: the stream
// that leaves the last layer, normed; logits over a vocabulary, by the table of words (Press and Wolf 2017) or by
// weights of their own; by softmax probabilities of the next word.
#include <map>
#include <mutex>
#include <tuple>

#include "core/model/program.h"

namespace hydra {

namespace {

using Op = Operation;

Nodes words_in(const Lookups& lookups) {
  using enum Quantity;
  Nodes nodes;
  if (lookups.words) nodes.push_back(node(embedding, Op::lookup, E));
  if (lookups.positions) nodes.push_back(node(positions, Op::lookup, P));
  return nodes;
}

Nodes words_out(const ModelSettings& s) {
  using enum Quantity;
  Nodes nodes;
  if (s.final_norm)
    nodes.push_back(s.final_norm_kind == NormKind::layer ? node(final, Op::norm, stream, final_gain, final_shift)
                                                         : node(final, Op::norm, stream, final_gain));
  else if (s.readout != ReadoutKind::none)
    nodes.push_back(node(final, Op::add, stream));
  if (s.readout == ReadoutKind::none) return nodes;
  nodes.push_back(s.readout == ReadoutKind::tied ? node(logits, Op::outer, final, E, b_U)
                                                 : node(logits, Op::linear, final, W_U, b_U));
  nodes.push_back(node(probabilities, Op::softmax, logits));
  return nodes;
}

ModelProgram written(const ModelSettings& settings, const Lookups& lookups) {
  ModelProgram program;
  program.nodes = words_in(lookups);
  const Nodes out = words_out(settings);
  const std::size_t in = program.nodes.size();
  program.nodes.insert(program.nodes.end(), out.begin(), out.end());
  program.find_parameters();
  program.out = std::span<const ProgramNode>(program.nodes).subspan(in);
  return program;
}

// What the list of nodes depends on.
auto what_it_has(const ModelSettings& s, const Lookups& l) {
  return std::tuple(s.final_norm, s.final_norm_kind, s.readout, l.words, l.positions);
}

}  // namespace

const ModelProgram& program_of(const ModelSettings& settings, const Lookups& lookups) {
  static std::mutex mutex;
  static std::map<decltype(what_it_has(settings, lookups)), const ModelProgram> programs;
  const std::lock_guard lock(mutex);
  const auto key = what_it_has(settings, lookups);
  if (const auto found = programs.find(key); found != programs.end()) return found->second;
  return programs.emplace(key, written(settings, lookups)).first->second;
}

}  // namespace hydra
