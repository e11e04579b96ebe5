// Likeness: what rank the heads' scores and the forms behind them have.
#include "app/views/likeness/likeness_parts.h"
#include "app/views/ui.h"
#include "app/widgets/line_chart.h"

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
     "The singular values of the scores of each head before scaling, mask and softmax: the rank is at most the smaller "
     "of d_k and the number of tokens n."},
    {&HeadRanks::query_key, "likeness/ranks/query_key", "W_Q W_Kᵀ",
     "The singular values of each head's bilinear form, which compares what a query asks for with what a key offers: "
     "its rank is at most d_k, whatever the sentence."},
};

class RankPage {
 public:
  RankPage(Frame& frame, const LikenessTable& table, ImVec2 pos, ImVec2 size)
      : frame_(frame),
        table_(table),
        input_(frame.likeness.layer().input),
        pos_(pos),
        size_(size),
        em_(frame.fonts.text->FontSize) {}

  void draw() {
    sentence();
    const float top = ImGui::GetCursorScreenPos().y + frame_.unit, gap = 5 * frame_.unit;
    const float room = pos_.y + size_.y - top;
    const float rows = static_cast<float>(table_.ranks.size()) * row() + header();
    const bool beside = size_.x > 62 * em_ || (size_.x > 50 * em_ && room < 30 * em_);
    const float table_width = beside ? 24 * em_ : size_.x;
    const float table_height = beside ? room : std::min(rows, std::max(0.36f * room, room - 18 * em_));
    const float charts = beside ? size_.x - table_width - gap : size_.x;
    const float width = 0.5f * (charts - gap), most = std::max(26 * em_, width);
    const float high = std::min(beside ? room : room - table_height - gap, most);
    for (int k = 0; k < 2; ++k) chart(kWhich[k], {pos_.x + static_cast<float>(k) * (width + gap), top}, {width, high});
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
  float header() const { return std::round(2.9f * frame_.fonts.small->FontSize); }

  void sentence() {
    const std::string d_k = std::to_string(input_.d_k()), n = std::to_string(input_.n());
    const std::string text =
        "d_k = " + d_k + ", n = " + n + ": no head's scores can have rank above " + std::to_string(bound(kWhich[0]));
    ImGui::PushFont(frame_.fonts.large);
    ImGui::TextWrapped("%s", text.c_str());
    ImGui::PopFont();
    ui::probe("likeness/ranks/sentence");
    ui::soft_text(frame_,
                  "Rank: singular values above the rounding of 32-bit numbers. Effective rank: the exponential "
                  "of the entropy of the singular values divided by their sum (Roy and Vetterli 2007).");
    bool& log = frame_.view.spectra_log;
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
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::string title = "Singular values of " + spelled(frame_, which.title);
    math_at(list, frame_.fonts.strong, frame_.fonts.small, pos, frame_.theme.ink, title);
    ImGui::SetCursorScreenPos(pos);
    ImGui::Dummy({text_width(frame_.fonts.strong, title), em_});
    ui::tip(which.tip);
    LineChart chart;
    double largest = 0, smallest = 0;  // above nothing
    for (std::size_t h = 0; h < table_.ranks.size(); ++h) {
      const Spectrum& spectrum = table_.ranks[h].*which.spectrum;
      for (const double value : spectrum.values) {
        largest = std::max(largest, value);
        if (value > 0) smallest = smallest > 0 ? std::min(smallest, value) : value;
      }
      chart.lines.push_back({&spectrum.values, head_color(static_cast<int>(h), frame_.theme.dark),
                             static_cast<int>(h) == frame_.view.focused_head});
    }
    const auto d_k = static_cast<double>(input_.d_k()), n = static_cast<double>(input_.n());
    chart.limits.push_back({d_k, "d_k = " + std::to_string(input_.d_k())});
    if (which.spectrum == &HeadRanks::scores && n != d_k)
      chart.limits.push_back({n, "n = " + std::to_string(input_.n())});
    const double nearest = static_cast<double>(bound(which));
    chart.last = static_cast<int>(std::max(2.0, std::min(std::max(d_k, n), std::ceil(1.6 * nearest))));
    chart.logarithmic = frame_.view.spectra_log;
    chart.high = largest > 0 ? round_ceiling(largest) : 1;
    chart.low = chart.logarithmic ? lowest(smallest, chart.high) : 0;
    chart.theme = &frame_.theme;
    chart.font = frame_.fonts.small;
    chart.unicode = frame_.fonts.unicode;
    chart.unit = frame_.unit;
    const float title_height = em_ + 2 * frame_.unit;
    const LineChartResult hit =
        draw_line_chart(which.name, chart, {pos.x, pos.y + title_height}, {size.x, size.y - title_height});
    if (hit.line < 0) return;
    ui::begin_tooltip();
    ImGui::Text("Head %d, singular value %d: %s", hit.line + 1, hit.index + 1,
                ui::number(nth((*nth(chart.lines, hit.line).values), hit.index)).c_str());
    ui::end_tooltip();
    if (hit.clicked) focus_if_present(frame_, hit.line);
  }

  // --- the table

  void list(ImVec2 pos, ImVec2 size) {
    if (size.x < 12 * em_ || size.y < header() + row()) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float name = 4 * em_, column = std::min((size.x - name - ImGui::GetStyle().ScrollbarSize) / 2, 12 * em_);
    ImFont* small = frame_.fonts.small;
    for (int k = 0; k < 2; ++k) {
      const float x = pos.x + name + static_cast<float>(k) * column;
      math_at(list, small, small, {x, pos.y}, frame_.theme.ink_soft, spelled(frame_, kWhich[k].title));
      text_at(list, small, {x, pos.y + 1.25f * small->FontSize}, frame_.theme.ink_faint,
              clipped(small, "rank  effective, of " + std::to_string(bound(kWhich[k])), column - frame_.unit));
    }
    list->AddLine({pos.x, pos.y + header() - 2}, {pos.x + name + 2 * column, pos.y + header() - 2}, frame_.theme.line);
    const ImVec2 room{size.x, size.y - header()};
    const auto heads = int_size(table_.ranks);
    const bool scrolls = static_cast<float>(heads) * row() > room.y;
    ui::room("likeness/ranks/table", {pos.x, pos.y + header()}, room, scrolls, [&](ImVec2 corner) {
      return ui::rows_in_view(corner, heads, row(), [&](int h, ImVec2 at) { line(h, at, name, column); });
    });
  }

  void line(int head, ImVec2 at, float name, float column) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 end{at.x + name + 2 * column, at.y + row()};
    const bool under = ui::under_pointer(at, end);
    if (head == frame_.view.focused_head)
      list->AddRectFilled(at, end, frame_.theme.accent_soft);
    else if (under)
      list->AddRectFilled(at, end, frame_.theme.raised);
    if (under && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) focus_if_present(frame_, head);
    ui::probe({"likeness/ranks/head/", head + 1}, at, end);
    const float y = at.y + 0.5f * (row() - em_);
    head_title(frame_, frame_.fonts.text, {at.x + frame_.unit, y}, head, std::to_string(head + 1));
    for (int k = 0; k < 2; ++k)
      numbers(nth(table_.ranks, head).*kWhich[k].spectrum, bound(kWhich[k]), head,
              {at.x + name + static_cast<float>(k) * column, at.y}, column);
  }

  // The two numbers, and a bar: the effective rank of what is possible, with a mark at the rank.
  void numbers(const Spectrum& spectrum, Index most, int head, ImVec2 at, float column) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImFont* mono = frame_.fonts.mono;
    const float y = at.y + 0.5f * (row() - mono->FontSize), wide = text_width(mono, "000"), gap = 2 * frame_.unit;
    const std::string rank = std::to_string(spectrum.numerical_rank), effective = ui::fixed(spectrum.effective_rank, 1);
    text_at(list, mono, {at.x + wide - text_width(mono, rank), y}, frame_.theme.ink, rank);
    const float second = at.x + wide + gap + text_width(mono, "000.0");
    text_at(list, mono, {second - text_width(mono, effective), y}, frame_.theme.ink, effective);
    const float left = second + gap, right = at.x + column - 2 * gap;
    if (right < left + 2 * em_) return;
    const float top = at.y + 0.36f * row(), bottom = at.y + 0.64f * row();
    const auto x_of = [&](double value) {
      return left +
             (right - left) * static_cast<float>(std::min(1.0, value / static_cast<double>(std::max<Index>(1, most))));
    };
    list->AddRectFilled({left, top}, {right, bottom}, frame_.theme.line);
    list->AddRectFilled({left, top}, {x_of(spectrum.effective_rank), bottom}, head_color(head, frame_.theme.dark));
    const float mark = std::round(x_of(static_cast<double>(spectrum.numerical_rank)));
    list->AddRectFilled({mark - 1, top - frame_.unit}, {mark + 1, bottom + frame_.unit}, frame_.theme.ink);
  }

  Frame& frame_;
  const LikenessTable& table_;
  const LayerInput<float>& input_;
  ImVec2 pos_, size_;
  float em_;
};

}  // namespace

void draw_rank_page(Frame& frame, const LikenessTable& table, ImVec2 pos, ImVec2 size) {
  if (table.ranks.empty()) return ui::soft_text(frame, "Being computed.");
  RankPage(frame, table, pos, size).draw();
}

}  // namespace hydra
