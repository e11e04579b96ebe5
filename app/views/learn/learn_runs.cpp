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
  std::string label = run.begun + "  " + run.name + ": " + ui::counted(run.steps, "step");
  if (run.branches > 1) label += ", " + ui::counted(run.branches, "branch", "branches");
  const std::string tip = run.at_once ? "Takes it up where it was left; the present run is put aside."
                                      : "Its steps have given way to those of newer runs: it is trained again, to the "
                                        "same bits, and the present run is put aside.";
  ImGui::PushID(k);
  const bool idle = !frame.learn.training;
  if (entry(frame, "learn/run/" + std::to_string(k), label, idle, tip)) frame.out.act(act::LearnTakeUp{k});
  ImGui::PopID();
}

}  // namespace

void draw_learn_runs(Frame& frame) {
  const LearnTold& learn = frame.learn;
  const std::string label = learn.aside.empty() ? "Runs" : ui::words("Runs: ", learn.aside.size() + 1);
  if (ui::button(frame, "learn/runs", label.c_str(),
                 "Save the run as a small file, copy its command, open one, or take up another one."))
    ImGui::OpenPopup("runs");
  if (!ImGui::BeginPopup("runs")) return;
  if (learn.timeline) {
    ui::soft_text(frame, learn.name);
    if (entry(frame, "learn/save_run", "Save the run …", !learn.training,
              "A few kilobytes: the task, and what made each branch. Whoever opens it trains it again, to the same "
              "bits."))
      frame.front.file_dialog = FileDialog::save_run;
    if (entry(frame, "learn/command", "Copy the command", !learn.training,
              "hydrascope train ..., which trains this branch without a window."))
      frame.out.act(act::LearnCopyCommand{});
  }
  if (entry(frame, "learn/open_run", "Open a run …", !learn.training, "A file that was saved here."))
    frame.front.file_dialog = FileDialog::open;
  if (!learn.aside.empty()) {
    ImGui::Separator();
    ui::soft_text(frame, ui::words("Before this one; the last ", kMostRunsKept, " stay from window to window:"));
    for (int k = 0; k < int_size(learn.aside); ++k) aside(frame, k);
  }
  ImGui::EndPopup();
}

}  // namespace hydra
