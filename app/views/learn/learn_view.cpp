// Learn: a model that is trained in front of the class, step by step, back and forth.
#include "app/views/learn/experiments.h"
#include "app/views/learn/learn_parts.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"
#include "app/views/tradeoff/tradeoff_parts.h"

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

// "Step 240 of 600", and what that step shows; of several as much as the width holds. Low: what is held out alone,
// which says what was learned.
struct Headline {
  std::string text;
  bool has_held_out = false;
};
Headline headline_of(const Frame& frame, bool low, float width) {
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
  // Which heads are needed is measured on sequences of its own: two losses beside each other that are not of the same
  // ones would be taken for each other.
  const bool measures_itself = frame.view.learn.page == LearnPage::pruning;
  if (std::isnan(loss) || learn.edited || measures_itself)
    return {wording("learn:headline", {{"step", step}, {"end", end}})};
  const auto brief = [](double number) { return ui::number(number, As::brief); };
  if (std::isnan(held_loss))
    return {wording("learn:headline.scores",
                    {{"step", step}, {"end", end}, {"loss", brief(loss)}, {"accuracy", brief(accuracy)}})};
  if (!low)
    return {wording("learn:headline.both", {{"step", step},
                                            {"end", end},
                                            {"loss", brief(loss)},
                                            {"accuracy", brief(accuracy)},
                                            {"held_loss", brief(held_loss)},
                                            {"held_accuracy", brief(held_accuracy)}}),
            true};
  const auto held = [&](const char* key, int at) {
    return wording(key, {{"step", at}, {"end", end}, {"loss", brief(held_loss)}, {"accuracy", brief(held_accuracy)}});
  };
  const bool whole = text_width(frame.fonts.strong, held("learn:headline.held_out", end)) < width;  // at every step
  return {held(whole ? "learn:headline.held_out" : "learn:headline.held_out.brief", step), true};
}

// What is left of the line behind what stands in it.
float left_in_line(const Frame& frame) {
  const float end = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  return end - ImGui::GetItemRectMax().x - 6 * frame.unit;
}

// From the last row it is read. Low: behind what stands in the line, if it is not to have one of its own.
bool headline(Frame& frame, bool low, bool has_line) {
  const float width = low && !has_line ? left_in_line(frame) : std::numeric_limits<float>::max();
  const auto [text, has_held_out] = headline_of(frame, low, width);
  ImFont* const font = low ? frame.fonts.strong : frame.fonts.large;
  if (low && !has_line) {
    if (text_width(font, text) > width) return false;
    ImGui::SameLine(0, 6 * frame.unit);
    ImGui::AlignTextToFramePadding();
  }
  ui::text(frame, text, {.font = font});
  ui::probe("learn/headline");
  if (has_held_out) ui::probe("learn/held_out");
  ui::tip(frame, wording("learn:headline.tip"));
  return true;
}

// What the run does or was told to do, or why it cannot go on. Low: only what must be known.
void told(Frame& frame, bool low) {
  const LearnTold& learn = frame.learn;
  const int last = learn.timeline->branch(learn.branch).last();
  // To cut heads is an edit; the page says itself what was cut, and its chart stays where it is while it is dragged in.
  const bool edited = learn.edited && frame.view.learn.page != LearnPage::pruning;
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
  } else if (edited) {
    beside = wording("learn:edited");
  } else if (learn.told_branch == learn.branch && learn.told_step == learn.step) {
    beside = learn.told;
  }
  if (!learn.training && !learn.edited && learn.fits && learn.best_step >= 0)
    beside += (beside.empty() ? "" : " ") +
              wording("learn:best", {{"step", learn.best_step}, {"loss", ui::number(learn.best_loss, As::brief)}});
  const bool must = edited || !learn.fits || learn.recalled >= 0 || (learn.again_of > 0 && !learn.training);
  if (beside.empty() || (low && !must)) return;
  ui::apart(2 * frame.unit, text_width(frame.fonts.text, beside) + 2 * frame.unit);
  if (low)
    ImGui::AlignTextToFramePadding();
  else
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

LearnLayout layout_of(const Frame& frame, ImVec2 pos, ImVec2 size, bool low) {
  auto in = room_for<LearnInput>(frame, pos, size);
  const learn::Tracks& tracks = frame.learn.timeline->tracks();
  in.layers = static_cast<int>(tracks.layers), in.heads = static_cast<int>(tracks.heads);
  in.branches = frame.learn.timeline->size();
  in.low = low;
  return learn_layout(in);
}

// Loss and accuracy, what heads look at, and the timeline.
void run_page(Frame& frame, const LearnLayout& at) {
  if (at.loss.size.y > 0) draw_learn_curves(frame, at.loss, at.accuracy);
  if (at.heads.size.y > 0) draw_learn_heads(frame, at.heads);
  if (at.detail.size.y > 0) draw_learn_detail(frame, at.detail, at.loss.size.y == 0);
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
  const LearnPage page = frame.view.learn.page;
  const bool collapse = page == LearnPage::collapse;
  const bool has_run = frame.learn.timeline && (!frame.learn.begins_anew || frame.learn.training) &&
                       (!collapse || frame.learn.task->outline().key == kExperimentTask);
  const bool low = has_run && room.y < kLearnLow * em;
  const bool is_told = low && headline(frame, low, false);
  // The buttons stand where they stand when what is under them comes and goes.
  if (!collapse || has_run || frame.learn.training) draw_learn_buttons(frame, low);
  if (!collapse && (!low || frame.view.learn.more)) task_chips(frame);
  if (frame.view.learn.more) draw_learn_controls(frame);
  fault(frame);
  if (has_run && !is_told) headline(frame, low, true);
  if (has_run) told(frame, low);
  ImGui::PopStyleVar();
  const float top = ImGui::GetCursorScreenPos().y + frame.unit;
  const ImVec2 pos{origin.x, top}, size{room.x, origin.y + room.y - top};
  if (collapse) return draw_learn_collapse(frame, {pos, size});
  if (!has_run && (page == LearnPage::gradients || page == LearnPage::pruning)) return begin_page(frame, {pos, size});
  if (!has_run) return draw_learn_page(frame, pos, size);
  const LearnLayout at = layout_of(frame, pos, size, low);
  switch (page) {
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
