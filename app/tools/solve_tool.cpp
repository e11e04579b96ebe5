#include "app/tools/solve_tool.h"

#include <exception>
#include <utility>

#include "core/failure.h"
#include "core/measures/pooled.h"
#include "core/text/wording.h"

namespace hydra {

namespace {

constexpr std::chrono::milliseconds kSolvePatience{8};  // for what is solved at once

Array<float> output_weights(const Document& document, int layer) {
  return layer < static_cast<int>(document.layers.size()) ? document.layer(layer).weights.W_O : nullptr;
}

}  // namespace

void SolveTool::start(const act::Solve& solve, const Of& of, Notice& notice) try {
  layer_ = of.layer;
  before_ = output_weights(of.document, layer_);
  if (of.computing || of.trace.layer(layer_).input.weights.W_O != before_)
    return notice.refuse(wording("tools:solve.too_early"));
  const Site attention{Quantity::attention, layer_, solve.head};
  const auto solved = [weights = of.document.layer(layer_).weights,
                       name = target_name(solve.target, solve.feature, solve.head)](
                          const std::vector<OutputExample>& examples) { return solve_for(examples, weights, name); };
  if (solve.all_sentences) check_poolable(of.document, of.marked);
  job_.forget();
  if (solve.all_sentences) {
    job_.ask(
        {},
        [=, document = of.document, marked = of.marked](const auto&) {
          const auto traces = PooledTraces().evaluate(document, marked);
          return solved(output_examples(traces, solve.target, solve.feature, attention));
        },
        kSolvePatience);
  } else {
    const std::shared_ptr<const Trace> shown(std::shared_ptr<const Trace>(), &of.trace);  // only within this call
    job_.ask(
        {},
        [=, examples = output_examples({shown}, solve.target, solve.feature, attention)](const auto&) {
          return solved(examples);
        },
        kSolvePatience);
  }
  shown_.under_way = true;
} catch (const std::exception&) {
  notice.refuse(reason_of(std::current_exception()));
}

void SolveTool::take(const Found& found, const Document& document, Notice& notice, Outbox& out) {
  const Array<float> old = std::exchange(before_, nullptr);
  if (output_weights(document, layer_) != old) return notice.refuse(wording("tools:solve.changed"));
  if (!found->refusal.empty()) return notice.refuse(found->refusal);
  found_ = found->solved.W_O == *old ? old : share_rows(Mat<float>(found->solved.W_O));
  shown_.result = wording("tools:solve.result", {{"target", found->name}, {"result", solved_result(found->solved)}});
  shown_.remark = solved_remark(found->solved);
  AttentionWeights<float> weights = document.layer(layer_).weights;
  weights.W_O = found_;
  out.apply(
      {SetWeights{std::move(weights), wording("tools:solve"), wording("tools:solve.target", {{"target", found->name}})},
       layer_});
}

void SolveTool::update(const Document& document, int layer, Notice& notice, Outbox& out) {
  if (under_way()) {
    const bool news = job_.poll([&](const Found& found) { take(found, document, notice, out); });
    if (!job_.failure().empty()) notice.refuse(wording("tools:solve.failed", {{"failure", job_.failure()}}));
    if (news) job_.forget();
    shown_.under_way = under_way();
  }
  shown_.present = found_ && layer_ == layer && output_weights(document, layer_) == found_;
}

}  // namespace hydra
