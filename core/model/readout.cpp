// The ends of a stack. In: a token's word, its place and its type are rows of tables, where they are learned; what they
// add up to may be normed. Out: the stream that leaves the last layer, by a linear map and an activation where it is
// transformed (both as Devlin et al. 2019 have them), normed; logits over a vocabulary, by the table of words (Press
// and Wolf 2017) or by weights of their own; by softmax probabilities of the next word.
#include <map>
#include <mutex>
#include <tuple>

#include "core/model/program.h"

namespace hydra {

namespace {

using Op = Operation;

// What X is made of, where that is more than words and positions (else the layer's program says it).
Nodes words_in(const ModelSettings& s, const Lookups& lookups) {
  using enum Quantity;
  Nodes nodes;
  if (lookups.words) nodes.push_back(node(embedding, Op::lookup, E));
  if (lookups.positions) nodes.push_back(node(positions, Op::lookup, P));
  if (s.types > 0) nodes.push_back(node(types, Op::lookup, T));
  const Quantity sum = s.embedding_norm ? summed : X;
  if (s.types > 0)
    nodes.push_back(node(sum, Op::add, embedding, positions, types));
  else if (s.embedding_norm)
    nodes.push_back(node(sum, Op::add, embedding, positions));
  if (s.embedding_norm)
    nodes.push_back(s.embedding_norm_kind == NormKind::layer ? node(X, Op::norm, summed, gain_E, shift_E)
                                                             : node(X, Op::norm, summed, gain_E));
  return nodes;
}

Nodes words_out(const ModelSettings& s) {
  using enum Quantity;
  Nodes nodes;
  if (s.transform) {
    nodes.push_back(node(transformed, Op::linear, stream, W_T, b_T));
    nodes.push_back(node(activated, Op::activate, transformed));
  }
  const Quantity last = s.transform ? activated : stream;
  if (s.final_norm)
    nodes.push_back(s.final_norm_kind == NormKind::layer ? node(final, Op::norm, last, final_gain, final_shift)
                                                         : node(final, Op::norm, last, final_gain));
  else if (s.readout != ReadoutKind::none)
    nodes.push_back(node(final, Op::add, last));
  if (s.readout == ReadoutKind::none) return nodes;
  nodes.push_back(s.readout == ReadoutKind::tied ? node(logits, Op::outer, final, E, b_U)
                                                 : node(logits, Op::linear, final, W_U, b_U));
  nodes.push_back(node(probabilities, Op::softmax, logits));
  return nodes;
}

ModelProgram written(const ModelSettings& settings, const Lookups& lookups) {
  ModelProgram program;
  program.nodes = words_in(settings, lookups);
  const Nodes out = words_out(settings);
  const std::size_t in = program.nodes.size();
  program.nodes.insert(program.nodes.end(), out.begin(), out.end());
  program.find_parameters();
  program.in = std::span<const ProgramNode>(program.nodes).first(in);
  program.out = std::span<const ProgramNode>(program.nodes).subspan(in);
  return program;
}

// What the list of nodes depends on.
auto what_it_has(const ModelSettings& s, const Lookups& l) {
  return std::tuple(s.types > 0, s.embedding_norm, s.embedding_norm_kind, s.transform, s.final_norm, s.final_norm_kind,
                    s.readout, l.words, l.positions);
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
