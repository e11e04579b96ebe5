#include "app/views/tradeoff/tradeoff_column_page.h"

#include "app/views/ui.h"

namespace hydra::tradeoff {

namespace {

// With what it is of independent heads.
TableCell beside(TableCell cell, const Spread& independent, double scale, int decimals) {
  if (independent.count == 0) return cell;
  cell.independent = scale * independent.mean;
  cell.said.push_back("Independent heads of the same entropies: " + ui::fixed(independent.mean, decimals) + ", " +
                      ui::fixed(independent.least, decimals) + " to " + ui::fixed(independent.most, decimals) +
                      " in several draws.");
  return cell;
}

TableCell effective(const Frame&, const SweepTable& table, const SweepEntry& e) {
  const double part = 1 / static_cast<double>(e.heads);
  const TableCell cell{or_none(e.effective_heads, 1), of(e.heads), e.effective_heads * part};
  return over_seeds(beside(cell, e.independent.effective_heads, part, 1), table, e, SweptNumber::effective_heads, part,
                    1);
}
TableCell cosine(const Frame&, const SweepTable& table, const SweepEntry& e) {
  const TableCell cell{or_none(e.mean_cosine, 3), "", e.mean_cosine};
  return over_seeds(beside(cell, e.independent.mean_cosine, 1, 3), table, e, SweptNumber::mean_cosine, 1, 3);
}
TableCell divergence(const Frame&, const SweepTable& table, const SweepEntry& e) {
  const TableCell cell{or_none(e.mean_js_bits, 3), "", e.mean_js_bits};
  return over_seeds(beside(cell, e.independent.mean_js_bits, 1, 3), table, e, SweptNumber::mean_js_bits, 1, 3);
}
TableCell change(const Frame&, const SweepTable& table, const SweepEntry& e) {
  const double top = std::max(1.0, ui::nice_ceiling(table.largest_change));
  const TableCell cell{percent_text(e.output_change), "", e.output_change / top};
  return over_seeds(cell, table, e, SweptNumber::output_change, 1 / top, 2);
}

}  // namespace

TableCell over_seeds(TableCell cell, const SweepTable& table, const SweepEntry& entry, SweptNumber number, double scale,
                     int decimals) {
  const Spread* spread = over_seeds(table, entry, number);
  if (!spread || spread->count == 0) return cell;
  cell.seeds = {scale * spread->least, scale * spread->most};
  cell.said.push_back("Over " + std::to_string(spread->count) + " seeds: " + in_words(*spread, decimals) + ".");
  return cell;
}

Row effective_row() {
  return {
      "effective", "Effective rank", "of h patterns, ◆ independent",
      "The effective rank of the matrix of cosines between the heads' patterns: the exponential of the entropy of its "
      "eigenvalues, divided by their sum (Roy and Vetterli 2007); 1 when all patterns are the same. The diamond is "
      "what as many independent heads reach, whose rows have the same entropies: flat patterns are alike whoever "
      "makes them.",
      effective};
}

Row cosine_row() {
  return {"cosine", "Mean cosine", "of patterns, ◆ independent",
          "The cosine of two heads' patterns as vectors, the mean over pairs: 1 when all patterns are the same. The "
          "diamond is that of as many independent heads, whose rows have the same entropies; one head has no pair.",
          cosine};
}

Row divergence_row() {
  return {"divergence", "Divergence", "mean JS, bits, ◆ independent",
          "The Jensen-Shannon divergence of two heads' rows, the mean over rows and pairs of heads: 0 when the heads "
          "are the same, 1 bit when no two heads share a key; one head has no pair. The diamond is that of as many "
          "independent heads, whose rows have the same entropies.",
          divergence};
}

Row change_row(const char* against, const char* tip) { return {"change", "Output change", against, tip, change}; }

std::string of(Index count) { return "of " + std::to_string(count); }
std::string or_none(double value, int decimals) { return std::isnan(value) ? "n/a" : ui::fixed(value, decimals); }

ColumnPage::ColumnPage(Frame& frame, const SweepTable& table, std::vector<Row> rows,
                       std::pair<const char*, const char*> captions, float diagram)
    : frame_(frame),
      table_(table),
      em_(frame.fonts.text->FontSize),
      small_(frame.fonts.small->FontSize),
      rows_(std::move(rows)),
      captions_(captions),
      diagram_(diagram) {}

void ColumnPage::lay_out(ImVec2 size) {
  TradeoffInput in;
  in.pos = pos_;
  in.size = size;
  for (const SweepEntry& entry : table_.entries) in.heads.push_back(static_cast<int>(entry.heads));
  in.rows = int_size(rows_);
  in.diagram = diagram_;
  for (const Row& row : rows_)
    in.label = std::max({in.label, text_width(frame_.fonts.text, row.label),
                         text_width(frame_.fonts.small, spelled(frame_, row.below))});
  in.text = em_;
  in.large = frame_.fonts.large->FontSize;
  in.small = small_;
  in.scrollbar = ImGui::GetStyle().ScrollbarSize;
  in.unit = frame_.unit;
  at_ = tradeoff_layout(in);
  label_ = in.label;
}

void ColumnPage::draw(ImVec2 pos, ImVec2 size) {
  const float head = frame_.fonts.large->FontSize + 1.35f * small_ + 6 * frame_.unit;
  const float least = head + diagram_ + (4.6f + 1.8f * static_cast<float>(rows_.size())) * em_;
  if (size.y >= least) return draw_within(pos, size);
  in_room(frame_, "tradeoff/page", pos, size, least, [&](ImVec2 at, ImVec2 room) { draw_within(at, room); });
}

void ColumnPage::draw_within(ImVec2 pos, ImVec2 size) {
  pos_ = pos;
  lay_out(size);
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

// --- left of the columns

void ColumnPage::labels() {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 soft = frame_.theme.ink_soft;
  text_at(list, frame_.fonts.small, {pos_.x, at_.header + frame_.fonts.large->FontSize - small_ + frame_.unit}, soft,
          captions_.first);
  text_at(list, frame_.fonts.small, {pos_.x, at_.header + frame_.fonts.large->FontSize + 1.5f * frame_.unit}, soft,
          captions_.second);
  if (diagram_ > 0) diagram_labels({pos_.x, at_.diagram});
  query();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    const float y = row_top(k);
    list->AddLine({pos_.x, y - 0.5f * frame_.unit},
                  {pos_.x + at_.label + std::min(at_.width, at_.content()), y - 0.5f * frame_.unit}, frame_.theme.line);
    text_at(list, frame_.fonts.text, {pos_.x, y}, frame_.theme.ink, row.label);
    if (two_lines()) text_at(list, frame_.fonts.small, {pos_.x, y + 1.1f * em_}, soft, spelled(frame_, row.below));
    ui::explain_here(std::string("tradeoff/row/") + row.key, {pos_.x, y}, {label_, at_.row - frame_.unit},
                     spelled(frame_, row.tip));
  }
}

// Which query's row is outlined, and the colours of the patterns.
void ColumnPage::query() {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Index row = shown_query(frame_, table_);
  const std::string token = quoted(frame_, nth(tokens_of(table_), row));
  float y = at_.patterns + frame_.unit;
  const float bottom = at_.patterns + at_.patterns_height;
  title(frame_, "tradeoff/patterns/title", {pos_.x, y}, label_, "Patterns",
        "A square per head, a row per query and a column per key: how much each token attends to each other one.");
  y += em_ + frame_.unit;
  if (y + small_ + em_ > bottom) return;
  text_at(list, frame_.fonts.small, {pos_.x, y}, frame_.theme.ink_soft,
          frame_.view.tradeoff.query_kept ? "outlined, kept" : "outlined: row of");
  y += 1.2f * small_;
  const std::string name = clipped(frame_.fonts.text, token, label_);
  text_at(list, frame_.fonts.text, {pos_.x, y}, frame_.theme.accent, name);
  ui::explain_here("tradeoff/query", {pos_.x, y}, {text_width(frame_.fonts.text, name), em_},
                   "The query whose row is outlined in every pattern: the one under the pointer; a click keeps it.");
  const float scale = bottom - small_ - frame_.unit;
  if (scale < y + 1.5f * em_) return;
  legend(pattern_colors(frame_, table_), {pos_.x, scale}, label_, frame_.fonts.small, frame_.theme.ink_soft, {});
}

// --- a column

void ColumnPage::ground(std::size_t k) const {
  const float x = left(k), inset = frame_.unit;
  if (!present(k)) return;
  list_->AddRectFilled({x - inset, at_.header}, {x + at_.column + inset, at_.bottom}, frame_.theme.accent_soft);
  list_->AddRectFilled({x - inset, at_.header}, {x + at_.column + inset, at_.header + 0.75f * frame_.unit},
                       frame_.theme.accent);
}

void ColumnPage::column(std::size_t k) {
  const float x = left(k);
  if (ui::under_pointer({x, at_.header}, {x + at_.column, at_.bottom})) pointed_ = static_cast<int>(k);
  header(k, {x, at_.header + 0.75f * frame_.unit}, {x + at_.column, at_.header + at_.header_height});
  if (diagram_ > 0) diagram(k, {x, at_.diagram}, {at_.column, diagram_});
  for (std::size_t row = 0; row < rows_.size(); ++row) cell(k, row);
}

ColumnPage::Pressed ColumnPage::press(std::size_t k, ImVec2 min, ImVec2 max) {
  const std::string name = name_in(table_, "column", entry(k));
  ImGui::SetCursorScreenPos(min);
  const bool pressed = ImGui::InvisibleButton(name.c_str(), {max.x - min.x, max.y - min.y});
  ui::probe(name);
  return {pressed, ImGui::IsItemHovered()};
}

float ColumnPage::say(std::size_t k, ImVec2 min, ImVec2 max, const std::string& count, const std::string& rest,
                      const std::string& below, ImU32 below_ink) {
  ImFont *large = frame_.fonts.large, *small = frame_.fonts.small;
  const float y = min.y + 0.5f * frame_.unit;
  text_at(list_, large, {min.x, y}, present(k) ? frame_.theme.accent : frame_.theme.ink, count);
  float end = min.x + text_width(large, count) + 1.25f * frame_.unit;
  if (end + text_width(small, rest) <= max.x) {
    text_at(list_, small, {end, y + 0.86f * (large->FontSize - small_)}, frame_.theme.ink_soft, rest);
    end += text_width(small, rest) + 2 * frame_.unit;
  }
  text_at(list_, small, {min.x, y + large->FontSize + 0.5f * frame_.unit}, below_ink,
          clipped(small, below, max.x - min.x));
  return end;
}

void ColumnPage::cell(std::size_t k, std::size_t number) {
  const Row& row = rows_[number];
  const float x = left(k), y = row_top(number), right = x + at_.column;
  const ImVec2 clip_low = list_->GetClipRectMin(), clip_high = list_->GetClipRectMax();
  if (right < clip_low.x || x > clip_high.x) return;
  const TableCell cell = row.cell(frame_, table_, entry(k));
  const bool none = cell.text == "n/a";
  ImFont* mono = frame_.fonts.mono;
  text_at(list_, mono, {x, y + 0.5f * (em_ - mono->FontSize)}, none ? frame_.theme.ink_faint : frame_.theme.ink,
          cell.text);
  const float end = x + text_width(mono, cell.text) + 1.25f * frame_.unit;
  if (!cell.of.empty() && end + text_width(frame_.fonts.small, cell.of) <= right)
    text_at(list_, frame_.fonts.small, {end, y + 0.6f * (em_ - small_)}, frame_.theme.ink_soft, cell.of);
  const float thick = std::max(3.0f, std::round(0.12f * at_.row)), top = std::round(y + em_ + 0.5f * frame_.unit);
  const float height = std::max(thick + 2, 0.28f * at_.row);
  if (!none && !picture(row, entry(k), {x, top - 0.25f * frame_.unit}, at_.column, height))
    bar(cell, {x, top}, {right, top + thick}, present(k));
  ui::probe({name_in(table_, "cell", entry(k)), "/", row.key}, {x, y}, {right, y + at_.row});
  if (!ui::under_pointer({x, y}, {right, y + at_.row - frame_.unit})) return;
  std::vector<std::string> said = row.arithmetic ? row.arithmetic(frame_, entry(k)) : std::vector<std::string>{};
  said.insert(said.end(), cell.said.begin(), cell.said.end());
  if (!said.empty()) tooltip(said);
}

void ColumnPage::bar(const TableCell& cell, ImVec2 a, ImVec2 b, bool present) const {
  list_->AddRectFilled(a, b, frame_.theme.line);
  if (!std::isfinite(cell.part)) return;
  const auto x_of = [&](double t) { return a.x + static_cast<float>(std::clamp(t, 0.0, 1.0)) * (b.x - a.x); };
  list_->AddRectFilled(a, {x_of(cell.part), b.y}, present ? frame_.theme.accent : frame_.theme.ink_soft);
  if (cell.seeds) bracket(x_of(cell.seeds->first), x_of(cell.seeds->second), a.y, b.y);
  if (cell.independent && std::isfinite(*cell.independent)) diamond(x_of(*cell.independent), 0.5f * (a.y + b.y));
  if (cell.mark < 0) return;
  const float x = std::round(std::min(x_of(cell.mark), b.x - 2));
  list_->AddRectFilled({x, a.y - 0.5f * frame_.unit}, {x + 2, b.y + 0.5f * frame_.unit}, frame_.theme.ink);
}

// From the least to the most over seeds.
void ColumnPage::bracket(float from, float to, float top, float bottom) const {
  const float y = std::round(0.5f * (top + bottom)), half = 0.75f * frame_.unit;
  from = std::round(from), to = std::max(std::round(to), from + 1);
  list_->AddRectFilled({from, y - 1}, {to, y + 1}, frame_.theme.ground);
  list_->AddRectFilled({from, y}, {to, y + 1}, frame_.theme.ink);
  for (const float x : {from, to - 1}) list_->AddRectFilled({x, y - half}, {x + 1, y + half + 1}, frame_.theme.ink);
}

// What independent heads have.
void ColumnPage::diamond(float x, float y) const {
  const float r = 1.25f * frame_.unit;
  const ImVec2 corners[] = {{x, y - r}, {x + r, y}, {x, y + r}, {x - r, y}};
  list_->AddConvexPolyFilled(corners, 4, frame_.theme.ground);
  list_->AddQuad(corners[0], corners[1], corners[2], corners[3], frame_.theme.ink, 1.5f);
}

}  // namespace hydra::tradeoff
