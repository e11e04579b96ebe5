#include "app/views/sharing_mark.h"

#include "app/views/ui.h"

namespace hydra {

namespace {

const LayerInput<float>& input_of(const Frame& frame, int layer) { return frame.trace.layer(layer).input; }

bool is_projection(Quantity quantity) {
  switch (quantity) {
    case Quantity::W_Q:
    case Quantity::W_K:
    case Quantity::W_V:
    case Quantity::Q:
    case Quantity::K:
    case Quantity::V:
      return true;
    default:
      return false;
  }
}

bool shares(const LayerInput<float>& input) { return input.own_kv_heads() < input.heads; }
bool is_first(const LayerInput<float>& input, Index head) {
  return head == 0 || input.kv_head(head - 1) != input.kv_head(head);
}
float thickness(const Frame& frame) { return std::max(2.0f, std::round(0.5f * frame.unit)); }
ImU32 line_color(const Frame& frame, const LayerInput<float>& input, Index group) {
  return input.kv_head(frame.view.focused_head) == group ? frame.theme.accent : frame.theme.ink_faint;
}

// What the heads of a group share.
const char* shared_of(const Frame& frame, int layer, int head) {
  return sharing_heads(frame.trace, {Quantity::V, layer, head}).empty() ? "K" : "K and V";
}

}  // namespace

void sharing_bar(const Frame& frame, const std::string& name, const Site& ref, const HeatmapTile& tile) {
  const LayerInput<float>& input = input_of(frame, ref.layer);
  if (!shares(input) || ref.head == kNoHead || !is_projection(ref.quantity)) return;
  const HeadRange heads = shared_by(input, ref);
  const float high = 0.75f * frame.unit, step = (tile.max.x - tile.min.x) / static_cast<float>(heads.count());
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (Index h = heads.first; h < heads.last; ++h) {
    const float x = tile.min.x + static_cast<float>(h - heads.first) * step;
    list->AddRectFilled({std::round(x), tile.min.y - high}, {std::round(x + step), tile.min.y},
                        head_color(static_cast<int>(h), frame.theme.dark));
  }
  ui::probe(name, {tile.min.x, tile.min.y - high}, {tile.max.x, tile.min.y});
}

void group_lines(const Frame& frame, const std::string& name, int layer, const std::vector<HeatmapTile>& tiles) {
  const LayerInput<float>& input = input_of(frame, layer);
  if (!shares(input) || std::ssize(tiles) != input.heads) return;
  const float under = 0.9f * frame.unit, thick = thickness(frame);
  for (std::size_t h = 0; h < tiles.size();) {
    const Index group = input.kv_head(static_cast<Index>(h));
    const bool begins = is_first(input, static_cast<Index>(h));
    std::size_t last = h;
    while (last + 1 < tiles.size() && input.kv_head(static_cast<Index>(last) + 1) == group &&
           tiles[last + 1].min.y == tiles[h].min.y)
      ++last;
    const bool ends = last + 1 == tiles.size() || is_first(input, static_cast<Index>(last) + 1);
    const ImVec2 a{tiles[h].min.x, tiles[h].max.y + under}, b{tiles[last].max.x, a.y + thick};
    const ImU32 color = line_color(frame, input, group);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(a, b, color);
    if (begins) list->AddRectFilled({a.x, a.y - thick}, {a.x + thick, a.y}, color);
    if (ends) list->AddRectFilled({b.x - thick, a.y - thick}, {b.x, a.y}, color);
    if (begins) ui::probe({name, group + 1}, a, b);
    h = last + 1;
  }
}

void group_row_lines(const Frame& frame, const std::string& name, int layer, ImVec2 pos, float row) {
  const LayerInput<float>& input = input_of(frame, layer);
  if (!shares(input)) return;
  const float thick = thickness(frame), apart = 0.5f * frame.unit;
  const Index size = input.group_size();
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (Index group = 0; group < input.own_kv_heads(); ++group) {
    const ImVec2 a{pos.x, std::round(pos.y + static_cast<float>(group * size) * row + apart)},
        b{pos.x + thick, std::round(pos.y + static_cast<float>((group + 1) * size) * row - apart)};
    const ImU32 color = line_color(frame, input, group);
    list->AddRectFilled(a, b, color);
    list->AddRectFilled({b.x, a.y}, {b.x + thick, a.y + thick}, color);
    list->AddRectFilled({b.x, b.y - thick}, {b.x + thick, b.y}, color);
    ui::probe({name, group + 1}, a, b);
  }
}

std::string sharing_text(const Frame& frame, int layer, int head, ImFont* font, float room) {
  const std::string heads = sharing_heads(frame.trace, {Quantity::K, layer, head});
  if (heads.empty()) return "";
  const std::string what = shared_of(frame, layer, head);
  std::string text;
  for (const char* how : {" shared by ", " of ", ": "}) {
    text = spelled(frame, what + how + heads);
    if (text_width(font, text) <= room) break;
  }
  return text;
}

std::string sharing_sentence(const Frame& frame, int layer, ImFont* font, float room) {
  const LayerInput<float>& input = input_of(frame, layer);
  if (!shares(input)) return "";
  const std::string what = shared_of(frame, layer, 0);
  const Index sets = input.own_kv_heads(), size = input.group_size();
  if (sets == 1) return what + " shared by all " + std::to_string(input.heads) + " heads";
  std::string all = what + " shared: heads ";
  for (Index h = 0; h < input.heads; h += size)
    all += (h > 0 ? ", " : "") + std::to_string(h + 1) + "–" + std::to_string(h + size);
  all = spelled(frame, all);
  return text_width(font, all) <= room ? all : what + " shared by " + std::to_string(size) + " heads each";
}

void sharing_caption(const Frame& frame, const char* name, int layer, bool behind_chips) {
  ImFont* font = ImGui::GetFont();
  const float gap = 0.8f * font->FontSize;
  const std::string text =
      sharing_sentence(frame, layer, font, std::min(28 * font->FontSize, ImGui::GetContentRegionAvail().x));
  if (text.empty()) return;
  ui::flow_line(gap + text_width(font, text));
  if (ImGui::GetCursorPosX() > ImGui::GetWindowContentRegionMin().x + gap)
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gap);
  if (behind_chips) ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(text.c_str());
  ui::probe(name);
  ui::tip(
      "Heads that share read the same keys and values (multi-query: Shazeer 2019; grouped-query: Ainslie et al. 2023); "
      "their queries and their rows of W_O are their own.");
}

}  // namespace hydra
