// Runs: the present one as a file or a command, and those that another was begun after.
#include "app/views/learn/learn_parts.h"

namespace hydra {

namespace {

constexpr int kMostRunsKept = 20;  // RunsKeeper::kMost

bool entry(const Frame& frame, const std::string& name, const std::string& label, bool enabled,
           const std::string& tip) {
  const bool chosen = ImGui::MenuItem(imgui_text(label), nullptr, false, enabled);
  ui::probe(name);
  ui::tip(frame, tip);
  return chosen;
}

void aside(Frame& frame, int k) {
  const RunAside& run = nth(frame.learn.aside, k);
  const std::string label =
      run.branches > 1
          ? wording("learn:run.branches",
                    {{"begun", run.begun}, {"name", run.name}, {"steps", run.steps}, {"branches", run.branches}})
          : wording("learn:run", {{"begun", run.begun}, {"name", run.name}, {"steps", run.steps}});
  const std::string& tip = run.at_once ? wording("learn:run.at_once.tip") : wording("learn:run.again.tip");
  ImGui::PushID(k);
  const bool idle = !frame.learn.training;
  if (entry(frame, "learn/run/" + std::to_string(k), label, idle, tip)) frame.out.act(act::LearnTakeUp{k});
  ImGui::PopID();
}

}  // namespace

void draw_learn_runs(Frame& frame) {
  const LearnTold& learn = frame.learn;
  const std::string label =
      learn.aside.empty() ? wording("learn:runs") : wording("learn:runs.count", {{"n", learn.aside.size() + 1}});
  if (ui::button(frame, "learn/runs", label, wording("learn:runs.tip"))) ImGui::OpenPopup("runs");
  if (!ImGui::BeginPopup("runs")) return;
  if (learn.timeline) {
    ui::soft_text(frame, learn.name);
    if (entry(frame, "learn/save_run", wording("learn:runs.save"), !learn.training, wording("learn:runs.save.tip")))
      frame.front.file_dialog = FileDialog::save_run;
    if (entry(frame, "learn/command", wording("learn:runs.command"), !learn.training,
              wording("learn:runs.command.tip")))
      frame.out.act(act::LearnCopyCommand{});
  }
  if (entry(frame, "learn/open_run", wording("learn:runs.open"), !learn.training, wording("learn:runs.open.tip")))
    frame.front.file_dialog = FileDialog::open;
  if (!learn.aside.empty()) {
    ImGui::Separator();
    ui::soft_text(frame, wording("learn:runs.aside", {{"n", kMostRunsKept}}));
    for (int k = 0; k < int_size(learn.aside); ++k) aside(frame, k);
  }
  ImGui::EndPopup();
}

}  // namespace hydra
