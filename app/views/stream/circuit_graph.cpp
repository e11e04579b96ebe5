// Heads across, layers up, and lines from who writes to who could read it.
#include "app/views/frame/ui.h"
#include "app/views/shared/head_marks.h"
#include "app/views/stream/circuit_page.h"
#include "app/views/stream/circuit_words.h"

namespace hydra {

namespace {

float distance(ImVec2 a, ImVec2 b) { return std::hypot(a.x - b.x, a.y - b.y); }

// From the point to the nearest of a run of short pieces.
float distance_to(const std::vector<ImVec2>& points, ImVec2 p) {
  float least = std::numeric_limits<float>::infinity();
  for (std::size_t k = 1; k < points.size(); ++k) {
    const ImVec2 a = points[k - 1], d{points[k].x - a.x, points[k].y - a.y};
    const float length = d.x * d.x + d.y * d.y;
    const float t = length > 0 ? std::clamp(((p.x - a.x) * d.x + (p.y - a.y) * d.y) / length, 0.0f, 1.0f) : 0;
    least = std::min(least, distance(p, {a.x + t * d.x, a.y + t * d.y}));
  }
  return least;
}

class CircuitGraph : Drawing {
 public:
  CircuitGraph(Frame& frame, const CircuitLayout& at, const std::vector<CircuitLine>& lines,
               const std::optional<CircuitLine>& opened)
      : Drawing(frame), at_(at), circuit_(*measured_circuit(frame).value), lines_(lines), opened_(opened) {}

  void draw() {
    ui::title(
        frame_, "circuit/title", at_.graph_title.pos, at_.graph_title.size.x,
        fitting(fonts_.strong, at_.graph_title.size.x,
                {wording("stream:graph.title", {{"layers", circuit_.layers()}}), wording("stream:graph.title.brief")}),
        wording("stream:graph.tip"));
    ui::probe("circuit/graph", at_.graph.pos, at_.graph.end());
    find_pointed();
    // Those that matter on top of the others.
    for (const bool strong : {false, true})
      for (std::size_t k = std::min(lines_.size(), kMostLines); k-- > 0;)
        if (is_strong(lines_[k]) == strong) line(lines_[k], strong);
    for (int k = 0; k < circuit_.layers(); ++k) layer(k);
    key();
    if (node_.layer >= 0)
      node_tip();
    else if (pointed_)
      line_tip();
  }

 private:
  struct Node {
    int layer = -1, head = 0;
    bool is(int l, int h) const { return layer == l && head == h; }
  };

  ImVec2 middle(int layer, int head) const { return head_middle(at_, layer, head, nth(circuit_.heads, layer)); }

  std::vector<ImVec2> curve(const CircuitLine& l) const {
    const float port = (static_cast<float>(static_cast<int>(l.into)) - 1) * at_.node.x / 3;
    return circuit_curve(at_, circuit_.heads, {l.layer, l.head}, {l.to_layer, l.to_head}, port);
  }

  void find_pointed() {
    if (!canvas_.over(at_.graph.pos, at_.graph.end())) return;
    const ImVec2 mouse = ImGui::GetMousePos();
    for (int k = 0; k < circuit_.layers(); ++k)
      for (int h = 0; h < nth(circuit_.heads, k); ++h) {
        const ImVec2 m = middle(k, h), reach{std::max(at_.node.x, 4.0f), std::max(at_.node.y, 4.0f)};
        if (std::abs(mouse.x - m.x) <= 0.5f * reach.x + 1 && std::abs(mouse.y - m.y) <= 0.5f * reach.y + 1)
          node_ = {k, h};
      }
    if (node_.layer >= 0) {
      if (ui::clicked()) frame_.out.act(act::GoTo{node_.layer, node_.head});
      return;
    }
    float nearest = 1.5f * u_;
    for (std::size_t k = 0; k < std::min(lines_.size(), kMostLines); ++k)
      if (const float far = distance_to(curve(lines_[k]), mouse); far < nearest) nearest = far, pointed_ = lines_[k];
    if (pointed_ && ui::clicked()) frame_.choose(view_.stream.circuit.line, pointed_);
  }

  bool of_node(const CircuitLine& l, int k, int h) const {
    return (l.layer == k && l.head == h) || (l.to_layer == k && l.to_head == h);
  }
  bool is_strong(const CircuitLine& l) const {
    if (node_.layer >= 0) return of_node(l, node_.layer, node_.head);
    if (pointed_) return l.same_place(*pointed_);
    return (opened_ && l.same_place(*opened_)) || of_node(l, marked_layer(frame_), marked_head(frame_));
  }

  void line(const CircuitLine& l, bool strong) const {
    const double least = lines_.back().score, range = std::max(1e-9, lines_.front().score - least);
    const float size = real((l.score - least) / range);
    const bool opened = opened_ && l.same_place(*opened_);
    const float thick = (1 + 2 * size) * u_ / 4 + (opened ? 0.4f * u_ : 0);
    const float cover = strong ? 1 : 0.3f + 0.35f * size;
    draw_stroke(canvas_, curve(l), l.into, mixed(theme_.ground, into_color(frame_, l.into), cover), thick);
  }

  void layer(int k) const {
    const bool focused = k == marked_layer(frame_);
    const int stride = std::max(1, static_cast<int>(std::ceil(small_ / at_.step)));
    const float y = middle(k, 0).y;
    if (is_labelled(k, stride, marked_layer(frame_)))
      canvas_.text_up_to(fonts_.small, {at_.numbers.right() - 1.5f * u_, y - 0.5f * small_}, ink_for(frame_, focused),
                         std::to_string(k + 1));
    for (int h = 0; h < nth(circuit_.heads, k); ++h) node(k, h);
  }

  void node(int k, int h) const {
    const ImVec2 m = middle(k, h);
    const ImVec2 a{std::round(m.x - 0.5f * at_.node.x), std::round(m.y - 0.5f * at_.node.y)},
        b{a.x + std::round(at_.node.x), a.y + std::round(at_.node.y)};
    const bool focused = k == marked_layer(frame_) && h == marked_head(frame_), silent = is_silent(frame_, k, h);
    const ImU32 color = silent ? mixed(theme_.ground, head_color(frame_, h), 0.35f) : head_color(frame_, h);
    const std::string number = std::to_string(h + 1);
    ImFont* font = fonts_.small;
    if (b.y - a.y >= font->FontSize && b.x - a.x >= text_width(font, number) + 2) {
      canvas_.fill(a, b, theme_.ground);
      canvas_.frame(a, b, color, 2, 2);
      canvas_.text_centered(font, {0.5f * (a.x + b.x), 0.5f * (a.y + b.y)}, silent ? theme_.ink_faint : theme_.ink,
                            number);
    } else {
      canvas_.fill(a, b, color);
    }
    if (focused) canvas_.frame({a.x - 3, a.y - 3}, {b.x + 3, b.y + 3}, theme_.accent, 2, 3);
    if (node_.is(k, h)) canvas_.frame({a.x - 2, a.y - 2}, {b.x + 2, b.y + 2}, theme_.hover, 1, 2);
    ui::probe({"circuit/head/", k + 1, "/", h + 1}, a, b);
  }

  // What the lines are, in words beside a stroke of each.
  void key() const {
    float x = at_.key.pos.x;
    const float y = at_.key.pos.y + 0.5f * small_, stroke = 3 * small_;
    for (const Into into : {Into::query, Into::key, Into::value}) {
      const std::string& name = into_words(into);
      const float width = text_width(fonts_.small, name);
      if (x + stroke + u_ + width > at_.key.right()) return;
      std::vector<ImVec2> points;
      for (int k = 0; k <= 8; ++k) points.push_back({x + stroke * real(k) / 8, y});
      draw_stroke(canvas_, points, into, into_color(frame_, into), 2);
      canvas_.text_at(fonts_.small, {x + stroke + u_, at_.key.pos.y}, theme_.ink_soft, name);
      x += stroke + width + 5 * u_;
    }
    if (lines_.size() <= kMostLines) return;
    const std::string most = wording("stream:graph.strongest", {{"most", kMostLines}, {"all", lines_.size()}});
    canvas_.text_at(fonts_.small, {x, at_.key.pos.y}, theme_.ink, most, std::max(0.0f, at_.key.right() - x));
  }

  void node_tip() const {
    long long out = 0, in = 0;
    for (const CircuitLine& l : lines_) {
      out += l.layer == node_.layer && l.head == node_.head ? 1 : 0;
      in += l.to_layer == node_.layer && l.to_head == node_.head ? 1 : 0;
    }
    const bool silent = is_silent(frame_, node_.layer, node_.head);
    ui::tooltip(frame_, {wording("stream:head_of_layer", {{"head", node_.head + 1}, {"layer", node_.layer + 1}}),
                         wording("stream:graph.lines", {{"into", in}, {"from", out}}),
                         silent ? wording("stream:graph.silenced") : "", wording("stream:graph.focus")});
  }
  void line_tip() const {
    std::vector<std::string> words = line_numbers(circuit_, *pointed_);
    for (std::string& sentence : words) sentence = say(sentence);
    words.push_back(wording("stream:graph.open"));
    ui::tooltip(frame_, words);
  }

  const CircuitLayout& at_;
  const Circuit& circuit_;
  const std::vector<CircuitLine>& lines_;
  const std::optional<CircuitLine>& opened_;
  Node node_;                           // under the pointer
  std::optional<CircuitLine> pointed_;  // or a line
};

}  // namespace

ImU32 into_color(const Frame& frame, Into into) {
  const Theme& theme = frame.theme;
  return into == Into::query ? theme.link_input : into == Into::key ? theme.gold : theme.link_affected;
}

void draw_stroke(Canvas& canvas, const std::vector<ImVec2>& points, Into into, ImU32 color, float thick) {
  if (into == Into::query) {
    canvas.path(points, color, thick);
    return;
  }
  const float on = into == Into::key ? 4 + 3 * thick : 1.2f * thick, off = into == Into::key ? 3 + thick : 2 + thick;
  float gone = 0;  // of a dash and the gap behind it
  for (std::size_t k = 1; k < points.size(); ++k) {
    const ImVec2 a = points[k - 1], b = points[k];
    const float length = distance(a, b);
    for (float done = 0; done < length;) {
      const bool drawn = gone < on;
      const float piece = std::min(length - done, (drawn ? on : on + off) - gone);
      const auto at = [&](float d) { return ImVec2{a.x + (b.x - a.x) * d / length, a.y + (b.y - a.y) * d / length}; };
      if (drawn) canvas.line(at(done), at(done + piece), color, thick);
      done += std::max(piece, 0.01f);
      gone += piece;
      if (gone >= on + off - 0.001f) gone = 0;
    }
  }
}

void draw_circuit_graph(Frame& frame, const CircuitLayout& at, const std::vector<CircuitLine>& lines,
                        const std::optional<CircuitLine>& opened) {
  const Canvas::Part part(frame.canvas, "stream.circuit");
  CircuitGraph(frame, at, lines, opened).draw();
}

}  // namespace hydra
