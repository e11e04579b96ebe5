// What the head in focus has of its own where its layer's other heads have something else: a mask, a window, a
// temperature.
#include "app/views/frame/ui.h"
#include "app/views/model_panel/setting_control.h"
#include "app/views/shared/head_marks.h"
#include "app/views/shell/views.h"

namespace hydra {

namespace {

// The rule of the head in focus, to be changed; one that says nothing where it has none.
HeadRule present_rule(const Frame& frame) {
  const HeadRule* rule = rule_of(document_layer(frame).own, frame.view.focused_head);
  return rule ? *rule : HeadRule{frame.view.focused_head, {}, {}, {}};
}

// A window goes where the mask is no more causal.
void apply_mask(Frame& frame, std::optional<Mask::Kind> mask) {
  HeadRule rule = present_rule(frame);
  rule.mask = mask;
  if (mask.value_or(document_layer(frame).mask.kind) != Mask::Kind::causal) rule.window.reset();
  frame.out.apply(SetHeadRule{rule});
}

void mask_chips(Frame& frame) {
  const Layer& layer = document_layer(frame);
  const HeadRule rule = present_rule(frame);
  ui::text(frame, wording("panels:mask"), {.aligned = true});
  ui::tip(frame, wording("panels:own.mask.tip"));
  ui::Chips chips(frame);
  if (chips.picked("model/own/mask/layer", wording("panels:own.as_layer"), !rule.mask,
                   wording("panels:own.as_layer.tip")))
    apply_mask(frame, std::nullopt);
  if (!layer.settings.alibi && chips.picked("model/own/mask/none", wording("panels:mask.none"),
                                            rule.mask == Mask::Kind::none, wording("panels:mask.none.tip")))
    apply_mask(frame, Mask::Kind::none);
  if (chips.picked("model/own/mask/causal", wording("panels:mask.causal"), rule.mask == Mask::Kind::causal,
                   wording("panels:mask.causal.tip")))
    apply_mask(frame, Mask::Kind::causal);
}

// 0 is all words before: of a mask of its own without a window.
Edit with_window(const Frame& frame, Index window) {
  const Layer& layer = document_layer(frame);
  HeadRule rule = present_rule(frame);
  rule.window.reset();
  if (window > 0 && (rule.mask || window != layer.settings.window)) rule.window = window;
  if (window == 0 && layer.settings.window > 0) rule.mask = Mask::Kind::causal;
  return SetHeadRule{rule};
}

Edit with_temperature(const Frame& frame, double temperature) {
  HeadRule rule = present_rule(frame);
  rule.temperature = temperature;
  return SetHeadRule{rule};
}

}  // namespace

void draw_own_group(Frame& frame) {
  const Layer& layer = document_layer(frame);
  const Index head = frame.view.focused_head;
  if (head >= layer.heads) return;  // the trace of other heads is still shown
  const HeadTerms terms = terms_of(layer.own, head, layer.seen(), layer.settings.temperature);
  ImGui::PushID("own");  // the layer's controls have the same names
  ui::text(frame, head_name(head), {.font = frame.fonts.strong, .aligned = true});
  if (rule_of(layer.own, head)) {
    ImGui::SameLine();
    if (ui::button(frame, "model/own/none", wording("panels:own.none"), wording("panels:own.none.tip")))
      frame.out.apply(SetHeadRule{{head, {}, {}, {}}});
  }
  if (layer.settings.talking_heads == TalkingHeads::none) {
    mask_chips(frame);
    if (terms.mask.kind == Mask::Kind::causal)
      ui::SettingControl(frame, entry_of(LayerSetting::window), "model/own/window",
                         static_cast<double>(terms.mask.window),
                         [&](double window) { return with_window(frame, static_cast<Index>(window)); })
          .draw();
  } else {
    ui::soft_text(frame, wording("panels:own.talking"));
  }
  ui::SettingControl(frame, entry_of(LayerSetting::temperature), "model/own/temperature", terms.temperature,
                     [&](double temperature) { return with_temperature(frame, temperature); })
      .draw();
  ImGui::PopID();
}

}  // namespace hydra
