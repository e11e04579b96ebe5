#include "app/widgets/arcs.h"

#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/format.h"
#include "app/draw/nth.h"
#include "app/draw/probe.h"
#include "app/widgets/mouse_area.h"
#include "app/widgets/room.h"

namespace hydra {

namespace {

struct Curve {
  int query, key;
  float share;  // of the scale's end, signed
};

ImU32 faded(ImU32 color, float alpha) {
  const auto a = static_cast<ImU32>(std::clamp(alpha, 0.0f, 1.0f) * 255 + 0.5f);
  return (color & ~IM_COL32_A_MASK) | (a << IM_COL32_A_SHIFT);
}

class ArcsDrawing {
 public:
  ArcsDrawing(Canvas& canvas, const char* name, const Arcs& arcs, ImVec2 origin, float width)
      : canvas_(canvas), name_(name), arcs_(arcs), origin_(origin), n_(int_size(*arcs.tokens)) {
    const float pad = 0.4f * arcs.font->FontSize;
    float longest = 0;
    for (const std::string& token : *arcs.tokens) longest = std::max(longest, text_width(arcs.font, token));
    room_ = std::min(longest, 0.28f * width);
    label_ = room_ + pad;
    left_ = origin.x + label_;
    right_ = origin.x + width - label_;
    pad_ = pad;
    const Box seen = canvas_.visible();
    const float low = seen.pos.y, high = seen.bottom();
    first_ = std::clamp(static_cast<int>(std::floor((low - origin.y) / arcs.row)), 0, n_);
    last_ = std::clamp(static_cast<int>(std::ceil((high - origin.y) / arcs.row)), first_, n_);
  }

  ArcsResult draw() {
    ArcsResult result;
    column("query", origin_.x, result, result.query);
    column("key", right_, result, result.key);
    query_ = result.query >= 0 || result.key >= 0 ? result.query : arcs_.query;
    key_ = result.query >= 0 || result.key >= 0 ? result.key : arcs_.key;
    outlines();
    curves(result);
    labels();
    numbers();
    beyond();
    return result;
  }

 private:
  bool isolating() const { return query_ >= 0 || key_ >= 0; }
  // With a pair isolated, the whole row of its query stands out, the pair most.
  bool isolated(int query, int key) const { return query_ >= 0 ? query == query_ : key == key_; }
  float y(int token) const { return origin_.y + (real(token) + 0.5f) * arcs_.row; }
  float value(int query, int key) const { return (*arcs_.weights)(query, key); }

  void column(const char* which, float x, ArcsResult& result, int& hovered) {
    ImGui::SetCursorScreenPos({x, origin_.y});
    ImGui::PushID(which);
    ui::mouse_area("column", {label_, arcs_.row * real(n_)});
    ImGui::PopID();
    if (ImGui::IsItemHovered()) {
      hovered = std::clamp(static_cast<int>((ImGui::GetIO().MousePos.y - origin_.y) / arcs_.row), 0, n_ - 1);
      result.clicked = ui::clicked();
    }
    if (!ui::probe_recorder()) return;
    for (int i = 0; i < n_; ++i) {
      const float top = origin_.y + real(i) * arcs_.row;
      ui::probe({name_, "/", which, "/", i + 1}, {x, top}, {x + label_, top + arcs_.row});
    }
  }

  // Pairs with an end in view, or all of the isolated token's, that reach the threshold.
  std::vector<Curve> visible_curves() const {
    const float end = std::max(std::abs(arcs_.scale.low), std::abs(arcs_.scale.high));
    std::vector<Curve> found;
    const auto consider = [&](int query, int key) {
      const float share = value(query, key) / end;
      if (std::isfinite(share) && share != 0 && std::abs(share) >= arcs_.threshold)
        found.push_back({query, key, share});
    };
    for (int i = 0; i < n_; ++i) {
      const bool all = (i >= first_ && i < last_) || (isolating() && i == query_);
      const int from = all ? 0 : first_, to = all ? n_ : last_;
      for (int j = from; j < to; ++j) consider(i, j);
    }
    return found;
  }

  void curves(ArcsResult& result) {
    std::vector<Curve> found = visible_curves();
    result.passed = int_size(found);
    const auto stronger = [&](const Curve& a, const Curve& b) {
      const bool in_a = isolating() && isolated(a.query, a.key), in_b = isolating() && isolated(b.query, b.key);
      if (in_a != in_b) return in_a;
      if (std::abs(a.share) != std::abs(b.share)) return std::abs(a.share) > std::abs(b.share);
      return a.query != b.query ? a.query < b.query : a.key < b.key;
    };
    if (found.size() > kMostCurves) {
      std::nth_element(found.begin(), found.begin() + kMostCurves, found.end(), stronger);
      found.resize(kMostCurves);
    }
    std::sort(found.begin(), found.end(), stronger);
    result.drawn = int_size(found);
    for (auto curve = found.rbegin(); curve != found.rend(); ++curve) draw_curve(*curve);  // the strongest on top
  }

  void draw_curve(const Curve& curve) {
    const float share = std::min(std::abs(curve.share), 1.0f), em = arcs_.font->FontSize;
    float alpha = 0.06f + 0.9f * std::pow(share, 0.6f), width = std::max(1.0f, 0.45f * em * share);
    if (isolating()) {
      if (isolated(curve.query, curve.key)) {
        alpha = std::max(alpha, 0.5f);
        if (curve.query == query_ && curve.key == key_) alpha = 1, width = std::max(width, 0.15f * em);
      } else {
        alpha *= 0.15f;
      }
    }
    const float bend = 0.5f * (right_ - left_), y0 = y(curve.query), y1 = y(curve.key);
    canvas_.curve({left_, y0}, {left_ + bend, y0}, {right_ - bend, y1}, {right_, y1},
                  faded(curve.share < 0 ? arcs_.negative : arcs_.color, alpha), width, 24);
  }

  // Under the curves: two lines along each marked pair's.
  void outlines() {
    const float em = arcs_.font->FontSize, bend = 0.5f * (right_ - left_);
    for (const auto& [query, key] : arcs_.gold) {
      if (query >= n_ || key >= n_) continue;
      const float end = std::max(std::abs(arcs_.scale.low), std::abs(arcs_.scale.high));
      const float share = std::min(1.0f, std::abs(value(query, key)) / end);  // a NaN gives 1
      const float width = std::max(1.0f, 0.45f * em * share) + 0.35f * em, y0 = y(query), y1 = y(key);
      for (const bool outer : {true, false})
        canvas_.curve({left_, y0}, {left_ + bend, y0}, {right_ - bend, y1}, {right_, y1},
                      outer ? arcs_.gold_color : arcs_.ground, outer ? width : width - 3, 24);
    }
  }

  void labels() {
    const float half = 0.5f * arcs_.font->FontSize;
    for (int i = first_; i < last_; ++i) {
      const std::string text = clipped(arcs_.font, nth(*arcs_.tokens, i), room_);
      const ImU32 query_ink = i == query_ ? arcs_.strong : arcs_.ink, key_ink = i == key_ ? arcs_.strong : arcs_.ink;
      canvas_.text_up_to(arcs_.font, {left_ - pad_, y(i) - half}, query_ink, text);
      canvas_.text_at(arcs_.font, {right_ + pad_, y(i) - half}, key_ink, text);
      const float width = text_width(arcs_.font, text);
      for (const float x : {left_ - pad_ - width, right_ + pad_})
        draw_marks(canvas_, arcs_.marks, i, {x, y(i) + half}, width, arcs_.font->FontSize, arcs_.strong);
    }
  }

  // The isolated token's weights, at the other end of its curves.
  void numbers() {
    if (!isolating()) return;
    ImFont* font = arcs_.number_font;
    const float half = 0.5f * font->FontSize;
    for (int i = first_; i < last_; ++i) {
      const float weight = query_ >= 0 ? value(query_, i) : value(i, key_);
      if (!std::isfinite(weight)) continue;
      const std::string text = ui::number(weight, As::brief);
      const float width = text_width(font, text);
      const float x = query_ >= 0 ? right_ - width : left_;
      canvas_.fill({x - 0.5f * pad_, y(i) - half}, {x + width + 0.5f * pad_, y(i) + half}, arcs_.ground);
      const bool marked = query_ >= 0 && i == key_;
      canvas_.text_at(font, {x, y(i) - half}, marked ? arcs_.strong : arcs_.ink, text);
    }
  }

  // Where the isolated pair's tokens have scrolled out of view: an arrow to each, at the edge, with its name.
  void beyond() {
    const Box seen = canvas_.visible();
    const float size = arcs_.font->FontSize, half = 0.3f * size;
    const struct {
      const char* name;
      int token;
      float x;
    } ends[] = {{"/beyond/query/", query_, origin_.x}, {"/beyond/key/", key_, right_ + pad_}};
    for (const auto& [which, token, x] : ends) {
      if (token < 0 || (token >= first_ && token < last_)) continue;
      const bool above = token < first_;
      const float top = above ? seen.pos.y : seen.bottom() - size, middle = top + 0.5f * size;
      const float tip = above ? middle - half : middle + half, base = above ? middle + half : middle - half;
      canvas_.fill({x - 0.5f * pad_, top}, {x + label_, top + size}, arcs_.ground);
      canvas_.triangle({x + half, tip}, {x, base}, {x + 2 * half, base}, arcs_.strong);
      canvas_.text_at(arcs_.font, {x + 3 * half, top}, arcs_.strong,
                      clipped(arcs_.font, nth(*arcs_.tokens, token), label_ - 3 * half));
      ui::probe({name_, which, token + 1}, {x, top}, {x + label_, top + size});
    }
  }

  Canvas& canvas_;
  const char* name_;
  const Arcs& arcs_;
  ImVec2 origin_;
  int n_, first_ = 0, last_ = 0;                                 // tokens, and those whose rows are in view
  int query_ = -1, key_ = -1;                                    // isolated
  float room_ = 0, label_ = 0, left_ = 0, right_ = 0, pad_ = 0;  // room_: for a token's text, without rounding
};

}  // namespace

ArcsResult draw_arcs(Canvas& canvas, const char* name, const Arcs& arcs, ImVec2 pos, ImVec2 size) {
  ArcsResult result;
  const float content = arcs.row * real(arcs.tokens->size());
  const bool scrolls = content > size.y + 0.5f;
  ui::room(canvas, name, pos, size, scrolls, [&](ImVec2 corner) {
    const float width = size.x - (scrolls ? ImGui::GetStyle().ScrollbarSize : 0);
    result = ArcsDrawing(canvas, name, arcs, corner, width).draw();
    return content;
  });
  ui::probe(name, pos, {pos.x + size.x, pos.y + size.y});
  return result;
}

}  // namespace hydra
