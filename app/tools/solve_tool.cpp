#include "app/tools/solve_tool.h"

#include <utility>

#include "app/views/notice.h"

namespace hydra {

namespace {

constexpr std::chrono::milliseconds kSolvePatience{8};  // for what is solved at once

Array<float> output_weights(const Document& document, int layer) {
  return layer < static_cast<int>(document.layers.size()) ? document.layer(layer).weights.W_O : nullptr;
}

}  // namespace

void SolveTool::start(Outbox::Solve solve, const Document& document, ViewState& view) {
  layer_ = view.layer;
  before_ = output_weights(document, layer_);
  job_.forget();
  job_.ask(
      {}, [find = std::move(solve.find)](const auto&) { return find(); }, kSolvePatience);
  view.mixing.solving.under_way = true;
}

void SolveTool::take(const Found& found, const Document& document, ViewState& view, Outbox& out) {
  const Array<float> old = std::exchange(before_, nullptr);
  if (output_weights(document, layer_) != old)
    return refuse(view, "W_O was changed while it was solved for: solve once more.");
  if (!found->refusal.empty()) return refuse(view, found->refusal);
  found_ = found->solved.W_O == *old ? old : share_rows(Mat<float>(found->solved.W_O));
  view.mixing.solving.result = "For " + found->name + ": " + solved_result(found->solved);
  view.mixing.solving.remark = solved_remark(found->solved);
  AttentionWeights<float> weights = document.layer(layer_).weights;
  weights.W_O = found_;
  out.apply({SetWeights{std::move(weights), "solve W_O", "for " + found->name}, layer_});
}

void SolveTool::update(const Document& document, ViewState& view, Outbox& out) {
  OutputSolving& shown = view.mixing.solving;
  if (under_way()) {
    const bool news = job_.poll([&](const Found& found) { take(found, document, view, out); });
    if (!job_.failure().empty()) refuse(view, "W_O could not be solved for: " + job_.failure() + ".");
    if (news) job_.forget();
    shown.under_way = under_way();
  }
  shown.present = found_ && layer_ == view.layer && output_weights(document, layer_) == found_;
}

}  // namespace hydra
