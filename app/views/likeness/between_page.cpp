// Likeness: the heads of the layer in focus by those of the model beside, and the two in focus side by side.
#include <cmath>

#include "app/views/beside/beside.h"
#include "app/views/beside/likeness_value.h"
#include "app/views/frame/ui.h"
#include "app/views/likeness/likeness_parts.h"
#include "app/views/shared/pictured.h"

namespace hydra {

namespace {

struct BetweenCells {  // of the picture
  Stamp of;
  Array<float> cells;
};

class BetweenMatrix : Drawing {
 public:
  BetweenMatrix(Frame& frame, const BetweenModels& between, const Box& box)
      : Drawing(frame), of_(between), entry_(entry_of(between.measure)), box_(box) {}

  // The height that it takes.
  float draw() {
    const Canvas::Part part(canvas_, "likeness.between");
    const Index rows = std::ssize(of_.here), cols = std::ssize(of_.there);
    float left = 0, widest_number = 0;
    for (Index h = 0; h < rows; ++h) left = std::max(left, text_width(fonts_.small, called(frame_, h)));
    for (const HeadPlace& head : of_.there)
      widest_number = std::max(widest_number, text_width(fonts_.small, number_beside(frame_, head)));
    left = std::min(left, 0.4f * box_.size.x) + 3 * u_;
    const float above = em_ + small_ + 3 * u_, below = 2.5f * small_;
    cell_ =
        std::floor(std::min({(box_.size.x - left) / real(cols), (box_.size.y - above - below) / real(rows), 4 * em_}));
    if (cell_ < 2) return 0;
    const ImVec2 corner{box_.pos.x + left, box_.pos.y + above}, size{cell_ * real(cols), cell_ * real(rows)};
    const std::string title =
        wording("beside:matrix", {{"measure", wording(entry_.title)}, {"model", frame_.beside.shown->name}});
    canvas_.text_at(fonts_.strong, box_.pos, theme_.ink, clipped(fonts_.strong, say(title), box_.size.x));
    const Pictured shown{
        .name = "between",
        .title = wording(entry_.title),
        .shown = whole(cells()),
        .scale = scale(),
        .place = [this](Index row, Index col) {
          return wording("beside:place", {{"head", row + 1}, {"other", number_beside(frame_, nth(of_.there, col))}});
        }};
    const auto [hit, heatmap] =
        picture(frame_, "likeness/between", shown, corner, size,
                {.square_cells = false, .clickable = false, .grid = cell_ >= 12 ? with_alpha(theme_.ground, 90) : 0});
    labels(corner, left, cell_ >= widest_number + 2);
    marks(heatmap);
    legend(frame_, shown.scale, {corner.x, corner.y + size.y + u_},
           std::min(std::max(size.x, 12 * small_), box_.right() - corner.x));
    if (hit.clicked || hit.chosen) choose(hit);
    return above + size.y + below;
  }

 private:
  void choose(const CellHit& hit) {
    focus_head(frame_, static_cast<int>(hit.row));
    const HeadPlace& other = nth(of_.there, hit.col);
    frame_.choose(view_.beside.head, std::pair(other.layer, other.head));
  }

  const Array<float>& cells() {
    const Array<double>& values = of_.matrix(entry_.measure);
    auto& kept = frame_.made.of<BetweenCells>();
    if (kept.of != values.stamp()) kept = {values.stamp(), share(Mat<float>(values->cast<float>()))};
    return kept.cells;
  }

  ValueScale scale() {
    float high = real(entry_.high);
    if (entry_.measure == Likeness::kl_bits)
      for (Index k = 0; k < cells()->size(); ++k)
        if (const float value = cells()->data()[k]; std::isfinite(value)) high = std::max(high, value);
    return {entry_.low < 0 ? diverging(frame_) : sequential(frame_), real(entry_.low), high};
  }

  void labels(ImVec2 corner, float left, bool all) {
    ImFont* font = fonts_.small;
    for (Index h = 0; h < std::ssize(of_.here); ++h) {
      const float y = corner.y + real(h) * cell_ + 0.5f * (cell_ - small_);
      const bool focused = h == marked_head(frame_);
      if (cell_ < 0.95f * small_ && !focused) continue;
      canvas_.text_up_to(font, {corner.x - 2 * u_, y}, ink_for(frame_, focused),
                         clipped(font, called(frame_, h), left - 2 * u_));
    }
    const std::optional<Index> shown = head_beside(frame_, of_);
    for (Index g = 0; g < std::ssize(of_.there); ++g) {
      if (!all && g != shown) continue;
      canvas_.text_centered(font, {corner.x + (real(g) + 0.5f) * cell_, corner.y - u_ - 0.5f * small_},
                            ink_for(frame_, g == shown), number_beside(frame_, nth(of_.there, g)));
    }
  }

  // The most alike of each row; the two that stand side by side; where a layer ends.
  void marks(const Heatmap& heatmap) {
    const float thick = std::max(1.0f, 0.375f * u_);
    for (Index g = 1; g < std::ssize(of_.there); ++g)
      if (nth(of_.there, g).layer != nth(of_.there, g - 1).layer) {
        const float x = heatmap.min.x + real(g) * cell_;
        canvas_.line({x, heatmap.min.y}, {x, heatmap.max.y}, theme_.ink_faint);
      }
    if (cell_ >= 6)
      for (Index h = 0; h < std::ssize(of_.here); ++h)
        if (const auto most = most_alike(of_, h))
          draw_cell_outline(canvas_, heatmap, h, h + 1, *most, *most + 1, theme_.ink, thick);
    const std::optional<Index> shown = head_beside(frame_, of_);
    const Index row = marked_head(frame_);
    if (shown && row >= 0 && row < std::ssize(of_.here))
      draw_cell_outline(canvas_, heatmap, row, row + 1, *shown, *shown + 1, theme_.accent, 1.5f * thick);
  }

  const BetweenModels& of_;
  const LikenessEntry& entry_;
  Box box_;
  float cell_ = 0;
};

}  // namespace

void between_chips(Frame& frame, ui::Chips& chips) {
  chips.apart(0.8f * ImGui::GetFontSize(), ui::chip_width(wording("beside:chip")));
  beside_chip(frame, chips);
  draw_beside_list(frame);
  if (!frame.beside.shown) return;
  measure_chips(frame, chips, kBetweenModels);
}

void draw_between_page(Frame& frame) {
  if (!beside_told(frame)) return;
  const BetweenModels& between = beside_of(frame).value->between;
  draw_beside_sentence(frame, "likeness/between/sentence", ImGui::GetContentRegionAvail().x);
  ui::soft_text(frame, wording("beside:marks"));
  const ImVec2 pos = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float gap = 6 * frame.unit;
  constexpr int kFewColumns = 16;  // more have the whole width
  const bool across = room.x > 1.3f * room.y && int_size(between.there) <= kFewColumns;
  const Box matrix{pos, across ? ImVec2{0.4f * room.x, room.y} : ImVec2{room.x, 0.4f * room.y}};
  const float taken = BetweenMatrix(frame, between, matrix).draw();
  draw_beside_pair(frame, across ? Box{{matrix.right() + gap, pos.y}, {room.x - matrix.size.x - gap, room.y}}
                                 : Box{{pos.x, pos.y + taken + gap}, {room.x, room.y - taken - gap}});
}

}  // namespace hydra
