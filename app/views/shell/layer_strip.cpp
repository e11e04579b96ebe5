#include "app/views/shell/layer_strip.h"

#include "app/views/learn/learn_layout.h"

#include "app/views/frame/ui.h"
#include "app/widgets/matrix/square_groups.h"

namespace hydra {

namespace {

struct StripScroll {
  int layer = -1;  // that it was last scrolled to
};

class LayerStrip : Drawing {
 public:
  explicit LayerStrip(Frame& frame)
      : Drawing(frame),
        known_(frame.trace.layers.size() == frame.document.layers.size()),
        focus_(known_ ? frame.view.layer : frame.out.layer) {}

  void draw() {
    const ImVec2 pos = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x,
                label = text_width(fonts_.small, wording("panels:strip")) + 2 * u_;
    lay_out(width - label - 2 * inset());
    const float content = head() + squares() + 2 * inset(), scrollbar = ImGui::GetStyle().ScrollbarSize;
    const ImVec2 size{width - label, content + (scrolls() ? scrollbar : 0)};
    canvas_.text_at(fonts_.small, {pos.x, pos.y + inset()}, theme_.ink_faint, wording("panels:strip"));
    if (canvas_.begin_room("layers", {pos.x + label, pos.y}, size, Scrolls::sideways)) {
      follow_focus(size.x);
      draw_layers(ImGui::GetCursorScreenPos());
    }
    canvas_.end_room();
    ImGui::SetCursorScreenPos({pos.x, pos.y + size.y + 2 * u_});
    canvas_.line({pos.x, pos.y + size.y + u_}, {pos.x + width, pos.y + size.y + u_}, theme_.line);
    ui::probe("layers", pos, {pos.x + width, pos.y + size.y});
  }

 private:
  float inset() const { return std::round(0.75f * u_); }  // of the frame around the layer in focus
  float head() const { return std::round(1.15f * small_); }
  float squares() const { return std::round((view_.presentation ? 1.4f : 2.0f) * em_); }
  bool scrolls() const { return at_.width > room_; }
  int layers() const { return int_size(frame_.document.layers); }

  void lay_out(float width) {
    SquareGroupsInput in;
    for (const Layer& layer : frame_.document.layers) in.counts.push_back(static_cast<int>(layer.heads));
    in.width = room_ = width;
    in.height = squares();
    in.least_side = std::round(2 * u_);
    in.least_width = text_width(fonts_.small, "48");
    in.apart = 2 * inset() + 1.5f * u_;
    at_ = square_groups(in);
  }

  // The layer in focus comes into view when it becomes that; elsewhere the strip stays where it was scrolled to.
  void follow_focus(float width) const {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.MouseWheel != 0 && ImGui::IsWindowHovered())
      ImGui::SetScrollX(ImGui::GetScrollX() - 3 * em_ * io.MouseWheel);
    if (std::exchange(frame_.hands.of<StripScroll>().layer, focus_) == focus_) return;
    const SquareGroups::Group& group = nth(at_.groups, focus_);
    const float left = group.x, right = group.x + group.width + 2 * inset(), scroll = ImGui::GetScrollX();
    if (left < scroll || right > scroll + width) ImGui::SetScrollX(0.5f * (left + right - width));
  }

  void draw_layers(ImVec2 corner) {
    const Box in_sight = canvas_.visible();
    const float low = in_sight.pos.x, high = in_sight.right();
    const ImVec2 first{corner.x + inset(), corner.y + inset()};
    std::vector<int> seen;
    for (int k = 0; k < layers(); ++k) {
      const SquareGroups::Group& group = nth(at_.groups, k);
      const bool in_view = first.x + group.x <= high && first.x + group.x + group.width >= low;
      if (in_view) seen.push_back(k);
      if (in_view) pictures(k, first);
      name_heads(k, first);
      if (in_view) continue;  // its item has a name
      const Box box = block(k, first);
      ui::probe({"layers/", k + 1}, box.pos, box.end());
    }
    for (const int k : seen) marks(k, first);
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({at_.width + 2 * inset(), 1});
  }

  ImVec2 square(int layer, int head_index, ImVec2 first) const {
    const ImVec2 at = at_.place(layer, head_index);
    return {first.x + at.x, first.y + head() + at.y};
  }

  // First all pictures, with nothing drawn between, so that they share draw calls.
  void pictures(int k, ImVec2 first) {
    const LayerTrace<float>* layer = known_ ? &frame_.trace.layer(k) : nullptr;
    const bool two_sided =
        layer && is_signed(layer->input.settings);  // one range for all layers: they are not in focus
    const ValueScale scale = two_sided ? ValueScale{diverging(frame_), -1, 1} : ValueScale{sequential(frame_), 0, 1};
    for (int h = 0; h < heads(k); ++h) {
      const ImVec2 low = square(k, h, first), high{low.x + at_.side, low.y + at_.side};
      const bool there = layer && std::ssize(layer->heads) == heads(k);
      const Array<float> pattern = there ? frame_.derived.small_pattern(k, h, at_.side * pixels()) : nullptr;
      if (!pattern) {
        canvas_.fill(low, high, theme_.line);
        continue;
      }
      Heatmap heatmap = heatmap_of({pattern, 0, 0, pattern.rows(), pattern.cols()}, low, high, scale);
      heatmap.alpha = layer->input.gate(h) == 0 ? 0.3f : is_older(k) ? 0.6f : 1.0f;
      canvas_.cells(heatmap);
    }
  }

  static float pixels() { return std::max(1.0f, ImGui::GetIO().DisplayFramebufferScale.x); }
  bool is_older(int layer) const { return frame_.trace.older_from && layer >= *frame_.trace.older_from; }
  int heads(int layer) const { return static_cast<int>(frame_.document.layer(layer).heads); }

  Box block(int k, ImVec2 first) const {
    const SquareGroups::Group& group = nth(at_.groups, k);
    return {{first.x + group.x - inset(), first.y - inset()},
            {group.width + 2 * inset(), head() + squares() + 2 * inset()}};
  }

  void marks(int k, ImVec2 first) {
    const bool focused = k == focus_;
    const Box box = block(k, first);
    for (int h = 0; h < heads(k); ++h) {
      const ImVec2 low = square(k, h, first), high{low.x + at_.side, low.y + at_.side};
      if (at_.side >= 12) canvas_.frame(low, high, theme_.line);
      if (focused && h == view_.focused_head)
        canvas_.frame(low, high, head_color(frame_, h), at_.side >= 12 ? 2.0f : 1.0f);
    }
    const std::string number = std::to_string(k + 1) + (is_older(k) ? " …" : "");
    canvas_.text_at(fonts_.small, {box.pos.x + inset(), box.pos.y + inset()}, ink_for(frame_, focused), number);
    if (focused) canvas_.frame(box.pos, box.end(), theme_.accent, 2);
    const Canvas::Item item = canvas_.item({"layers/", k + 1}, box);
    if (!item.over) return;
    const ImVec2 at = ImGui::GetMousePos();
    const int h = at_.square_at(k, {at.x - first.x, at.y - first.y - head()});
    const bool on_head = h < heads(k) && at.y >= first.y + head();
    if (!focused) canvas_.frame(box.pos, box.end(), theme_.hover, 1);
    const std::string place = on_head ? wording("panels:strip.head", {{"layer", k + 1}, {"head", h + 1}})
                                      : wording("panels:strip.layer", {{"layer", k + 1}});
    ui::tip(frame_, is_older(k) ? wording("panels:strip.tip.older", {{"place", place}})
                                : wording("panels:strip.tip", {{"place", place}}));
    if (item.clicked && known_) frame_.out.act(act::GoTo{k, on_head ? h : view_.focused_head});
  }

  void name_heads(int k, ImVec2 first) const {
    for (int h = 0; h < heads(k); ++h) {
      const ImVec2 low = square(k, h, first);
      ui::probe({"layers/", k + 1, "/", h + 1}, low, {low.x + at_.side, low.y + at_.side});
    }
  }

  bool known_;  // the trace has the document's layers; else nothing can be focused yet
  int focus_;
  float room_ = 0;
  SquareGroups at_;
};

}  // namespace

bool layer_strip_shown(const Frame& frame, ImVec2 room) {
  const float em = frame.fonts.text->FontSize;
  // A run shows all layers itself, and needs what is left of a low room; before it begins, too, so that its buttons
  // stay where they are.
  const float least = frame.view.view == ViewId::learn ? kLearnLow : 10;
  return frame.document.layers.size() > 1 && room.x >= 10 * em && room.y >= least * em;
}

void draw_layer_strip(Frame& frame) { LayerStrip(frame).draw(); }

}  // namespace hydra
