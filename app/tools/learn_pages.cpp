// What pages of the Learn view ask for besides the training: which heads are needed, a step opened.
#include <algorithm>
#include <cmath>

#include "app/tools/learn_tool.h"

namespace hydra {

namespace {

bool is_trained(const learn::Timeline::Branch& branch) {
  return std::ranges::any_of(branch.sources,
                             [](const WeightSource& source) { return source.kind == WeightSource::Kind::trained; });
}

}  // namespace

// Of the step that is shown, while the page is open and nothing moves.
void LearnTool::update_pruning(const ViewState& view) {
  const bool looked_at = view.view == ViewId::learn && view.learn.page == LearnPage::pruning;
  if (!looked_at || !timeline_ || !shown_.fits) return pruning_.leave(shown_);
  if (under_way()) return;
  const learn::Timeline::Branch& branch = timeline_->branch(timeline_->owner(shown_.branch, shown_.step));
  pruning_.update({shown_.task, OfRun(timeline_), shown_.branch, shown_.step,
                   [&] { return document_at(shown_.branch, shown_.step); }, branch.recipe, branch.seed,
                   drawn_by(timeline_->owner(shown_.branch, shown_.step), shown_.step)},
                  shown_);
}

// All steps of the branch and of those it came from, up to that step. Where the run went on from a document that had
// been trained before, what that saw is not known; the recipe's steps of the same seed stand for it.
std::vector<learn::DrawnSteps> LearnTool::drawn_by(int branch, int end) const {
  std::vector<learn::DrawnSteps> drawn;
  for (int k = branch; k >= 0; k = timeline_->branch(k).parent) {
    const learn::Timeline::Branch& own = timeline_->branch(k);
    drawn.push_back({own.seed, own.from, std::max(end, own.from), own.recipe.batch});
    end = std::min(end, own.from);
    if (own.parent < 0 && is_trained(own)) drawn.push_back({own.seed, 0, own.recipe.steps, own.recipe.batch});
  }
  return drawn;
}

// Looked for when another step is shown.
void LearnTool::find_best_held_out() {
  if (!timeline_) return;
  const At at{OfRun(timeline_), shown_.branch, shown_.step};
  if (best_of_ == at) return;
  best_of_ = at;
  constexpr int kApart = learn::kMeasuredApart;
  constexpr double kClearly = 1.05;  // of the least: 64 sequences vary
  const Index track = timeline_->tracks().held_out_loss();
  double last = 0;
  shown_.best_step = -1;
  for (int step = 0; step <= shown_.step; step += kApart) {
    const double loss = timeline_->value(shown_.branch, track, step);
    if (std::isnan(loss)) continue;
    last = loss;
    if (shown_.best_step < 0 || loss < shown_.best_loss) shown_.best_step = step, shown_.best_loss = loss;
  }
  if (last <= kClearly * shown_.best_loss + 0.02) shown_.best_step = -1;
}

void LearnTool::update_followed(const ViewState& view) {
  const LearnState& learn = view.learn;
  const bool looked_at =
      view.view == ViewId::learn && learn.page == LearnPage::run && learn.chart == LearnChart::followed;
  if (!looked_at || !timeline_ || !shown_.fits) return follow_.leave(shown_.followed);
  follow_.update({shown_.task, timeline_, document_, learn.followed}, shown_.followed);
}

// The step that would be the next one from where the document is, while the page is open.
void LearnTool::update_opened(const Document& document, const ViewState& view) {
  const bool looked_at = view.view == ViewId::learn && view.learn.page == LearnPage::gradients;
  if (!looked_at || !timeline_ || !shown_.fits) return opened_.leave(shown_.opened);
  const int branch = timeline_->owner(shown_.branch, shown_.step);
  OpenedKeeper::Wanted wanted;
  wanted.run = OfRun(timeline_), wanted.branch = branch, wanted.step = shown_.step;
  wanted.edit = shown_.edited ? edits_ : 0;
  wanted.stretch = [&] {
    Stretch stretch = up_to(branch, shown_.step);
    if (!shown_.edited) return stretch;
    stretch.settings.gates = own_gates(document);
    stretch.own_start = std::make_shared<const std::vector<float>>(own_parameters(document));
    return stretch;
  };
  wanted.view = view.learn.gradients;
  wanted.layer = view.layer;
  opened_.update(wanted, shown_.opened);
  OpenedTold& opened = shown_.opened;
  if (!opened.told)
    opened.update.reset();
  else if (!opened.update || laid_out_ != opened.told)
    opened.update = std::make_shared<const Explained>(lay_out(*opened.told));
  laid_out_ = opened.told;
}

}  // namespace hydra
