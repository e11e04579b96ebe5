#include "app/views/tradeoff/columns/tradeoff_column_page.h"

#include "app/views/frame/ui.h"
#include "app/widgets/mouse_area.h"

namespace hydra::tradeoff {

namespace {

// With what it is of independent heads.
TableCell beside(TableCell cell, const Spread& independent, double scale, As style) {
  if (independent.count == 0) return cell;
  cell.independent = scale * independent.mean;
  cell.said.push_back(wording("tradeoff:independent", {{"mean", ui::number(independent.mean, style)},
                                                       {"least", ui::number(independent.least, style)},
                                                       {"most", ui::number(independent.most, style)}}));
  return cell;
}

TableCell effective(const Frame&, const SweepTable& table, const SweepEntry& e) {
  const double part = 1 / static_cast<double>(e.heads);
  const TableCell cell{or_none(e.effective_heads, As::tenths), of(e.heads), e.effective_heads * part};
  return over_seeds(beside(cell, e.independent.effective_heads, part, As::tenths), table, e,
                    SweptNumber::effective_heads, part, As::tenths);
}
TableCell cosine(const Frame&, const SweepTable& table, const SweepEntry& e) {
  const TableCell cell{or_none(e.mean_cosine, As::share), "", e.mean_cosine};
  return over_seeds(beside(cell, e.independent.mean_cosine, 1, As::share), table, e, SweptNumber::mean_cosine, 1,
                    As::share);
}
TableCell divergence(const Frame&, const SweepTable& table, const SweepEntry& e) {
  const TableCell cell{or_none(e.mean_js_bits, As::share), "", e.mean_js_bits};
  return over_seeds(beside(cell, e.independent.mean_js_bits, 1, As::share), table, e, SweptNumber::mean_js_bits, 1,
                    As::share);
}
TableCell change(const Frame&, const SweepTable& table, const SweepEntry& e) {
  const double top = std::max(1.0, ui::nice_ceiling(table.largest_change));
  const TableCell cell{or_none(e.output_change, As::percent), "", e.output_change / top};
  return over_seeds(cell, table, e, SweptNumber::output_change, 1 / top, As::percent);
}

}  // namespace

TableCell over_seeds(TableCell cell, const SweepTable& table, const SweepEntry& entry, SweptNumber number, double scale,
                     As style) {
  const Spread* spread = over_seeds(table, entry, number);
  if (!spread || spread->count == 0) return cell;
  cell.seeds = {scale * spread->least, scale * spread->most};
  cell.said.push_back(
      wording("tradeoff:over_seeds", {{"seeds", spread->count}, {"numbers", in_words(*spread, style)}}));
  return cell;
}

Row effective_row() {
  return {"effective", wording("tradeoff:row.effective"), wording("tradeoff:row.effective.below"),
          wording("tradeoff:row.effective.tip"), effective};
}

Row cosine_row() {
  return {"cosine", wording("tradeoff:row.cosine"), wording("tradeoff:row.cosine.below"),
          wording("tradeoff:row.cosine.tip"), cosine};
}

Row divergence_row() {
  return {"divergence", wording("tradeoff:row.divergence"), wording("tradeoff:row.divergence.below"),
          wording("tradeoff:row.divergence.tip"), divergence};
}

Row change_row() {
  return {"change", wording("tradeoff:row.change"), wording("tradeoff:row.change.below"),
          wording("tradeoff:row.change.tip"), change};
}

std::string of(Index count) { return wording("tradeoff:of", {{"heads", count}}); }
std::string or_none(double value, As style) {
  return std::isnan(value) ? wording("tradeoff:none") : ui::number(value, style);
}

ColumnPage::ColumnPage(Frame& frame, const SweepTable& table, std::vector<Row> rows,
                       std::pair<std::string, std::string> captions, float diagram)
    : Drawing(frame), table_(table), rows_(std::move(rows)), captions_(std::move(captions)), diagram_(diagram) {}

TradeoffInput ColumnPage::room_in(ImVec2 pos, ImVec2 size) const {
  auto in = room_for<TradeoffInput>(frame_, pos, size);
  for (const SweepEntry& entry : table_.entries) in.heads.push_back(static_cast<int>(entry.heads));
  in.rows = int_size(rows_);
  in.diagram = diagram_;
  for (const Row& row : rows_)
    in.label = std::max({in.label, text_width(fonts_.text, row.label), text_width(fonts_.small, say(row.below))});
  in.large = fonts_.large->FontSize;
  return in;
}

void ColumnPage::draw(ImVec2 pos, ImVec2 size) {
  const float least = height_of(room_in(pos, size));
  if (size.y >= least) return draw_within(pos, size);
  in_room(frame_, "tradeoff/page", pos, size, least, [&](ImVec2 at, ImVec2 room) { draw_within(at, room); });
}

void ColumnPage::draw_within(ImVec2 pos, ImVec2 size) {
  const TradeoffInput in = room_in(pos, size);
  pos_ = pos;
  at_ = tradeoff_layout(in);
  label_ = in.label;
  labels();
  const float bottom = at_.bottom + (at_.scrolls ? ImGui::GetStyle().ScrollbarSize : 0) + u_;
  if (canvas_.begin_room("tradeoff/columns", {at_.left - u_, pos_.y}, {at_.width + 2 * u_, bottom - pos_.y},
                         at_.scrolls ? Scrolls::sideways : Scrolls::no)) {
    origin_ = ImGui::GetCursorScreenPos();
    origin_.x += u_;
    if (at_.scrolls && ImGui::IsWindowHovered() && ImGui::GetIO().MouseWheel != 0)
      ImGui::SetScrollX(ImGui::GetScrollX() - 3 * em_ * ImGui::GetIO().MouseWheel);
    for (std::size_t k = 0; k < table_.entries.size(); ++k) ground(k);
    draw_patterns(frame_, table_, at_, {origin_.x, at_.patterns});
    for (std::size_t k = 0; k < table_.entries.size(); ++k) column(k);
    ImGui::SetCursorScreenPos(origin_);
    ImGui::Dummy({at_.content(), 1});
  }
  canvas_.end_room();
}

// --- left of the columns

void ColumnPage::labels() {
  const ImU32 soft = theme_.ink_soft;
  canvas_.text_at(fonts_.small, {pos_.x, at_.header + fonts_.large->FontSize - small_ + u_}, soft, captions_.first);
  canvas_.text_at(fonts_.small, {pos_.x, at_.header + fonts_.large->FontSize + 1.5f * u_}, soft, captions_.second);
  if (diagram_ > 0) diagram_labels({pos_.x, at_.diagram});
  query();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    const float y = row_top(k);
    canvas_.line({pos_.x, y - 0.5f * u_}, {pos_.x + at_.label + std::min(at_.width, at_.content()), y - 0.5f * u_},
                 theme_.line);
    canvas_.text_at(fonts_.text, {pos_.x, y}, theme_.ink, row.label);
    if (two_lines()) canvas_.text_at(fonts_.small, {pos_.x, y + 1.1f * em_}, soft, say(row.below));
    ui::explain_here(frame_, std::string("tradeoff/row/") + row.key, {pos_.x, y}, {label_, at_.row - u_}, say(row.tip));
  }
}

// Which query's row is outlined, and the colours of the patterns.
void ColumnPage::query() {
  const Index row = shown_query(frame_, table_);
  const std::string token = quoted(frame_, nth(tokens_of(table_), row));
  float y = at_.patterns + u_;
  const float bottom = at_.patterns + at_.patterns_height;
  title(frame_, "tradeoff/patterns/title", {pos_.x, y}, label_, wording("tradeoff:patterns"),
        wording("tradeoff:patterns.tip"));
  y += em_ + u_;
  if (y + small_ + em_ > bottom) return;
  canvas_.text_at(fonts_.small, {pos_.x, y}, theme_.ink_soft,
                  wording(view_.tradeoff.query ? "tradeoff:outlined.kept" : "tradeoff:outlined"));
  y += 1.2f * small_;
  const std::string name = clipped(fonts_.text, token, label_);
  canvas_.text_at(fonts_.text, {pos_.x, y}, theme_.accent, name);
  ui::explain_here(frame_, "tradeoff/query", {pos_.x, y}, {text_width(fonts_.text, name), em_},
                   wording("tradeoff:outlined.tip"));
  const float scale = bottom - small_ - u_;
  if (scale < y + 1.5f * em_) return;
  legend(frame_, pattern_colors(frame_, table_), {pos_.x, scale}, label_);
}

// --- a column

void ColumnPage::ground(std::size_t k) const {
  const float x = left(k), inset = u_;
  if (!present(k)) return;
  canvas_.fill({x - inset, at_.header}, {x + at_.column + inset, at_.bottom}, theme_.accent_soft);
  canvas_.fill({x - inset, at_.header}, {x + at_.column + inset, at_.header + 0.75f * u_}, theme_.accent);
}

void ColumnPage::column(std::size_t k) {
  const float x = left(k);
  if (canvas_.over({x, at_.header}, {x + at_.column, at_.bottom})) pointed_ = static_cast<int>(k);
  header(k, {x, at_.header + 0.75f * u_}, {x + at_.column, at_.header + at_.header_height});
  if (diagram_ > 0) diagram(k, {x, at_.diagram}, {at_.column, diagram_});
  for (std::size_t row = 0; row < rows_.size(); ++row) cell(k, row);
}

Canvas::Item ColumnPage::press(std::size_t k, ImVec2 min, ImVec2 max, std::string_view words) {
  const Canvas::Item item = canvas_.item(name_in(table_, "column", entry(k)), {min, {max.x - min.x, max.y - min.y}});
  ui::name_if_framed(words);
  return item;
}

float ColumnPage::words(std::size_t k, ImVec2 min, ImVec2 max, const std::string& count, const std::string& rest,
                        const std::string& below, ImU32 below_ink) {
  ImFont *large = fonts_.large, *small = fonts_.small;
  const float y = min.y + 0.5f * u_;
  canvas_.text_at(large, {min.x, y}, present(k) ? theme_.accent : theme_.ink, count);
  float end = min.x + text_width(large, count) + 1.25f * u_;
  if (end + text_width(small, rest) <= max.x) {
    canvas_.text_at(small, {end, y + 0.86f * (large->FontSize - small_)}, theme_.ink_soft, rest);
    end += text_width(small, rest) + 2 * u_;
  }
  canvas_.text_at(small, {min.x, y + large->FontSize + 0.5f * u_}, below_ink, below, max.x - min.x);
  return end;
}

void ColumnPage::cell(std::size_t k, std::size_t number) {
  const Row& row = rows_[number];
  const float x = left(k), y = row_top(number), right = x + at_.column;
  const Box in_sight = canvas_.visible();
  if (right < in_sight.pos.x || x > in_sight.right()) return;
  const TableCell cell = row.cell(frame_, table_, entry(k));
  const bool none = cell.text == wording("tradeoff:none");
  ImFont* mono = fonts_.mono;
  canvas_.text_at(mono, {x, y + 0.5f * (em_ - mono->FontSize)}, none ? theme_.ink_faint : theme_.ink, cell.text);
  const float end = x + text_width(mono, cell.text) + 1.25f * u_;
  if (!cell.of.empty() && end + text_width(fonts_.small, cell.of) <= right)
    canvas_.text_at(fonts_.small, {end, y + 0.6f * (em_ - small_)}, theme_.ink_soft, cell.of);
  const float thick = std::max(3.0f, std::round(0.12f * at_.row)), top = std::round(y + em_ + 0.5f * u_);
  const float height = std::max(thick + 2, 0.28f * at_.row);
  if (!none && !picture(row, entry(k), {x, top - 0.25f * u_}, at_.column, height))
    bar(cell, {x, top}, {right, top + thick}, present(k));
  ui::probe({name_in(table_, "cell", entry(k)), "/", row.key}, {x, y}, {right, y + at_.row});
  if (!canvas_.over({x, y}, {right, y + at_.row - u_})) return;
  std::vector<std::string> said = row.arithmetic ? row.arithmetic(frame_, entry(k)) : std::vector<std::string>{};
  said.insert(said.end(), cell.said.begin(), cell.said.end());
  if (!said.empty()) ui::tooltip(frame_, said);
}

void ColumnPage::bar(const TableCell& cell, ImVec2 a, ImVec2 b, bool present) const {
  canvas_.fill(a, b, theme_.line);
  if (!std::isfinite(cell.part)) return;
  const auto x_of = [&](double t) { return a.x + real(std::clamp(t, 0.0, 1.0)) * (b.x - a.x); };
  canvas_.fill(a, {x_of(cell.part), b.y}, present ? theme_.accent : theme_.ink_soft);
  if (cell.seeds) bracket(x_of(cell.seeds->first), x_of(cell.seeds->second), a.y, b.y);
  if (cell.independent && std::isfinite(*cell.independent)) diamond(x_of(*cell.independent), 0.5f * (a.y + b.y));
  if (cell.mark < 0) return;
  const float x = std::round(std::min(x_of(cell.mark), b.x - 2));
  canvas_.fill({x, a.y - 0.5f * u_}, {x + 2, b.y + 0.5f * u_}, theme_.ink);
}

// From the least to the most over seeds.
void ColumnPage::bracket(float from, float to, float top, float bottom) const {
  const float y = std::round(0.5f * (top + bottom)), half = 0.75f * u_;
  from = std::round(from), to = std::max(std::round(to), from + 1);
  canvas_.fill({from, y - 1}, {to, y + 1}, theme_.ground);
  canvas_.fill({from, y}, {to, y + 1}, theme_.ink);
  for (const float x : {from, to - 1}) canvas_.fill({x, y - half}, {x + 1, y + half + 1}, theme_.ink);
}

// What independent heads have.
void ColumnPage::diamond(float x, float y) const {
  const float r = 1.25f * u_;
  const ImVec2 corners[] = {{x, y - r}, {x + r, y}, {x, y + r}, {x - r, y}};
  canvas_.polygon(corners, theme_.ground);
  canvas_.path(corners, theme_.ink, 1.5f, true);
}

}  // namespace hydra::tradeoff
