// Trade-off: the two ends of the axis in words and numbers: one head, and heads as narrow as there are.
#include "app/views/frame/ui.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/widgets/table.h"

namespace hydra::tradeoff {

namespace {

class Extremes : Drawing {
 public:
  Extremes(Frame& frame, const SweepTable& table, ImVec2 pos, ImVec2 size)
      : Drawing(frame),
        table_(table),
        tokens_(tokens_of(table)),
        query_(shown_query(frame, table)),
        pos_(pos),
        size_(size) {}

  void draw() {
    const Canvas::Clip clip(canvas_, pos_, {pos_.x + size_.x, pos_.y + size_.y});
    float y = pos_.y;
    y = one_head(y) + 4 * u_;
    narrowest(y);
  }

 private:
  static MatView<float> pattern(const SweepEntry& entry, Index head) {
    return *nth(entry.layer().heads, head).attention;
  }
  // With its place where the sentence has the word again.
  std::string token(Index t) const {
    const std::string& word = nth(tokens_, t);
    const bool again = std::count(tokens_.begin(), tokens_.end(), word) > 1;
    return quoted(frame_, word) + (again ? " " + std::to_string(t + 1) : "");
  }

  // Returns where the next begins; what would not be whole is not said.
  float say(float y, const std::string& text, bool soft = false) const {
    ImFont* font = fonts_.text;
    if (y + paragraph_height(frame_, font, size_.x, text) > pos_.y + size_.y) return y;
    return y + paragraph(frame_, font, {pos_.x, y}, size_.x, soft ? theme_.ink_soft : theme_.ink, text) + u_;
  }
  float heading(float y, const char* name, const std::string& text, const std::string& tip) const {
    return title(frame_, name, {pos_.x, y}, size_.x, text, tip) + u_;
  }

  // The most that any head gives.
  std::pair<float, Index> largest(const SweepEntry& entry, Index key) const {
    std::pair<float, Index> found{-1, 0};
    for (Index h = 0; h < entry.heads; ++h)
      if (const float weight = pattern(entry, h)(query_, key); weight > found.first) found = {weight, h};
    return found;
  }

  // What marked relations of the query ask for and what one head attends to most, by its weights.
  std::vector<Index> keys(MatIn<float> row, std::size_t count) const {
    std::vector<Index> found;
    const auto add = [&](Index key) {
      if (key < row.cols() && found.size() < count && std::find(found.begin(), found.end(), key) == found.end())
        found.push_back(key);
    };
    if (frame_.sentences.marks)  // these are among them in any case
      for (const auto& pairs : frame_.sentences.marks->gold)
        for (const GoldPair& pair : pairs)
          if (pair.from == query_) add(pair.to);
    std::vector<Index> order(static_cast<std::size_t>(row.cols()));
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<Index>(k);
    const std::size_t best = std::min(count, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(best), order.end(),
                      [&](Index a, Index b) { return row(0, a) > row(0, b); });
    for (std::size_t k = 0; k < best; ++k) add(order[k]);
    std::stable_sort(found.begin(), found.end(), [&](Index a, Index b) { return row(0, a) > row(0, b); });
    return found;
  }

  // The query is 0 whatever W_Q is: its scores are all equal.
  bool asks_nothing(const SweepEntry& entry) const {
    const LayerSettings& settings = entry.layer().input.settings;
    return !entry.layer().input.weights.b_Q && !settings.alibi && !settings.offset_bias &&
           entry.trace->X->row(query_).isZero(0);
  }

  // The head count besides one head: the document's own, else the last.
  const SweepEntry& other() const {
    for (const SweepEntry& entry : table_.entries)
      if (entry.heads > 1 && is_present(frame_, table_, entry)) return entry;
    return table_.entries.back();
  }

  float one_head(float y) const {
    y = heading(y, "tradeoff/extremes/one", wording("tradeoff:extremes.one"), wording("tradeoff:extremes.one.tip"));
    y = say(y, wording("tradeoff:extremes.one.said"));
    const SweepEntry& one = table_.entries.front();
    if (one.heads != 1) return say(y, wording("tradeoff:extremes.switch"), true);
    const SweepEntry& many = other();
    const Mat<float> row = pattern(one, 0).row(query_);
    const float shown = pos_.y + size_.y - y - 11 * em_;  // what the other end leaves
    const std::vector<Index> rows = keys(row, static_cast<std::size_t>(std::clamp(shown / (1.35f * em_), 2.0f, 6.0f)));
    Table table = weights_over(many);
    table.rows = std::ssize(rows);
    table.cell = [&](Index k, int) { return hydra::TableCell{token(nth(rows, k))}; };
    table.drawn = [&](Index k, int column, ImVec2 low, ImVec2 high) {
      const Index key = nth(rows, k);
      const auto [most, head] = largest(many, key);
      weight(low, high, column == 1 ? row(0, key) : most, column == 1 ? theme_.ink_soft : head_color(frame_, head));
    };
    const float height = table.header + real(rows.size()) * table.row;
    const TableResult at = draw_table(canvas_, table, {{pos_.x, y}, {size_.x, height}});
    ui::probe("tradeoff/extremes/row", {pos_.x, y + table.header}, {pos_.x + size_.x, y + height});
    if (at.row >= 0 && at.column == 2) {
      const Index key = nth(rows, at.row);
      const auto [most, head] = largest(many, key);
      ui::tooltip(frame_, {wording("tradeoff:extremes.most", {{"head", head_name(head)},
                                                              {"heads", many.heads},
                                                              {"token", token(key)},
                                                              {"weight", ui::number(most)}})});
    }
    return y + height;
  }

  // A token, what one head gives it, and the most that any of several does.
  Table weights_over(const SweepEntry& many) const {
    auto table = styled<Table>(frame_);
    table.name = "tradeoff/extremes";
    table.words = fonts_.text, table.numbers = fonts_.mono;
    table.header = 1.35f * small_ + u_, table.row = 1.35f * em_;
    table.points = false;
    const float name = std::min(0.34f * size_.x, 8 * em_), column = 0.5f * (size_.x - name);
    const auto add = [&](const char* key, const std::string& title, float left, float right, TableColumn::Kind kind) {
      table.columns.push_back({.key = key, .title = {title}, .left = left, .right = right, .kind = kind});
    };
    add("token", wording("tradeoff:extremes.row", {{"token", token(query_)}}), 0, name, TableColumn::Kind::words);
    add("one", wording("tradeoff:heads", {{"n", 1}}), name, name + column, TableColumn::Kind::drawn);
    if (many.heads > 1)
      add("many", wording("tradeoff:extremes.largest", {{"heads", many.heads}}), name + column, size_.x,
          TableColumn::Kind::drawn);
    return table;
  }

  // A bar of 0 to 1 with its number.
  void weight(ImVec2 low, ImVec2 high, float value, ImU32 color) const {
    ImFont* mono = fonts_.mono;
    const float from = low.x + u_, to = high.x - u_, left = from + text_width(mono, "0.00") + 1.5f * u_;
    const float y = low.y + 0.5f * (high.y - low.y - em_), top = y + 0.3f * em_, bottom = y + 0.75f * em_;
    canvas_.text_at(mono, {from, y + 0.5f * (em_ - mono->FontSize)}, theme_.ink, ui::number(value, As::brief));
    if (to < left + em_) return;
    canvas_.fill({left, top}, {to, bottom}, theme_.line);
    canvas_.fill({left, top}, {left + std::clamp(value, 0.0f, 1.0f) * (to - left), bottom}, color);
  }

  // Of so narrow heads: what a score is made of.
  void narrowest(float y) const {
    const SweepEntry& last = table_.entries.back();
    y = heading(y, "tradeoff/extremes/narrow",
                wording("tradeoff:extremes.narrow", {{"n", last.heads}, {"d_k", last.d_k}}),
                wording("tradeoff:extremes.narrow.tip"));
    const std::string of_scores = in_words(last.scores_over_heads.rank, As::whole),
                      of_patterns = in_words(last.pattern_over_heads.rank, As::whole);
    const std::string ranks =
        last.heads == 1 ? wording("tradeoff:extremes.rank",
                                  {{"scores", of_scores}, {"patterns", of_patterns}, {"tokens", tokens_.size()}})
                        : wording("tradeoff:extremes.ranks", {{"heads", last.heads},
                                                              {"scores", of_scores},
                                                              {"patterns", of_patterns},
                                                              {"tokens", tokens_.size()}});
    const LayerSettings& settings = last.layer().input.settings;
    const std::string& before = wording(settings.soft_cap > 0  ? "tradeoff:extremes.before.soft_cap"
                                        : settings.alibi       ? "tradeoff:extremes.before.alibi"
                                        : settings.offset_bias ? "tradeoff:extremes.before.offset_bias"
                                                               : "tradeoff:extremes.before.softmax");
    const std::string& score =
        wording(talk_before(settings) ? "tradeoff:extremes.score.talking" : "tradeoff:extremes.score");
    if (last.d_k > 1) {
      y = say(y, wording("tradeoff:extremes.sum",
                         {{"score", score}, {"width", last.layer().input.score_width()}, {"before", before}}));
      say(y, ranks, true);
      return;
    }
    y = say(y, wording("tradeoff:extremes.product", {{"score", score}, {"before", before}}));
    const HeadTrace<float>& head = nth(last.layer().heads, last.head);
    const MatView<float> q = *head.asking(), k = *head.asked(), A = *head.attention;
    Index key = 0;
    A.row(query_).maxCoeff(&key);
    y = say(y,
            wording("tradeoff:extremes.numbers", {{"head", head_name(last.head)},
                                                  {"query", token(query_)},
                                                  {"key", token(key)},
                                                  {"q", ui::number(q(query_, 0), As::exact)},
                                                  {"k", ui::number(k(key, 0), As::exact)},
                                                  {"score", ui::number(q(query_, 0) * k(key, 0))}}),
            true);
    y = say(y, ranks, true);
    if (asks_nothing(last)) {
      say(y, wording("tradeoff:extremes.zero", {{"token", token(query_)}}), true);
      return;
    }
    if (table_.queries == 0) return;
    y = say(
        y, wording("tradeoff:extremes.ends", {{"numbers", in_words(table_.at_ends, As::whole)}, {"n", table_.queries}}),
        true);
    ui::probe("tradeoff/extremes/ends", {pos_.x, y - em_}, {pos_.x + size_.x, y});
  }

  const SweepTable& table_;
  const std::vector<std::string>& tokens_;
  Index query_;
  ImVec2 pos_, size_;
};

}  // namespace

void draw_extremes(Frame& frame, const SweepTable& table, ImVec2 pos, ImVec2 size) {
  if (size.x < 10 * frame.fonts.text->FontSize || size.y < 6 * frame.fonts.text->FontSize) return;
  Extremes(frame, table, pos, size).draw();
}

}  // namespace hydra::tradeoff
