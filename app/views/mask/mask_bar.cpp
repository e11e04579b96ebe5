// The strip over the patterns while the mask is painted: masks to start from, the pair in question, what sees nothing.
#include "app/views/mask/mask_bar.h"

#include "app/views/frame/ui.h"
#include "app/views/mask/mask_paint.h"
#include "app/views/shared/head_marks.h"

namespace hydra {

namespace {

struct Entry {
  MaskPattern pattern;
  const char *key, *label, *size, *tip;  // key: of its item; the others are texts
};
constexpr Entry kEntries[] = {
    {MaskPattern::none, "none", "mask:none", nullptr, "mask:none.tip"},
    {MaskPattern::causal, "causal", "mask:causal", nullptr, "mask:causal.tip"},
    {MaskPattern::window, "window", "mask:window", "mask:window.size", "mask:window.tip"},
    {MaskPattern::blocks, "blocks", "mask:blocks", "mask:blocks.size", "mask:blocks.tip"},
    {MaskPattern::prefix, "prefix", "mask:prefix", "mask:prefix.size", "mask:prefix.tip"},
    {MaskPattern::strided, "strided", "mask:strided", "mask:strided.size", "mask:strided.tip"}};

void start_chips(Frame& frame) {
  const std::optional<MaskPattern> present = present_pattern(frame);
  for (const Entry& entry : kEntries) {
    const std::string name = std::string("mask/start/") + entry.key;
    const std::string& label = wording(entry.label);
    ui::flow_line(ui::chip_width(label));
    if (ui::chip(frame, name, label, present == entry.pattern, spelled(frame, wording(entry.tip))))
      set_pattern(frame, entry.pattern, frame.view.mask);
  }
}

// The number that the present start has, and whether it sees only what came before.
void start_size(Frame& frame) {
  const std::optional<MaskPattern> present = present_pattern(frame);
  if (!present || !has_size(*present)) return;
  const MaskTool& tool = frame.view.mask;
  const Entry& entry = nth(kEntries, *present);
  const Index size = nth(tool.sizes, *present);
  const std::string text = wording(entry.size, {{"size", size}});
  const float button = ui::chip_width("+");
  ui::flow_line(2 * button + text_width(frame.fonts.text, text) + 4 * frame.unit);
  ui::text(frame, text, {.aligned = true});
  ui::probe("mask/size");
  const auto step = [&](const char* name, const char* label, Index by, const char* tip) {
    ImGui::SameLine(0, frame.unit);
    const Index next = size + by;
    const bool possible = next >= 1 && next <= std::ssize(frame.trace.tokens);
    if (!ui::button(frame, name, label, wording(tip), possible)) return;
    MaskTool other = tool;
    nth(other.sizes, *present) = next;
    frame.choose(tool.sizes, other.sizes);
    set_pattern(frame, *present, other);
  };
  step("mask/smaller", frame.fonts.unicode ? "−" : "-", -1, "mask:smaller.tip");
  step("mask/larger", "+", 1, "mask:larger.tip");
  if (!sees_ahead(*present)) return;
  const std::string& only_before = wording("mask:only_before");
  ui::flow_line(ui::chip_width(only_before) + ImGui::GetFrameHeight());
  MaskTool other = tool;
  if (!ui::checkbox(frame, "mask/only_before", only_before, other.only_before, wording("mask:only_before.tip"))) return;
  frame.choose(tool.only_before, other.only_before);
  set_pattern(frame, *present, other);
}

// "“it” → “animal”: may attend", of the pair under the pointer, else of that of the keys.
std::string pair_text(const Frame& frame) {
  const MaskHands& tool = mask_hands(frame);
  Index row = tool.row, col = tool.col;
  if (const std::optional<Cell>& hover = frame.was.cell; hover && is_pair(hover->site.quantity))
    row = hover->row, col = hover->col;
  const std::vector<std::string>& tokens = frame.trace.tokens;
  const Mask& mask = layer_of(frame).input.mask;
  const std::string pair = wording("mask:pair", {{"query", nth(tokens, row)}, {"key", nth(tokens, col)}});
  return wording(mask.allows(row, col) ? "mask:pair.allowed" : "mask:pair.hidden", {{"pair", pair}});
}

}  // namespace

std::string mask_sentence(const Frame& frame, int layer) {
  const MaskShown& mask = frame.derived.mask(layer);
  if (mask.pairs == 0) return "";
  const auto n = std::ssize(frame.trace.tokens);
  return wording("mask:pairs_hidden", {{"hidden", mask.pairs}, {"pairs", n * n}});
}

std::string blind_sentence(const Frame& frame, int layer) {
  const std::vector<Index>& rows = frame.derived.mask(layer).blind;
  if (rows.empty()) return "";
  if (rows.size() == 1) return wording("mask:blind", {{"token", nth(frame.trace.tokens, rows.front())}});
  return wording("mask:blind_several", {{"n", rows.size()}});
}

void draw_mask_bar(Frame& frame) {
  if (!mask_tool_shown(frame.view)) return;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ui::text(frame, wording("mask:title"), {.font = frame.fonts.strong, .aligned = true});
  start_chips(frame);
  start_size(frame);
  const std::string& done = wording("mask:done");
  ui::flow_line(ui::chip_width(done));
  if (ui::button(frame, "mask/done", done, wording("mask:done.tip"))) frame.choose(frame.view.mask.on, false);
  ImFont* font = frame.fonts.small;
  const int layer = frame.view.layer;
  std::string line = pair_text(frame) + "   ";
  const std::string& remark = frame.derived.mask(layer).remark;
  for (const std::string& part : {mask_sentence(frame, layer), remark.empty() ? blind_sentence(frame, layer) : remark,
                                  own_masks_sentence(frame, layer)})
    if (!part.empty()) line += part + "   ";
  line += frame.view.presentation ? "" : wording("mask:hint");
  const ImVec2 pos = ImGui::GetCursorScreenPos();
  frame.canvas.text_at(font, pos, frame.theme.ink_soft, spelled(frame, line), width);
  if (!frame.derived.mask(layer).blind.empty()) ui::probe("mask/blind", pos, {pos.x + width, pos.y + font->FontSize});
  ui::probe("mask/line", pos, {pos.x + width, pos.y + font->FontSize});
  ImGui::Dummy({width, font->FontSize});
  ui::probe("mask/bar", start, {start.x + width, ImGui::GetItemRectMax().y});
}

}  // namespace hydra
