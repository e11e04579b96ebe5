#include "app/widgets/matrix/beyond.h"

#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/color_map.h"
#include "app/draw/format.h"
#include "app/draw/probe.h"

namespace hydra {

void Beyond::draw(Canvas& canvas, const std::string& name, const Look& look, const Box& room) const {
  mark(canvas, name + "/above", look, room, above_, true);
  mark(canvas, name + "/below", look, room, below_, false);
}

// The value stands beside the arrow, to the left where the right end is near.
void Beyond::mark(Canvas& canvas, const std::string& name, const Look& look, const Box& room, const End& end,
                  bool up) const {
  if (std::isnan(end.value)) return;
  const float u = look.unit, half = 0.9f * u, high = look.font->FontSize;
  const std::string text = ui::number(end.value, As::rough);
  const float wide = text_width(look.font, text), x = std::clamp(end.x, room.pos.x + half, room.right() - half);
  const float tip = up ? room.pos.y + 0.25f * u : room.bottom() - 0.25f * u, foot = tip + (up ? 1.6f : -1.6f) * u;
  canvas.triangle({x, tip}, {x - half, foot}, {x + half, foot}, look.theme->ink);
  const bool left = x + half + u + wide > room.right();
  const ImVec2 at{left ? x - half - u - wide : x + half + u, up ? tip : tip - high};
  canvas.fill({at.x - 1, at.y}, {at.x + wide + 1, at.y + high}, with_alpha(look.theme->ground, 200), 2);
  canvas.text_at(look.font, at, look.theme->ink, text);
  ui::probe(name, {std::min(at.x, x - half), std::min(tip, at.y)}, {std::max(at.x + wide, x + half), at.y + high});
}

}  // namespace hydra
