// The derivatives by all weights, or what the optimizer makes of them, as matrices; and one number's update as its sum.
#include "app/views/inspector/inspector_parts.h"
#include "app/views/learn/gradient_parts.h"

namespace hydra {

namespace {

using learn::Facet;

struct FacetChip {
  Facet facet;
  const char *name, *label, *of, *tip;  // of, tip: texts; of: what it is of a matrix
};
constexpr FacetChip kFacets[] = {
    {Facet::before, "learn/facet/before", "W", "learn:facet.before.of", "learn:facet.before.tip"},
    {Facet::gradient, "learn/facet/gradient", "∂L/∂W", "learn:facet.gradient.of", "learn:facet.gradient.tip"},
    {Facet::first_moment, "learn/facet/first", "m", "learn:facet.first.of", "learn:facet.first.tip"},
    {Facet::second_moment, "learn/facet/second", "v", "learn:facet.second.of", "learn:facet.second.tip"},
    {Facet::change, "learn/facet/change", "ΔW", "learn:facet.change.of", "learn:facet.change.tip"},
};

class WeightsPart : GradientDrawing {
 public:
  WeightsPart(Frame& frame, const Box& box) : GradientDrawing(frame, box), weights_(*frame.learn.opened.weights) {}

  void draw() {
    const float gap = 6 * u_;
    const Box& room = box_;
    const bool beside = room.size.x > 58 * em_ || room.size.x > 1.4f * room.size.y;
    const float told = beside ? std::clamp(0.42f * room.size.x, 26 * em_, 40 * em_) : room.size.x;
    if (beside) {
      matrices({room.pos, {room.size.x - told - gap, room.size.y}});
      update({{room.right() - told, room.pos.y}, {told, room.size.y}});
    } else {
      const float upper = 0.5f * (room.size.y - gap);
      matrices({room.pos, {room.size.x, upper}});
      update({{room.pos.x, room.pos.y + upper + gap}, {room.size.x, room.size.y - upper - gap}});
    }
  }

 private:
  void matrices(const Box& area) {
    const Canvas::Part part(canvas_, "learn.gradient_weights");
    const int count = int_size(weights_.matrices);
    if (count == 0) return;
    std::vector<Array<float>> all;
    for (const auto& [site, matrix] : weights_.matrices) all.push_back(matrix);
    const ValueScale scale = signed_scale(diverging(frame_), frame_.derived.reach(all));
    const float legend_height = 2 * small_ + u_, gap = 4 * u_, title = 1.4f * em_;
    const auto least = [&](int c) {
      return std::min(area.size.x / real(c), (area.size.y - legend_height) / real((count + c - 1) / c) - title);
    };
    int columns = 1;
    for (int c = 2; c <= count; ++c)
      if (least(c) > least(columns)) columns = c;
    const int rows = (count + columns - 1) / columns;
    const float wide = (area.size.x - gap * real(columns - 1)) / real(columns);
    const float high = std::max(5 * em_, (area.size.y - legend_height - gap * real(rows - 1)) / real(rows));
    const bool scrolls = real(rows) * (high + gap) - gap > area.size.y - legend_height + 1;
    const Box room{area.pos, {area.size.x, area.size.y - legend_height}};
    ui::room(canvas_, "learn/weights/room", room.pos, room.size, scrolls, [&](ImVec2 corner) {
      for (int k = 0; k < count; ++k) {
        const auto& [site, matrix] = nth(weights_.matrices, k);
        const ImVec2 at{corner.x + real(k % columns) * (wide + gap), corner.y + real(k / columns) * (high + gap)};
        one(site, matrix, at, {wide - (scrolls ? ImGui::GetStyle().ScrollbarSize : 0), high}, title, scale);
      }
      return real(rows) * (high + gap) - gap;
    });
    legend(frame_, scale, {area.pos.x, area.bottom() - small_ - u_}, std::min(area.size.x, 18 * em_));
  }

  std::string facet_of(const Site& site) const {
    const std::string name = symbol(site);
    for (const FacetChip& facet : kFacets)
      if (facet.facet == weights_.facet) return say(wording(facet.of, {{"matrix", name}}));
    return say(name);
  }

  void one(const Site& site, const Array<float>& matrix, ImVec2 at, ImVec2 size, float title, const ValueScale& scale) {
    const std::string shape = ui::words("  ", matrix->rows(), say(" × "), matrix->cols());
    const std::string name = facet_of(site);
    canvas_.math_at(fonts_.strong, fonts_.small, at, theme_.ink, name);
    const float behind = text_width(fonts_.strong, name) + u_;
    if (behind + text_width(fonts_.small, shape) < size.x)
      canvas_.text_at(fonts_.small, {at.x + behind, at.y + 0.5f * (em_ - small_)}, theme_.ink_soft, shape);
    const bool rows = site.quantity == Quantity::W_O, heads = rows || is_projection_weight(site.quantity);
    const float bar = !heads ? 0 : rows ? text_width(fonts_.small, "00") + u_ : small_ + u_;
    const ImVec2 corner{at.x + (rows ? bar : 0), at.y + title + (rows ? 0 : bar)};
    const PictureResult made = picture("learn/weights/" + spelled_name(site), name, matrix, corner,
                                       {size.x - (rows ? bar : 0), size.y - title - bar}, scale, true, false);
    if (heads) head_numbers(site, made.heatmap, rows);
    ui::probe("learn/weights/heads/" + spelled_name(site), {at.x, at.y + title}, made.heatmap.max);
    if (shown_.number && shown_.number->site == site)
      draw_dashed_outline(canvas_, made.heatmap, shown_.number->row, shown_.number->row + 1, shown_.number->col,
                          shown_.number->col + 1, u_);
    if (!made.hit.hovered) return;
    const Cell cell{site, made.hit.row, made.hit.col};
    frame_.next.cell = cell;
    if (made.hit.clicked) select(frame_, cell);
    ui::tooltip(frame_, {facet_of(site) + "[" + std::to_string(cell.row) + ", " + std::to_string(cell.col) +
                             "] = " + ui::number(static_cast<double>((*matrix)(cell.row, cell.col)), As::reading),
                         wording("learn:weights.click")});
  }
  static std::string spelled_name(const Site& site) { return entry_of(site.quantity).key; }

  // Whose columns they are, or rows: by number, for a head's colour would be one of the numbers' signs here.
  void head_numbers(const Site& site, const Heatmap& heatmap, bool rows) const {
    const lanes::LayerShape& layer = step_.compiled().shape().layers[static_cast<std::size_t>(site.layer)];
    const KeyGroups groups = entry_of(site.quantity).of_group ? layer.key_groups() : KeyGroups{layer.widths.heads};
    const Index heads = groups.sets(), each = (rows ? heatmap.rows : heatmap.cols) / heads;
    for (Index h = 0; h < heads; ++h) {
      const ImVec2 low = rows ? cell_min(heatmap, h * each, 0) : cell_min(heatmap, 0, h * each);
      const ImVec2 high = rows ? cell_max(heatmap, (h + 1) * each - 1, heatmap.cols - 1)
                               : cell_max(heatmap, heatmap.rows - 1, (h + 1) * each - 1);
      const std::string first = std::to_string(groups.first(h) + 1);
      const std::string number = groups.heads_of(h) > 1 ? first + say("–") + std::to_string(groups.last(h)) : first;
      const float wide = text_width(fonts_.small, number);
      const bool fits = rows ? small_ < high.y - low.y : wide < high.x - low.x;
      if (fits && rows)
        canvas_.text_up_to(fonts_.small, {low.x - u_, 0.5f * (low.y + high.y - small_)}, theme_.ink_soft, number);
      else if (fits)
        canvas_.text_at(fonts_.small, {0.5f * (low.x + high.x - wide), low.y - small_ - 0.5f * u_}, theme_.ink_soft,
                        number);
      if (h == 0) continue;
      if (rows)
        canvas_.line({low.x, low.y}, {high.x, low.y}, theme_.ink_faint);
      else
        canvas_.line({low.x, low.y}, {low.x, high.y}, theme_.ink_faint);
    }
  }

  void update(const Box& area) {
    const Canvas::Part part(canvas_, "learn.gradient_number");
    if (!shown_.update || !shown_.number) {
      note(area.pos, area.size.x, wording("learn:update.none"), "learn/update/none");
      return;
    }
    const Explanation& e = shown_.update->explanation;
    canvas_.text_at(fonts_.strong, area.pos, theme_.ink, say(e.title), area.size.x);
    const double before = static_cast<double>(step_.number(*shown_.number, Facet::before)),
                 change = static_cast<double>(step_.number(*shown_.number, Facet::change));
    const std::string text = ui::number(before, As::reading) + say(" → ") + ui::number(before + change, As::reading) +
                             say(",  Δ = ") + ui::number(change);
    canvas_.text_at(fonts_.text, {area.pos.x, area.pos.y + 1.4f * em_}, theme_.ink, text, area.size.x);
    ui::probe("learn/update", area.pos, {area.right(), area.pos.y + 2.8f * em_});
    ImGui::SetCursorScreenPos({area.pos.x, area.pos.y + 2.9f * em_});
    ImGui::AlignTextToFramePadding();
    ui::soft_text(frame_, wording("learn:update.tokens"));
    sequence_chooser(frame_);
    const float top = ImGui::GetItemRectMax().y + 1.5f * u_;
    ui::room(canvas_, "learn/update/room", {area.pos.x, top}, {area.size.x, area.bottom() - top}, true,
             [&](ImVec2 corner) {
               ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x);
               inspector::draw_steps(frame_, *shown_.update, "learn/update");
               ImGui::PopTextWrapPos();
               return ImGui::GetCursorScreenPos().y - corner.y;
             });
  }

  const OpenedTold::Weights& weights_;
};

}  // namespace

void draw_gradient_weights_controls(Frame& frame) {
  const GradientsAsked& state = frame.view.learn.gradients;
  const bool sgd = frame.learn.opened.step->recipe().optimizer.kind == learn::Optimizer::sgd;
  ui::Chips chips(frame, true);
  chips.apart(4 * frame.unit, ui::chip_width("W"));
  for (const FacetChip& facet : kFacets)
    if (!sgd || facet.facet != Facet::second_moment)
      chips.choice(facet.name, spelled(frame, facet.label), state.facet, facet.facet, wording(facet.tip));
  chips.apart(4 * frame.unit, ui::chip_width(wording("learn:weights.others")));
  chips.choice("learn/weights/heads", wording("learn:weights.heads"), state.others, false,
               wording("learn:weights.heads.tip"));
  chips.choice("learn/weights/others", wording("learn:weights.others"), state.others, true,
               wording("learn:weights.others.tip"));
}

void draw_gradient_weights(Frame& frame, const Box& box) {
  if (frame.learn.opened.weights) WeightsPart(frame, box).draw();
}

}  // namespace hydra
