// How it is computed: what the three ways do, in the colours of their curves.
#include "app/views/tradeoff/tradeoff_computed.h"
#include "app/views/ui.h"

namespace hydra::tradeoff {

ImU32 way_color(const Theme& theme, Way way) {
  return way == Way::per_head ? theme.ink_soft : way == Way::combined ? theme.gold : theme.accent;
}

namespace {

struct KeyItem {
  const char* name;
  std::string label, text, more, tip;  // more: behind the text where all of them fit into one line
  ImU32 color = 0;
  bool swatch = true;
};

std::vector<KeyItem> key_items(const Frame& frame) {
  const auto of = [&](Way way, const char* name, const char* text, const char* more, const char* tip) {
    return KeyItem{name,
                   std::string(entry_of(way).label) + ": ",
                   spelled(frame, text),
                   spelled(frame, more),
                   spelled(frame, tip),
                   way_color(frame.theme, way)};
  };
  const TimedWays* timed = frame.ways.timed.get();
  const bool measured = timed && !timed->timings.ways.empty();
  const std::string apart = measured ? ui::number(timed->timings.largest_difference, 1) : "";
  return {
      of(Way::per_head, "loop", "head by head", ", each with small products of its own",
         "One head after the other, each with small products of its own; Q, K, V and the pattern of one head are held "
         "at a time."),
      of(Way::combined, "combined", "all heads at once", " in large products, all patterns held",
         "One product gives the Q of all heads, one their K and one their V; then the patterns of all heads are held "
         "at once."),
      of(Way::tiled, "tiles", "running softmax, never n × n", "",
         "Q, K and V as combined; then the scores tile by tile with a running softmax, so that no n × n matrix is "
         "ever held. See Tile by tile."),
      {"same", "all three", "give the same Y" + (measured ? ", within " + apart : ""),
       measured ? " of its largest number" : "",
       "The same numbers within rounding" +
           (measured ? ": apart by at most " + apart + " of the largest number of Y." : "."),
       frame.theme.ink, false}};
}

// One after the other, as many in a line as fit whole.
template <class Place>
float flow(const Frame& frame, float width, const Place& place) {
  ImFont* font = frame.fonts.small;
  const float line = std::round(1.35f * font->FontSize), swatch = 4 * frame.unit;
  const float gap = 3.5f * frame.unit;
  const auto width_of = [&](const KeyItem& item, const std::string& text) {
    return (item.swatch ? swatch : 0) + text_width(font, item.label + " " + text);
  };
  std::vector<KeyItem> items = key_items(frame);
  float all = -gap;
  for (const KeyItem& item : items) all += width_of(item, item.text + item.more) + gap;
  float x = 0, y = 0;
  for (KeyItem& item : items) {
    if (all <= width) item.text += item.more;
    const float wide = width_of(item, item.text);
    if (x > 0 && x + wide > width) x = 0, y += line;
    place(item, ImVec2(x, y), wide);
    x += wide + gap;
  }
  return y + line;
}

}  // namespace

float ways_key_height(const Frame& frame, float width) {
  return flow(frame, width, [](const KeyItem&, ImVec2, float) {});
}

void draw_ways_key(const Frame& frame, ImVec2 pos, float width) {
  ImFont* font = frame.fonts.small;
  ImDrawList* list = ImGui::GetWindowDrawList();
  flow(frame, width, [&](const KeyItem& item, ImVec2 offset, float wide) {
    float x = pos.x + offset.x;
    const float y = pos.y + offset.y, middle = std::round(y + 0.55f * font->FontSize);
    ui::probe({"tradeoff/timing/key/", item.name}, {x, y}, {x + wide, y + font->FontSize});
    if (item.swatch) {
      list->AddRectFilled({x, middle - 0.5f * frame.unit}, {x + 3 * frame.unit, middle + 0.5f * frame.unit},
                          item.color);
      x += 4 * frame.unit;
    }
    if (ui::under_pointer({x, y}, {pos.x + offset.x + wide, y + font->FontSize})) tooltip({item.tip});
    const std::string label = item.label + (item.swatch ? "" : " ");
    text_at(list, font, {x, y}, frame.theme.ink, label);
    x += text_width(font, label);
    text_at(list, font, {x, y}, frame.theme.ink_soft, clipped(font, item.text, pos.x + width - x));
  });
}

}  // namespace hydra::tradeoff
