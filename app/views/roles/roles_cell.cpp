#include "app/views/roles/roles_parts.h"

#include "app/views/frame/ui.h"

namespace hydra {

namespace {

ImU32 faded(ImU32 color, float alpha) {
  const auto a = static_cast<ImU32>(real((color & IM_COL32_A_MASK) >> IM_COL32_A_SHIFT) * alpha);
  return (color & ~IM_COL32_A_MASK) | (a << IM_COL32_A_SHIFT);
}

void number(const Frame& frame, const RoleTable& table, const RoleColumn& column, const RoleMeasures& measures,
            bool best, ImVec2 a, ImVec2 b, ImU32 color) {
  const double value = value_of(column, measures);
  const std::string text = spelled(frame, cell_text(column, measures));
  ImFont* font = frame.fonts.mono;
  const float thick = std::max(2.0f, 0.75f * frame.unit);
  // The number and its bar stay together in the middle of a tall row.
  const float slack = 0.5f * std::max(0.0f, b.y - a.y - font->FontSize - 0.75f * frame.unit - thick);
  a.y += slack;
  b.y -= slack;
  frame.canvas.text_up_to(font, {b.x, a.y},
                          std::isnan(value) ? frame.theme.ink_faint
                          : best            ? frame.theme.ink
                                            : frame.theme.ink_soft,
                          text);
  if (std::isnan(value)) return;
  const NumberRange range = bar_range(column, measures.tokens());
  const auto x_of = [&](double v) {
    const auto t = real((std::clamp(v, range.low, range.high) - range.low) / (range.high - range.low));
    return a.x + t * (b.x - a.x);
  };
  const float top = b.y - thick;
  frame.canvas.fill({a.x, top}, {b.x, b.y}, frame.theme.line);
  const float zero = x_of(0), end = x_of(value);
  frame.canvas.fill({std::min(zero, end), top}, {std::max(zero, end), b.y}, color);
  if (const double chance = value_of(column, table.chance); !std::isnan(chance))
    frame.canvas.line({x_of(chance), top - 0.75f * frame.unit}, {x_of(chance), b.y + 0.5f * frame.unit},
                      frame.theme.ink, 1.5f);
  if (frame.view.presentation) return;  // the rest is told by the tip
  if (const double limit = chance_limit(column, table); !std::isnan(limit))
    frame.canvas.line({x_of(limit), top}, {x_of(limit), b.y}, frame.theme.ink_soft, 1.0f);
  const float middle = 0.5f * (top + b.y), radius = 0.6f * frame.unit;
  if (column.kind == RoleColumn::Kind::relation || column.kind == RoleColumn::Kind::job) {
    const bool job = column.kind == RoleColumn::Kind::job;
    const double offset =
        job ? measures.jobs[column.index].offset_accuracy : measures.relations[column.index].offset_accuracy;
    if (!std::isnan(offset)) frame.canvas.ring({x_of(offset), middle}, radius + 1, frame.theme.ink, 1.2f);
  }
  if (const double accuracy = accuracy_of(column, measures); !std::isnan(accuracy))
    frame.canvas.disc({x_of(accuracy), middle}, radius, frame.theme.ink);
}

// The attention at the offsets -4 to 4, and over each that of random heads.
void profile(const Frame& frame, const RoleTable& table, const RoleMeasures& measures, ImVec2 a, ImVec2 b,
             ImU32 color) {
  const float step = (b.x - a.x) / 9;
  for (int k = -4; k <= 4; ++k) {
    const float left = a.x + real(k + 4) * step, right = left + step - 2;
    const auto y_of = [&](double value) { return b.y - real(value) * (b.y - a.y); };
    frame.canvas.line({left, b.y}, {right, b.y}, frame.theme.line);
    const double value = measures.offset(k).attention, chance = table.chance.offset(k).attention;
    if (!std::isnan(value)) frame.canvas.fill({left, y_of(value)}, {right, b.y}, color);
    if (!std::isnan(chance)) frame.canvas.line({left, y_of(chance)}, {right, y_of(chance)}, frame.theme.ink, 1);
  }
}

}  // namespace

void draw_role_cell(const Frame& frame, const RoleColumn& column, const HeadPlace& place, bool best, ImVec2 low,
                    ImVec2 high) {
  const RoleTable& table = shown_roles(frame, place.layer);
  const RoleMeasures& measures = nth(table.heads, place.head);
  if (hides(frame, column))
    return frame.canvas.text_up_to(frame.fonts.mono, {high.x, low.y}, frame.theme.ink_faint, "?");
  const ImU32 color = best ? head_color(frame, place.head) : faded(frame.theme.ink_soft, 0.55f);
  if (column.kind == RoleColumn::Kind::profile)
    profile(frame, table, measures, low, high, color);
  else
    number(frame, table, column, measures, best, low, high, color);
}

}  // namespace hydra
