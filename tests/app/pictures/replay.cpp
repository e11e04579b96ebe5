#include "tests/app/pictures/replay.h"

namespace hydra {

namespace {

class Replay {
 public:
  Replay(ImVec2 by, Canvas& canvas) : by_(by), canvas_(canvas) {}

  void operator()(const Recording::Fill& fill) {
    const ImVec2 min = moved(fill.min), max = moved(fill.max);
    if (fill.above != fill.below)
      canvas_.fade(min, max, fill.above, fill.below);
    else
      canvas_.fill(min, max, fill.above, fill.rounding);
  }
  void operator()(const Recording::Outline& outline) {
    canvas_.frame(moved(outline.min), moved(outline.max), outline.color, outline.thick, outline.rounding);
  }
  void operator()(const Recording::Path& path) {
    const std::vector<ImVec2> points = moved(path.points);
    if (path.curved)
      canvas_.curve(points[0], points[1], points[2], points[3], path.color, path.thick);
    else
      canvas_.path(points, path.color, path.thick, path.closed);
  }
  void operator()(const Recording::Polygon& polygon) { canvas_.polygon(moved(polygon.corners), polygon.color); }
  void operator()(const Recording::Disc& disc) {
    if (disc.thick > 0)
      canvas_.ring(moved(disc.center), disc.radius, disc.color, disc.thick);
    else
      canvas_.disc(moved(disc.center), disc.radius, disc.color);
  }
  void operator()(const Recording::Words& words) {
    const float wrap = words.lines > 1 ? words.width + 1 : 0;
    canvas_.text(
        {words.font, words.size, moved(words.corner), words.ink, words.shown, words.meant, words.degrees, wrap});
  }
  void operator()(Heatmap heatmap) {
    heatmap.min = moved(heatmap.min), heatmap.max = moved(heatmap.max);
    canvas_.cells(heatmap);
  }
  ImVec2 moved(ImVec2 at) const { return {at.x + by_.x, at.y + by_.y}; }

 private:
  std::vector<ImVec2> moved(std::vector<ImVec2> points) const {
    for (ImVec2& point : points) point = moved(point);
    return points;
  }

  ImVec2 by_;
  Canvas& canvas_;
};

}  // namespace

void replay(std::span<const Recording::Mark* const> marks, ImVec2 by, Canvas& canvas) {
  Replay again(by, canvas);
  for (const Recording::Mark* mark : marks) {
    const Canvas::Clip clip(canvas, again.moved(mark->clip.pos), again.moved(mark->clip.end()));
    std::visit(again, mark->what);
  }
}

}  // namespace hydra
