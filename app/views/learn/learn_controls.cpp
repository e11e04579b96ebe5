// What a run is made of, and the buttons that take it on.
#include "app/platform/page.h"
#include "app/views/learn/learn_parts.h"

namespace hydra {

namespace {

struct Pace {
  double per_second;
  const char *name, *label, *tip;  // label, tip: texts
};
constexpr Pace kPaces[] = {
    {1, "learn/pace/1", "learn:pace.1", "learn:pace.1.tip"},
    {10, "learn/pace/10", "learn:pace.10", "learn:pace.10.tip"},
    {60, "learn/pace/60", "learn:pace.60", "learn:pace.60.tip"},
    {0, "learn/pace/all", "learn:pace.all", "learn:pace.all.tip"},
};

// A number in a field with its name before it; the next one on the same line where there is room. Labels and tips are
// keys of texts.
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
    next(ui::chip_width(wording(label)));
    if (!ui::chip(frame_, name, wording(label), chosen == value, wording(tip))) return;
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
    next(ImGui::CalcTextSize(imgui_text(wording(label))).x + 3 * frame_.unit);
    return ui::chip(frame_, name, wording(label), on, wording(tip));
  }
  // What was typed beyond a limit says so.
  template <class Value>
  Value within(const char* label, Value number, Value least, Value most) {
    const Value kept = std::clamp(number, least, most);
    if (kept == number) return kept;
    const std::string limit = ui::number(static_cast<double>(kept), As::axis);
    frame_.notice.say(kept == most ? wording("learn:control.at_most", {{"label", wording(label)}, {"limit", limit}})
                                   : wording("learn:control.at_least", {{"label", wording(label)}, {"limit", limit}}),
                      8);
    return kept;
  }
  void next(float width) {
    if (!first_) ui::flow_line(width + 2 * frame_.unit);
    first_ = false;
  }
  void begin(const char* label, float ems) {
    const float field = ems * ImGui::GetFontSize();
    next(ImGui::CalcTextSize(imgui_text(wording(label))).x + field + 2 * frame_.unit);
    ui::text(frame_, wording(label), {.ink = frame_.theme.ink_soft, .aligned = true});
    ImGui::SameLine(0, frame_.unit);
    ImGui::SetNextItemWidth(field);
  }
  void end(const char* name, const char* tip) {
    ui::probe(name);
    ui::tip(frame_, wording(tip));
  }

  Frame& frame_;
  bool first_ = true;
};

void model_fields(Frame& frame, learn::Recipe& recipe, LearnSetup& setup) {
  Fields fields(frame);
  fields.whole("learn/layers", "learn:control.layers", recipe.layers, 1, 6, "learn:control.layers.tip");
  fields.whole("learn/heads", "learn:control.heads", recipe.heads, 1, 64, "learn:control.heads.tip");
  fields.whole("learn/d_model", "learn:control.d_model", recipe.d_model, 4, 256, "learn:control.d_model.tip");
  auto seed = static_cast<Index>(setup.seed);
  fields.whole("learn/seed", "learn:control.seed", seed, 0, 1'000'000, "learn:control.seed.tip");
  setup.seed = static_cast<std::uint64_t>(seed);
  fields.whole("learn/batch", "learn:control.batch", recipe.batch, 1, 256, "learn:control.batch.tip");
  Index steps = recipe.steps;
  fields.whole("learn/steps", "learn:control.steps", steps, 1, 100'000, "learn:control.steps.tip");
  recipe.steps = static_cast<int>(steps);
}

void optimizer_fields(Frame& frame, learn::OptimizerSettings& optimizer, LearnSetup& setup) {
  const bool& more = frame.view.learn.optimizer_more;
  using learn::Optimizer;
  using learn::Schedule;
  Fields fields(frame);
  fields.choice("learn/adam", "learn:control.adam", optimizer.kind, Optimizer::adam, "learn:control.adam.tip");
  fields.choice("learn/adamw", "learn:control.adamw", optimizer.kind, Optimizer::adamw, "learn:control.adamw.tip");
  fields.choice("learn/sgd", "learn:control.sgd", optimizer.kind, Optimizer::sgd, "learn:control.sgd.tip");
  fields.number("learn/rate", "learn:control.rate", optimizer.rate, 1e-6, 10, "learn:control.rate.tip");
  fields.choice("learn/constant", "learn:control.constant", optimizer.schedule, Schedule::constant,
                "learn:control.constant.tip");
  fields.choice("learn/cosine", "learn:control.cosine", optimizer.schedule, Schedule::cosine,
                "learn:control.cosine.tip");
  fields.toggle("learn/optimizer_more", "learn:control.more", more, "learn:control.more.tip");
  if (more) {
    Index warm_up = optimizer.warm_up;
    fields.whole("learn/warm_up", "learn:control.warm_up", warm_up, 0, 100'000, "learn:control.warm_up.tip");
    optimizer.warm_up = static_cast<int>(warm_up);
    fields.number("learn/clip", "learn:control.clip", optimizer.clip, 0, 1e6, "learn:control.clip.tip");
    if (optimizer.schedule == Schedule::cosine)
      fields.number("learn/least", "learn:control.least", optimizer.least, 0, 1, "learn:control.least.tip");
    if (optimizer.kind == Optimizer::sgd) {
      fields.number("learn/momentum", "learn:control.momentum", optimizer.momentum, 0, 0.999,
                    "learn:control.momentum.tip");
    } else {
      fields.number("learn/beta_1", "learn:control.beta_1", optimizer.beta_1, 0, 0.9999, "learn:control.beta_1.tip");
      fields.number("learn/beta_2", "learn:control.beta_2", optimizer.beta_2, 0, 0.9999, "learn:control.beta_2.tip");
    }
    if (optimizer.kind == Optimizer::adamw) {
      fields.number("learn/decay", "learn:control.decay", optimizer.decay, 0, 10, "learn:control.decay.tip");
      fields.toggle("learn/decay_query_key", "learn:control.decay_query_key", optimizer.decay_query_key_only,
                    "learn:control.decay_query_key.tip");
    }
  }
  double loss = setup.stop_loss.value_or(0), accuracy = setup.stop_accuracy.value_or(0);
  fields.number("learn/stop_loss", "learn:control.stop_loss", loss, 0, 100, "learn:control.stop_loss.tip");
  fields.number("learn/stop_accuracy", "learn:control.stop_accuracy", accuracy, 0, 1,
                "learn:control.stop_accuracy.tip");
  setup.stop_loss = loss > 0 ? std::optional(loss) : std::nullopt;
  setup.stop_accuracy = accuracy > 0 ? std::optional(accuracy) : std::nullopt;
}

void head_fields(Frame& frame, learn::HeadControls& controls) {
  Fields fields(frame);
  fields.number("learn/drophead", "learn:control.drophead", controls.drop, 0, 0.95, "learn:control.drophead.tip");
  fields.number("learn/noise", "learn:control.noise", controls.noise, 0, 10, "learn:control.noise.tip");
  fields.number("learn/repel", "learn:control.repel", controls.repel, 0, 10, "learn:control.repel.tip");
  fields.number("learn/l0", "learn:control.l0", controls.gates, 0, 10, "learn:control.l0.tip");
  fields.toggle("learn/identical", "learn:control.identical", controls.identical, "learn:control.identical.tip");
  fields.number("learn/apart", "learn:control.apart", controls.apart, 0, 10, "learn:control.apart.tip");
}

bool can_train(const Frame& frame) { return frame.learn.fault.empty() && frame.learn.chosen; }

}  // namespace

void draw_learn_buttons(Frame& frame, bool low) {
  const LearnTold& learn = frame.learn;
  const LearnState& state = frame.view.learn;
  const bool able = can_train(frame), there = learn.timeline && learn.fits;
  const bool goes_on = learn.training || learn.playing || learn.recalled >= 0;
  // One place and one width for what it says in turn. The second click of two does not end what the first one began.
  const bool anew = begins_at_random(frame);
  float width = 0;
  for (const char* label : {"learn:pause", "learn:train", "learn:train.anew"})
    width = std::max(width, ui::main_button_width(frame, wording(label)));
  const bool pressed = goes_on ? ui::main_button(frame, "learn/pause", wording("learn:pause"),
                                                 wording("learn:pause.tip"), ui::Sign::pause, width)
                       : anew  ? ui::main_button(frame, "learn/train", wording("learn:train.anew"),
                                                 wording("learn:train.anew.tip"), ui::Sign::play, width, able)
                               : ui::main_button(frame, "learn/train", wording("learn:train"),
                                                 wording("learn:train.tip"), ui::Sign::play, width, able);
  const bool again = ImGui::IsMouseReleased(ImGuiMouseButton_Left) && ImGui::GetIO().MouseClickedLastCount[0] > 1;
  if (pressed && !goes_on)
    train(frame);
  else if (pressed && !again)
    frame.out.act(act::LearnPause{});
  if (!goes_on && anew) {
    ImGui::SameLine();
    if (ui::button(frame, "learn/train_on", wording("learn:train_on"), wording("learn:train_on.tip"), able))
      frame.out.act(act::LearnTrain{});
  }
  ImGui::SameLine();
  const bool idle = !learn.training;
  if (ui::button(frame, "learn/step", wording("learn:step"), wording("learn:step.tip"), able && idle))
    frame.out.act(act::LearnStep{});
  ImGui::SameLine();
  if (ui::button(frame, "learn/reset", wording("learn:reset"), wording("learn:reset.tip"), able && idle))
    frame.out.act(act::LearnReset{});
  ImGui::SameLine();
  if (ui::button(frame, "learn/play", wording("learn:play"), wording("learn:play.tip"),
                 there && idle && !learn.playing))
    play_from_here(frame);
  learn_keys(frame);
  ui::Chips chips(frame, true);
  chips.apart(0.8f * ImGui::GetFontSize(), ui::chip_width(wording("learn:pace.all")));
  for (const Pace& pace : kPaces)
    chips.choice(pace.name, wording(pace.label), state.pace, pace.per_second, wording(pace.tip));
  chips.apart(0.8f * ImGui::GetFontSize(), ui::chip_width(wording("learn:controls")));
  chips.toggle("learn/more", wording("learn:controls"), state.more, wording("learn:controls.tip"));
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
    chips.toggle("learn/unseen", wording("learn:unseen"), frame.view.learn.trains_hidden, wording("learn:unseen.tip"));
  }
  ui::flow_line(ImGui::CalcTextSize(imgui_text(wording("learn:recipe"))).x + 4 * frame.unit);
  if (ui::button(frame, "learn/recipe", wording("learn:recipe"), wording("learn:recipe.tip"), !locked))
    frame.out.act(act::LearnChoose{setup.task});
  if (setup.task != "text") return;
  Fields fields(frame);
  fields.choice("learn/words", "learn:control.words", setup.characters, false, "learn:words.tip");
  fields.choice("learn/characters", "learn:control.characters", setup.characters, true, "learn:characters.tip");
}

}  // namespace hydra
