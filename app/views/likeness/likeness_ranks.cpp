// Likeness: what rank the heads' scores and the forms behind them have.
#include "app/views/likeness/likeness_parts.h"
#include "app/views/plotted.h"
#include "app/views/ui.h"

namespace hydra {

namespace {

constexpr double kMostDecades = 8;  // singular values of 32-bit numbers end there

struct Which {
  Spectrum HeadRanks::*spectrum;
  const char* name;   // of probes
  const char* title;  // over the chart and the table's columns
  const char* tip;
};
constexpr Which kWhich[] = {
    {&HeadRanks::scores, "likeness/ranks/scores", "Q Kᵀ",
     "The singular values of the scores of each head before scale, cap, distances, mask and softmax: the rank is at "
     "most the smaller "
     "of d_k and the number of tokens n."},
    {&HeadRanks::query_key, "likeness/ranks/query_key", "W_Q W_Kᵀ",
     "The singular values of each head's bilinear form, which compares what a query asks for with what a key offers: "
     "its rank is at most d_k, whatever the sentence."},
};

class RankPage : Drawing {
 public:
  RankPage(Frame& frame, const LikenessTable& table, const LayerTrace<float>& layer, ImVec2 pos, ImVec2 size)
      : Drawing(frame), table_(table), input_(layer.input), pos_(pos), size_(size) {}

  void draw() {
    sentence();
    const float top = ImGui::GetCursorScreenPos().y + u_, gap = 5 * u_;
    const float room = pos_.y + size_.y - top;
    const float rows = real(table_.ranks.size()) * row() + header();
    const bool beside = size_.x > 62 * em_ || (size_.x > 50 * em_ && room < 30 * em_);
    const float table_width = beside ? 24 * em_ : size_.x;
    const float table_height = beside ? room : std::min(rows, std::max(0.36f * room, room - 18 * em_));
    const float charts = beside ? size_.x - table_width - gap : size_.x;
    const float width = 0.5f * (charts - gap), most = std::max(26 * em_, width);
    const float high = std::min(beside ? room : room - table_height - gap, most);
    for (int k = 0; k < 2; ++k) chart(kWhich[k], {pos_.x + real(k) * (width + gap), top}, {width, high});
    if (beside)
      list({pos_.x + charts + gap, top}, {table_width, table_height});
    else
      list({pos_.x, top + high + gap}, {table_width, std::min(room - high - gap, rows)});
  }

 private:
  Index bound(const Which& which) const {
    return which.spectrum == &HeadRanks::scores ? std::min(input_.d_k(), input_.n()) : input_.d_k();
  }
  float row() const { return std::round(1.5f * em_); }
  float header() const { return std::round(2.9f * small_); }

  void sentence() {
    const std::string d_k = std::to_string(input_.d_k()), n = std::to_string(input_.n());
    const std::string text =
        ui::words("d_k = ", d_k, ", n = ", n, ": no head's scores can have rank above ", bound(kWhich[0]));
    ui::text(frame_, text, {.font = fonts_.large, .wraps = true});
    ui::probe("likeness/ranks/sentence");
    ui::soft_text(frame_,
                  "Rank: singular values above the rounding of 32-bit numbers. Effective rank: the exponential "
                  "of the entropy of the singular values divided by their sum (Roy and Vetterli 2007).");
    const bool& log = view_.spectra_log;
    ui::Chips chips(frame_);
    chips.choice("likeness/ranks/linear", "Linear", log, false, "Singular values from 0 up.");
    chips.choice("likeness/ranks/log", "Logarithmic", log, true,
                 "Every line is ten times the one below, so that small singular values can be told from none.");
  }

  // Of a logarithmic axis: a power of ten below the smallest value, as far as it means something.
  static double lowest(double smallest, double high) {
    const double below = smallest > 0 ? std::pow(10, std::floor(std::log10(0.8 * smallest))) : 0;
    return std::clamp(below, high * std::pow(10, -kMostDecades), 0.01 * high);
  }

  void chart(const Which& which, ImVec2 pos, ImVec2 size) {
    if (size.x < 8 * em_ || size.y < 6 * em_) return;
    auto plot = styled<Plot>(frame_);
    double largest = 0, smallest = 0;  // above nothing
    for (std::size_t h = 0; h < table_.ranks.size(); ++h) {
      const Spectrum& spectrum = table_.ranks[h].*which.spectrum;
      for (const double value : spectrum.values) {
        largest = std::max(largest, value);
        if (value > 0) smallest = smallest > 0 ? std::min(smallest, value) : value;
      }
      plot.series.push_back(
          {.y = &spectrum.values, .color = head_color(frame_, h), .strong = static_cast<int>(h) == view_.focused_head});
    }
    const auto d_k = static_cast<double>(input_.d_k()), n = static_cast<double>(input_.n());
    plot.marks.push_back({d_k, "d_k = " + std::to_string(input_.d_k())});
    if (which.spectrum == &HeadRanks::scores && n != d_k)
      plot.marks.push_back({n, "n = " + std::to_string(input_.n())});
    std::ranges::sort(plot.marks, {}, &PlotMark::at);
    const double nearest = static_cast<double>(bound(which));
    const double last = std::max(2.0, std::min(std::max(d_k, n), std::ceil(1.6 * nearest)));
    for (double k = 1; k <= last; ++k) plot.places.push_back(k);
    plot.y.logarithmic = view_.spectra_log;
    plot.y.high = largest > 0 ? round_ceiling(largest) : 1;
    plot.y.low = plot.y.logarithmic ? lowest(smallest, plot.y.high) : 0;
    const PlotHeading heading{"Singular values of " + say(which.title), "", which.tip};
    const PlotResult hit = plotted(frame_, which.name, heading, {pos, size}, std::move(plot));
    if (hit.series < 0) return;
    const double value = nth((nth(table_.ranks, hit.series).*which.spectrum).values, hit.place);
    ui::tooltip(frame_,
                {ui::words(head_name(hit.series), ", singular value ", hit.place + 1, ": ", ui::number(value))});
    if (hit.clicked) focus_head(frame_, hit.series);
  }

  // --- the table

  void list(ImVec2 pos, ImVec2 size) {
    if (size.x < 12 * em_ || size.y < header() + row()) return;
    const float name = 4 * em_, column = std::min((size.x - name - ImGui::GetStyle().ScrollbarSize) / 2, 12 * em_);
    ImFont* small = fonts_.small;
    for (int k = 0; k < 2; ++k) {
      const float x = pos.x + name + real(k) * column;
      canvas_.math_at(small, small, {x, pos.y}, theme_.ink_soft, say(kWhich[k].title));
      canvas_.text_at(small, {x, pos.y + 1.25f * small->FontSize}, theme_.ink_faint,
                      "rank  effective, of " + std::to_string(bound(kWhich[k])), column - u_);
    }
    canvas_.line({pos.x, pos.y + header() - 2}, {pos.x + name + 2 * column, pos.y + header() - 2}, theme_.line);
    const ImVec2 room{size.x, size.y - header()};
    const auto heads = int_size(table_.ranks);
    const bool scrolls = real(heads) * row() > room.y;
    ui::room(canvas_, "likeness/ranks/table", {pos.x, pos.y + header()}, room, scrolls, [&](ImVec2 corner) {
      return ui::rows_in_view(canvas_, corner, heads, row(), [&](int h, ImVec2 at) { line(h, at, name, column); });
    });
  }

  void line(int head, ImVec2 at, float name, float column) {
    const ImVec2 end{at.x + name + 2 * column, at.y + row()};
    const bool under = ui::under_pointer(at, end);
    if (head == view_.focused_head)
      canvas_.fill(at, end, theme_.accent_soft);
    else if (under)
      canvas_.fill(at, end, theme_.raised);
    if (under && ui::clicked()) focus_head(frame_, head);
    ui::probe({"likeness/ranks/head/", head + 1}, at, end);
    const float y = at.y + 0.5f * (row() - em_);
    head_title(frame_, fonts_.text, {at.x + u_, y}, head, std::to_string(head + 1));
    for (int k = 0; k < 2; ++k)
      numbers(nth(table_.ranks, head).*kWhich[k].spectrum, bound(kWhich[k]), head,
              {at.x + name + real(k) * column, at.y}, column);
  }

  // The two numbers, and a bar: the effective rank of what is possible, with a mark at the rank.
  void numbers(const Spectrum& spectrum, Index most, int head, ImVec2 at, float column) {
    ImFont* mono = fonts_.mono;
    const float y = at.y + 0.5f * (row() - mono->FontSize), wide = text_width(mono, "000"), gap = 2 * u_;
    const std::string rank = std::to_string(spectrum.numerical_rank),
                      effective = ui::number(spectrum.effective_rank, As::tenths);
    canvas_.text_up_to(mono, {at.x + wide, y}, theme_.ink, rank);
    const float second = at.x + wide + gap + text_width(mono, "000.0");
    canvas_.text_up_to(mono, {second, y}, theme_.ink, effective);
    const float left = second + gap, right = at.x + column - 2 * gap;
    if (right < left + 2 * em_) return;
    const float top = at.y + 0.36f * row(), bottom = at.y + 0.64f * row();
    const auto x_of = [&](double value) {
      return left + (right - left) * real(std::min(1.0, value / static_cast<double>(std::max<Index>(1, most))));
    };
    canvas_.fill({left, top}, {right, bottom}, theme_.line);
    canvas_.fill({left, top}, {x_of(spectrum.effective_rank), bottom}, head_color(frame_, head));
    const float mark = std::round(x_of(static_cast<double>(spectrum.numerical_rank)));
    canvas_.fill({mark - 1, top - u_}, {mark + 1, bottom + u_}, theme_.ink);
  }

  const LikenessTable& table_;
  const LayerInput<float>& input_;
  ImVec2 pos_, size_;
};

}  // namespace

void draw_rank_page(Frame& frame, const LikenessTable& table, const LayerTrace<float>& layer, ImVec2 pos, ImVec2 size) {
  const Canvas::Part part(frame.canvas, "likeness.ranks");
  RankPage(frame, table, layer, pos, size).draw();
}

}  // namespace hydra
