// Learn: a model that is trained in front of the class, step by step, back and forth.
#include "app/views/learn/experiments.h"
#include "app/views/learn/learn_parts.h"
#include "app/views/pages.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/views.h"

namespace hydra {

namespace {

struct TaskChip {
  const char *key, *label, *tip;  // label, tip: texts
};
constexpr TaskChip kTasks[] = {
    {"induction", "learn:task.induction", "learn:task.induction.tip"},
    {"students", "learn:task.students", "learn:task.students.tip"},
    {"crowd", "learn:task.crowd", "learn:task.crowd.tip"},
    {"collapse", "learn:task.collapse", "learn:task.collapse.tip"},
    {"grammar", "learn:task.grammar", "learn:task.grammar.tip"},
    {"pronoun", "learn:task.pronoun", "learn:task.pronoun.tip"},
    {"animal", "learn:task.animal", "learn:task.animal.tip"},
    {"markov", "learn:task.markov", "learn:task.markov.tip"},
    {"text", "learn:task.text", "learn:task.text.tip"},
};

void task_chips(Frame& frame) {
  ui::Chips chips(frame);
  for (const TaskChip& task : kTasks)
    if (chips.picked(std::string("learn/task/") + task.key, wording(task.label),
                     frame.view.learn.setup.task == task.key, wording(task.tip)))
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
  const auto held_out = [&](Index track) {  // measured every so manyth step
    double at = value(track);
    for (int back = 1; back <= learn::kMeasuredApart && std::isnan(at) && step >= back; ++back)
      at = learn.timeline->value(learn.branch, track, step - back);
    return at;
  };
  const double held_loss = held_out(tracks.held_out_loss()), held_accuracy = held_out(tracks.held_out_accuracy());
  const bool has_own = !std::isnan(loss) && !learn.edited, has_both = has_own && !std::isnan(held_loss);
  const auto brief = [](double number) { return ui::number(number, As::brief); };
  std::string text;
  if (low && has_both)  // there is room for one, and what is held out says what was learned
    text = wording("learn:headline.held_out",
                   {{"step", step}, {"end", end}, {"loss", brief(held_loss)}, {"accuracy", brief(held_accuracy)}});
  else if (has_both)
    text = wording("learn:headline.both", {{"step", step},
                                           {"end", end},
                                           {"loss", brief(loss)},
                                           {"accuracy", brief(accuracy)},
                                           {"held_loss", brief(held_loss)},
                                           {"held_accuracy", brief(held_accuracy)}});
  else if (has_own)
    text = wording("learn:headline.scores",
                   {{"step", step}, {"end", end}, {"loss", brief(loss)}, {"accuracy", brief(accuracy)}});
  else
    text = wording("learn:headline", {{"step", step}, {"end", end}});
  ImFont* const font = low ? frame.fonts.strong : frame.fonts.large;
  if (low) {
    ui::flow_line(text_width(font, text) + 5 * frame.unit);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 3 * frame.unit);
    ImGui::AlignTextToFramePadding();
  }
  ui::text(frame, text, {.font = font});
  ui::probe("learn/headline");
  if (has_both) ui::probe("learn/held_out");
  ui::tip(frame, wording("learn:headline.tip"));
  std::string beside;
  if (learn.training) {
    beside = wording("learn:pace", {{"steps", ui::number(std::round(learn.per_second), As::count)},
                                    {"n", std::lround(learn.per_second)}});
    if (learn.again_of > 0)
      beside =
          wording("learn:pace.again", {{"branch", learn.again + 1}, {"branches", learn.again_of}, {"pace", beside}});
    if (learn.per_second > 0 && learn.goal - last > 2 * learn.per_second)
      beside =
          wording("learn:pace.to_go", {{"pace", beside}, {"n", std::lround((learn.goal - last) / learn.per_second)}});
  } else if (learn.recalled >= 0) {
    beside =
        wording("learn:recalled", {{"step", learn.recalled}, {"percent", std::lround(100 * learn.recall_progress)}});
  } else if (learn.again_of > 0) {
    beside = wording("learn:again", {{"trained", learn.again}, {"branches", learn.again_of}});
  } else if (!learn.fits) {
    beside = wording("learn:unfit");
  } else if (learn.edited) {
    beside = wording("learn:edited");
  } else if (learn.told_branch == learn.branch && learn.told_step == learn.step) {
    beside = learn.told;
  }
  if (!learn.training && !learn.edited && learn.fits && learn.best_step >= 0)
    beside += (beside.empty() ? "" : " ") +
              wording("learn:best", {{"step", learn.best_step}, {"loss", brief(learn.best_loss)}});
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
    ui::text(frame, pruning ? wording("learn:pruning.begin") : wording("learn:gradients.begin"));
    ImGui::PopTextWrapPos();
    ImGui::Dummy({1, frame.unit});
    if (ui::button(frame, "learn/begin", wording("learn:begin"), wording("learn:begin.tip"), able))
      frame.out.act(act::LearnReset{});
    if (frame.learn.usable) {
      ImGui::SameLine();
      if (ui::button(frame, "learn/use", wording("learn:use"), wording("learn:use.tip"), able))
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
  const std::string number = std::to_string(head + 1);
  return wording("learn:head", {{"number", several ? ui::words(layer + 1, ".", number) : number}});
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
