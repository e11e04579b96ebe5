// Likeness: what rank the heads' scores and the forms behind them have.
#include "app/views/frame/ui.h"
#include "app/views/likeness/likeness_parts.h"
#include "app/views/shared/compared.h"
#include "app/views/shared/plotted.h"
#include "app/widgets/table.h"

namespace hydra {

namespace {

constexpr double kMostDecades = 8;  // singular values of 32-bit numbers end there

struct Which {
  Spectrum HeadRanks::*spectrum;
  const char* name;   // of probes
  const char* title;  // over the chart and the table's columns
  const char* tip;    // a text
};
constexpr Which kWhich[] = {
    {&HeadRanks::scores, "likeness/ranks/scores", "Q Kᵀ", "likeness:ranks.scores.tip"},
    {&HeadRanks::query_key, "likeness/ranks/query_key", "W_Q W_Kᵀ", "likeness:ranks.query_key.tip"},
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
    const std::string text =
        wording("likeness:ranks.bound", {{"d_k", input_.d_k()}, {"n", input_.n()}, {"bound", bound(kWhich[0])}});
    ui::text(frame_, text, {.font = fonts_.large, .wraps = true});
    ui::probe("likeness/ranks/sentence");
    ui::soft_text(frame_, wording("likeness:ranks.note"));
    const Canvas::Part part(canvas_, kWindowAlone);
    const bool& log = view_.spectra_log;
    ui::Chips chips(frame_);
    chips.choice("likeness/ranks/linear", wording("likeness:ranks.linear"), log, false,
                 wording("likeness:ranks.linear.tip"));
    chips.choice("likeness/ranks/log", wording("likeness:ranks.log"), log, true, wording("likeness:ranks.log.tip"));
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
      plot.series.push_back({.y = &spectrum.values,
                             .color = head_color(frame_, h),
                             .strong = static_cast<int>(h) == marked_head(frame_)});
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
    plot.y.high = largest > 0 ? ui::close_ceiling(largest) : 1;
    plot.y.low = plot.y.logarithmic ? lowest(smallest, plot.y.high) : 0;
    compare(frame_, plot, [&](const Source& source) {
      std::vector<PlotSeries> series;
      const std::shared_ptr<const LikenessTable> table = likeness_of(frame_, source);
      if (table && table->ranks.size() == table_.ranks.size())
        for (const auto& ranks : table->ranks) series.push_back({.y = (ranks.*which.spectrum).values, .color = 0});
      return series;
    });
    const PlotHeading heading{wording("likeness:ranks.title", {{"matrix", say(which.title)}}), "", wording(which.tip)};
    const PlotResult hit = plotted(frame_, which.name, heading, {pos, size}, std::move(plot));
    if (hit.series < 0) return;
    const double value = nth((nth(table_.ranks, hit.series).*which.spectrum).values, hit.place);
    ui::tooltip(frame_,
                {wording("likeness:ranks.value",
                         {{"head", head_name(hit.series)}, {"n", hit.place + 1}, {"value", ui::number(value)}})});
    if (hit.clicked) focus_head(frame_, hit.series);
  }

  // --- the table

  // Head, then of each of both the rank and the effective rank, with a bar of what is possible and a mark at the rank.
  void list(ImVec2 pos, ImVec2 size) {
    if (size.x < 12 * em_ || size.y < header() + row()) return;
    auto table = styled<Table>(frame_);
    table.name = "likeness/ranks/table";
    table.words = fonts_.text, table.strong = fonts_.strong, table.numbers = fonts_.mono;
    table.header = header(), table.row = row();
    table.rows = std::ssize(table_.ranks);
    table.marked = marked_head(frame_);
    const float name = 4 * em_, rank = 4 * em_;
    const float column = std::min((size.x - name - ImGui::GetStyle().ScrollbarSize) / 2, 12 * em_);
    table.columns.push_back({"head", {wording("likeness:ranks.head")}, 0, name, TableColumn::Kind::drawn});
    for (int k = 0; k < 2; ++k) {
      const float left = name + real(k) * column;
      const std::string key = k == 0 ? "scores" : "query_key";
      table.columns.push_back({.key = key + "_rank",
                               .title = {say(kWhich[k].title), wording("likeness:ranks.rank")},
                               .left = left,
                               .right = left + rank,
                               .math = true});
      table.columns.push_back({key + "_effective",
                               {wording("likeness:ranks.effective", {{"most", bound(kWhich[k])}})},
                               left + rank,
                               left + column - u_});
    }
    table.cell = [this](Index head, int k) { return number(head, kWhich[(k - 1) / 2], (k - 1) % 2 == 1); };
    table.drawn = [this](Index head, int, ImVec2 low, ImVec2 high) {
      const float y = low.y + 0.5f * (high.y - low.y - em_);
      head_title(frame_, fonts_.text, {low.x + u_, y}, static_cast<int>(head), std::to_string(head + 1));
    };
    table.placed = [](Index head, ImVec2 low, ImVec2 high) {
      ui::probe({"likeness/ranks/head/", head + 1}, low, high);
    };
    compare(frame_, table, [this](const Source& source) { return texts_of(source); });
    const TableResult hit = draw_table(canvas_, table, {pos, size});
    if (hit.clicked && hit.row >= 0) focus_head(frame_, static_cast<int>(hit.row));
    if (const std::string other = told_other(frame_, hit); !other.empty()) ui::tooltip(frame_, {other});
  }

  CellTexts texts_of(const Source& source) const {
    const std::shared_ptr<const LikenessTable> table = likeness_of(frame_, source);
    if (!table || table->ranks.size() != table_.ranks.size()) return {};
    return [table](Index head, int k) {
      if (k == 0) return std::string();
      const Spectrum& spectrum = nth(table->ranks, head).*kWhich[(k - 1) / 2].spectrum;
      return (k - 1) % 2 == 1 ? ui::number(spectrum.effective_rank, As::tenths)
                              : std::to_string(spectrum.numerical_rank);
    };
  }

  TableCell number(Index head, const Which& which, bool effective) const {
    const Spectrum& spectrum = nth(table_.ranks, head).*which.spectrum;
    if (!effective) return {std::to_string(spectrum.numerical_rank)};
    const double most = static_cast<double>(std::max<Index>(1, bound(which)));
    const TableBar bar{spectrum.effective_rank / most, false, head_color(frame_, head),
                       static_cast<double>(spectrum.numerical_rank) / most};
    return {ui::number(spectrum.effective_rank, As::tenths), 0, bar};
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
