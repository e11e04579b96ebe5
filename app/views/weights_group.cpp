// Of the model panel: which model it is, and how weights that nobody gave begin.
#include <cmath>

#include "app/views/commands.h"
#include "app/views/model_switch.h"
#include "app/views/ui.h"
#include "app/views/views.h"
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
  std::string tip = "Random, uniform within ±√(6 / (rows + columns)) = ±" + bound(concat);
  if (kv != concat) tip += ", W_K and W_V within ±" + bound(kv);
  return tip + ". How far the scores spread depends on X, too.";
}

// How far the scores are spread, and what was done about it.
void spread_line(Frame& frame) {
  const Layer& layer = document_layer(frame);
  const double spread = frame.derived.score_spread(frame.view.layer);
  if (!std::isfinite(spread)) return;
  ui::soft_text(frame, "Scores spread by " + ui::number(spread, As::rough) + ".");
  ui::probe("model/score_spread");
  ui::tip(frame,
          "The standard deviation of the unmasked scores of all heads on this sentence. Near 0 every key gets the same "
          "weight; far above 1 one key gets nearly all.");
  const WeightSource& source = layer.source;
  if (source.gain == 1 && (!takes_gain(source) || spreads_enough(spread))) return;
  const std::string text =
      spelled(frame, source.gain == 1 ? "W_Q, W_K × fitting" : "W_Q, W_K × " + ui::number(source.gain));
  if (!takes_gain(source)) return ui::soft_text(frame, text);
  using Gain = SetWeightSource::Gain;
  if (ui::chip(
          frame, "model/gain", text, source.gain != 1,
          "Xavier's bound suits inputs whose entries are all about 1 in size. On this X the scores of such weights "
          "spread too little to attend by, or too much; multiplied, they spread by about 1. Click: with, without."))
    frame.out.apply(SetWeightSource{source.init, source.seed, source.gain == 1 ? Gain::fitted : Gain::none});
}

}  // namespace

void draw_weights_group(Frame& frame) {
  const WeightSource& source = document_layer(frame).source;
  ui::heading(frame, "Weights");
  model_switch(frame, "model/");
  const bool random = !source.by_number() && kind_of(frame.document) == ModelKind::untrained;
  ui::Chips chips(frame);
  const auto init_chip = [&](const char* name, const char* label, Init init, const char* tip) {
    if (chips.chip(name, label, random && source.init == init, tip))
      frame.out.apply(SetWeightSource{init, source.seed, SetWeightSource::Gain::fitted});
  };
  init_chip("model/init/xavier", "Xavier", Init::xavier, spelled(frame, xavier_tip(frame)).c_str());
  init_chip("model/init/identity", "identity heads", Init::identity,
            "Head i copies slice i of X and sees nothing else.");
  init_chip("model/init/zero", "zero", Init::zero, "All scores are 0, so attention is uniform and the output is 0.");
  if (source.by_number()) ui::soft_text(frame, "Given number by number in this document.");
  ui::text(frame, ui::words("seed ", source.seed), {.aligned = true});
  ui::tip(frame, "The random weights are drawn from this number; the same seed gives the same weights everywhere.");
  ImGui::SameLine();
  const Command& reroll = command("model/reroll");
  if (ui::button(frame, reroll.name, "re-roll", tip_of(reroll))) perform(frame, reroll);
  spread_line(frame);
}

}  // namespace hydra
