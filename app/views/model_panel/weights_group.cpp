// Of the model panel: which model it is, and how weights that nobody gave begin.
#include <cmath>

#include "app/views/frame/ui.h"
#include "app/views/model_panel/model_switch.h"
#include "app/views/shell/commands.h"
#include "app/views/shell/views.h"
#include "core/document/models.h"
#include "core/document/slices.h"

namespace hydra {

namespace {

// What the bounds are here, and that they do not fix how far scores spread.
std::string xavier_tip(const Frame& frame) {
  const Layer& layer = document_layer(frame);
  const Index d = frame.document.d_model, concat = layer.concat_width(d), kv = layer.kv_width(d);
  const auto bound = [&](Index width) {
    return ui::number(std::sqrt(6.0 / static_cast<double>(d + width)), As::rough);
  };
  return kv == concat ? wording("panels:xavier.tip", {{"bound", bound(concat)}})
                      : wording("panels:xavier.tip.shared", {{"bound", bound(concat)}, {"kv_bound", bound(kv)}});
}

// How far the scores are spread, and what was done about it.
void spread_line(Frame& frame) {
  const Layer& layer = document_layer(frame);
  const double spread = frame.derived.score_spread(frame.view.layer);
  if (!std::isfinite(spread)) return;
  ui::soft_text(frame, wording("panels:spread", {{"spread", ui::number(spread, As::rough)}}));
  ui::probe("model/score_spread");
  ui::tip(frame, wording("panels:spread.tip"));
  const WeightSource& source = layer.source;
  if (source.gain == 1 && (!takes_gain(source) || spreads_enough(spread))) return;
  const std::string text =
      spelled(frame, source.gain == 1 ? wording("panels:gain") : "W_Q, W_K × " + ui::number(source.gain));
  if (!takes_gain(source)) return ui::soft_text(frame, text);
  using Gain = SetWeightSource::Gain;
  if (ui::chip(frame, "model/gain", text, source.gain != 1, wording("panels:gain.tip")))
    frame.out.apply(SetWeightSource{source.init, source.seed, source.gain == 1 ? Gain::fitted : Gain::none});
}

}  // namespace

void draw_weights_group(Frame& frame) {
  const WeightSource& source = document_layer(frame).source;
  ui::heading(frame, wording("panels:weights"));
  model_switch(frame, "model/");
  const bool random = !source.by_number() && kind_of(frame.document) == ModelKind::untrained;
  ui::Chips chips(frame);
  const auto init_chip = [&](const char* name, const char* label, Init init, const std::string& tip) {
    if (chips.chip(name, wording(label), random && source.init == init, tip))
      frame.out.apply(SetWeightSource{init, source.seed, SetWeightSource::Gain::fitted});
  };
  init_chip("model/init/xavier", "panels:init.xavier", Init::xavier, spelled(frame, xavier_tip(frame)));
  init_chip("model/init/identity", "panels:init.identity", Init::identity, wording("panels:init.identity.tip"));
  init_chip("model/init/zero", "panels:init.zero", Init::zero, wording("panels:init.zero.tip"));
  if (source.by_number()) ui::soft_text(frame, wording("panels:weights.given"));
  ui::text(frame, wording("panels:seed", {{"seed", source.seed}}), {.aligned = true});
  ui::tip(frame, wording("panels:seed.tip"));
  ImGui::SameLine();
  const Command& reroll = command("model/reroll");
  if (ui::button(frame, reroll.name, wording("panels:reroll"), tip_of(reroll))) perform(frame, reroll);
  spread_line(frame);
}

}  // namespace hydra
