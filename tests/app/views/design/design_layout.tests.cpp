#include "app/views/design/design_layout.h"

#include <catch2/catch.hpp>

#include "app/widgets/plot/label_steps.h"

using namespace hydra;

namespace {

DesignInput input(ImVec2 size, int columns, int tokens, float text) {
  DesignInput in;
  in.pos = {218, 85};
  in.size = size;
  in.longest = 6.1f * text;
  in.longest_token = 3.6f * text;
  in.tokens = tokens;
  in.columns = columns;
  in.text = text;
  in.small = 0.833f * text;
  in.unit = 0.267f * text;
  return in;
}

struct Area {
  ImVec2 low, high;
};
bool apart(const Area& a, const Area& b) {
  return a.high.x <= b.low.x || b.high.x <= a.low.x || a.high.y <= b.low.y || b.high.y <= a.low.y;
}

// Centres of 1280x800, 1600x1000 and 1920x1080 with both panels, and of presentations (text 1.5 times as large).
const std::pair<ImVec2, float> kRooms[] = {{{736, 686}, 15},  {{965, 890}, 15},  {{1290, 970}, 15},
                                           {{1244, 604}, 22}, {{1564, 800}, 22}, {{1884, 880}, 22}};

}  // namespace

TEST_CASE("design layout: nothing overlaps and nothing leaves the view, at any size", "[app][design]") {
  for (const auto& [size, text] : kRooms)
    for (const int columns : {8, 32, 46, 64, 200})
      for (const int tokens : {1, 2, 12, 40, 100}) {
        CAPTURE(size.x, size.y, columns, tokens);
        const DesignInput in = input(size, columns, tokens, text);
        const DesignLayout at = design_layout(in);
        std::vector<Area> areas{
            {at.designer, {at.designer.x + at.designer_size.x, at.designer.y + at.designer_size.y}}};
        const auto add = [&](const FormPlace& place) {
          const float under = place.legend_width > 0 ? std::max(place.legend.y + in.small, place.corner.y + place.side)
                                                     : place.corner.y + place.side;
          areas.push_back({place.title, {place.corner.x + place.side, under}});
          CHECK(place.corner.x - place.row_labels >= place.title.x - 1);
          CHECK(place.corner.y - place.column_labels >= place.title.y + in.text - 1);
          if (place.legend_width > 0) CHECK(place.legend.x + place.legend_width <= in.pos.x + size.x + 1);
        };
        for (int k = 0; k < (at.both ? 2 : 1); ++k) add(at.forms[k]);
        if (at.pattern.side > 0) add(at.pattern);
        for (std::size_t a = 0; a < areas.size(); ++a) {
          CAPTURE(a);
          CHECK(areas[a].high.x <= in.pos.x + size.x + 1);
          CHECK(areas[a].high.y <= in.pos.y + size.y + 1);
          for (std::size_t b = 0; b < a; ++b) CHECK(apart(areas[a], areas[b]));
        }
      }
}

TEST_CASE("design layout: the named features and forty words all keep their names", "[app][design]") {
  for (const auto& [size, text] : kRooms)
    for (const int tokens : {12, 41}) {  // with the full stop
      CAPTURE(size.x, size.y, tokens);
      const DesignLayout at = design_layout(input(size, 32, tokens, text));
      CHECK(at.forms[0].side / 32 >= kLeastStep);
      CHECK(at.pattern.side / static_cast<float>(tokens) >= kLeastStep);
    }
}
