#include "app/draw/recording.h"

#include <algorithm>
#include <cmath>

#include "imgui_internal.h"

namespace hydra {

namespace {

constexpr float kEndless = 1e5f;  // pixels: of what has no end of its own

Box between(ImVec2 min, ImVec2 max) { return {min, {max.x - min.x, max.y - min.y}}; }

Box common(const Box& a, const Box& b) {
  const ImVec2 min{std::max(a.pos.x, b.pos.x), std::max(a.pos.y, b.pos.y)};
  return between(min,
                 {std::max(min.x, std::min(a.right(), b.right())), std::max(min.y, std::min(a.bottom(), b.bottom()))});
}

Box around(const std::vector<ImVec2>& points, float more) {
  ImVec2 low = points.front(), high = low;
  for (const ImVec2& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  return between({low.x - more, low.y - more}, {high.x + more, high.y + more});
}

// Turned about the lower left corner, which lies at its place.
Box turned(const Recording::Words& words) {
  const float angle = words.degrees * 3.14159265f / 180, c = std::cos(angle), s = std::sin(angle);
  std::vector<ImVec2> corners;
  for (const float x : {0.0f, words.width})
    for (const float y : {0.0f, words.height})
      corners.push_back({words.corner.x + c * x - s * y, words.corner.y - s * x - c * y});
  return around(corners, 0);
}

struct Extent {
  Box operator()(const Recording::Fill& f) const { return between(f.min, f.max); }
  Box operator()(const Recording::Outline& o) const {
    const float half = 0.5f * o.thick;
    return between({o.min.x - half, o.min.y - half}, {o.max.x + half, o.max.y + half});
  }
  Box operator()(const Recording::Path& p) const { return around(p.points, 0.5f * p.thick); }
  Box operator()(const Recording::Polygon& p) const { return around(p.corners, 0); }
  Box operator()(const Recording::Disc& d) const {
    const float r = d.radius + 0.5f * d.thick;
    return {{d.center.x - r, d.center.y - r}, {2 * r, 2 * r}};
  }
  Box operator()(const Recording::Words& w) const {
    return w.degrees != 0 ? turned(w) : Box{w.corner, {w.width, w.height}};
  }
  Box operator()(const Heatmap& h) const { return between(h.min, h.max); }
};

}  // namespace

Box extent(const Recording::What& what) { return std::visit(Extent(), what); }

std::optional<Box> seen(const Recording::Mark& mark) {
  const Box whole = extent(mark.what), left = common(whole, mark.clip);
  if ((left.size.x <= 0 && whole.size.x > 0) || (left.size.y <= 0 && whole.size.y > 0)) return std::nullopt;
  return left;
}

// Lines round what stands at the edge are a little beyond it.
Box Recording::everything() { return {{-4, -4}, {kEndless, kEndless}}; }

void Recording::clear() {
  marks_.clear(), below_.clear(), groups_.clear(), rooms_.clear(), layers_.clear();
  clips_.assign(1, everything());
  group_ = -1;
  into_below_ = false;
  lacks_.clear();
}

void Recording::add(What what, ImU32 color) {
  if ((color & IM_COL32_A_MASK) == 0) return;
  const Box box = extent(what);
  if (!std::isfinite(box.pos.x + box.pos.y + box.size.x + box.size.y)) return;  // nowhere
  (into_below_ ? below_ : marks_).push_back({std::move(what), clips_.back(), group_});
}

void Recording::fill(ImVec2 min, ImVec2 max, ImU32 color, float rounding) {
  add(Fill{min, max, color, color, rounding}, color);
}
void Recording::frame(ImVec2 min, ImVec2 max, ImU32 color, float thick, float rounding) {
  add(Outline{min, max, color, thick, rounding}, color);
}
void Recording::fade(ImVec2 min, ImVec2 max, ImU32 above, ImU32 below) {
  add(Fill{min, max, above, below}, above | below);
}
void Recording::line(ImVec2 from, ImVec2 to, ImU32 color, float thick) {
  // As the screen has it: through the middle of pixels, where all other shapes are at their edges.
  add(Path{{{from.x + 0.5f, from.y + 0.5f}, {to.x + 0.5f, to.y + 0.5f}}, color, thick}, color);
}
void Recording::path(std::span<const ImVec2> points, ImU32 color, float thick, bool closed) {
  if (!points.empty()) add(Path{{points.begin(), points.end()}, color, thick, closed}, color);
}
void Recording::curve(ImVec2 from, ImVec2 by, ImVec2 and_by, ImVec2 to, ImU32 color, float thick, int) {
  add(Path{{from, by, and_by, to}, color, thick, false, true}, color);
}
void Recording::polygon(std::span<const ImVec2> corners, ImU32 color) {
  if (!corners.empty()) add(Polygon{{corners.begin(), corners.end()}, color}, color);
}
void Recording::disc(ImVec2 center, float radius, ImU32 color) { add(Disc{center, radius, color}, color); }
void Recording::ring(ImVec2 center, float radius, ImU32 color, float thick) {
  add(Disc{center, radius - 0.5f, color, thick}, color);
}

namespace {

// In lines that are no wider, by ImGui's own rule.
std::string in_lines(ImFont* font, float scale, const std::string& text, float width) {
  std::string lines;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    const char* line_end = std::min(std::find(at, end, '\n'), font->CalcWordWrapPositionA(scale, at, end, width));
    if (line_end == at && *at != '\n') ++line_end;
    lines.append(at, line_end);
    at = line_end;
    while (at < end && (*at == ' ' || *at == '\t')) ++at;
    if (at < end && *at == '\n') ++at;
    if (at < end) lines += '\n';
  }
  return lines;
}

}  // namespace

void Recording::text(const DrawnText& text) {
  if (text.shown.empty()) return;
  const float scale = text.size / text.font->FontSize;
  Words words{text.font, text.size, text.corner, text.ink, text.shown, text.meant, text.degrees, 0, 0};
  if (text.wrap > 0) words.shown = in_lines(text.font, scale, text.shown, text.wrap);
  for (std::size_t at = 0; at <= words.shown.size();) {
    const std::size_t end = std::min(words.shown.find('\n', at), words.shown.size());
    words.width = std::max(words.width, scale * text_width(text.font, words.shown.substr(at, end - at)));
    words.lines += end < words.shown.size();
    at = end + 1;
  }
  words.height = static_cast<float>(words.lines) * text.size;
  add(std::move(words), text.ink);
}

void Recording::cells(const Heatmap& heatmap) {
  if (heatmap.matrix && heatmap.rows > 0 && heatmap.cols > 0) add(heatmap, IM_COL32_A_MASK);
}

void Recording::open(std::string_view name) {
  groups_.push_back({std::string(name), group_});
  group_ = static_cast<int>(groups_.size()) - 1;
}
void Recording::close() { group_ = groups_[static_cast<std::size_t>(group_)].around; }

void Recording::push_clip(ImVec2 min, ImVec2 max) { clips_.push_back(common(clips_.back(), between(min, max))); }
void Recording::pop_clip() { clips_.pop_back(); }
Box Recording::visible() const { return clips_.back(); }

bool Recording::begin_room(const char* name, ImVec2 pos, ImVec2 size, Scrolls scrolls) {
  ImGui::SetCursorScreenPos(pos);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  // One that does not scroll cuts what it has no room for, as on the screen.
  const Box room{pos, {scrolls == Scrolls::sideways ? kEndless : size.x, scrolls == Scrolls::no ? size.y : kEndless}};
  ImGui::BeginChild(name, room.size, false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  rooms_.push_back({pos, size});
  clips_.push_back(scrolls == Scrolls::no ? common(clips_.back(), room) : room);
  return true;
}

void Recording::end_room() {
  const Room room = rooms_.back();
  const ImVec2 end = ImGui::GetCurrentWindow()->DC.CursorMaxPos;
  const Box clip = clips_.back();
  const ImVec2 lack{clip.size.x >= kEndless ? end.x - room.pos.x - room.size.x : 0,
                    clip.size.y >= kEndless ? end.y - room.pos.y - room.size.y : 0};
  if (lack.x > 0 || lack.y > 0) lacks_.push_back({group_, lack});
  clips_.pop_back();
  rooms_.pop_back();
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

void Recording::frame_over(ImVec2 min, ImVec2 max, ImU32 color, float thick, float rounding, const Box& within) {
  clips_.push_back(common(everything(), within));
  frame(min, max, color, thick, rounding);
  clips_.pop_back();
}

void Recording::begin_layers() { layers_.push_back(marks_.size()); }
void Recording::end_layers() {
  marks_.insert(marks_.begin() + static_cast<std::ptrdiff_t>(layers_.back()), std::make_move_iterator(below_.begin()),
                std::make_move_iterator(below_.end()));
  below_.clear();
  layers_.pop_back();
}
void Recording::begin_below() { into_below_ = !layers_.empty(); }
void Recording::end_below() { into_below_ = false; }

bool Recording::is_in(int group, std::string_view name) const {
  for (; group >= 0; group = groups_[static_cast<std::size_t>(group)].around)
    if (groups_[static_cast<std::size_t>(group)].name == name) return true;
  return false;
}

ImVec2 Recording::lacking(std::string_view name) const {
  ImVec2 most{0, 0};
  for (const Lack& lack : lacks_)
    if (is_in(lack.group, name)) most = {std::max(most.x, lack.size.x), std::max(most.y, lack.size.y)};
  return most;
}

std::vector<const Recording::Mark*> Recording::of(std::string_view name) const {
  std::vector<const Mark*> found;
  for (const Mark& mark : marks_)
    if (is_in(mark.group, name)) found.push_back(&mark);
  return found;
}

}  // namespace hydra
