#include "app/views/design/design_controls.h"
#include "app/widgets/matrix/drag_cursor.h"

namespace hydra {

namespace {

// "pronoun, −1 plural"
std::string words_of(const std::vector<FeatureWeight>& side) {
  std::string text;
  for (const FeatureWeight& f : side) {
    text += text.empty() ? "" : ", ";
    if (f.weight != 1) text += ui::number(static_cast<double>(f.weight), As::axis) + " ";
    text += f.feature;
  }
  return text.empty() ? wording("design:choose") : text;
}

}  // namespace

bool DesignControls::line(const std::string& name, const Side& left, const Side& right, float& strength,
                          const char* tip) {
  const float narrow = 4.2f * ImGui::GetFontSize();
  const float side = 0.5f * (ImGui::GetContentRegionAvail().x - narrow - 6 * u_ - ImGui::GetFrameHeight());
  ImGui::PushID(name.c_str());
  feature_button(left, side);
  ImGui::SameLine(0, 2 * u_);
  feature_button(right, side);
  ImGui::SameLine(0, 2 * u_);
  dragged(name + "/strength", strength, -3, 3, narrow, "%.2g", tip);
  ImGui::SameLine(0, u_);
  const bool dropped = ui::button(frame_, name + "/remove", "×", wording("design:line.drop.tip"));
  ImGui::PopID();
  return dropped;
}

std::string DesignControls::format_of(const std::string& text, const char* number) {
  std::string format;
  for (const char c : text) format += c == *kNumber ? number : c == '%' ? "%%" : std::string(1, c);
  return format;
}

bool DesignControls::dragged(const std::string& name, float& value, float least, float most, float width,
                             const std::string& format, const char* tip) {
  ImGui::SetNextItemWidth(width);
  const bool changed = ImGui::DragFloat(("##" + name).c_str(), &value, 0.005f * (most - least), least, most,
                                        format.c_str(), ImGuiSliderFlags_AlwaysClamp);
  preview_ |= changed;
  commit_ |= ImGui::IsItemDeactivatedAfterEdit();
  ui::probe(name);
  ui::tip(frame_, wording(tip));
  return changed;
}

void DesignControls::slider_row(const char* name, const char* label, float& value, float least, float most,
                                const char* tip) {
  ImGui::SetNextItemWidth(0.5f * ImGui::GetContentRegionAvail().x);
  preview_ |= ImGui::SliderFloat((std::string("##") + name).c_str(), &value, least, most, "");
  ui::drag_cursor();
  commit_ |= ImGui::IsItemDeactivatedAfterEdit();
  ui::probe(name);
  ui::tip(frame_, wording(tip));
  ImGui::SameLine(0, 2 * u_);
  ui::text(frame_,
           wording("design:slider", {{"label", wording(label)}, {"value", ui::number(static_cast<double>(value))}}));
}

// A set of features with signs; opens a list in which a click goes from nothing to + to −.
void DesignControls::feature_button(const Side& side, float width) {
  const std::string words = words_of(side.features);
  const std::string label = clipped(ImGui::GetFont(), words, width - 2 * ImGui::GetStyle().FramePadding.x);
  ImGui::PushID(side.name.c_str());
  if (ImGui::Button((label + "##side").c_str(), {width, 0})) ImGui::OpenPopup("features");
  ui::probe(side.name);
  ui::tip(frame_, wording("design:side.tip", {{"features", words}, {"tip", wording(side.tip)}}));
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, 26 * ImGui::GetFrameHeight()});
  if (ImGui::BeginPopup("features")) {
    ui::close_on_escape();
    feature_list(side.features);
    ImGui::EndPopup();
  }
  ImGui::PopID();
}

void DesignControls::feature_list(std::vector<FeatureWeight>& side) {
  const Lexicon& lexicon = Lexicon::standard();
  for (const Feature& feature : lexicon.features()) {
    const auto found = std::find_if(side.begin(), side.end(), [&](const auto& f) { return f.feature == feature.name; });
    const float weight = found == side.end() ? 0 : found->weight;
    const char* sign = weight > 0 ? "+ " : weight < 0 ? "− " : "   ";
    const bool pressed =
        ImGui::Selectable((sign + feature.name).c_str(), weight != 0, ImGuiSelectableFlags_DontClosePopups);
    ui::probe({"design/feature/", feature.name});
    ui::tip(frame_, wording("design:feature.tip", {{"gloss", feature.gloss}}));
    if (!pressed) continue;
    if (weight == 0)
      side.push_back({feature.name, 1});
    else if (weight > 0)
      found->weight = -1;
    else
      side.erase(found);
    change();
    return;
  }
}

}  // namespace hydra
