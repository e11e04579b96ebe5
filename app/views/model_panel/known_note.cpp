#include "app/views/model_panel/known_note.h"

#include "app/views/frame/ui.h"

namespace hydra {

namespace {

Index past(const KnownWords& known) { return known.tokens() - known.placed(); }

}  // namespace

std::string known_note(const Frame& frame) {
  const KnownWords& known = frame.derived.known().words;
  if (known.all()) return "";
  const Index unknown = known.tokens() - known.known();
  if (unknown == 0) return counts_of(known);
  return wording("panels:known.others", {{"known", counts_of(known)}, {"n", unknown}});
}

std::string known_tip(const Frame& frame) {
  std::string tip;
  for (const std::string& sentence : frame.derived.known().sentences) {
    std::string line = sentence + ".";
    if (line.front() >= 'a' && line.front() <= 'z') line.front() = static_cast<char>(line.front() - 'a' + 'A');
    tip += (tip.empty() ? "" : "\n") + line;
  }
  return spelled(frame, tip);
}

float draw_known_note(Frame& frame, float right, float middle, float room) {
  const std::string text = known_note(frame);
  if (text.empty()) return 0;
  ImFont* font = frame.view.presentation ? frame.fonts.text : frame.fonts.small;
  const KnownWords& known = frame.derived.known().words;
  const Index missing = past(known);
  const std::string add = missing > 0 ? wording("panels:places.add", {{"n", missing}}) : "";
  const float gap = 2 * frame.unit, top = std::round(middle - 0.5f * font->FontSize);
  const float width = text_width(font, text) + (missing > 0 ? gap + text_width(font, add) : 0);
  if (width > room) return 0;
  ImVec2 pos{right - width, top};
  const auto place = [&](const char* name, const std::string& label, ImU32 color) {
    const float wide = text_width(font, label);
    const Canvas::Item item = frame.canvas.item(name, {pos, {wide, font->FontSize}});
    frame.canvas.text_at(font, pos, color, label);
    pos.x += wide + gap;
    return item;
  };
  place("status/known", text, frame.theme.ink_soft);
  ui::tip(frame, known_tip(frame));
  if (missing == 0) return width;
  const Canvas::Item more = place("status/add_places", add, frame.theme.accent);
  if (more.clicked) frame.out.apply(AddPlaces{});
  if (more.over) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ui::tip(frame, wording("panels:places.add.tip"));
  return width;
}

}  // namespace hydra
