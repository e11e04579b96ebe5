#include "app/draw/probe.h"

#include <algorithm>

namespace hydra::ui {

ProbeRecorder*& probe_recorder() {
  static ProbeRecorder* recorder = nullptr;
  return recorder;
}

void probe(std::string_view name) {
  if (probe_recorder()) probe(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

void probe(std::string_view name, ImVec2 min, ImVec2 max) {
  ProbeRecorder* recorder = probe_recorder();
  if (!recorder) return;
  if (recorder->frame != ImGui::GetFrameCount()) {
    recorder->frame = ImGui::GetFrameCount();
    recorder->entries.clear();
  }
  const ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
  ProbeRecorder::Entry entry;
  entry.min = ImVec2(std::max(min.x, low.x), std::max(min.y, low.y));
  entry.max = ImVec2(std::min(max.x, high.x), std::min(max.y, high.y));
  entry.visible = entry.min.x < entry.max.x && entry.min.y < entry.max.y;
  if (name == recorder->scroll_to) {
    ImGui::SetScrollFromPosX((min.x + max.x) / 2 - ImGui::GetWindowPos().x);
    ImGui::SetScrollFromPosY((min.y + max.y) / 2 - ImGui::GetWindowPos().y);
  }
  if (!recorder->entries.emplace(name, entry).second) recorder->duplicates.emplace_back(name);
}

void probe(Name name) {
  if (probe_recorder()) probe(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

void probe(Name name, ImVec2 min, ImVec2 max) {
  if (!probe_recorder()) return;
  std::string text;
  for (const NamePart& part : name) text += part.number ? std::to_string(*part.number) : std::string(part.text);
  probe(std::string_view(text), min, max);
}

}  // namespace hydra::ui
