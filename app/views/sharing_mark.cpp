#include "app/views/sharing_mark.h"

#include <cmath>

#include "app/widgets/probe.h"
#include "app/widgets/token_axis.h"

namespace hydra {

namespace {

const LayerInput<float>& input_of(const Frame& frame, int layer) {
  return frame.trace.layers[static_cast<std::size_t>(layer)].input;
}

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

}  // namespace

void sharing_bar(const Frame& frame, const std::string& name, const MatrixRef& ref, const HeatmapTile& tile) {
  const LayerInput<float>& input = input_of(frame, ref.layer);
  if (input.own_kv_heads() == input.heads || ref.head == kNoHead || !is_projection(ref.quantity)) return;
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
  if (input.own_kv_heads() == input.heads || static_cast<Index>(tiles.size()) != input.heads) return;
  const float under = 0.9f * frame.unit, thick = std::max(2.0f, std::round(0.5f * frame.unit));
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (std::size_t h = 0; h < tiles.size();) {
    const Index group = input.kv_head(static_cast<Index>(h));
    std::size_t last = h;
    while (last + 1 < tiles.size() && input.kv_head(static_cast<Index>(last) + 1) == group &&
           tiles[last + 1].min.y == tiles[h].min.y)
      ++last;
    const bool focused = input.kv_head(frame.view.focused_head) == group;
    const ImVec2 a{tiles[h].min.x, tiles[h].max.y + under}, b{tiles[last].max.x, a.y + thick};
    list->AddRectFilled(a, b, focused ? frame.theme.accent : frame.theme.ink_faint);
    if (h == 0 || input.kv_head(static_cast<Index>(h) - 1) != group) ui::probe(name + std::to_string(group + 1), a, b);
    h = last + 1;
  }
}

std::string sharing_text(const Frame& frame, int layer, int head, ImFont* font, float room) {
  const std::string heads = sharing_heads(frame.trace, {Quantity::K, layer, head});
  if (heads.empty()) return "";
  const bool both = !sharing_heads(frame.trace, {Quantity::V, layer, head}).empty();
  const std::string what = both ? "K and V" : "K";
  std::string text;
  for (const char* how : {" shared by ", " of ", ": "}) {
    text = spelled(frame, what + how + heads);
    if (text_width(font, text) <= room) break;
  }
  return text;
}

}  // namespace hydra
