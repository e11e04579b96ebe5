#include "app/views/stream/routing_page.h"

#include "app/views/frame/ui.h"
#include "app/views/shared/pictured.h"

namespace hydra {

namespace {

double largest_beside_diagonal(const Mat<double>& derivatives) {
  Mat<double> others = derivatives;
  others.diagonal().setZero();
  return others.size() == 0 ? 0 : others.maxCoeff();
}

// Two matrices, side by side where that gives them more room than one above the other.
class RoutingPage : Drawing {
 public:
  explicit RoutingPage(Frame& frame) : Drawing(frame), shown_(frame.now.measured<RoutingMeasure>({frame.view.layer})) {}

  void draw(ImVec2 origin, ImVec2 room) {
    ui::failure_text(frame_, shown_.failure);
    if (!is_there()) return ui::waiting_text(frame_, shown_.failure);
    words(room.x);
    const ImVec2 pos{origin.x, ImGui::GetCursorScreenPos().y + 2 * u_};
    const ImVec2 size{room.x, origin.y + room.y - pos.y};
    const int pictures = shown_.value->feed_forward ? 2 : 1;
    const bool beside = size.x > size.y;
    const float gap = 6 * u_, count = real(pictures);
    const ImVec2 each = beside ? ImVec2{(size.x - gap * (count - 1)) / count, size.y}
                               : ImVec2{size.x, (size.y - gap * (count - 1)) / count};
    picture(pos, each, false);
    const ImVec2 second = beside ? ImVec2{pos.x + each.x + gap, pos.y} : ImVec2{pos.x, pos.y + each.y + gap};
    if (pictures == 2) picture(second, each, true);
  }

 private:
  // Of this layer, and of as many tokens; it may be a moment older.
  bool is_there() const {
    return shown_.value && shown_.wanted.layer == view_.layer &&
           shown_.value->attention.rows() == frame_.trace.X.rows() && shown_.of->tokens == frame_.trace.tokens;
  }

  void words(float width) const {
    std::vector<std::string> texts = routing_words(shown_.value->routing, *shown_.of, shown_.wanted.layer);
    for (std::string& text : texts) text = say(text);
    ui::soft_text(frame_, fitting(fonts_.small, 2 * width, texts));
    ui::probe("routing/words");
  }

  void picture(ImVec2 pos, ImVec2 size, bool feed_forward) {
    const std::string& title = wording(feed_forward ? "stream:routing.feed_forward" : "stream:routing.attention");
    const std::string& part =
        wording(feed_forward ? "stream:routing.feed_forward.brief" : "stream:routing.attention.brief");
    canvas_.text_at(fonts_.strong, pos, theme_.ink, fitting(fonts_.strong, size.x, {title, part}), size.x);
    const std::vector<std::string>& tokens = frame_.trace.tokens;
    const float left = std::min(widest(fonts_.small, tokens) + 2 * u_, 0.25f * size.x);
    const float above = std::min(left, 0.2f * size.y), title_height = em_ + 2 * u_, legend_height = small_ + 4 * u_;
    const ImVec2 room{size.x - left, size.y - title_height - above - legend_height};
    if (room.x < 4 * em_ || room.y < 4 * em_) return;
    const Array<float>& values = feed_forward ? shown_.value->feed_forward : shown_.value->attention;
    const float most = frame_.derived.max_abs(values);
    const auto [hit, heatmap] =
        hydra::picture(frame_, feed_forward ? "routing/feed_forward" : "routing/attention",
                       {feed_forward ? "routing.feed_forward" : "routing.attention",
                        title,
                        whole(values),
                        {sequential(frame_), 0, most > 0 ? real(ui::close_ceiling(most)) : 1},
                        [&](const Source& source) {
                          const auto known = source.known<RoutingMeasure>(shown_.wanted);
                          return known ? whole(feed_forward ? known->feed_forward : known->attention) : Backing{};
                        },
                        [&](Index row, Index col) { return nth(tokens, row) + " ← " + nth(tokens, col); }},
                       {pos.x + left, pos.y + title_height + above}, room, {.values = false});
    const float step = (heatmap.max.y - heatmap.min.y) / real(heatmap.rows);
    edge_labels(frame_,
                {&tokens, heatmap.min, step, left, above, static_cast<int>(hit.row), static_cast<int>(hit.col)});
    legend(frame_, heatmap.scale, {heatmap.min.x, heatmap.max.y + 1.5f * u_},
           std::max(heatmap.max.x - heatmap.min.x, 10 * small_));
    if (!hit.hovered) return;
    std::vector<std::string> lines = routing_lines(shown_.value->routing, *shown_.of, feed_forward, hit.row, hit.col);
    for (std::string& line : lines) line = say(line);
    ui::tooltip(frame_, lines);
  }

  const Measured<RoutingMeasure>& shown_;
};

}  // namespace

namespace {

std::string moved_by_heads(double most, const Trace& trace, int layer) {
  const bool only_layer = trace.layers.size() == 1;
  if (most == 0)
    return only_layer ? wording("stream:routing.heads_nothing")
                      : wording("stream:routing.heads_nothing.layer", {{"layer", layer + 1}});
  const std::string up_to = ui::number(most, As::rough);
  return only_layer ? wording("stream:routing.heads", {{"most", up_to}})
                    : wording("stream:routing.heads.layer", {{"layer", layer + 1}, {"most", up_to}});
}

std::string moved_by_feed_forward(const Routing& routing) {
  if (routing.feed_forward.size() == 0) return wording("stream:routing.no_feed_forward");
  const double most = largest_beside_diagonal(routing.feed_forward);
  if (most == 0) return wording("stream:routing.feed_forward_nothing");
  return wording("stream:routing.feed_forward_moves", {{"most", ui::number(most, As::rough)}});
}

std::string does_not_depend(bool feed_forward, const std::string& to, const std::string& from) {
  return feed_forward ? wording("stream:routing.pair.feed_forward_nothing", {{"to", to}, {"from", from}})
                      : wording("stream:routing.pair.attention_nothing", {{"to", to}, {"from", from}});
}

std::string depends(bool feed_forward, const std::string& to, const std::string& from, double value) {
  const std::string times = ui::number(value, As::rough);
  return feed_forward ? wording("stream:routing.pair.feed_forward", {{"to", to}, {"from", from}, {"times", times}})
                      : wording("stream:routing.pair.attention", {{"to", to}, {"from", from}, {"times", times}});
}

}  // namespace

std::vector<std::string> routing_words(const Routing& routing, const Trace& trace, int layer) {
  const Index d_model = trace.X.cols();
  const std::string moved =
      moved_by_heads(largest_beside_diagonal(routing.attention), trace, layer) + " " + moved_by_feed_forward(routing);
  const std::string how = routing.columns < d_model ? wording("stream:routing.how.some_columns",
                                                              {{"columns", routing.columns}, {"all", d_model}})
                                                    : wording("stream:routing.how");
  return {moved + " " + how, moved};
}

std::vector<std::string> routing_lines(const Routing& routing, const Trace& trace, bool feed_forward, Index row,
                                       Index col) {
  const std::string &to = nth(trace.tokens, row), &from = nth(trace.tokens, col);
  const double value = (feed_forward ? routing.feed_forward : routing.attention)(row, col);
  std::vector<std::string> lines{
      to + " ← " + from + ": " + ui::number(value),
      value == 0 && row != col ? does_not_depend(feed_forward, to, from) : depends(feed_forward, to, from, value)};
  if (routing.columns < trace.X.cols())
    lines.push_back(wording("stream:routing.columns", {{"columns", routing.columns}, {"all", trace.X.cols()}}));
  return lines;
}

void draw_routing_page(Frame& frame, ImVec2 origin, ImVec2 room) {
  const Canvas::Part part(frame.canvas, "stream.routing");
  RoutingPage(frame).draw(origin, room);
}

}  // namespace hydra
