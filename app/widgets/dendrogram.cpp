#include "app/widgets/dendrogram.h"

#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "app/draw/probe.h"

namespace hydra {

namespace {

// Where a cluster's line leaves for the next join.
struct Node {
  float x, y;
  bool strong;
};

class Drawn {
 public:
  Drawn(Canvas& canvas, const Dendrogram& d) : canvas_(canvas), d_(d) {
    const std::size_t leaves = d.leaves->size();
    nodes_.reserve(2 * leaves);
    for (std::size_t k = 0; k < leaves; ++k)
      nodes_.push_back({d.left, (*d.leaves)[k], static_cast<int>(k) == d.marked});
    for (const Merge& merge : d.tree->merges) {
      const Node &a = node(merge.left), &b = node(merge.right);
      nodes_.push_back({x_of(merge.distance), 0.5f * (a.y + b.y), a.strong || b.strong});
    }
  }

  // Weak lines first, so that the strong ones are whole.
  int draw(bool hovered) {
    const int under = hovered ? join_at(ImGui::GetIO().MousePos) : -1;
    for (const bool strong : {false, true})
      for (std::size_t k = 0; k < d_.tree->merges.size(); ++k) join(k, strong, static_cast<int>(k) == under);
    return under;
  }

 private:
  const Node& node(int cluster) const { return nth(nodes_, cluster); }
  const Node& node_of_join(std::size_t k) const { return nodes_[d_.leaves->size() + k]; }
  float x_of(double distance) const { return d_.left + d_.width * real(std::clamp(distance / d_.end, 0.0, 1.0)); }

  void join(std::size_t k, bool strong, bool under) {
    const Merge& merge = d_.tree->merges[k];
    const Node &a = node(merge.left), &b = node(merge.right), &at = node_of_join(k);
    const float thick = std::max(1.0f, std::round(0.3f * d_.unit));
    const auto line = [&](ImVec2 from, ImVec2 to, bool is_strong) {
      if (is_strong != strong) return;
      canvas_.fill({std::min(from.x, to.x) - 0.5f * thick, std::min(from.y, to.y) - 0.5f * thick},
                   {std::max(from.x, to.x) + 0.5f * thick, std::max(from.y, to.y) + 0.5f * thick},
                   is_strong || under ? d_.theme->ink : d_.theme->ink_faint);
    };
    line({a.x, a.y}, {at.x, a.y}, a.strong || under);
    line({b.x, b.y}, {at.x, b.y}, b.strong || under);
    line({at.x, a.y}, {at.x, at.y}, a.strong || under);
    line({at.x, b.y}, {at.x, at.y}, b.strong || under);
  }

  int join_at(ImVec2 mouse) const {
    float nearest = 1.5f * d_.unit;
    int found = -1;
    for (std::size_t k = 0; k < d_.tree->merges.size(); ++k) {
      const Merge& merge = d_.tree->merges[k];
      const Node &a = node(merge.left), &b = node(merge.right), &at = node_of_join(k);
      if (mouse.y < std::min(a.y, b.y) - d_.unit || mouse.y > std::max(a.y, b.y) + d_.unit) continue;
      const float away = std::abs(mouse.x - at.x);
      if (away < nearest) nearest = away, found = static_cast<int>(k);
    }
    return found;
  }

  Canvas& canvas_;
  const Dendrogram& d_;
  std::vector<Node> nodes_;
};

void draw_axis(Canvas& canvas, const Dendrogram& d) {
  const float y = std::round(d.axis), end = d.left + d.width;
  canvas.fill({d.left, y}, {end, y + 1}, d.theme->ink_soft);
  for (const float x : {d.left, end - 1})
    canvas.fill({std::round(x), y - d.unit}, {std::round(x) + 1, y}, d.theme->ink_soft);
  const std::string far = ui::number(d.end, As::rough);
  const float width = text_width(d.font, far), under = y + 0.75f * d.unit;
  canvas.text_at(d.font, {d.left, under}, d.theme->ink_soft, "0");
  canvas.text_at(d.font, {end - width, under}, d.theme->ink_soft, far);
  const float from = d.left + text_width(d.font, "0") + d.unit, room = end - width - d.unit - from;
  if (text_width(d.font, d.caption) <= room)
    canvas.text_centered(d.font, {from + 0.5f * room, under + 0.5f * d.font->FontSize}, d.theme->ink_soft, d.caption);
}

}  // namespace

int draw_dendrogram(Canvas& canvas, const char* name, const Dendrogram& dendrogram, float top, float bottom) {
  const ImVec2 low{dendrogram.left, top}, high{dendrogram.left + dendrogram.width + dendrogram.unit, bottom};
  const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(low, high);
  const int join = Drawn(canvas, dendrogram).draw(hovered);
  draw_axis(canvas, dendrogram);
  ui::probe(name, low, high);
  return join;
}

std::vector<int> leaves_of(const Clustering& tree, int join) {
  const int leaves = int_size(tree.leaves);
  std::vector<bool> within(static_cast<std::size_t>(leaves), false);
  std::vector<int> open{leaves + join};
  while (!open.empty()) {
    const int cluster = open.back();
    open.pop_back();
    if (cluster < leaves) {
      nth(within, cluster) = true;
      continue;
    }
    const Merge& merge = nth(tree.merges, cluster - leaves);
    open.push_back(merge.left);
    open.push_back(merge.right);
  }
  std::vector<int> found;
  for (const int leaf : tree.leaves)
    if (nth(within, leaf)) found.push_back(leaf);
  return found;
}

}  // namespace hydra
