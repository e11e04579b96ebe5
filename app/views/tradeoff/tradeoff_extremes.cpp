// Trade-off: the two ends of the axis in words and numbers: one head, and heads as narrow as there are.
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/ui.h"

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
    return !entry.layer().input.weights.b_Q && !entry.layer().input.settings.alibi &&
           entry.trace->X->row(query_).isZero(0);
  }

  // The head count beside one head: the document's own, else the last.
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
    const float name = std::min(0.34f * size_.x, 8 * em_), gap = 2 * u_;
    const float column = 0.5f * (size_.x - name - gap) - gap, second = pos_.x + name + column + 2 * gap;
    ImFont* small = fonts_.small;
    const float shown = pos_.y + size_.y - y - 11 * em_;  // what the other end leaves
    const auto count = static_cast<std::size_t>(std::clamp(shown / (1.35f * em_), 2.0f, 6.0f));
    canvas_.text_at(small, {pos_.x, y}, theme_.ink_soft, wording("tradeoff:extremes.row", {{"token", token(query_)}}),
                    name);
    canvas_.text_at(small, {pos_.x + name + gap, y}, theme_.ink_soft, wording("tradeoff:heads", {{"n", 1}}));
    if (many.heads > 1)
      canvas_.text_at(small, {second, y}, theme_.ink_soft,
                      wording("tradeoff:extremes.largest", {{"heads", many.heads}}), column);
    y += 1.35f * small->FontSize;
    for (const Index key : keys(row, count)) {
      canvas_.text_at(fonts_.text, {pos_.x, y}, theme_.ink, token(key), name);
      weight({pos_.x + name + gap, y}, column, row(0, key), theme_.ink_soft);
      if (many.heads > 1) {
        const auto [most, head] = largest(many, key);
        weight({second, y}, column, most, head_color(frame_, head));
        if (ui::under_pointer({second, y}, {second + column, y + 1.3f * em_}))
          ui::tooltip(frame_, {wording("tradeoff:extremes.most", {{"head", head_name(head)},
                                                                  {"heads", many.heads},
                                                                  {"token", token(key)},
                                                                  {"weight", ui::number(most)}})});
      }
      y += 1.35f * em_;
    }
    ui::probe("tradeoff/extremes/row", {pos_.x, y - em_}, {pos_.x + size_.x, y});
    return y;
  }

  // A bar of 0 to 1 with its number.
  void weight(ImVec2 pos, float width, float value, ImU32 color) const {
    ImFont* mono = fonts_.mono;
    const float number = text_width(mono, "0.00") + 1.5f * u_;
    canvas_.text_at(mono, {pos.x, pos.y + 0.5f * (em_ - mono->FontSize)}, theme_.ink, ui::number(value, As::brief));
    const float left = pos.x + number, top = pos.y + 0.3f * em_, bottom = pos.y + 0.75f * em_;
    if (width < number + em_) return;
    canvas_.fill({left, top}, {pos.x + width, bottom}, theme_.line);
    canvas_.fill({left, top}, {left + std::clamp(value, 0.0f, 1.0f) * (width - number), bottom}, color);
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
    const std::string& before = wording(settings.soft_cap > 0 ? "tradeoff:extremes.before.soft_cap"
                                        : settings.alibi      ? "tradeoff:extremes.before.alibi"
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
                                                  {"q", ui::number(q(query_, 0), As::brief)},
                                                  {"k", ui::number(k(key, 0), As::brief)},
                                                  {"score", ui::number(q(query_, 0) * k(key, 0), As::brief)}}),
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
