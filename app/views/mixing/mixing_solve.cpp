#include "app/views/mixing/mixing_solve.h"

#include "app/views/frame/ui.h"
#include "core/attention/trace.h"

namespace hydra {

using Target = SolveTarget;

namespace {
constexpr double kExact = 1e-6;  // of the target's squared length: what floats leave of an exact solution
}

int solving_feature(const OutputSolving& solving) {
  if (solving.feature >= 0) return solving.feature;
  return std::max(0, Lexicon::standard().feature("animate"));
}

Index feature_column(const Trace& trace, int feature) {
  return trace.layout && feature < trace.layout->features ? feature : 0;
}

Mat<float> output_target(const Trace& trace, Target target, int feature, const Site& at) {
  if (target == Target::reproduce) return *trace.layer(at.layer).input.X;
  const MatView<float> attention = values_of(trace, at);
  const Index column = feature_column(trace, feature);
  Mat<float> wanted = Mat<float>::Zero(trace.X->rows(), trace.X->cols());
  for (Index t = 0; t < wanted.rows(); ++t) {
    Index key = 0;
    if (!attention.row(t).allFinite()) continue;
    attention.row(t).maxCoeff(&key);
    wanted(t, column) = has_feature(nth(trace.words, key).features, feature) ? 1.0f : 0.0f;
  }
  return wanted;
}

std::vector<OutputExample> output_examples(const std::vector<std::shared_ptr<const Trace>>& traces, Target target,
                                           int feature, const Site& attention) {
  std::vector<OutputExample> examples;
  for (const auto& trace : traces)
    examples.push_back({trace->layer(attention.layer).concat, output_target(*trace, target, feature, attention)});
  return examples;
}

std::shared_ptr<FoundOutput> solve_for(const std::vector<OutputExample>& examples,
                                       const AttentionWeights<float>& weights, std::string name) {
  auto found = std::make_shared<FoundOutput>();
  if (std::all_of(examples.begin(), examples.end(), [](const OutputExample& e) { return e.target.isZero(0); }))
    found->refusal = wording("mixing:solve.no_target", {{"target", name}});
  else if (!std::all_of(examples.begin(), examples.end(), [](const OutputExample& e) { return e.concat->allFinite(); }))
    found->refusal = wording("mixing:solve.not_finite");
  else
    found->solved = solve_output(examples, *weights.W_O, weights.b_O);
  found->name = std::move(name);
  return found;
}

std::string target_name(Target target, int feature, int head) {
  if (target == Target::reproduce) return "X";
  return wording("mixing:solve.attended",
                 {{"feature", nth(Lexicon::standard().features(), feature).name}, {"head", head + 1}});
}

std::string solved_result(const SolvedOutput& solved) {
  return wording(
      "mixing:solve.result",
      {{"before", ui::number(solved.before)}, {"residual", ui::number(solved.residual)}, {"tokens", solved.rows}});
}

std::string solved_remark(const SolvedOutput& solved) {
  const char* key = solved.residual > kExact     ? "mixing:solve.rank"
                    : solved.rank >= solved.rows ? "mixing:solve.rank.few_tokens"
                                                 : "mixing:solve.rank.met";
  return wording(key, {{"rank", solved.rank}, {"columns", solved.W_O.rows()}});
}

}  // namespace hydra
