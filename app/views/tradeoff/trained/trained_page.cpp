// Trade-off by training: what students and fruit are learned with few and with many heads of one width.
#include <cmath>

#include "app/views/frame/ui.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/tradeoff/trained/trained_parts.h"

namespace hydra::tradeoff {

const Trained* trained_of(const Frame& frame) {
  const TrainedState& state = frame.view.tradeoff.trained;
  const auto& all = frame.now.started<HeadCountsMeasure>().value;
  return all ? all->of(task_of(state).key, state.d_model, state.steps) : nullptr;
}

namespace {

// Before a group of chips; returns the chips.
ui::Chips group(Frame& frame, const std::string& caption, const std::vector<std::string>& labels) {
  ImFont* small = frame.fonts.small;
  const float words = text_width(small, caption) + 2 * frame.unit;
  float width = words;
  for (const std::string& label : labels) width += ui::chip_width(label) + 2 * frame.unit;
  ui::apart(4 * frame.unit, width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  frame.canvas.text_at(small, {at.x, at.y + 0.5f * (ImGui::GetFrameHeight() - small->FontSize)}, frame.theme.ink_soft,
                       caption);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + words);
  return ui::Chips(frame);
}

template <class Value>
void choices(Frame& frame, const std::string& caption, const std::string& prefix, const std::vector<Value>& values,
             const Value& chosen, const std::string& tip) {
  std::vector<std::string> labels;
  for (const Value value : values) labels.push_back(std::to_string(value));
  ui::Chips chips = group(frame, caption, labels);
  for (std::size_t k = 0; k < values.size(); ++k) chips.choice(prefix + labels[k], labels[k], chosen, values[k], tip);
}

// Any of them, but never none.
void rate_choices(Frame& frame) {
  constexpr double kRates[] = {0.001, 0.003, 0.01, 0.03, 0.1};
  std::vector<std::string> labels;
  for (const double rate : kRates) labels.push_back(rate_text(rate));
  ui::Chips chips = group(frame, wording("tradeoff:trained.rates"), labels);
  const std::vector<double>& chosen = frame.view.tradeoff.trained.rates;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const auto at = std::ranges::lower_bound(chosen, kRates[k]);
    const bool on = at != chosen.end() && *at == kRates[k];
    if (!chips.chip("tradeoff/trained/rates/" + labels[k], labels[k], on, wording("tradeoff:trained.rates.tip")))
      continue;
    std::vector<double> others = chosen;
    const auto place = others.begin() + (at - chosen.begin());
    if (!on)
      others.insert(place, kRates[k]);
    else if (others.size() > 1)
      others.erase(place);
    frame.choose(chosen, others);
  }
}

constexpr int kSeeds[] = {1, 5, 10, 20};

// What the button would train, and why not the same again.
void button(Frame& frame, const Trained* trained) {
  if (draw_stop_button(frame)) return;
  const TrainedState& state = frame.view.tradeoff.trained;
  const learn::CountsAsked asked = asked_of(state);
  const std::size_t left = learn::runs_to_train(asked, trained ? trained->runs : learn::CountRuns());
  std::string label = wording(left == asked.runs().size() ? "tradeoff:trained.train" : "tradeoff:trained.train_rest");
  std::string tip = wording("tradeoff:trained.train.tip");
  int seeds = state.seeds;
  if (left == 0) {
    for (const int more : kSeeds)
      if (seeds == state.seeds && more > seeds) seeds = more;
    label = wording("tradeoff:trained.more_seeds");
    tip =
        (state.seeds == 1 ? wording("tradeoff:trained.same_seed")
                          : wording("tradeoff:trained.same_seeds", {{"last", state.seeds - 1}})) +
        " " +
        (seeds > state.seeds ? wording("tradeoff:trained.more_seeds.tip", {{"first", state.seeds}, {"last", seeds - 1}})
                             : wording("tradeoff:trained.no_more"));
  }
  if (!ui::button(frame, "tradeoff/trained/train", label, tip, left > 0 || seeds > state.seeds)) return;
  TrainedState more = state;
  more.seeds = seeds;
  frame.choose(state.seeds, seeds);
  frame.out.act(act::TrainCounts{asked_of(more)});
}

// As wide whatever it says, so that what stands behind it stays where it is.
void steady_button(Frame& frame, const Trained* trained) {
  const float end = ImGui::GetCursorPosX() + ui::chip_width(wording("tradeoff:trained.more_seeds"));
  button(frame, trained);
  ImGui::SameLine(0, 0);
  ImGui::Dummy({std::max(1.0f, end - ImGui::GetCursorPosX()), 1});
}

class TrainedPage : Drawing {
 public:
  TrainedPage(Frame& frame, ImVec2 pos, ImVec2 size)
      : Drawing(frame),
        state_(frame.view.tradeoff.trained),
        info_(HeadCountsMeasure::task(task_of(state_).key)->info()),
        trained_(trained_of(frame)),
        counts_(summaries(asked_of(state_), trained_)),
        area_{pos, size} {}

  float height() const { return trained_layout(room()).bottom - area_.pos.y; }  // that it takes

  void draw() {
    const TrainedInput in = room();
    const TrainedLayout at = trained_layout(in);
    canvas_.text_at(fonts_.large, at.sentence, theme_.ink, said(), area_.size.x);
    ui::explain_here(frame_, "tradeoff/trained/sentence", at.sentence, {area_.size.x, in.sentence},
                     wording("tradeoff:trained.answered.tip"));
    if (frame_.now.started<HeadCountsMeasure>().computing)
      draw_training_progress(frame_, at.note, area_.size.x);
    else
      paragraph(frame_, fonts_.small, at.note, area_.size.x, theme_.ink_soft, note());
    ui::probe("tradeoff/trained/note", at.note, {at.note.x + area_.size.x, at.note.y + in.note});
    const Index in_charts = draw_trained_charts(frame_, trained_, counts_, at);
    draw_quoted(frame_, at.quoted);
    const Index in_columns = draw_trained_columns(frame_, trained_, counts_, at);
    frame_.next.head_count = std::max(in_charts, in_columns);
  }

 private:
  TrainedInput room() const {
    auto in = room_for<TrainedInput>(frame_, area_.pos, area_.size);
    in.counts = int_size(counts_);
    in.rates = state_.rates.size() > 1;
    in.sentence = 1.3f * fonts_.large->FontSize;
    in.note = paragraph_height(frame_, fonts_.small, area_.size.x, note());
    in.quoted = quoted_width(frame_);
    in.charts = quoted_height(frame_);
    return in;
  }

  std::string note() const {
    const std::string& failure = frame_.now.started<HeadCountsMeasure>().failure;
    if (!failure.empty()) return wording("tradeoff:trained.ended", {{"failure", failure}});
    return say(budget_note(info_, asked_of(state_)));
  }

  // With whose questions they are, but for students, of whom the note speaks.
  std::string walls_of(Index questions, bool brief, bool so_far) const {
    const std::string walls = walls_sentence(counts_, questions, brief, so_far);
    return info_.key == "students"
               ? walls
               : wording("tradeoff:trained.walls.task", {{"task", short_title(info_)}, {"walls", walls}});
  }

  std::string said() const {
    const Index questions = info_.shape.questions;
    if (walls_sentence(counts_, questions, true).empty())
      return info_.key == "students"
                 ? fitting(fonts_.large, area_.size.x,
                           {wording("tradeoff:trained.question"), wording("tradeoff:trained.question.brief")})
                 : fitting(fonts_.large, area_.size.x,
                           {wording("tradeoff:trained.question.task", {{"task", info_.title}}),
                            wording("tradeoff:trained.question.task", {{"task", short_title(info_)}})});
    const Measured<HeadCountsMeasure>& counts = frame_.now.started<HeadCountsMeasure>();
    const bool cut_off = trained_ && learn::runs_to_train(counts.wanted, trained_->runs) > 0;
    const bool so_far = counts.computing || cut_off;
    return fitting(fonts_.large, area_.size.x, {walls_of(questions, false, so_far), walls_of(questions, true, so_far)});
  }

  const TrainedState& state_;
  const learn::TaskInfo& info_;
  const Trained* trained_;
  std::vector<CountSummary> counts_;
  Box area_;
};

// Of the bar, about: its choices take more lines in a narrow room.
float bar_height(const Frame& frame, float width) {
  const float line = ImGui::GetFrameHeight() + 1.5f * frame.unit;
  return std::ceil(96 * frame.fonts.text->FontSize / std::max(1.0f, width)) * line + frame.unit;
}

}  // namespace

void draw_trained_bar(Frame& frame) {
  const TrainedState& state = frame.view.tradeoff.trained;
  const Trained* trained = trained_of(frame);
  steady_button(frame, trained);
  draw_task_choices(frame);
  rate_choices(frame);
  draw_seed_choices(frame);
  const std::string& deep = wording("tradeoff:trained.deep");
  group(frame, wording("tradeoff:trained.beside"), {deep})
      .toggle("tradeoff/trained/deep", deep, state.deep, wording("tradeoff:trained.deep.tip"));
  frame.choose(state.seed, std::min(state.seed, state.seeds - 1));
  if (std::ranges::find(state.rates, state.rate) == state.rates.end()) frame.choose(state.rate, 0);
  if (!trained || state.seeds == 1) return;
  std::vector<int> numbers;
  for (int k = 0; k < state.seeds; ++k) numbers.push_back(k);
  choices<int>(frame, wording("tradeoff:trained.seed"), "tradeoff/trained/seed/", numbers, state.seed,
               wording("tradeoff:trained.seed.tip"));
}

bool draw_stop_button(Frame& frame) {
  const Measured<HeadCountsMeasure>& counts = frame.now.started<HeadCountsMeasure>();
  if (!counts.computing) return false;
  if (ui::button(frame, "tradeoff/trained/cancel", wording("tradeoff:trained.cancel"),
                 wording("tradeoff:trained.cancel.tip"), !counts.stopped))
    frame.out.act(act::StopCounts{});
  return true;
}

void draw_task_choices(Frame& frame) {
  const TrainedState& state = frame.view.tradeoff.trained;
  std::vector<std::string> tasks;
  for (const TrainedTask& task : trained_tasks()) tasks.push_back(wording(task.label));
  ui::Chips of_task = group(frame, wording("tradeoff:trained.task"), tasks);
  for (const TrainedTask& task : trained_tasks())
    if (of_task.picked(std::string("tradeoff/trained/task/") + task.key, wording(task.label),
                       task_of(state).key == std::string_view(task.key), wording(task.tip)))
      frame.choose(state.task, std::string(task.key));
  choices<Index>(frame, "d_model", "tradeoff/trained/d_model/", {32, 64}, state.d_model,
                 wording("tradeoff:trained.d_model.tip"));
  choices<int>(frame, wording("tradeoff:trained.steps"), "tradeoff/trained/steps/", {1500, 6000}, state.steps,
               wording("tradeoff:trained.steps.tip"));
}

void draw_seed_choices(Frame& frame) {
  const TrainedState& state = frame.view.tradeoff.trained;
  choices<int>(frame, wording("tradeoff:trained.seeds"), "tradeoff/trained/seeds/",
               {std::begin(kSeeds), std::end(kSeeds)}, state.seeds, wording("tradeoff:trained.seeds.tip"));
}

void draw_training_progress(const Frame& frame, ImVec2 pos, float width) {
  const Measured<HeadCountsMeasure>& counts = frame.now.started<HeadCountsMeasure>();
  ImFont* small = frame.fonts.small;
  frame.canvas.text_at(small, pos, frame.theme.ink, progress_text(counts));
  const std::string longest =
      wording("tradeoff:trained.progress.left", {{"done", "000"}, {"runs", "000"}, {"seconds", "000"}});
  const float x = pos.x + text_width(small, longest) + 3 * frame.unit;
  ui::progress_bar(frame, "tradeoff/trained/progress", {x, std::round(pos.y + 0.4f * small->FontSize)},
                   {std::max(1.0f, std::min(pos.x + width - x, 30 * frame.fonts.text->FontSize)),
                    std::max(2.0f, 0.75f * frame.unit)},
                   counts.progress);
}

void draw_trained(Frame& frame, ImVec2 pos, ImVec2 size) {
  std::optional<Canvas::Part> part;
  if (frame.now.started<HeadCountsMeasure>().value) part.emplace(frame.canvas, "tradeoff.trained");
  // Scrolls where the room is lower than what can be read.
  const float bar = bar_height(frame, size.x), least = bar + TrainedPage(frame, pos, {size.x, 0}).height();
  in_room(frame, "tradeoff/trained", pos, size, least, [&](ImVec2 corner, ImVec2 room) {
    ImGui::SetCursorScreenPos(corner);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {2 * frame.unit, 1.5f * frame.unit});
    draw_trained_bar(frame);
    ImGui::PopStyleVar();
    const float top = std::max(corner.y + bar, ImGui::GetCursorScreenPos().y);
    TrainedPage(frame, {corner.x, top}, {room.x, corner.y + room.y - top}).draw();
  });
}

}  // namespace hydra::tradeoff
