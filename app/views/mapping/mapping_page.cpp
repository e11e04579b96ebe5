#include "app/views/mapping/mapping_page.h"

#include <filesystem>

#include "app/platform/input.h"
#include "app/views/mapping/mapping_parts.h"
#include "app/widgets/mouse_area.h"

namespace hydra {

namespace {

using mapping::MappingHands;

constexpr int kPageParts = 4;  // settings, arrays, places, buttons: what Tab goes through

// One of them: a window of its own with what scrolls in it, and the keyboard where Tab has come to it.
template <class Draw>
void page_part(Frame& frame, int which, const char* name, ImVec2 size, bool entered, const Draw& draw) {
  auto& hands = frame.hands.of<MappingHands>();
  if (ImGui::BeginChild(name, size, which != kPageParts - 1, ImGuiWindowFlags_None)) {
    if (entered && hands.part == which) ui::choose_by_keys_here();
    draw();
    if (hands.part == which) {
      ui::keep_choosing_by_keys();
      const ImVec2 pos = ImGui::GetWindowPos();
      ui::mark_framed(frame.canvas, {pos, ImGui::GetWindowSize()}, frame.theme.accent);
    }
  }
  ImGui::EndChild();
}

void buttons(Frame& frame, const LayoutDraft& draft) {
  const bool whole = draft.check.is_whole();
  const std::string file = std::filesystem::path(draft.file).filename().string();
  if (ui::button(frame, "mapping/save", wording("mapping:save"), wording("mapping:save.tip", {{"file", file}}), whole))
    frame.out.act(act::SaveLayout{});
  ImGui::SameLine(0, 2 * frame.unit);
  if (ui::button(frame, "mapping/suggest", wording("mapping:suggest"), wording("mapping:suggest.tip")))
    frame.out.act(act::SuggestLayout{});
  ImGui::SameLine(0, 2 * frame.unit);
  if (ui::button(frame, "mapping/close", wording("mapping:close"), wording("mapping:close.tip")))
    frame.out.act(act::LayOut{});
}

void page(Frame& frame, const LayoutDraft& draft) {
  auto& hands = frame.hands.of<MappingHands>();
  const int turn = std::exchange(frame.front.layout_turn, 0);
  if (turn != 0) hands.part = (hands.part + turn + kPageParts) % kPageParts;
  const float em = ImGui::GetFontSize(), line = ImGui::GetFrameHeightWithSpacing();
  ui::heading(frame, wording("mapping:title", {{"model", draft.name}}));
  const bool whole = draft.check.is_whole();
  mapping::paragraph(frame, frame.fonts.text, whole ? frame.theme.ink : frame.theme.warning, sentence_of(draft));
  ui::probe("mapping/sentence");
  const ImVec2 room = ImGui::GetContentRegionAvail();
  page_part(frame, 0, "settings", {0, std::min(0.34f * room.y, std::max(line, hands.settings_high))}, turn != 0, [&] {
    mapping::draw_settings(frame, draft);
    hands.settings_high = ImGui::GetCursorPosY() + 2 * frame.unit;
  });
  const float low = std::max(3 * line, ImGui::GetContentRegionAvail().y - line - frame.unit);
  const float left = std::max(10 * em, 0.38f * room.x);
  page_part(frame, 1, "arrays", {left, low}, turn != 0, [&] { mapping::draw_arrays(frame, draft); });
  ImGui::SameLine(0, 2 * frame.unit);
  page_part(frame, 2, "places", {0, low}, turn != 0, [&] { mapping::draw_places(frame, draft); });
  page_part(frame, 3, "buttons", {0, 0}, turn != 0, [&] { buttons(frame, draft); });
}

}  // namespace

void draw_mapping_page(Frame& frame) {
  const std::shared_ptr<const LayoutDraft> draft = frame.front.layout;
  const bool opening = !ImGui::IsPopupOpen("mapping");
  if (opening) ImGui::OpenPopup("mapping");
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float margin = 2 * frame.unit;
  ImGui::SetNextWindowPos({margin, margin});
  ImGui::SetNextWindowSize({screen.x - 2 * margin, screen.y - 2 * margin});
  ImGui::PushStyleColor(ImGuiCol_PopupBg, frame.theme.panel);
  const bool open = ImGui::BeginPopupModal(
      "mapping", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleColor();
  if (!open) return;
  if (opening) frame.front.layout_turn = 0, frame.hands.of<MappingHands>() = {};
  const bool typing = !frame.hands.of<MappingHands>().typing.empty();
  page(frame, *draft);
  if (!typing && ui::key_pressed(key::escape)) frame.out.act(act::LayOut{});
  if (ui::shortcut(true, false, key::letter('s')) && draft->check.is_whole()) frame.out.act(act::SaveLayout{});
  if (ui::shortcut(true, false, key::letter('q'))) frame.out.act(act::Quit{});
  ImGui::EndPopup();
}

}  // namespace hydra
