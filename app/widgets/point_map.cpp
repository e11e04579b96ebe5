#include "app/widgets/point_map.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/draw/canvas.h"
#include "app/draw/color_map.h"
#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "app/draw/probe.h"
#include "app/widgets/mouse_area.h"
#include "app/widgets/room.h"

namespace hydra {

namespace {

constexpr int kMostApart = 64;  // points that make room for each other

class Plane {
 public:
  Plane(Canvas& canvas, const PointMap& map, ImVec2 pos, float side)
      : canvas_(canvas), m_(map), pos_(pos), side_(side) {
    float most = radius_of("00");
    for (const MapPoint& point : *map.points) most = std::max(most, point.text.empty() ? 0 : radius_of(point.text));
    // Not where the numbers would cover most of the plane.
    numbered_ = real(map.points->size()) * 10 * most * most <= side * side;
    radius_ = numbered_ ? most : std::max(3.0f, 0.9f * map.unit);
    inset_ = most + 2 * map.unit;
    if (count() <= kMostApart) stand_apart();
  }

  PointMapResult draw(const char* name, bool hovered) {
    ground();
    PointMapResult result;
    if (hovered) result.hovered = nearest(ImGui::GetIO().MousePos);
    result.clicked = result.hovered >= 0 && ui::clicked();
    const int front = result.hovered >= 0 ? result.hovered : m_.marked;
    for (int k = 0; k < count(); ++k) belonging(k);
    if (valid(m_.marked) && valid(m_.paired) && m_.marked != m_.paired)
      canvas_.line(place(m_.marked), place(m_.paired), m_.theme->ink, 1.5f);
    for (int k = 0; k < count(); ++k)
      if (k != front && k != m_.paired) point(k);
    if (valid(m_.paired) && m_.paired != front) point(m_.paired);
    if (valid(front)) point(front);
    if (ui::probe_recorder())
      for (int k = 0; k < count(); ++k) {
        const ImVec2 at = place(k);
        ui::probe({name, "/", k + 1}, {at.x - radius_, at.y - radius_}, {at.x + radius_, at.y + radius_});
      }
    return result;
  }

 private:
  int count() const { return int_size(*m_.points); }
  float radius_of(const std::string& text) const { return 0.6f * text_width(m_.font, text) + 0.75f * m_.unit; }
  std::string text_of(int k) const {
    const MapPoint& point = nth(*m_.points, k);
    return point.text.empty() ? std::to_string(k + 1) : point.text;
  }
  bool valid(int k) const { return k >= 0 && k < count(); }
  float scale() const { return (0.5f * side_ - inset_) / real(m_.half_side); }  // pixels to a distance of 1
  ImVec2 place(int k) const { return apart_.empty() ? true_place(k) : nth(apart_, k); }
  ImVec2 true_place(int k) const {
    const MapPoint& point = nth(*m_.points, k);
    return {pos_.x + 0.5f * side_ + scale() * point.x, pos_.y + 0.5f * side_ - scale() * point.y};
  }

  // Each where it belongs, or if one before it covers its number, in the nearest free place around that.
  void stand_apart() {
    constexpr int kPlaces = 12;  // of a ring
    const float covers = 1.7f * radius_, free = 2 * (radius_ + 1.5f);
    const auto clear = [&](ImVec2 at, float least) {
      return std::ranges::none_of(apart_,
                                  [&](ImVec2 other) { return std::hypot(at.x - other.x, at.y - other.y) < least; });
    };
    apart_.reserve(m_.points->size());
    for (int k = 0; k < count(); ++k) {
      const ImVec2 own = true_place(k);
      ImVec2 at = own;
      bool found = clear(own, covers);
      for (int place = 0; !found && place < kPlaces * count(); ++place) {
        const float ring = free * (1 + 0.5f * real(place / kPlaces));
        const float angle = 6.2831853f * real(place % kPlaces) / kPlaces;
        at = {own.x + ring * std::cos(angle), own.y + ring * std::sin(angle)};
        found = within(at) && clear(at, free);
      }
      apart_.push_back(found ? at : own);
    }
  }
  bool within(ImVec2 at) const {
    const float edge = radius_ + 1;
    return at.x >= pos_.x + edge && at.y >= pos_.y + edge && at.x <= pos_.x + side_ - edge &&
           at.y <= pos_.y + side_ - edge;
  }

  void ground() {
    const Theme& theme = *m_.theme;
    const ImVec2 end{pos_.x + side_, pos_.y + side_};
    canvas_.fill(pos_, end, theme.panel);
    const float x = std::round(pos_.x + 0.5f * side_), y = std::round(pos_.y + 0.5f * side_);
    canvas_.fill({x, pos_.y}, {x + 1, end.y}, theme.line);
    canvas_.fill({pos_.x, y}, {end.x, y + 1}, theme.line);
    canvas_.frame(pos_, end, theme.line);
    scale_bar(end);
  }

  // How far apart is how much.
  void scale_bar(ImVec2 end) {
    const double length = ui::nice_ceiling(0.25 * m_.half_side);
    const float width = real(length) * scale(), y = std::round(end.y - 2 * m_.unit);
    const float x = std::round(pos_.x + 2 * m_.unit);
    canvas_.fill({x, y}, {x + width, y + 1}, m_.theme->ink_soft);
    for (const float edge : {x, std::round(x + width)})
      canvas_.fill({edge, y - m_.unit}, {edge + 1, y + 1}, m_.theme->ink_soft);
    canvas_.text_at(m_.font, {x + width + 1.5f * m_.unit, y - 0.75f * m_.font->FontSize}, m_.theme->ink_soft,
                    ui::number(length, As::axis));
  }

  void belonging(int k) const {
    const ImVec2 at = place(k), own = true_place(k);
    if (at.x == own.x && at.y == own.y) return;
    canvas_.line(own, at, nth(*m_.points, k).color, 1.5f);
    canvas_.disc(own, 2.5f, m_.theme->ink);
  }

  void point(int k) {
    const MapPoint& p = nth(*m_.points, k);
    const ImVec2 at = place(k);
    const bool strong = k == m_.marked || k == m_.paired;
    const float radius = strong && !numbered_ ? std::max(radius_of("00"), radius_of(text_of(k))) : radius_;
    canvas_.disc(at, radius + 1, m_.theme->panel);
    canvas_.disc(at, radius, p.color);
    if (strong) canvas_.ring(at, radius + 1.5f, m_.theme->hover, 2);
    if (k == m_.focused) canvas_.ring(at, radius + 0.9f * m_.unit, m_.theme->accent, 2);
    if (numbered_ || strong) canvas_.text_centered(m_.font, {at.x + 0.5f, at.y}, ink_on(rgb_of(p.color)), text_of(k));
  }

  int nearest(ImVec2 mouse) const {
    float best = radius_ + 2 * m_.unit;
    best *= best;
    int found = -1;
    for (int k = 0; k < count(); ++k) {
      const ImVec2 at = place(k);
      const float away = (at.x - mouse.x) * (at.x - mouse.x) + (at.y - mouse.y) * (at.y - mouse.y);
      if (away < best) best = away, found = k;
    }
    return found;
  }

  Canvas& canvas_;
  const PointMap& m_;
  ImVec2 pos_;
  float side_, radius_ = 0, inset_ = 0;
  bool numbered_ = true;
  std::vector<ImVec2> apart_;  // where the points stand
};

}  // namespace

PointMapResult draw_point_map(Canvas& canvas, const char* name, const PointMap& map, ImVec2 pos, float side) {
  ImGui::SetCursorScreenPos(pos);
  const bool hovered = ui::telling_area(name, {side, side});
  ui::probe(name);
  ui::name_if_framed(map.title);
  return Plane(canvas, map, pos, side).draw(name, hovered);
}

}  // namespace hydra
