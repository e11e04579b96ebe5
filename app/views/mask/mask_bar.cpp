// The strip over the patterns while the mask is painted: masks to start from, the pair in question, what sees nothing.
#include "app/views/mask/mask_bar.h"
#include "app/views/mask/mask_paint.h"
#include "app/views/ui.h"

namespace hydra {

namespace {

struct Entry {
  MaskPattern pattern;
  const char *key, *label, *size, *tip;
};
constexpr Entry kEntries[] = {
    {MaskPattern::none, "none", "none", nullptr, "Every token may attend to every token."},
    {MaskPattern::causal, "causal", "causal", nullptr,
     "A token may attend to itself and to what came before, as in a decoder: j ≤ i."},
    {MaskPattern::window, "window", "window", "reach",
     "Only what stands near: |i − j| ≤ reach. Beltagy et al. 2020 (Longformer)."},
    {MaskPattern::blocks, "blocks", "blocks", "size",
     "Only the own block of so many tokens: ⌊i / size⌋ = ⌊j / size⌋. Child et al. 2019 (Sparse Transformer), the first "
     "head of “fixed”."},
    {MaskPattern::prefix, "prefix", "prefix", "length",
     "All see the first so many tokens, and besides what came before: j ≤ i or j < length. Raffel et al. 2020 (prefix "
     "language model)."},
    {MaskPattern::strided, "strided", "strided", "stride",
     "What came just before, and every so manyeth before that: j ≤ i, and i − j ≤ stride or a multiple of it. Child et "
     "al. 2019 (Sparse Transformer), both heads of “strided” in one."}};

void start_chips(Frame& frame) {
  const std::optional<MaskPattern> present = present_pattern(frame);
  for (const Entry& entry : kEntries) {
    const std::string name = std::string("mask/start/") + entry.key;
    ui::flow_line(ui::chip_width(entry.label));
    if (ui::chip(frame, name, entry.label, present == entry.pattern, spelled(frame, entry.tip)))
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
  const std::string text = ui::words(entry.size, " ", size);
  const float button = ui::chip_width("+");
  ui::flow_line(2 * button + text_width(frame.fonts.text, text) + 4 * frame.unit);
  ui::text(frame, text, {.aligned = true});
  ui::probe("mask/size");
  const auto step = [&](const char* name, const char* label, Index by, const char* tip) {
    ImGui::SameLine(0, frame.unit);
    const Index next = size + by;
    const bool possible = next >= 1 && next <= std::ssize(frame.trace.tokens);
    if (!ui::button(frame, name, label, tip, possible)) return;
    MaskTool other = tool;
    nth(other.sizes, *present) = next;
    frame.choose(tool.sizes, other.sizes);
    set_pattern(frame, *present, other);
  };
  step("mask/smaller", frame.fonts.unicode ? "−" : "-", -1, "One less.");
  step("mask/larger", "+", 1, "One more.");
  if (!sees_ahead(*present)) return;
  ui::flow_line(ui::chip_width("only before") + ImGui::GetFrameHeight());
  MaskTool other = tool;
  if (!ui::checkbox(frame, "mask/only_before", "only before", other.only_before,
                    "And only what came before: j ≤ i as well."))
    return;
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
  const auto name = [&](Index k) { return "“" + nth(tokens, k) + "”"; };
  return name(row) + (frame.fonts.unicode ? " → " : " to ") + name(col) +
         (mask.allows(row, col) ? ": may attend" : ": hidden");
}

}  // namespace

std::string mask_sentence(const Frame& frame, int layer) {
  const MaskShown& mask = frame.derived.mask(layer);
  if (mask.pairs == 0) return "";
  const auto n = std::ssize(frame.trace.tokens);
  return ui::words(mask.pairs, " of ", n * n, " pairs hidden");
}

std::string blind_sentence(const Frame& frame, int layer) {
  const std::vector<Index>& rows = frame.derived.mask(layer).blind;
  if (rows.empty()) return "";
  const std::string who = rows.size() == 1 ? "“" + nth(frame.trace.tokens, rows.front()) + "” sees"
                                           : std::to_string(rows.size()) + " tokens see";
  return who + " nothing: all weights of that row are 0" + (rows.size() == 1 ? "" : ", each");
}

void draw_mask_bar(Frame& frame) {
  if (!mask_tool_shown(frame.view)) return;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ui::text(frame, "Mask", {.font = frame.fonts.strong, .aligned = true});
  start_chips(frame);
  start_size(frame);
  ui::flow_line(ui::chip_width("Done"));
  if (ui::button(frame, "mask/done", "Done", "Ends painting; the mask stays. Keys: K, Esc"))
    frame.choose(frame.view.mask.on, false);
  ImFont* font = frame.fonts.small;
  const int layer = frame.view.layer;
  std::string line = pair_text(frame) + "   ";
  const std::string& remark = frame.derived.mask(layer).remark;
  for (const std::string& part : {mask_sentence(frame, layer), remark.empty() ? blind_sentence(frame, layer) : remark})
    if (!part.empty()) line += part + "   ";
  line += frame.view.presentation ? "" : "Click or drag cells; arrows and Space; Esc ends";
  const ImVec2 pos = ImGui::GetCursorScreenPos();
  frame.canvas.text_at(font, pos, frame.theme.ink_soft, spelled(frame, line), width);
  if (!frame.derived.mask(layer).blind.empty()) ui::probe("mask/blind", pos, {pos.x + width, pos.y + font->FontSize});
  ui::probe("mask/line", pos, {pos.x + width, pos.y + font->FontSize});
  ImGui::Dummy({width, font->FontSize});
  ui::probe("mask/bar", start, {start.x + width, ImGui::GetItemRectMax().y});
}

}  // namespace hydra
