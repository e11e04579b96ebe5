// The collapse page: experiments with heads that begin alike, each one button, what will happen hidden until asked.
#include "app/views/learn/experiments.h"
#include "app/views/learn/learn_parts.h"
#include "app/widgets/plot/plot.h"

namespace hydra {

namespace {

constexpr int kLastSteps = 20;  // of which results are the mean

class CollapsePage : Drawing {
 public:
  CollapsePage(Frame& frame, const Box& box) : Drawing(frame), box_(box), learn_(frame.learn) {
    const bool there = learn_.timeline && learn_.task && learn_.task->info().key == kExperimentTask;
    if (there) timeline_ = learn_.timeline.get();
  }

  void draw() {
    const float gap = 5 * u_, left = std::min(0.46f * box_.size.x, 34 * em_);
    ui::room(canvas_, "learn/experiments", box_.pos, {left, box_.size.y}, true, [&](ImVec2 corner) {
      ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + left - 3 * u_);
      ui::soft_text(frame_, wording("learn:try.about"));
      int k = 0;
      for (const LearnExperiment& experiment : learn_experiments()) card(k++, experiment);
      ImGui::PopTextWrapPos();
      return ImGui::GetCursorScreenPos().y - corner.y;
    });
    const Box charts{{box_.pos.x + left + gap, box_.pos.y}, {box_.size.x - left - gap, box_.size.y}};
    const float half = 0.5f * (charts.size.y - gap);
    std::optional<Canvas::Part> part;
    if (timeline_) part.emplace(canvas_, "learn.collapse");
    chart("learn/collapse/likeness", wording("learn:try.likeness"), true, {charts.pos, {charts.size.x, half}});
    chart("learn/collapse/accuracy", wording("learn:chart.accuracy"), false,
          {{charts.pos.x, charts.pos.y + half + gap}, {charts.size.x, half}});
  }

 private:
  // The branch of that experiment with the seed of the controls; -1: there is none.
  int branch_of(const LearnExperiment& experiment) const {
    for (int k = 0; timeline_ && k < timeline_->size(); ++k)
      if (timeline_->branch(k).parent < 0 && timeline_->branch(k).name.starts_with(std::string(experiment.name) + ","))
        return k;
    return -1;
  }

  // The mean of the last steps that have the number.
  double at_end(int branch, Index track) const {
    const std::vector<double>& values = nth(timeline_->branch(branch).tracks, track);
    double sum = 0;
    int count = 0;
    for (int k = int_size(values) - 1; k >= 0 && k >= int_size(values) - kLastSteps; --k)
      if (!std::isnan(nth(values, k))) sum += nth(values, k), ++count;
    return count > 0 ? sum / count : NAN;
  }

  void card(int k, const LearnExperiment& experiment) {
    ImGui::Dummy({1, 1.5f * u_});
    const int branch = branch_of(experiment);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (branch >= 0)
      canvas_.fill({at.x, at.y + 0.2f * em_}, {at.x + 0.7f * em_, at.y + 0.9f * em_}, branch_color(frame_, branch));
    ImGui::SetCursorScreenPos({at.x + 1.1f * em_, at.y});
    ui::text(frame_, wording(experiment.title), {.font = fonts_.strong});
    ui::text(frame_, wording(experiment.does));
    const std::string name = std::string("learn/try/") + experiment.key;
    if (ui::button(frame_, name, branch >= 0 ? wording("learn:try.look") : wording("learn:try.begin"),
                   wording("learn:try.tip"), !learn_.training))
      frame_.out.act(act::LearnTry{k});
    ImGui::SameLine();
    const bool told = nth(view_.learn.foretold, k);
    ui::Chips chips = ui::Chips::in_line(frame_);
    if (chips.chip(name + "/foretell", wording("learn:try.foretell"), told, wording("learn:try.foretell.tip"))) {
      auto foretold = view_.learn.foretold;
      nth(foretold, k) = !told;
      frame_.choose(view_.learn.foretold, foretold);
    }
    if (branch >= 0 && timeline_->branch(branch).last() > timeline_->branch(branch).from) {
      const learn::Tracks& tracks = timeline_->tracks();
      ui::text(frame_,
               wording("learn:try.result", {{"cosine", ui::number(at_end(branch, tracks.alike(0)), As::brief)},
                                            {"accuracy", ui::number(at_end(branch, tracks.accuracy()), As::brief)},
                                            {"step", timeline_->branch(branch).last()}}));
      ui::probe(name + "/result");
    }
    if (told) {
      ui::text(frame_, experiment.foretold(), {.ink = theme_.ink_soft});
      ui::probe(name + "/foretold");
    }
  }

  void chart(const char* name, const std::string& title, bool likeness, const Box& box) {
    auto plot = styled<Plot>(frame_);
    plot.y.title = title;
    plot.x.high = 600;
    if (!timeline_) plot.instead = wording("learn:try.not_yet");
    if (timeline_) {
      const learn::Tracks& tracks = timeline_->tracks();
      for (int k = 0; k < timeline_->size(); ++k) {
        const learn::Timeline::Branch& branch = timeline_->branch(k);
        plot.x.high = std::max<double>(plot.x.high, branch.last());
        plot.series.push_back({.y = &nth(branch.tracks, likeness ? tracks.alike(0) : tracks.accuracy()),
                               .color = branch_color(frame_, k),
                               .label = branch.name.substr(0, branch.name.rfind(", seed")),
                               .strong = k == learn_.branch || timeline_->size() < 3,
                               .first = branch.first_row,
                               .apart = timeline_->rows_apart(),
                               .bridges = true});
      }
      if (!likeness)
        for (const learn::Baseline& line : learn_.task->info().baselines)
          if (line.question == learn::kNone && line.relation == learn::kNone && line.accuracy >= 0)
            plot.levels.push_back({line.accuracy, line.label});
    }
    draw_plot(canvas_, name, plot, box);
  }

  Box box_;
  const LearnTold& learn_;
  const learn::Timeline* timeline_ = nullptr;  // of this task; null: there is none
};

}  // namespace

void draw_learn_collapse(Frame& frame, const Box& box) { CollapsePage(frame, box).draw(); }

}  // namespace hydra
