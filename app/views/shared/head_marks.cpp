#include "app/views/shared/head_marks.h"

#include "app/views/shared/head_roles.h"

#include <algorithm>

#include "app/views/frame/ui.h"
#include "core/model/program.h"

namespace hydra {

namespace {

float gate_of(const Frame& frame, int layer, int head) { return frame.trace.layer(layer).input.gate(head); }

}  // namespace

float gate_mark(const Frame& frame, const std::string& name, int layer, int head, ImVec2 pos, ImFont* font) {
  const float gate = gate_of(frame, layer, head);
  if (gate == 1) return 0;
  const std::string text = (frame.fonts.unicode ? "×" : "x") + ui::number(std::round(100.0 * gate) / 100, As::axis);
  const float width = text_width(font, text);
  frame.canvas.text_at(font, pos, frame.theme.ink, text);
  ui::probe(name, pos, {pos.x + width, pos.y + font->FontSize});
  return width + 1.5f * frame.unit;
}

namespace {

// What is not its layer's, in words.
struct OwnWords {
  std::string mask, temperature;
};
OwnWords own_words(const LayerInput<float>& input, int head) {
  OwnWords words;
  if (const Mask& mask = input.mask_of(head); mask != input.mask)
    words.mask = mask.kind == Mask::Kind::none ? wording("mask:how.none")
                 : mask.window > 0             ? wording("document:edit.rule.window", {{"window", mask.window}})
                                               : wording("mask:how.causal");
  if (const double temperature = input.temperature_of(head); temperature != input.settings.temperature)
    words.temperature =
        wording("document:edit.rule.temperature", {{"temperature", ui::number(temperature, As::brief)}});
  return words;
}

}  // namespace

float own_mark(const Frame& frame, const std::string& name, int layer, int head, ImVec2 pos, ImFont* font, float room) {
  const LayerInput<float>& input = frame.trace.layer(layer).input;
  if (input.own.empty()) return 0;
  const auto [mask, temperature] = own_words(input, head);
  const std::string both = mask.empty() || temperature.empty() ? mask + temperature : mask + ", " + temperature;
  const std::string text = text_width(font, both) <= room ? both : wording("panels:own.mark");
  const float width = text_width(font, text);
  if (both.empty() || width > room) return 0;
  frame.canvas.text_at(font, pos, frame.theme.ink, text);
  ui::probe(name, pos, {pos.x + width, pos.y + font->FontSize});
  return width + 1.5f * frame.unit;
}

std::string own_masks_sentence(const Frame& frame, int layer) {
  const LayerInput<float>& input = frame.trace.layer(layer).input;
  std::string heads;
  int count = 0;
  for (int h = 0; h < int_size(input.own); ++h)
    if (input.mask_of(h) != input.mask) heads += (count++ == 0 ? "" : ", ") + std::to_string(h + 1);
  if (count == 0) return "";
  return wording(count == 1 ? "panels:own.mask.one" : "panels:own.mask.several", {{"heads", heads}});
}

bool is_silent(const Frame& frame, int layer, int head) { return gate_of(frame, layer, head) == 0; }

float weights_mark(const Frame& frame, const char* name, int head, ImVec2 pos, float room) {
  ImFont* font = frame.fonts.small;
  const std::string& words = frame.derived.weights_in_use(frame.document, frame.view.layer, head);
  const float width = text_width(font, words);
  if (width > room) return 0;
  frame.canvas.text_at(font, pos, frame.theme.ink_soft, words);
  ui::probe(name, pos, {pos.x + width, pos.y + font->FontSize});
  return width;
}

const PaintedHead<float>* painting_of(const Frame& frame, int layer, int head) {
  return painted_head(frame.trace.layer(layer).input.painted, head);
}

const std::vector<PaintedRow<float>>* painted_rows(const Frame& frame, const Site& ref) {
  const bool attention = ref.quantity == Quantity::attention;
  if (!attention && ref.quantity != Quantity::V) return nullptr;
  const PaintedHead<float>* painted = painting_of(frame, ref.layer, ref.head);
  if (!painted) return nullptr;
  const std::vector<PaintedRow<float>>& rows = attention ? painted->attention : painted->values;
  return rows.empty() ? nullptr : &rows;
}

std::vector<std::pair<Index, Index>> painted_runs(const std::vector<PaintedRow<float>>& rows) {
  std::vector<std::pair<Index, Index>> runs;
  for (const PaintedRow<float>& painted : rows) {
    if (!runs.empty() && runs.back().second == painted.row)
      ++runs.back().second;
    else
      runs.emplace_back(painted.row, painted.row + 1);
  }
  return runs;
}

void draw_painted_rows(const Frame& frame, const Site& ref, const Heatmap& heatmap, bool transposed) {
  const std::vector<PaintedRow<float>>* rows = painted_rows(frame, ref);
  if (!rows) return;
  for (const auto& [first, last] : painted_runs(*rows)) {
    if (transposed)
      draw_dashed_outline(frame.canvas, heatmap, 0, heatmap.rows, first, last, frame.unit);
    else
      draw_dashed_outline(frame.canvas, heatmap, first, last, 0, heatmap.cols, frame.unit);
  }
}

bool painted_mark(const Frame& frame, const std::string& name, int layer, int head, ImVec2 pos, float side) {
  if (!painting_of(frame, layer, head)) return false;
  const auto at = [&](float x, float y) { return ImVec2(pos.x + x * side, pos.y + y * side); };
  const ImU32 ink = frame.theme.ink;
  frame.canvas.line(at(0.97f, 0.03f), at(0.60f, 0.40f), ink, std::max(1.5f, 0.16f * side));  // handle
  const ImVec2 bristles[] = {at(0.48f, 0.34f), at(0.68f, 0.54f), at(0.44f, 0.86f), at(0.02f, 1.0f), at(0.18f, 0.60f)};
  frame.canvas.polygon(bristles, ink);
  ui::probe(name, pos, at(1, 1));
  return true;
}

namespace {

const LayerInput<float>& input_of(const Frame& frame, int layer) { return frame.trace.layer(layer).input; }

// Of what the heads read, or what it is projected by.
bool is_projection(Quantity quantity) {
  return std::ranges::any_of(program_of({}).nodes, [&](const ProgramNode& node) {
    return is_projection(node) && (node.result == quantity || node.reads()[1] == quantity);
  });
}

bool shares(const LayerInput<float>& input) { return input.key_groups().shares(); }
bool is_first(const LayerInput<float>& input, Index head) {
  return head == 0 || input.kv_head(head - 1) != input.kv_head(head);
}
float thickness(const Frame& frame) { return std::max(2.0f, std::round(0.5f * frame.unit)); }
ImU32 line_color(const Frame& frame, const LayerInput<float>& input, Index group) {
  const int head = marked_head(frame);
  return head >= 0 && input.kv_head(head) == group ? frame.theme.accent : frame.theme.ink_faint;
}

bool shares_values(const Frame& frame, int layer, int head) {
  return !sharing_heads(frame.trace, {Quantity::V, layer, head}).empty();
}
// What the heads of a group share.
std::string shared_of(const Frame& frame, int layer, int head) {
  return shares_values(frame, layer, head) ? wording("panels:sharing.k_and_v") : "K";
}

}  // namespace

void sharing_bar(const Frame& frame, const std::string& name, const Site& ref, const Heatmap& heatmap) {
  const LayerInput<float>& input = input_of(frame, ref.layer);
  if (!shares(input) || ref.head == kNoHead || !is_projection(ref.quantity)) return;
  const HeadRange heads = shared_by(input, ref);
  const float high = 0.75f * frame.unit, step = (heatmap.max.x - heatmap.min.x) / real(heads.count());
  for (Index h = heads.first; h < heads.last; ++h) {
    const float x = heatmap.min.x + real(h - heads.first) * step;
    frame.canvas.fill({std::round(x), heatmap.min.y - high}, {std::round(x + step), heatmap.min.y},
                      head_color(frame, h));
  }
  ui::probe(name, {heatmap.min.x, heatmap.min.y - high}, {heatmap.max.x, heatmap.min.y});
}

void group_lines(const Frame& frame, const std::string& name, int layer, const std::vector<Heatmap>& heatmaps) {
  const LayerInput<float>& input = input_of(frame, layer);
  if (!shares(input) || std::ssize(heatmaps) != input.heads) return;
  const float under = 0.9f * frame.unit, thick = thickness(frame);
  for (std::size_t h = 0; h < heatmaps.size();) {
    const Index group = input.kv_head(static_cast<Index>(h));
    const bool begins = is_first(input, static_cast<Index>(h));
    std::size_t last = h;
    while (last + 1 < heatmaps.size() && input.kv_head(static_cast<Index>(last) + 1) == group &&
           heatmaps[last + 1].min.y == heatmaps[h].min.y)
      ++last;
    const bool ends = last + 1 == heatmaps.size() || is_first(input, static_cast<Index>(last) + 1);
    const ImVec2 a{heatmaps[h].min.x, heatmaps[h].max.y + under}, b{heatmaps[last].max.x, a.y + thick};
    const ImU32 color = line_color(frame, input, group);
    frame.canvas.fill(a, b, color);
    if (begins) frame.canvas.fill({a.x, a.y - thick}, {a.x + thick, a.y}, color);
    if (ends) frame.canvas.fill({b.x - thick, a.y - thick}, {b.x, a.y}, color);
    if (begins) ui::probe({name, group + 1}, a, b);
    h = last + 1;
  }
}

void group_row_lines(const Frame& frame, const std::string& name, int layer, ImVec2 pos, float row) {
  const LayerInput<float>& input = input_of(frame, layer);
  if (!shares(input)) return;
  const float thick = thickness(frame), apart = 0.5f * frame.unit;
  const KeyGroups groups = input.key_groups();
  for (Index group = 0; group < groups.sets(); ++group) {
    const ImVec2 a{pos.x, std::round(pos.y + real(groups.first(group)) * row + apart)},
        b{pos.x + thick, std::round(pos.y + real(groups.last(group)) * row - apart)};
    const ImU32 color = line_color(frame, input, group);
    frame.canvas.fill(a, b, color);
    frame.canvas.fill({b.x, a.y}, {b.x + thick, a.y + thick}, color);
    frame.canvas.fill({b.x, b.y - thick}, {b.x + thick, b.y}, color);
    ui::probe({name, group + 1}, a, b);
  }
}

std::string sharing_text(const Frame& frame, int layer, int head, ImFont* font, float room) {
  const std::string heads = sharing_heads(frame.trace, {Quantity::K, layer, head});
  if (heads.empty()) return "";
  const std::string what = shared_of(frame, layer, head);
  for (const std::string& full :
       {wording("panels:sharing.by", {{"what", what}, {"heads", heads}}),
        wording("panels:sharing.of", {{"what", what}, {"heads", heads}}), what + ": " + heads})
    if (std::string text = spelled(frame, full); text_width(font, text) <= room) return text;
  const std::size_t numbers = heads.find(' ');
  return spelled(frame, (shares_values(frame, layer, head) ? "K, V: " : "K: ") +
                            heads.substr(numbers == std::string::npos ? 0 : numbers + 1));
}

std::string sharing_sentence(const Frame& frame, int layer, ImFont* font, float room) {
  const LayerInput<float>& input = input_of(frame, layer);
  if (!shares(input)) return "";
  const std::string what = shared_of(frame, layer, 0);
  const KeyGroups by = input.key_groups();
  if (by.sets() == 1) return wording("panels:sharing.all", {{"what", what}, {"n", input.heads}});
  std::string groups;
  for (Index k = 0; k < by.sets(); ++k) {
    groups += ui::words(k > 0 ? ", " : "", by.first(k) + 1);
    if (by.heads_of(k) > 1) groups += ui::words("–", by.last(k));
  }
  const std::string all = spelled(frame, wording("panels:sharing.groups", {{"what", what}, {"heads", groups}}));
  if (text_width(font, all) <= room || !by.of.empty()) return all;
  return wording("panels:sharing.each", {{"what", what}, {"n", by.size}});
}

void sharing_caption(const Frame& frame, const char* name, int layer, bool behind_chips) {
  ImFont* font = ImGui::GetFont();
  const float gap = 0.8f * font->FontSize;
  const std::string text =
      sharing_sentence(frame, layer, font, std::min(28 * font->FontSize, ImGui::GetContentRegionAvail().x));
  if (text.empty()) return;
  ui::apart(gap, text_width(font, text));
  if (behind_chips) ImGui::AlignTextToFramePadding();
  ui::text(frame, text);
  ui::probe(name);
  ui::tip(frame, wording("panels:sharing.tip"));
}

void role_mark(const Frame& frame, const char* name, int head, ImVec2 pos, float right, ImFont* font) {
  const HeadLabel* label = label_of(frame, head);
  if (!label) return;
  if (!font) font = frame.fonts.small;
  const bool mixed = label->role.kind == Role::Kind::mixed;
  const std::string name_alone = spelled(frame, label->name), scored = spelled(frame, label->brief);
  const float room = right - pos.x;
  const std::string text =
      fitting(font, room, {widest_names(frame, font).brief <= room ? scored : name_alone, name_alone});
  const float end = pos.x + text_width(font, text);
  if (text.empty() || (mixed && text.ends_with("…"))) return;
  frame.canvas.text_at(font, pos, mixed ? frame.theme.ink_faint : ink_for(frame, *label, false), text);
  ui::probe({name, head + 1}, pos, {end, pos.y + font->FontSize});
}

void role_tip(const Frame& frame, ImVec2 min, ImVec2 max, std::string name, const HeadLabel& label) {
  std::vector<std::string> lines = role_lines(label);
  lines.insert(lines.begin(), std::move(name));
  ui::tooltip_beside(frame, min, max, lines);
}

}  // namespace hydra
