// Trade-off: the document's heads with as many keys and values as there are heads (multi-head attention), with one set
// for all of them (multi-query: Shazeer 2019), and with those between (grouped-query: Ainslie et al. 2023).
#include <string_view>

#include "app/views/pages.h"
#include "app/views/tradeoff/tradeoff_column_page.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/ui.h"

namespace hydra::tradeoff {

namespace {

// In text sizes: heights of the diagram, and of a page below which it has only what matters most.
constexpr float kDiagram = 3.6f, kLowPage = 26;

double cache_bytes(const Frame& frame, const SweepEntry& e, double tokens) {
  return kv_cache_bytes(e.sizes, tokens, 1, frame.view.tradeoff.bytes_per_number);
}
LayerSizes unshared(const SweepEntry& e) {
  LayerSizes sizes = e.sizes;
  sizes.kv_heads = sizes.heads;
  return sizes;
}
double step_products(const Frame& frame, const LayerSizes& sizes) {
  return decoding_step(sizes, frame.view.tradeoff.context_length).total();
}
// --- rows

TableCell cache(const Frame& frame, const SweepTable&, const SweepEntry& e) {
  return {bytes_text(cache_bytes(frame, e, frame.view.tradeoff.context_length)),
          bytes_text(cache_bytes(frame, e, 1)) + " a token", e.sizes.kv_heads / e.sizes.heads};
}
TableCell weights(const Frame&, const SweepTable&, const SweepEntry& e) {
  return {ui::number(weight_count(e.sizes), As::count), "", weight_count(e.sizes) / weight_count(unshared(e))};
}
TableCell step(const Frame& frame, const SweepTable&, const SweepEntry& e) {
  return {brief_number(step_products(frame, e.sizes)), "",
          step_products(frame, e.sizes) / step_products(frame, unshared(e))};
}

std::vector<std::string> cache_arithmetic(const Frame& frame, const SweepEntry& e) {
  return {spelled(frame, ui::words("K and V: 2 × ", e.kv_heads, " × ", e.d_k, " = ",
                                   ui::number(kv_cache_bytes(e.sizes, 1, 1, 1), As::count), " numbers a token")),
          spelled(frame, "× " + ui::number(frame.view.tradeoff.context_length, As::count) + " tokens × " +
                             ui::number(frame.view.tradeoff.bytes_per_number, As::axis) + " bytes, one layer")};
}
std::vector<std::string> weights_arithmetic(const Frame& frame, const SweepEntry& e) {
  const std::string d = ui::number(e.sizes.d_model, As::axis);
  const std::string shared = ui::words(d, " × ", e.kv_heads * e.d_k);
  return {spelled(frame, "W_Q and W_O: 2 × " + d + " × " + ui::number(e.sizes.heads * e.sizes.d_k, As::axis)),
          spelled(frame, "W_K and W_V: 2 × " + shared)};
}
std::vector<std::string> step_arithmetic(const Frame& frame, const SweepEntry& e) {
  const MultiplyAdds parts = decoding_step(e.sizes, frame.view.tradeoff.context_length);
  std::vector<std::string> lines{
      "projections " + ui::number(parts.projections, As::count), "scores " + ui::number(parts.scores, As::count),
      "weighted sum " + ui::number(parts.weighted_sum, As::count), "output " + ui::number(parts.output, As::count)};
  if (parts.feed_forward > 0) lines.push_back("feed-forward " + ui::number(parts.feed_forward, As::count));
  return lines;
}

std::string context(const Frame& frame) {
  const double bytes = frame.view.tradeoff.bytes_per_number;
  return ui::number(frame.view.tradeoff.context_length, As::count) + " tokens, " +
         (bytes == 4   ? "fp32"
          : bytes == 2 ? "fp16"
                       : "int8");
}

std::vector<Row> rows(const Frame& frame, bool low) {
  std::vector<Row> all = {
      {"cache", "KV cache", context(frame),
       "What the keys and values of the chosen number of tokens take in one layer, so that they need not be computed "
       "again for each next token: 2 × sets × d_k × tokens × bytes per number.",
       cache, cache_arithmetic},
      {"weights", "Weights", "without biases",
       "Numbers in W_Q, W_K, W_V and W_O: W_K and W_V have d_k columns for each set of keys and values only.", weights,
       weights_arithmetic},
      {"step", "Multiply-adds", "of the next token",
       "Multiply-adds of one token more, which attends to the chosen number of tokens, itself included. Every head "
       "still has a pattern of its own: sharing saves memory and its reading, hardly any multiplying.",
       step, step_arithmetic},
      effective_row(),
      cosine_row(),
      divergence_row(),
      change_row()};
  const auto leaves_room = [](const Row& row) {
    for (const char* name : {"weights", "step", "cosine", "divergence"})
      if (std::string_view(row.key) == name) return true;
    return false;
  };
  if (low) std::erase_if(all, leaves_room);
  return all;
}

// --- the page

class Sharing : public ColumnPage {
 public:
  Sharing(Frame& frame, const SweepTable& table, bool low)
      : ColumnPage(frame, table, rows(frame, low), {"sets of keys", "and values"},
                   kDiagram * frame.fonts.text->FontSize),
        own_(table.own_kv_heads) {}

 private:
  void header(std::size_t k, ImVec2 a, ImVec2 b) override {
    const SweepEntry& e = entry(k);
    const auto [pressed, under] = press(k, a, b, sharing_name(e.heads, e.kv_heads));
    const bool own = present(k);
    const Use use = use_in(b.x - a.x);
    words(k, a, b, std::to_string(e.kv_heads), use.rest,
          e.rescaled ? "W_K at its norm" : sharing_name(e.heads, e.kv_heads), theme_.ink);
    const float top = a.y + 0.5f * u_, large = fonts_.large->FontSize;
    if (!own && use.label)
      button(e, use.label, under, {b.x - button_width(use.label), top}, {b.x, top + large});
    else if (!own && under)  // over the words
      button(e, "Use", under, {a.x, top + large}, {b.x, top + large + small_ + u_});
    if (under) ui::tooltip(frame_, said_of(e, own));
    if (pressed) apply_kv_heads(frame_, table_, e);
  }

  // The header is pressed as a whole, and looks like it: beside its words, which leave room for that; where columns are
  // too narrow even for that, while it is pointed at.
  struct Use {
    const char* label;
    std::string rest;  // of the words
  };
  // The same in all columns.
  Use use_in(float room) const {
    float count = 0;
    for (std::size_t k = 0; k < table_.entries.size(); ++k)
      if (!present(k)) count = std::max(count, text_width(fonts_.large, std::to_string(entry(k).kv_heads)));
    count += 1.25f * u_;
    const std::string all = of(table_.entries.front().heads);
    for (const Use& use : {Use{"Use it", all}, Use{"Use", all}, Use{"Use", ""}})
      if (count + text_width(fonts_.small, use.rest) + (use.rest.empty() ? 0 : 2 * u_) + button_width(use.label) <=
          room)
        return use;
    return {nullptr, all};
  }
  float button_width(const char* label) const { return text_width(fonts_.small, label) + 2.5f * u_; }

  void button(const SweepEntry& e, const char* label, bool under, ImVec2 a, ImVec2 b) {
    a = {std::round(a.x), a.y}, b = {b.x, std::round(b.y)};
    const Canvas::Part part(canvas_, kWindowAlone);
    canvas_.fill(a, b, under ? theme_.accent_soft : theme_.raised, u_);
    canvas_.frame(a, b, under ? theme_.accent : theme_.line, 1, u_);
    canvas_.text_centered(fonts_.small, {0.5f * (a.x + b.x), 0.5f * (a.y + b.y)}, theme_.ink, label);
    ui::probe(name_in(table_, "use", e), a, b);
  }

  std::vector<std::string> said_of(const SweepEntry& e, bool own) const {
    std::vector<std::string> lines{
        std::string(sharing_name(e.heads, e.kv_heads)) + " attention" +
        (own ? ": the document as it is." : ": click to let the document's heads share so.")};
    if (e.rescaled)
      lines.emplace_back(
          "The mean of keys that differ is smaller than they are: scores shrink, attention flattens, and heads look "
          "alike "
          "for that. Here each mean of W_K has the size of what it is of, so what is left comes from sharing.");
    if (!own && !document_layer(frame_).source.designs.empty())
      lines.emplace_back("Designed heads keep their weights then, but not the design they came from.");
    return lines;
  }

  // Heads above, each with its queries, joined to the keys and values that it reads: a square for each set, in the
  // colours of the heads that read it.
  void diagram(std::size_t k, ImVec2 pos, ImVec2 size) override {
    const SweepEntry& e = entry(k);
    const auto heads = static_cast<int>(e.heads), group = heads / static_cast<int>(e.kv_heads);
    const float step = std::min(size.x / real(heads), 2.2f * em_);
    const float gap = step >= 4 ? std::max(1.0f, std::round(0.14f * step)) : 0;
    const float side = std::min(step - gap, 0.9f * em_), wide = real(group) * step;
    // Sets stand apart, and heads that have one each above it, however narrow.
    const float set = group == 1 ? side : std::min(std::max(1.0f, std::floor(0.7f * wide)), 0.9f * em_);
    const float top = pos.y + queries_y(), low = pos.y + sets_y();
    const auto middle = [&](float place) { return pos.x + place * step; };  // in steps from the first head
    for (int first = 0; first < heads; first += group) {
      const float x = middle(real(first) + 0.5f * real(group));
      if (gap == 0)  // too narrow for lines
        canvas_.quad({x - 0.5f * wide, top + 0.9f * em_}, {x + 0.5f * wide, top + 0.9f * em_}, {x + 0.5f * set, low},
                     {x - 0.5f * set, low}, theme_.line);
      for (int h = first; h < first + group; ++h) {
        const ImU32 color = head_color(frame_, h);
        const float center = middle(real(h) + 0.5f);
        canvas_.fill({center - 0.5f * side, top}, {center + 0.5f * side, top + 0.9f * em_}, color);
        if (gap > 0) canvas_.line({center, top + 0.9f * em_}, {x, low}, color, std::max(1.0f, 0.3f * u_));
        const float stripe = set / real(group), left = x - 0.5f * set + real(h - first) * stripe;
        canvas_.fill({left, low}, {left + stripe, low + 0.9f * em_}, color);
      }
    }
    const ImVec2 end{pos.x + real(heads) * step, low + 0.9f * em_};
    ui::probe(name_in(table_, "diagram", e), {pos.x, top}, end);
    if (ui::under_pointer({pos.x, top}, end))
      ui::tooltip(
          frame_,
          said_of_head(e, std::min(heads - 1, static_cast<int>((ImGui::GetIO().MousePos.x - pos.x) / step)), group));
  }

  std::vector<std::string> said_of_head(const SweepEntry& e, int head, int group) const {
    const int first = head / group * group;
    std::string sets = ui::words("Keys and values: set ", head / group + 1, " of ", e.kv_heads);
    if (group > 1) sets += ui::words(", which heads ", first + 1, " to ", first + group, " share");
    const char* from = e.kv_heads == own_       ? "They are the document's own."
                       : e.kv_heads % own_ == 0 ? "They repeat those that it reads now."
                                                : "They are the mean of those that its heads read now.";
    return {head_name(head) + ": queries of its own.", sets + ".", from};
  }

  void diagram_labels(ImVec2 pos) override {
    const float inset = 0.5f * (0.9f * em_ - small_);
    canvas_.text_at(fonts_.small, {pos.x, pos.y + queries_y() + inset}, theme_.ink_soft, "queries");
    canvas_.text_at(fonts_.small, {pos.x, pos.y + sets_y() + inset}, theme_.ink_soft, "keys and values");
  }
  float queries_y() const { return 0.35f * em_; }
  float sets_y() const { return (kDiagram - 1.4f) * em_; }

  Index own_;
};

// --- around it

void slices(Frame& frame, const std::string& why, ImVec2 pos, float width) {
  const float height =
      paragraph(frame, frame.fonts.text, pos, std::min(width, 40 * frame.fonts.text->FontSize), frame.theme.ink, why);
  ImGui::SetCursorScreenPos({pos.x, pos.y + height + 2 * frame.unit});
  if (ui::button(frame, "tradeoff/kv/whole", "Let each head see the whole embedding",
                 "Each head projects the whole of X again; the weights that the slices left uncounted count."))
    frame.out.apply(SetSplit{Split::projection});
}

}  // namespace

void draw_sharing(Frame& frame, ImVec2 pos, ImVec2 size) {
  const Canvas::Part part(frame.canvas, "tradeoff.sharing");
  if (const std::string why = why_not_shown(frame); !why.empty()) return slices(frame, why, pos, size.x);
  const SweepShown shown = sweep_of(frame);
  if (!shown.table) return ui::waiting_text(frame, shown.failure);
  const SweepTable& table = *shown.table;
  const Index own = table.own_kv_heads;
  ImFont* large = frame.fonts.large;
  // As high as the longest, so that nothing moves when another column is pointed at.
  float high = 0;
  for (const SweepEntry& e : table.entries)
    high = std::max(high, paragraph_height(frame, large, size.x, trade_sentence(e, own)));
  // In a low room the note is in the tip, and the rows that say least go, for the patterns.
  const bool low = size.y < kLowPage * frame.fonts.text->FontSize;
  const std::string noted = sharing_note(table) + " " + seeds_note(table);
  float top = pos.y + high + 0.5f * frame.unit;
  if (!low) top += paragraph(frame, frame.fonts.small, {pos.x, top}, size.x, frame.theme.ink_soft, noted);
  top += 2 * frame.unit;
  Sharing page(frame, table, low);
  page.draw({pos.x, top}, {size.x, pos.y + size.y - top});
  // Of the column pointed at; else of the fewest sets, or where the document has those, of itself.
  const SweepEntry& said = page.pointed() >= 0 ? nth(table.entries, page.pointed()) : table.entries.back();
  const std::string text = trade_sentence(said, own);
  paragraph(frame, large, pos, size.x, frame.theme.ink, text);
  ui::explain_here(frame, "tradeoff/kv/sentence", pos, {size.x, high}, spelled(frame, noted));
}

}  // namespace hydra::tradeoff
