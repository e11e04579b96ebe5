#include "app/views/model_panel/model_switch.h"

#include "app/views/frame/ui.h"
#include "core/document/models.h"

namespace hydra {

namespace {

// Weights given number by number have a chip of their own where there are any.
std::vector<ModelKind> kinds_of(const Frame& frame) {
  std::vector<ModelKind> kinds{ModelKind::untrained, ModelKind::designed, ModelKind::trained};
  if (kind_of(frame.document) == ModelKind::given || count_aside(frame.document, ModelKind::given) > 0)
    kinds.push_back(ModelKind::given);
  return kinds;
}

const std::string& what_it_is(ModelKind kind) {
  switch (kind) {
    case ModelKind::untrained:
      return wording("panels:switch.untrained.tip");
    case ModelKind::designed:
      return wording("panels:switch.designed.tip");
    case ModelKind::trained:
      return wording("panels:switch.trained.tip");
    case ModelKind::given:
      break;
  }
  return wording("panels:switch.given.tip");
}

std::string tip_of(const Frame& frame, ModelKind kind, bool present) {
  const Index others = count_aside(frame.document, kind);
  const bool trained = kind_of(frame.document) == ModelKind::trained;
  if (!present && !can_switch(frame.document, kind))
    return kind == ModelKind::designed
               ? wording(trained ? "panels:switch.no_designed.of_trained" : "panels:switch.no_designed")
           : kind == ModelKind::trained ? wording("panels:switch.no_trained")
                                        : "";
  std::string tip = what_it_is(kind);
  if (present && others > 0) tip += " " + wording("panels:switch.another");
  return tip + " " + wording("panels:switch.stays");
}

}  // namespace

void model_switch(Frame& frame, const std::string& place) {
  const ModelKind now = kind_of(frame.document);
  bool first = true;
  for (const ModelKind kind : kinds_of(frame)) {
    const std::string& label = word_of(kind);
    if (!std::exchange(first, false)) {
      ImGui::SameLine(0, 1);
      if (ImGui::GetContentRegionAvail().x < ui::chip_width(label)) ImGui::NewLine();
    }
    const bool present = kind == now;
    const bool there = present ? count_aside(frame.document, kind) > 0 : can_switch(frame.document, kind);
    if (ui::chip(frame, place + name_of(kind), label, present, tip_of(frame, kind, present), 0, present || there) &&
        there)
      frame.out.apply(SwitchModel{kind});
  }
}

float model_switch_width(const Frame& frame) {
  float width = 0;
  for (const ModelKind kind : kinds_of(frame)) width += ui::chip_width(word_of(kind)) + 1;
  return width;
}

float small_model_switch_width(const Frame& frame) {
  const ui::SmallChips small(frame);
  return model_switch_width(frame);
}

void small_model_switch(Frame& frame, const std::string& place, ImVec2 pos, float right) {
  const ui::SmallChips small(frame);
  if (pos.x + model_switch_width(frame) > right) return;
  ImGui::SetCursorScreenPos({pos.x, pos.y - 0.5f * frame.unit});
  model_switch(frame, place);
}

}  // namespace hydra
