// Trade-off: what stays and what moves over head counts, and the rank of a head's scores and of its pattern.
#include <algorithm>
#include <cmath>

#include "app/views/controls.h"
#include "app/views/tradeoff_parts.h"
#include "app/widgets/count_chart.h"
#include "app/widgets/format.h"
#include "app/widgets/line_chart.h"
#include "app/widgets/probe.h"
#include "app/widgets/token_axis.h"

namespace hydra::tradeoff {

namespace {

constexpr double kLeast = 1e-8;  // singular values of 32-bit numbers, of the largest, end there

ImU32 faded(ImU32 color, float alpha) {
  return (color & ~IM_COL32_A_MASK) | (static_cast<ImU32>(255 * alpha) << IM_COL32_A_SHIFT);
}

struct Part {
  double MultiplyAdds::*value;
  const char* name;
  const char* formula;
  float alpha;
};
constexpr Part kParts[] = {{&MultiplyAdds::projections, "projections", "3 n d_model²", 1.0f},
                           {&MultiplyAdds::scores, "scores", "h n² d_k = n² d_model", 0.72f},
                           {&MultiplyAdds::weighted_sum, "weighted sum", "h n² d_k = n² d_model", 0.48f},
                           {&MultiplyAdds::output, "output", "n d_model²", 0.26f}};

class CostPage {
 public:
  CostPage(Frame& frame, const SweepTable& table, ImVec2 pos, ImVec2 size)
      : frame_(frame),
        table_(table),
        at_(cost_layout(pos, size, frame.fonts.text->FontSize, frame.unit)),
        em_(frame.fonts.text->FontSize),
        small_(frame.fonts.small->FontSize),
        n_(static_cast<Index>(tokens_of(table).size())) {
    for (std::size_t k = 0; k < table.entries.size(); ++k) {
      if (is_present(frame, table.entries[k])) present_ = static_cast<int>(k);
      if (table.entries[k].heads == frame.view.pointed_heads) pointed_ = static_cast<int>(k);
    }
  }

  void draw() {
    weights();
    products();
    memory();
    width();
    spectrum(
        "tradeoff/spectrum/scores", "Singular values of Q Kᵀ", "before softmax, of the largest",
        "Of the focused head, or of the last where there are fewer, divided by the largest: a head of width d_k has "
        "at most d_k above zero.",
        table_.scores, at_.before);
    spectrum(
        "tradeoff/spectrum/pattern", "Singular values of A", "after softmax, of the largest",
        "Softmax is not linear: it lifts the rank of the pattern above that of the scores, but most of it stays in a "
        "few singular values.",
        table_.pattern, at_.after);
    draw_extremes(frame_, table_, at_.extremes.pos, at_.extremes.size);
    frame_.view.pointed_heads = next_ >= 0 ? entry(next_).heads : 0;
  }

 private:
  const SweepEntry& entry(int k) const { return table_.entries[static_cast<std::size_t>(k)]; }
  int count() const { return static_cast<int>(table_.entries.size()); }

  template <class Value>
  std::vector<double> over_counts(const Value& value) const {
    std::vector<double> values;
    for (const SweepEntry& e : table_.entries) values.push_back(static_cast<double>(value(e)));
    return values;
  }

  CountChart chart() const {
    CountChart chart;
    chart.counts = over_counts([](const SweepEntry& e) { return e.heads; });
    chart.say = axis_number;
    chart.marked = present_;
    chart.hovered = pointed_;
    chart.theme = &frame_.theme;
    chart.font = frame_.fonts.small;
    chart.unit = frame_.unit;
    return chart;
  }

  // The chart below its title and a soft line; says which count is pointed at, which the other charts mark too.
  int show(const char* name, const TradeoffArea& area, const CountChart& chart, float head) {
    const CountChartResult hit =
        count_chart(name, chart, {area.pos.x, area.pos.y + head}, {area.size.x, area.size.y - head});
    if (hit.hovered < 0) return -1;
    next_ = hit.hovered;
    if (hit.clicked) apply_heads(frame_, table_, entry(hit.hovered).heads);
    return hit.hovered;
  }

  // The title over one or two soft lines, parted by a line break; its height is that of two.
  float heading(const char* name, const TradeoffArea& area, const char* text, const std::string& below,
                const char* tip) const {
    title(frame_, name, area.pos, area.size.x, text, tip);
    const std::size_t end = below.find('\n');
    for (const bool second : {false, true}) {
      const std::string line = second ? (end < below.size() ? below.substr(end + 1) : "") : below.substr(0, end);
      text_at(ImGui::GetWindowDrawList(), frame_.fonts.small,
              {area.pos.x, area.pos.y + em_ + 0.5f * frame_.unit + (second ? 1.25f * small_ : 0)},
              frame_.theme.ink_soft, clipped(frame_.fonts.small, spelled(frame_, line), area.size.x));
    }
    return em_ + 2.5f * small_ + 3 * frame_.unit;
  }

  std::string heads_text(int k) const {
    return std::to_string(entry(k).heads) + (entry(k).heads == 1 ? " head" : " heads");
  }

  void weights() {
    const float head = heading("tradeoff/weights/title", at_.weights, "Weights", "4 d_model²,\nwhatever h",
                               "Numbers in W_Q, W_K, W_V and W_O without biases: how they are cut does not change how "
                               "many they are.");
    CountChart c = chart();
    c.series.push_back({over_counts([](const SweepEntry& e) { return weight_count(e.sizes); }), frame_.theme.accent});
    c.high = ui::nice_ceiling(c.series[0].values[0]);
    if (const int k = show("tradeoff/weights", at_.weights, c, head); k >= 0)
      tooltip({heads_text(k) + ": " + whole_number(c.series[0].values[static_cast<std::size_t>(k)]) + " weights"});
  }

  void products() {
    const std::string text = "Multiply-adds, n = " + std::to_string(n_);
    const float head = heading("tradeoff/products/title", at_.products, text.c_str(), "",
                               "h heads of width d_model / h multiply as much as one of width d_model: the scores take "
                               "h n² d_k = n² d_model.");
    CountChart c = chart();
    for (const Part& part : kParts)
      c.series.push_back({over_counts([&](const SweepEntry& e) { return e.multiply_adds.*part.value; }),
                          faded(frame_.theme.accent, part.alpha)});
    c.high = ui::nice_ceiling(entry(0).multiply_adds.total());
    key(at_.products, em_ + 0.5f * frame_.unit);
    const int k = show("tradeoff/products", at_.products, c, head);
    if (k < 0) return;
    std::vector<std::string> lines{heads_text(k) + ": " + whole_number(entry(k).multiply_adds.total())};
    for (const Part& part : kParts)
      lines.push_back(spelled(frame_, std::string(part.name) + ", " + part.formula + ": " +
                                          whole_number(entry(k).multiply_adds.*part.value)));
    tooltip(lines);
  }

  // What the shades mean, in two lines.
  void key(const TradeoffArea& area, float head) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float line = 1.25f * small_, side = std::round(0.7f * small_);
    float x = area.pos.x, y = area.pos.y + head;
    for (const Part& part : kParts) {
      const float width = side + frame_.unit + text_width(frame_.fonts.small, part.name);
      if (x > area.pos.x && x + width > area.pos.x + area.size.x) x = area.pos.x, y += line;
      const float top = std::round(y + 0.15f * small_);
      list->AddRectFilled({x, top}, {x + side, top + side}, faded(frame_.theme.accent, part.alpha));
      text_at(list, frame_.fonts.small, {x + side + frame_.unit, y}, frame_.theme.ink_soft, part.name);
      x += width + 2.5f * frame_.unit;
    }
  }

  void memory() {
    const float head = heading("tradeoff/memory/title", at_.memory, "Patterns", "numbers kept:\nh n²",
                               "Every head has a pattern of n rows and n columns of its own: this is what many heads "
                               "cost.");
    CountChart c = chart();
    c.series.push_back(
        {over_counts([&](const SweepEntry& e) { return pattern_count(e.sizes, static_cast<double>(n_)); }),
         frame_.theme.accent});
    c.high = ui::nice_ceiling(*std::max_element(c.series[0].values.begin(), c.series[0].values.end()));
    if (const int k = show("tradeoff/memory", at_.memory, c, head); k >= 0) {
      const double numbers = c.series[0].values[static_cast<std::size_t>(k)];
      tooltip({heads_text(k) + ": " + whole_number(numbers) + " numbers, " + bytes_text(4 * numbers) + " in fp32"});
    }
  }

  // --- the width of a head, and the ranks it allows

  void width() {
    const TradeoffArea& area = at_.width;
    const std::string marks =
        frame_.fonts.unicode ? "line: d_k   ● rank of Q Kᵀ   ○ of A" : "line: d_k  dots: rank of Q K^T  rings: of A";
    std::string below = marks + "\nd_k ≥ n: any pattern (Bhojanapalli et al. 2020)";
    if (text_width(frame_.fonts.small, below.substr(marks.size() + 1)) > area.size.x)
      below = marks + "\nd_k ≥ n: a head can make any pattern";
    const float head =
        heading("tradeoff/width/title", area, "Width of a head and rank", below,
                "The rank of a head's scores is at most d_k and at most n. Where d_k ≥ n, a head can make "
                "any pattern of n tokens by its W_Q and W_K (Bhojanapalli et al. 2020, theorem 1); where "
                "d_k < n, there are patterns that it cannot make.");
    CountChart c = chart();
    c.logarithmic = true;
    c.low = 1;
    c.high = std::exp2(std::ceil(std::log2(std::max<double>(2, static_cast<double>(std::max(entry(0).d_k, n_))))));
    c.say = [](double value) { return ui::short_number(value); };
    using Kind = CountSeries::Kind;
    c.series.push_back({over_counts([](const SweepEntry& e) { return e.d_k; }), frame_.theme.accent, Kind::line});
    c.series.push_back(
        {over_counts([](const SweepEntry& e) { return e.pattern.numerical_rank; }), frame_.theme.ink, Kind::rings});
    c.series.push_back(
        {over_counts([](const SweepEntry& e) { return e.scores.numerical_rank; }), frame_.theme.ink, Kind::dots});
    c.levels.push_back({static_cast<double>(n_), "n = " + std::to_string(n_)});
    while (c.shaded < count() && entry(c.shaded).any_pattern) ++c.shaded;
    c.shaded_label = spelled(frame_, "d_k ≥ n");
    const int k = show("tradeoff/width", area, c, head);
    if (k < 0) return;
    const SweepEntry& e = entry(k);
    tooltip({heads_text(k) + ": d_k = " + std::to_string(e.d_k),
             spelled(frame_, "Rank of head " + std::to_string(e.head + 1) +
                                 "'s Q Kᵀ: " + std::to_string(e.scores.numerical_rank) +
                                 ", of its pattern: " + std::to_string(e.pattern.numerical_rank)),
             spelled(frame_, e.any_pattern ? "d_k ≥ n: a head can make any pattern."
                                           : "d_k < n: there are patterns that no head can make.")});
  }

  // --- singular values

  ImU32 shade(int k) const {
    const float t = count() > 1 ? static_cast<float>(k) / static_cast<float>(count() - 1) : 0.5f;
    return to_u32(
        color_at(frame_.theme.dark ? ColorMap::sequential_dark : ColorMap::sequential_light, 0.3f + 0.65f * t));
  }

  void spectrum(const char* name, const char* text, const char* below, const char* tip,
                const std::vector<std::vector<double>>& values, const TradeoffArea& area) {
    const float head = heading((std::string(name) + "/title").c_str(), area, text, below, tip) + second_key_line(area);
    counts_key(area, em_ + 0.5f * frame_.unit + 1.25f * small_);
    if (area.size.y < head + 5 * em_) return;
    LineChart c;
    double smallest = 1;
    for (int k = 0; k < count(); ++k) {
      const std::vector<double>& line = values[static_cast<std::size_t>(k)];
      for (const double value : line)
        if (value > 0) smallest = std::min(smallest, value);
      c.lines.push_back({&line, shade(k), k == (pointed_ >= 0 ? pointed_ : present_)});
    }
    c.limits.push_back({static_cast<double>(n_), "n = " + std::to_string(n_)});
    const int strong = pointed_ >= 0 ? pointed_ : present_;
    if (strong >= 0 && entry(strong).d_k < n_)
      c.limits.push_back({static_cast<double>(entry(strong).d_k), "d_k = " + std::to_string(entry(strong).d_k)});
    c.last = static_cast<int>(std::max<Index>(2, n_));
    c.logarithmic = frame_.view.spectra_log;
    if (c.logarithmic) c.low = std::clamp(std::pow(10, std::floor(std::log10(0.8 * smallest))), kLeast, 0.01);
    c.theme = &frame_.theme;
    c.font = frame_.fonts.small;
    c.unicode = frame_.fonts.unicode;
    c.unit = frame_.unit;
    const LineChartResult hit =
        draw_line_chart(name, c, {area.pos.x, area.pos.y + head}, {area.size.x, area.size.y - head});
    if (hit.line < 0) return;
    next_ = hit.line;
    const double value = values[static_cast<std::size_t>(hit.line)][static_cast<std::size_t>(hit.index)];
    tooltip({heads_text(hit.line) + ": singular value " + std::to_string(hit.index + 1) + " is " + ui::number(value) +
             " of the largest"});
    if (hit.clicked) apply_heads(frame_, table_, entry(hit.line).heads);
  }

  // The head counts in the colours of their lines.
  void counts_key(const TradeoffArea& area, float head) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImFont* font = frame_.fonts.small;
    const float line = 1.25f * small_, stroke = 2 * frame_.unit;
    float x = area.pos.x, y = area.pos.y + head;
    for (int k = 0; k < count(); ++k) {
      const std::string text = std::to_string(entry(k).heads);
      const float width = key_width(k);
      if (x > area.pos.x && x + width > area.pos.x + area.size.x) x = area.pos.x, y += line;
      const bool strong = k == (pointed_ >= 0 ? pointed_ : present_);
      list->AddRectFilled({x, y + 0.5f * small_ - (strong ? 2.0f : 1.0f)}, {x + stroke, y + 0.5f * small_ + 1},
                          shade(k));
      text_at(list, font, {x + stroke + frame_.unit, y}, strong ? frame_.theme.ink : frame_.theme.ink_soft, text);
      if (under_pointer({x, y}, {x + width, y + line})) next_ = k;
      x += width + 1.5f * frame_.unit;
    }
  }
  float key_width(int k) const {
    return 3 * frame_.unit + text_width(frame_.fonts.small, std::to_string(entry(k).heads));
  }
  // Height that the key needs beyond its first line.
  float second_key_line(const TradeoffArea& area) const {
    float x = 0, more = 0;
    for (int k = 0; k < count(); ++k) {
      if (x > 0 && x + key_width(k) > area.size.x) x = 0, more += 1.25f * small_;
      x += key_width(k) + 1.5f * frame_.unit;
    }
    return more;
  }

  Frame& frame_;
  const SweepTable& table_;
  CostLayout at_;
  float em_, small_;
  Index n_;
  int present_ = -1, pointed_ = -1;  // columns: the document's own; pointed at in the last frame
  int next_ = -1;                    // in this one
};

}  // namespace

void draw_cost(Frame& frame, const SweepTable& table, ImVec2 pos, ImVec2 size) {
  // Scrolls where the room is lower than what can be read.
  const float least = 31 * frame.fonts.text->FontSize;
  ImGui::SetCursorScreenPos(pos);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  if (ImGui::BeginChild("tradeoff/cost", size, false,
                        ImGuiWindowFlags_NoNav | (size.y < least ? 0 : ImGuiWindowFlags_NoScrollbar))) {
    const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    CostPage(frame, table, origin, {room.x - (size.y < least ? frame.unit : 0), std::max(size.y, least)}).draw();
    ImGui::SetCursorScreenPos(origin);
    ImGui::Dummy({1, std::max(size.y, least)});
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace hydra::tradeoff
