// Trade-off: one column per head count, with its patterns and its numbers.
#include <algorithm>
#include <cmath>

#include "app/views/controls.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/widgets/format.h"
#include "app/widgets/probe.h"
#include "app/widgets/token_axis.h"

namespace hydra::tradeoff {

namespace {

// What a column says in a row, and the bar under it.
struct Cell {
  std::string text, of;  // "5.1", "of 8"
  double part = 0;       // of the bar; NaN: there is no such number
  double mark = -1;      // a limit on the bar
};

std::string of(Index count) { return "of " + std::to_string(count); }
std::string or_none(double value, int decimals) { return std::isnan(value) ? "n/a" : ui::fixed(value, decimals); }
Index tokens_in(const SweepEntry& entry) { return static_cast<Index>(entry.trace->tokens.size()); }

Cell entropy(const SweepEntry& entry, const SweepTable&) {
  return {or_none(entry.entropy_fraction, 2), "", entry.entropy_fraction};
}
Cell effective(const SweepEntry& entry, const SweepTable&) {
  return {or_none(entry.effective_heads, 1), of(entry.heads), entry.effective_heads / static_cast<double>(entry.heads)};
}
Cell divergence(const SweepEntry& entry, const SweepTable&) {
  return {or_none(entry.mean_js_bits, 3), "", entry.mean_js_bits};
}
Cell rank(const SweepEntry& entry, const SweepTable&) {
  const auto n = static_cast<double>(tokens_in(entry));
  const Index most = std::min(entry.d_k, tokens_in(entry));
  return {std::to_string(entry.scores.numerical_rank), of(most), static_cast<double>(entry.scores.numerical_rank) / n,
          static_cast<double>(most) / n};
}
Cell shares(const SweepEntry& entry, const SweepTable&) {
  const double largest = *std::max_element(entry.shares.begin(), entry.shares.end());
  return {std::isnan(largest) ? "n/a" : ui::fixed(100 * largest, largest < 0.0995 ? 1 : 0) + " %", "",
          std::numeric_limits<double>::quiet_NaN()};
}
Cell change(const SweepEntry& entry, const SweepTable& table) {
  const double top = std::max(1.0, ui::nice_ceiling(table.largest_change));
  return {or_none(entry.output_change, 2), "", entry.output_change / top};
}

struct Row {
  const char* key;
  const char* label;
  const char* below;  // small, under the label
  const char* tip;
  Cell (*cell)(const SweepEntry&, const SweepTable&);
};
constexpr Row kRows[] = {
    {"entropy", "Entropy", "share of log₂ n",
     "How far the weights of a row are spread, − Σ a log₂ a divided by log₂ n, the mean over rows and heads: 1 when "
     "every token gets the same, 0 when one gets all.",
     entropy},
    {"effective", "Effective heads", "of h heads",
     "The exponential of the entropy of the eigenvalues of the Gram matrix of the patterns, divided by their sum: 1 "
     "when "
     "all patterns are the same (Roy and Vetterli 2007).",
     effective},
    {"divergence", "Divergence", "mean JS, bits",
     "The Jensen-Shannon divergence of two heads' rows, the mean over rows and pairs of heads: 0 when the heads are "
     "the "
     "same, 1 bit when no two heads share a key; one head has no pair.",
     divergence},
    {"rank", "Rank of scores", "of min(d_k, n)",
     "Singular values above rounding of Q Kᵀ of the focused head, or of the last where there are fewer; the bar ends "
     "at n "
     "tokens, its mark is min(d_k, n), above which no head's scores can have rank.",
     rank},
    {"shares", "Shares", "the largest head's",
     "What part of the contributions' squared lengths each head has, ‖Zᵢ‖² / Σ ‖Z_g‖², in head colours.", shares},
    {"change", "Output change", "against 1 head",
     "How far the output is from that of one head with the same weights, ‖Y − Y₁‖ / ‖Y₁‖ in Frobenius norms: 1 is a "
     "change as large as the output itself.",
     change},
};
constexpr int kRowCount = static_cast<int>(std::size(kRows));

class Columns {
 public:
  Columns(Frame& frame, const SweepTable& table, ImVec2 pos, ImVec2 size)
      : frame_(frame), table_(table), pos_(pos), em_(frame.fonts.text->FontSize), small_(frame.fonts.small->FontSize) {
    TradeoffInput in;
    in.pos = pos;
    in.size = size;
    for (const SweepEntry& entry : table.entries) in.heads.push_back(static_cast<int>(entry.heads));
    in.rows = kRowCount;
    for (const Row& row : kRows)
      in.label = std::max({in.label, text_width(frame.fonts.text, row.label),
                           text_width(frame.fonts.small, spelled(frame, row.below))});
    in.text = em_;
    in.large = frame.fonts.large->FontSize;
    in.small = small_;
    in.scrollbar = ImGui::GetStyle().ScrollbarSize;
    in.unit = frame.unit;
    at_ = tradeoff_layout(in);
    label_ = in.label;
  }

  void draw() {
    labels();
    const float bottom = at_.bottom + (at_.scrolls ? ImGui::GetStyle().ScrollbarSize : 0) + frame_.unit;
    ImGui::SetCursorScreenPos({at_.left - frame_.unit, pos_.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoNav |
                                   (at_.scrolls ? ImGuiWindowFlags_HorizontalScrollbar : ImGuiWindowFlags_NoScrollbar) |
                                   ImGuiWindowFlags_NoScrollWithMouse;
    if (ImGui::BeginChild("tradeoff/columns", {at_.width + 2 * frame_.unit, bottom - pos_.y}, false, flags)) {
      list_ = ImGui::GetWindowDrawList();
      origin_ = ImGui::GetCursorScreenPos();
      origin_.x += frame_.unit;
      if (at_.scrolls && ImGui::IsWindowHovered() && ImGui::GetIO().MouseWheel != 0)
        ImGui::SetScrollX(ImGui::GetScrollX() - 3 * em_ * ImGui::GetIO().MouseWheel);
      for (std::size_t k = 0; k < table_.entries.size(); ++k) ground(k);
      draw_patterns(frame_, table_, at_, {origin_.x, at_.patterns});
      for (std::size_t k = 0; k < table_.entries.size(); ++k) column(k);
      ImGui::SetCursorScreenPos(origin_);
      ImGui::Dummy({at_.content(), 1});
    }
    ImGui::EndChild();
    ImGui::PopStyleVar();
  }

 private:
  const SweepEntry& entry(std::size_t k) const { return table_.entries[k]; }
  float left(std::size_t k) const { return origin_.x + static_cast<float>(k) * (at_.column + at_.gap); }
  float row_top(int row) const { return at_.rows + static_cast<float>(row) * at_.row; }
  bool two_lines() const { return at_.row >= em_ + small_ + frame_.unit; }

  // --- left of the columns

  void labels() {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImU32 soft = frame_.theme.ink_soft;
    text_at(list, frame_.fonts.small, {pos_.x, at_.header + frame_.fonts.large->FontSize - small_ + frame_.unit}, soft,
            "heads h");
    text_at(list, frame_.fonts.small, {pos_.x, at_.header + frame_.fonts.large->FontSize + 1.5f * frame_.unit}, soft,
            "d_k = d_model / h");
    query();
    for (int k = 0; k < kRowCount; ++k) {
      const Row& row = kRows[k];
      const float y = row_top(k);
      list->AddLine({pos_.x, y - 0.5f * frame_.unit},
                    {pos_.x + at_.label + std::min(at_.width, at_.content()), y - 0.5f * frame_.unit},
                    frame_.theme.line);
      text_at(list, frame_.fonts.text, {pos_.x, y}, frame_.theme.ink, row.label);
      if (two_lines()) text_at(list, frame_.fonts.small, {pos_.x, y + 1.1f * em_}, soft, spelled(frame_, row.below));
      ImGui::SetCursorScreenPos({pos_.x, y});
      ImGui::Dummy({label_, at_.row - frame_.unit});
      ui::probe(std::string("tradeoff/row/") + row.key);
      ui::tip(spelled(frame_, row.tip).c_str());
    }
  }

  // Which query's row is outlined, and the colours of the patterns.
  void query() {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Index row = shown_query(frame_, table_);
    const std::string token = quoted(frame_, tokens_of(table_)[static_cast<std::size_t>(row)]);
    float y = at_.patterns + frame_.unit;
    const float bottom = at_.patterns + at_.patterns_height;
    title(frame_, "tradeoff/patterns/title", {pos_.x, y}, label_, "Patterns",
          "A square per head, a row per query and a column per key: how much each token attends to each other one.");
    y += em_ + frame_.unit;
    if (y + small_ + em_ > bottom) return;
    text_at(list, frame_.fonts.small, {pos_.x, y}, frame_.theme.ink_soft,
            frame_.view.query_kept ? "outlined, kept" : "outlined: row of");
    y += 1.2f * small_;
    const std::string name = clipped(frame_.fonts.text, token, label_);
    text_at(list, frame_.fonts.text, {pos_.x, y}, frame_.theme.accent, name);
    ImGui::SetCursorScreenPos({pos_.x, y});
    ImGui::Dummy({std::max(1.0f, text_width(frame_.fonts.text, name)), em_});
    ui::probe("tradeoff/query");
    ui::tip("The query whose row is outlined in every pattern: the one under the pointer; a click keeps it.");
    const float scale = bottom - small_ - frame_.unit;
    if (scale < y + 1.5f * em_) return;
    const ColorMap map = frame_.theme.dark ? ColorMap::sequential_dark : ColorMap::sequential_light;
    legend({map, 0, 1}, {pos_.x, scale}, label_, frame_.fonts.small, frame_.theme.ink_soft, {});
  }

  // --- a column

  void ground(std::size_t k) const {
    const float x = left(k), inset = frame_.unit;
    if (!is_present(frame_, entry(k))) return;
    list_->AddRectFilled({x - inset, at_.header}, {x + at_.column + inset, at_.bottom}, frame_.theme.accent_soft);
    list_->AddRectFilled({x - inset, at_.header}, {x + at_.column + inset, at_.header + 0.75f * frame_.unit},
                         frame_.theme.accent);
  }

  void column(std::size_t k) {
    header(k);
    for (int row = 0; row < kRowCount; ++row) cell(k, row);
  }

  void header(std::size_t k) {
    const SweepEntry& e = entry(k);
    const std::string heads = std::to_string(e.heads), name = "tradeoff/column/" + heads;
    const ImVec2 a{left(k), at_.header + 0.75f * frame_.unit}, b{a.x + at_.column, at_.header + at_.header_height};
    ImGui::SetCursorScreenPos(a);
    const bool pressed = ImGui::InvisibleButton(name.c_str(), {b.x - a.x, b.y - a.y});
    ui::probe(name);
    const bool present = is_present(frame_, e), under = ImGui::IsItemHovered();
    if (under && !present)
      list_->AddRectFilled({a.x - frame_.unit, a.y}, {b.x + frame_.unit, b.y}, frame_.theme.raised);
    const float y = a.y + 0.5f * frame_.unit;
    text_at(list_, frame_.fonts.large, {a.x, y}, present ? frame_.theme.accent : frame_.theme.ink, heads);
    const float end = a.x + text_width(frame_.fonts.large, heads) + 1.25f * frame_.unit;
    const std::string word = e.heads == 1 ? "head" : "heads";
    if (end + text_width(frame_.fonts.small, word) <= b.x)
      text_at(list_, frame_.fonts.small, {end, y + 0.86f * (frame_.fonts.large->FontSize - small_)},
              frame_.theme.ink_soft, word);
    text_at(list_, frame_.fonts.small, {a.x, y + frame_.fonts.large->FontSize + 0.5f * frame_.unit},
            e.any_pattern ? frame_.theme.ink : frame_.theme.ink_soft, "d_k = " + std::to_string(e.d_k));
    if (under)
      tooltip({heads + " " + word + (present ? ": the document as it is." : ": click to cut the document so."),
               "d_k = " + std::to_string(e.d_k) + (e.any_pattern ? ", at least the " : ", less than the ") +
                   std::to_string(tokens_in(e)) + " tokens: " +
                   (e.any_pattern ? "a head can make any pattern by its W_Q and W_K."
                                  : "there are patterns that no W_Q and W_K make.")});
    if (pressed) apply_heads(frame_, table_, e.heads);
  }

  void cell(std::size_t k, int number) {
    const Row& row = kRows[number];
    const Cell cell = row.cell(entry(k), table_);
    const float x = left(k), y = row_top(number), right = x + at_.column;
    const ImVec2 clip_low = list_->GetClipRectMin(), clip_high = list_->GetClipRectMax();
    if (right < clip_low.x || x > clip_high.x) return;
    const bool present = is_present(frame_, entry(k)), none = cell.text == "n/a";
    ImFont* mono = frame_.fonts.mono;
    text_at(list_, mono, {x, y + 0.5f * (em_ - mono->FontSize)}, none ? frame_.theme.ink_faint : frame_.theme.ink,
            cell.text);
    const float end = x + text_width(mono, cell.text) + 1.25f * frame_.unit;
    if (!cell.of.empty() && end + text_width(frame_.fonts.small, cell.of) <= right)
      text_at(list_, frame_.fonts.small, {end, y + 0.6f * (em_ - small_)}, frame_.theme.ink_soft, cell.of);
    const float thick = std::max(3.0f, std::round(0.12f * at_.row)), top = std::round(y + em_ + 0.5f * frame_.unit);
    if (row.cell == shares)
      share_bar(entry(k), {x, top - 0.25f * frame_.unit}, at_.column, std::max(thick + 2, 0.28f * at_.row));
    else if (!none)
      bar(cell, {x, top}, {right, top + thick}, present);
    if (ui::probe_recorder())
      ui::probe("tradeoff/cell/" + std::to_string(entry(k).heads) + "/" + row.key, {x, y}, {right, y + at_.row});
  }

  void bar(const Cell& cell, ImVec2 a, ImVec2 b, bool present) const {
    list_->AddRectFilled(a, b, frame_.theme.line);
    if (!std::isfinite(cell.part)) return;
    const auto x_of = [&](double t) { return a.x + static_cast<float>(std::clamp(t, 0.0, 1.0)) * (b.x - a.x); };
    list_->AddRectFilled(a, {x_of(cell.part), b.y}, present ? frame_.theme.accent : frame_.theme.ink_soft);
    if (cell.mark < 0) return;
    const float x = std::round(std::min(x_of(cell.mark), b.x - 2));
    list_->AddRectFilled({x, a.y - 0.5f * frame_.unit}, {x + 2, b.y + 0.5f * frame_.unit}, frame_.theme.ink);
  }

  void share_bar(const SweepEntry& e, ImVec2 pos, float width, float height) {
    double sum = 0;
    for (std::size_t h = 0; h < e.shares.size(); ++h) {
      if (!std::isfinite(e.shares[h])) return;
      const float from = pos.x + static_cast<float>(sum) * width;
      const float to = pos.x + static_cast<float>(sum += e.shares[h]) * width;
      const float gap = to - from >= 4 ? 1.0f : 0.0f;  // between neighbours of like colours
      list_->AddRectFilled({from, pos.y}, {to - gap, pos.y + height},
                           head_color(static_cast<int>(h), frame_.theme.dark));
      if (under_pointer({from, pos.y}, {to, pos.y + height}))
        tooltip({"Head " + std::to_string(h + 1) + " of " + std::to_string(e.heads) + ": " +
                 ui::fixed(100 * e.shares[h], 1) + " %"});
    }
  }

  Frame& frame_;
  const SweepTable& table_;
  TradeoffLayout at_;
  ImVec2 pos_, origin_;
  ImDrawList* list_ = nullptr;
  float em_, small_, label_ = 0;
};

}  // namespace

void draw_columns(Frame& frame, const SweepTable& table, ImVec2 pos, ImVec2 size) {
  Columns(frame, table, pos, size).draw();
}

}  // namespace hydra::tradeoff
