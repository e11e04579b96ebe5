// The two lists of the page: the file's arrays, and the places.
#include "app/views/frame/text_field.h"
#include "app/views/mapping/mapping_parts.h"
#include "app/widgets/mouse_area.h"

namespace hydra::mapping {

namespace {

// "4 × 64 x 64 f32".
std::string shape_text(const ArrayGroup& group) {
  const std::string shape = in_words(group.first->shape) + " " + std::string(name_of(group.first->type));
  return group.arrays.size() > 1 ? std::to_string(group.arrays.size()) + " × " + shape : shape;
}

// What an array stands for, of several places the first.
std::string use_of(const LayoutDraft& draft, const ArrayGroup& group) {
  const auto at = draft.check.used.find(group.first->name);
  return at == draft.check.used.end() ? "" : at->second;
}

std::string ending_of(const ArrayGroup& group) {
  return group.of_layers ? group.name.substr(group.name.find('*') + 1) : group.name;
}

// Into the chosen place, turned where only that fits.
void put_into_place(Frame& frame, const LayoutDraft& draft, const ArrayGroup& group, const std::string& place) {
  std::string part = group.name;
  const auto parts = draft.parts.find(place);
  if (parts != draft.parts.end())
    for (const std::string& suggested : parts->second)
      if (suggested == group.name || suggested == group.name + "^T") part = suggested;
  set(frame, "arrays." + place, part);
}

void array_row(Frame& frame, const LayoutDraft& draft, const ArrayGroup& group) {
  auto& hands = frame.hands.of<MappingHands>();
  const std::string use = use_of(draft, group), ignore = "ignored." + ending_of(group);
  const bool ignored = use == "ignored", unused = use.empty();
  const std::string label = wording(ignored ? "mapping:use" : "mapping:ignore");
  const float room = ImGui::GetContentRegionAvail().x, chip = ui::chip_width(label) + frame.unit;
  const float high = frame.fonts.text->FontSize + frame.fonts.small->FontSize + frame.unit;
  const float wide = std::max(4 * ImGui::GetFontSize(), room - (ignored || unused ? chip : 0));
  const ImVec2 a = ImGui::GetCursorScreenPos(), b{a.x + wide, a.y + high};
  const Canvas::Item item = frame.canvas.item({"mapping/array/", group.name}, {a, {wide, high}});
  ui::name_if_framed(group.name);
  ui::tip(frame, hands.place.empty()
                     ? wording("mapping:array.choose_first")
                     : wording("mapping:array.tip", {{"place", spelled(frame, place_called(hands.place))}}));
  if (item.over) frame.canvas.fill(a, b, frame.theme.line, 0.5f * frame.unit);
  {
    const Canvas::Clip clip(frame.canvas, a, b);
    const ImU32 ink = ignored ? frame.theme.ink_faint : unused ? frame.theme.ink : frame.theme.ink_soft;
    frame.canvas.text_at(frame.fonts.text, {a.x + frame.unit, a.y}, ink, group.name);
    const std::string said = ignored  ? wording("mapping:ignored")
                             : unused ? wording("mapping:unused")
                                      : spelled(frame, place_called(use));
    frame.canvas.text_at(frame.fonts.small, {a.x + frame.unit, a.y + frame.fonts.text->FontSize},
                         unused ? frame.theme.warning : frame.theme.ink_soft,
                         wording("mapping:array", {{"shape", shape_text(group)}, {"use", said}}));
  }
  if (item.clicked && !hands.place.empty()) put_into_place(frame, draft, group, hands.place);
  ImGui::SetCursorScreenPos(a);
  ImGui::Dummy({wide, high});
  if (ignored || unused) {
    ImGui::SameLine(0, frame.unit);
    if (ui::chip(frame, "mapping/ignore/" + group.name, label, ignored, wording("mapping:ignore.tip")))
      set(frame, ignore, ignored ? "false" : "true");
  }
}

void place_row(Frame& frame, const LayoutDraft& draft, const LayoutPlace& place) {
  auto& hands = frame.hands.of<MappingHands>();
  const std::string key = place.key();
  const auto at = draft.layout.arrays.find(key);
  const std::string part = at == draft.layout.arrays.end() ? "" : at->second, fault = fault_at(draft, place);
  const float em = ImGui::GetFontSize();
  const auto wants = draft.check.wants.find(key);
  const std::string what = wording(entry_of(place.quantity).phrase);
  const float left = ImGui::GetCursorScreenPos().x, wide = std::min(15 * em, 0.4f * ImGui::GetContentRegionAvail().x);
  if (ui::chip(frame, "mapping/place/" + key, spelled(frame, place_called(key)), hands.place == key, what))
    hands.place = hands.place == key ? "" : key;
  const ImVec2 chip = ImGui::GetItemRectMax();
  const float room = left + wide - chip.x - 3 * frame.unit, high = frame.fonts.small->FontSize;
  frame.canvas.text_at(frame.fonts.small,
                       {chip.x + 1.5f * frame.unit, 0.5f * (ImGui::GetItemRectMin().y + chip.y - high)},
                       frame.theme.ink_soft, clipped(frame.fonts.small, spelled(frame, what), std::max(0.0f, room)));
  ImGui::SameLine(std::max(wide, ImGui::GetItemRectSize().x + frame.unit));
  field(frame, "arrays." + key, part, wording(place.needed ? "mapping:part.hint" : "mapping:part.optional"),
        std::max(6 * em, ImGui::GetContentRegionAvail().x));
  if (!fault.empty()) {
    paragraph(frame, frame.fonts.small, frame.theme.warning, fault);
    ui::probe({"mapping/fault/", key});
  }
  const auto parts = draft.parts.find(key);
  if ((part.empty() || !fault.empty()) && parts != draft.parts.end() && !parts->second.empty()) {
    const ui::SmallChips small(frame);
    ui::Chips chips(frame);
    for (const std::string& suggested : parts->second)
      if (suggested != part && chips.chip("mapping/take/" + key + "/" + suggested, suggested, false,
                                          wording("mapping:take.tip", {{"what", what}})))
        set(frame, "arrays." + key, suggested);
  }
  if (wants != draft.check.wants.end() && hands.place == key && wants->second.cols > 0)
    ui::soft_text(frame,
                  wording("mapping:wants", {{"what", what},
                                            {"rows", wants->second.rows > 0 ? std::to_string(wants->second.rows) : "?"},
                                            {"cols", wants->second.cols}}));
}

}  // namespace

void field(Frame& frame, const std::string& key, const std::string& value, const std::string& hint, float width) {
  auto& hands = frame.hands.of<MappingHands>();
  std::string& text = hands.typed[key];
  if (hands.typing != key) text = value;
  ImGui::SetNextItemWidth(width);
  ui::text_field(frame, ("##" + key).c_str(), hint.c_str(), text);
  ui::probe({"mapping/field/", key});
  ui::name_if_framed(key);
  if (ImGui::IsItemActivated()) hands.typing = key;
  if (!ImGui::IsItemDeactivated()) return;
  hands.typing.clear();
  if (text != value) set(frame, key, text);
}

void draw_arrays(Frame& frame, const LayoutDraft& draft) {
  ImGuiListClipper rows;
  rows.Begin(int_size(draft.groups));
  while (rows.Step())
    for (int k = rows.DisplayStart; k < rows.DisplayEnd; ++k) array_row(frame, draft, nth(draft.groups, k));
}

void draw_places(Frame& frame, const LayoutDraft& draft) {
  for (const LayoutPlace& place : places_of(draft.layout)) place_row(frame, draft, place);
}

}  // namespace hydra::mapping
