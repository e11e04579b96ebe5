// Learn: a model that is trained in front of the class, step by step, back and forth.
#include "app/views/learn/experiments.h"
#include "app/views/learn/learn_parts.h"
#include "app/views/pages.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/views.h"

namespace hydra {

namespace {

struct TaskChip {
  const char *key, *label, *tip;
};
constexpr TaskChip kTasks[] = {
    {"induction", "Induction", "A row of words is said twice: what followed a word the first time? Two layers."},
    {"students", "Students", "Each student asks four others for their fruit: four lookups at once. One layer."},
    {"crowd", "Crowd", "The same with 16 students of 20: harder."},
    {"collapse", "Two questions", "Students who ask two questions, for heads that collapse or are cut away."},
    {"grammar", "Grammar", "Four questions of each word of a sentence, which heads share among themselves."},
    {"pronoun", "Pronoun", "The king could not lift the uncle because he was too weak: who? Two layers."},
    {"animal", "Animal", "The animal did not cross the street because it was too tired: one layer is enough."},
    {"markov", "Markov chains", "Each sequence has a chain of its own, which must be learned from what was seen."},
    {"text", "Own text", "The next word, or character, of a text that you paste."},
};

void task_chips(Frame& frame) {
  ui::Chips chips(frame);
  for (const TaskChip& task : kTasks)
    if (chips.picked(std::string("learn/task/") + task.key, task.label, frame.view.learn.setup.task == task.key,
                     task.tip))
      frame.out.act(act::LearnChoose{task.key});
}

// "Step 240 of 600": where it is, and what that step shows; from the last row it is read. Low: behind the buttons.
void headline(Frame& frame, bool low) {
  const LearnTold& learn = frame.learn;
  const learn::Tracks& tracks = learn.timeline->tracks();
  const int last = learn.timeline->branch(learn.branch).last(), step = std::max(0, learn.step);
  const auto value = [&](Index track) {
    const double at = learn.timeline->value(learn.branch, track, step);
    return std::isnan(at) && step > 0 ? learn.timeline->value(learn.branch, track, step - 1) : at;
  };
  const double loss = value(tracks.loss()), accuracy = value(tracks.accuracy());
  const int end = std::max(last, learn.training ? learn.goal : learn.timeline->branch(learn.branch).recipe.steps);
  std::string text = ui::words("Step ", step, " of ", end);
  const auto held_out = [&](Index track) {  // measured every so manyth step
    double at = value(track);
    for (int back = 1; back <= learn::kMeasuredApart && std::isnan(at) && step >= back; ++back)
      at = learn.timeline->value(learn.branch, track, step - back);
    return at;
  };
  const double held_loss = held_out(tracks.held_out_loss()), held_accuracy = held_out(tracks.held_out_accuracy());
  const auto both = [](double of_loss, double of_accuracy) {
    return "loss " + ui::number(of_loss, As::brief) + ",  accuracy " + ui::number(of_accuracy, As::brief);
  };
  const bool has_both = !std::isnan(loss) && !std::isnan(held_loss) && !learn.edited;
  if (low && has_both)  // there is room for one, and what is held out says what was learned
    text += ":  held-out " + both(held_loss, held_accuracy);
  else if (!std::isnan(loss) && !learn.edited)
    text += ":  " + both(loss, accuracy);
  if (!low && has_both)
    text += ";  held out " + ui::number(held_loss, As::brief) + ",  " + ui::number(held_accuracy, As::brief);
  ImFont* const font = low ? frame.fonts.strong : frame.fonts.large;
  if (low) {
    ui::flow_line(text_width(font, text) + 5 * frame.unit);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 3 * frame.unit);
    ImGui::AlignTextToFramePadding();
  }
  ui::text(frame, text, {.font = font});
  ui::probe("learn/headline");
  if (has_both) ui::probe("learn/held_out");
  ui::tip(
      frame,
      "Loss and accuracy of the sequences that the next step is taken on, before it is taken; and of 64 sequences that "
      "training does not draw in 2000 steps, every eighth step.");
  std::string beside;
  if (learn.training) {
    beside = ui::number(std::round(learn.per_second), As::count) + " steps a second";
    if (learn.again_of > 0)
      beside = ui::words("again from its file: branch ", learn.again + 1, " of ", learn.again_of, ", ") + beside;
    if (learn.per_second > 0 && learn.goal - last > 2 * learn.per_second)
      beside += ", " + ui::counted(std::lround((learn.goal - last) / learn.per_second), "second") + " to go";
  } else if (learn.recalled >= 0) {
    beside = ui::words("Step ", learn.recalled, " is not kept: it is trained again, ",
                       std::lround(100 * learn.recall_progress), " % done.");
  } else if (learn.again_of > 0) {
    beside = ui::words(learn.again, " of ", learn.again_of,
                       " branches of the file are trained again; Train goes on with the others.");
  } else if (!learn.fits) {
    beside = "The document is another one now; Undo brings the run's back, Train begins another run.";
  } else if (learn.edited) {
    beside = "The document was edited here: Train goes on from it as a branch.";
  } else if (learn.told_branch == learn.branch && learn.told_step == learn.step) {
    beside = learn.told;
  }
  if (!learn.training && !learn.edited && learn.fits && learn.best_step >= 0)
    beside +=
        (beside.empty() ? "" : " ") + ui::words("What is held out was best at step ", learn.best_step, ", ",
                                                ui::number(learn.best_loss, As::brief), ": it has risen since then.");
  const bool must = learn.edited || !learn.fits || learn.recalled >= 0 || (learn.again_of > 0 && !learn.training);
  if (beside.empty() || (low && !must)) return;
  ui::flow_line(text_width(frame.fonts.text, beside) + 4 * frame.unit);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 2 * frame.unit);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.75f * (frame.fonts.large->FontSize - frame.fonts.text->FontSize));
  ui::soft_text(frame, beside);
  ui::probe("learn/told");
}

// A page of a run where there is none: what it shows, and how to begin. Nothing is replaced unasked.
void begin_page(Frame& frame, const Box& box) {
  const bool pruning = frame.view.learn.page == LearnPage::pruning,
             able = frame.learn.fault.empty() && frame.learn.chosen;
  ui::room(frame.canvas, "learn/cold", box.pos, box.size, true, [&](ImVec2 corner) {
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + std::min(box.size.x, 46 * ImGui::GetFontSize()));
    ui::text(frame, pruning ? "This page measures which heads a trained model needs; there is no run yet."
                            : "This page opens the next step of a run, number by number; there is no run yet.");
    ImGui::PopTextWrapPos();
    ImGui::Dummy({1, frame.unit});
    if (ui::button(
            frame, "learn/begin", "Begin: random weights",
            "The task's model with the weights that the seed gives becomes the document; Undo brings this one back.",
            able))
      frame.out.act(act::LearnReset{});
    if (frame.learn.usable) {
      ImGui::SameLine();
      if (ui::button(frame, "learn/use", "Use this document",
                     "The run begins with the document's own weights, which stay as they are until a step is taken.",
                     able))
        frame.out.act(act::LearnBegin{});
    }
    return ImGui::GetCursorScreenPos().y - corner.y;
  });
}

void fault(Frame& frame) {
  const std::string& why = frame.learn.fault;
  const LearnSetup& setup = frame.view.learn.setup;
  if (why.empty() || (setup.task == "text" && setup.text.empty())) return;  // what to do about it stands there
  ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.error);
  ImGui::PushTextWrapPos(0);
  ui::text(frame, why);
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ui::probe("learn/fault");
}

}  // namespace

std::string learn_head_name(const Frame& frame, Index layer, Index head) {
  const bool several = frame.learn.timeline->tracks().layers > 1;
  return "head " + (several ? std::to_string(layer + 1) + "." : "") + std::to_string(head + 1);
}

namespace {

LearnLayout layout_of(const Frame& frame, ImVec2 pos, ImVec2 size) {
  auto in = room_for<LearnInput>(frame, pos, size);
  const learn::Tracks& tracks = frame.learn.timeline->tracks();
  in.layers = static_cast<int>(tracks.layers), in.heads = static_cast<int>(tracks.heads);
  in.branches = frame.learn.timeline->size();
  return learn_layout(in);
}

// Loss and accuracy, what heads look at, and the timeline.
void run_page(Frame& frame, const LearnLayout& at) {
  draw_learn_curves(frame, at);
  if (at.heads.size.y > 0) {
    draw_learn_heads(frame, at.heads);
    draw_learn_detail(frame, at.detail);
  }
  draw_learn_branches(frame, at);
}

}  // namespace

void draw_learn_view(Frame& frame) {
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float em = ImGui::GetFontSize();
  if (room.x < 16 * em || room.y < 12 * em) return;  // folded to nothing
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {2 * frame.unit, 1.5f * frame.unit});
  {
    ui::Chips chips(frame);
    page_chips(chips, frame);
  }
  if (frame.view.learn.page == LearnPage::counts) {  // of no run: the same page stands in Trade-off
    ImGui::PopStyleVar();
    const float top = ImGui::GetCursorScreenPos().y + frame.unit;
    return tradeoff::draw_trained(frame, {origin.x, top}, {room.x, origin.y + room.y - top});
  }
  const bool collapse = frame.view.learn.page == LearnPage::collapse;
  const bool has_run = frame.learn.timeline && (!frame.learn.begins_anew || frame.learn.training) &&
                       (!collapse || frame.learn.task->outline().key == kExperimentTask);
  const bool low = has_run && room.y < kLearnLow * em;
  if (!collapse && (!low || frame.view.learn.more)) task_chips(frame);
  if (!collapse || has_run || frame.learn.training) draw_learn_buttons(frame, low);
  if (frame.view.learn.more) draw_learn_controls(frame);
  fault(frame);
  if (has_run) headline(frame, low && !frame.view.learn.more);
  ImGui::PopStyleVar();
  const float top = ImGui::GetCursorScreenPos().y + frame.unit;
  const ImVec2 pos{origin.x, top}, size{room.x, origin.y + room.y - top};
  if (collapse) return draw_learn_collapse(frame, {pos, size});
  const LearnPage page = frame.view.learn.page;
  if (!has_run && (page == LearnPage::gradients || page == LearnPage::pruning)) return begin_page(frame, {pos, size});
  if (!has_run) return draw_learn_page(frame, pos, size);
  const LearnLayout at = layout_of(frame, pos, size);
  switch (frame.view.learn.page) {
    case LearnPage::run:
      return run_page(frame, at);
    case LearnPage::counts:
    case LearnPage::collapse:
      return;  // drawn above, with or without a run
    case LearnPage::gradients:
      draw_learn_gradients(frame, {pos, {size.x, at.branches.pos.y - 2 * frame.unit - pos.y}});
      return draw_learn_branches(frame, at);
    case LearnPage::pruning:
      return draw_learn_pruning(frame, {pos, size});
  }
}

}  // namespace hydra
