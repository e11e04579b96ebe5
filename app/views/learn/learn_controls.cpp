// What a run is made of, and the buttons that take it on.
#include "app/platform/page.h"
#include "app/views/learn/learn_parts.h"

namespace hydra {

namespace {

struct Pace {
  double per_second;
  const char *name, *label, *tip;
};
constexpr Pace kPaces[] = {
    {1, "learn/pace/1", "1/s", "One step a second."},
    {10, "learn/pace/10", "10/s", "Ten steps a second."},
    {60, "learn/pace/60", "60/s", "About a step a frame."},
    {0, "learn/pace/all", "fastest", "As fast as it goes, on half of this machine's processors."},
};

// A number in a field with its name before it; the next one on the same line where there is room.
class Fields {
 public:
  explicit Fields(Frame& frame) : frame_(frame) {}

  void whole(const char* name, const char* label, Index& value, Index least, Index most, const char* tip) {
    auto number = static_cast<int>(value);
    begin(label, 4.5f);
    ImGui::InputInt(id(name).c_str(), &number, 0, 0, kFlags);
    end(name, tip);
    value = within<Index>(label, number, least, most);
  }
  void number(const char* name, const char* label, double& value, double least, double most, const char* tip) {
    double number = value;
    begin(label, 4.5f);
    ImGui::InputDouble(id(name).c_str(), &number, 0, 0, "%g", kFlags);
    end(name, tip);
    value = within(label, number, least, most);
  }
  void toggle(const char* name, const char* label, bool& on, const char* tip) { on ^= pressed(name, label, on, tip); }
  void toggle(const char* name, const char* label, const bool& on, const char* tip) {
    if (pressed(name, label, on, tip)) frame_.choose(on, !on);
  }
  template <class Value>
  void choice(const char* name, const char* label, Value& chosen, const std::type_identity_t<Value>& value,
              const char* tip) {
    next(ui::chip_width(label));
    if (!ui::chip(frame_, name, label, chosen == value, tip)) return;
    if constexpr (std::is_const_v<Value>)
      frame_.choose(chosen, value);
    else
      chosen = value;
  }

 private:
  static constexpr ImGuiInputTextFlags kFlags =
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll;
  static std::string id(const char* name) { return std::string("##") + name; }
  bool pressed(const char* name, const char* label, bool on, const char* tip) {
    next(ImGui::CalcTextSize(label).x + 3 * frame_.unit);
    return ui::chip(frame_, name, label, on, tip);
  }
  // What was typed beyond a limit says so.
  template <class Value>
  Value within(const char* label, Value number, Value least, Value most) {
    const Value kept = std::clamp(number, least, most);
    if (kept == number) return kept;
    frame_.notice.say(std::string(label) + (kept == most ? ": at most " : ": at least ") +
                          ui::number(static_cast<double>(kept), As::axis) + ".",
                      8);
    return kept;
  }
  void next(float width) {
    if (!first_) ui::flow_line(width + 2 * frame_.unit);
    first_ = false;
  }
  void begin(const char* label, float ems) {
    const float field = ems * ImGui::GetFontSize();
    next(ImGui::CalcTextSize(label).x + field + 2 * frame_.unit);
    ui::text(frame_, label, {.ink = frame_.theme.ink_soft, .aligned = true});
    ImGui::SameLine(0, frame_.unit);
    ImGui::SetNextItemWidth(field);
  }
  void end(const char* name, const char* tip) {
    ui::probe(name);
    ui::tip(frame_, tip);
  }

  Frame& frame_;
  bool first_ = true;
};

void model_fields(Frame& frame, learn::Recipe& recipe, LearnSetup& setup) {
  Fields fields(frame);
  fields.whole("learn/layers", "layers", recipe.layers, 1, 6, "Another number begins another run.");
  fields.whole("learn/heads", "heads", recipe.heads, 1, 64,
               "Of each layer; they divide d_model. Another number begins another run.");
  fields.whole("learn/d_model", "d_model", recipe.d_model, 4, 256,
               "Numbers of a word's vector. Another number begins another run.");
  auto seed = static_cast<Index>(setup.seed);
  fields.whole("learn/seed", "seed", seed, 0, 1'000'000,
               "Of the data, and with Reset of the weights that it begins with. Changed in a run, it goes on as a "
               "branch with other data.");
  setup.seed = static_cast<std::uint64_t>(seed);
  fields.whole("learn/batch", "batch", recipe.batch, 1, 256, "Sequences of a step.");
  Index steps = recipe.steps;
  fields.whole("learn/steps", "steps", steps, 1, 100'000, "After so many it ends; a cosine schedule falls until then.");
  recipe.steps = static_cast<int>(steps);
}

void optimizer_fields(Frame& frame, learn::OptimizerSettings& optimizer, LearnSetup& setup) {
  const bool& more = frame.view.learn.optimizer_more;
  using learn::Optimizer;
  using learn::Schedule;
  Fields fields(frame);
  fields.choice("learn/adam", "Adam", optimizer.kind, Optimizer::adam, "Kingma and Ba 2015.");
  fields.choice("learn/adamw", "AdamW", optimizer.kind, Optimizer::adamw,
                "Adam with decay of the weights beside its moments.");
  fields.choice("learn/sgd", "SGD", optimizer.kind, Optimizer::sgd, "Steps along the gradient, with momentum.");
  fields.number("learn/rate", "rate", optimizer.rate, 1e-6, 10, "How long steps are.");
  fields.choice("learn/constant", "constant", optimizer.schedule, Schedule::constant,
                "After the warm-up the rate stays.");
  fields.choice("learn/cosine", "cosine", optimizer.schedule, Schedule::cosine,
                "After the warm-up the rate falls as half a cosine until the last step.");
  fields.toggle("learn/optimizer_more", "More", more, "Warm-up, clipping, and what else the optimizer has.");
  if (more) {
    Index warm_up = optimizer.warm_up;
    fields.whole("learn/warm_up", "warm-up", warm_up, 0, 100'000, "Steps in which the rate grows to its own.");
    optimizer.warm_up = static_cast<int>(warm_up);
    fields.number("learn/clip", "clip", optimizer.clip, 0, 1e6,
                  "All gradients together are cut to this length. 0: never.");
    if (optimizer.schedule == Schedule::cosine)
      fields.number("learn/least", "least", optimizer.least, 0, 1, "Of the cosine, as a share of the rate.");
    if (optimizer.kind == Optimizer::sgd) {
      fields.number("learn/momentum", "momentum", optimizer.momentum, 0, 0.999,
                    "How much of a step goes on in the next.");
    } else {
      fields.number("learn/beta_1", "beta 1", optimizer.beta_1, 0, 0.9999, "How long the mean of gradients remembers.");
      fields.number("learn/beta_2", "beta 2", optimizer.beta_2, 0, 0.9999,
                    "How long the mean of their squares remembers.");
    }
    if (optimizer.kind == Optimizer::adamw) {
      fields.number("learn/decay", "decay", optimizer.decay, 0, 10,
                    "Of matrices towards 0, times the rate, in each step.");
      fields.toggle("learn/decay_query_key", "of W_Q and W_K alone", optimizer.decay_query_key_only,
                    "Else of every matrix.");
    }
  }
  double loss = setup.stop_loss.value_or(0), accuracy = setup.stop_accuracy.value_or(0);
  fields.number("learn/stop_loss", "stop at loss", loss, 0, 100,
                "Ends when the mean loss of ten steps is no more. 0: never.");
  fields.number("learn/stop_accuracy", "or accuracy", accuracy, 0, 1,
                "Ends when the mean accuracy of ten steps is no less. 0: never.");
  setup.stop_loss = loss > 0 ? std::optional(loss) : std::nullopt;
  setup.stop_accuracy = accuracy > 0 ? std::optional(accuracy) : std::nullopt;
}

void head_fields(Frame& frame, learn::HeadControls& controls) {
  Fields fields(frame);
  fields.number(
      "learn/drophead", "DropHead", controls.drop, 0, 0.95,
      "Each head of a sequence is silent with this probability in a step, the others are louder (Zhou et al. 2020).");
  fields.number("learn/noise", "noise", controls.noise, 0, 10,
                "Normal noise of this size is added to what heads give in a step.");
  fields.number("learn/repel", "repel", controls.repel, 0, 10,
                "Times the mean cosine of the heads' patterns is added to the loss.");
  fields.number(
      "learn/l0", "L0 gates", controls.gates, 0, 10,
      "What an open head costs in the end; heads that are worth less go dark one by one (Louizos et al. 2018). "
      "0.1 does it in most tasks, 0.3 may close what is needed. Switched on or off it begins another run.");
  fields.toggle("learn/identical", "identical start", controls.identical,
                "Every head of a layer begins as the first one. Press Reset.");
  fields.number("learn/apart", "but for", controls.apart, 0, 10,
                "Identical heads differ at the start by so much noise, relative to their weights.");
}

bool can_train(const Frame& frame) { return frame.learn.fault.empty() && frame.learn.chosen; }

}  // namespace

void draw_learn_buttons(Frame& frame, bool low) {
  const LearnTold& learn = frame.learn;
  const LearnState& state = frame.view.learn;
  const bool able = can_train(frame), there = learn.timeline && learn.fits;
  const bool goes_on = learn.training || learn.playing || learn.recalled >= 0;
  if (goes_on) {
    if (ui::button(frame, "learn/pause", "Pause", "Stop here; everything goes on from where it is. Key: Space"))
      frame.out.act(act::LearnPause{});
  } else {
    const auto pressed = [&](float ink) { return mixed(frame.theme.accent, frame.theme.ink, ink); };
    ImGui::PushStyleColor(ImGuiCol_Button, frame.theme.accent);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, pressed(0.12f));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, pressed(0.24f));
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.ground);
    const bool anew = begins_at_random(frame);
    if (ui::button(frame, "learn/train", anew ? "Train from random weights" : "Train",
                   anew ? "The task's model with the weights that the seed gives becomes the document and is trained; "
                          "Undo brings this one back. Key: Space"
                        : "Begin, or go on. Steps that were taken before are not taken again: they are shown. Key: "
                          "Space",
                   able))
      train(frame);
    ImGui::PopStyleColor(4);
    if (anew) {
      ImGui::SameLine();
      if (ui::button(frame, "learn/train_on", "Train on", "Goes on from the weights that this model has.", able))
        frame.out.act(act::LearnTrain{});
    }
  }
  ImGui::SameLine();
  const bool idle = !learn.training;
  if (ui::button(frame, "learn/step", "Step",
                 "One step. Keys: right and left arrow go a step on and back, with Shift ten.", able && idle))
    frame.out.act(act::LearnStep{});
  ImGui::SameLine();
  if (ui::button(frame, "learn/reset", "Reset", "Back to a beginning, with the weights that the seed gives.",
                 able && idle))
    frame.out.act(act::LearnReset{});
  ImGui::SameLine();
  if (ui::button(frame, "learn/play", "Play", "Shows the steps from here on; at the end, from the beginning.",
                 there && idle && !learn.playing))
    play_from_here(frame);
  learn_keys(frame);
  ui::Chips chips(frame, true);
  chips.apart(0.8f * ImGui::GetFontSize(), ui::chip_width("fastest"));
  for (const Pace& pace : kPaces) chips.choice(pace.name, pace.label, state.pace, pace.per_second, pace.tip);
  chips.apart(0.8f * ImGui::GetFontSize(), ui::chip_width("Controls"));
  chips.toggle("learn/more", "Controls", state.more,
               "The model's sizes, the optimizer, and what is done to heads meanwhile.");
  if (low && !state.more) return;
  ImGui::SameLine();
  draw_learn_runs(frame);
}

void draw_learn_controls(Frame& frame) {
  const LearnSetup& setup = frame.view.learn.setup;
  LearnSetup changed = setup;
  const bool locked = frame.learn.training;
  if (locked) ImGui::BeginDisabled();
  model_fields(frame, changed.recipe, changed);
  optimizer_fields(frame, changed.recipe.optimizer, changed);
  head_fields(frame, changed.recipe.controls);
  if (locked) ImGui::EndDisabled();
  if (!locked) frame.choose(setup, changed);
  if (in_browser()) {
    ui::Chips chips(frame);
    chips.toggle("learn/unseen", "Train unseen", frame.view.learn.trains_hidden,
                 "Training goes on while another tab is in front of this one, at full power. Else it waits.");
  }
  if (ui::button(frame, "learn/recipe", "Recipe", "All controls as the task has them: sizes, seed, rate, no stop.",
                 !locked))
    frame.out.act(act::LearnChoose{setup.task});
  if (setup.task != "text") return;
  Fields fields(frame);
  fields.choice("learn/words", "words", setup.characters, false, "The next word is asked.");
  fields.choice("learn/characters", "characters", setup.characters, true, "The next character is asked.");
}

}  // namespace hydra
