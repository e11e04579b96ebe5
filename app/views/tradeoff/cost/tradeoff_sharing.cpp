// Trade-off: the document's heads with as many keys and values as there are heads (multi-head attention), with one set
// for all of them (multi-query: Shazeer 2019), and with those between (grouped-query: Ainslie et al. 2023).
#include <string_view>

#include "app/views/frame/ui.h"
#include "app/views/shell/pages.h"
#include "app/views/tradeoff/columns/tradeoff_column_page.h"
#include "app/views/tradeoff/tradeoff_parts.h"

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
          wording("tradeoff:sharing.a_token", {{"bytes", bytes_text(cache_bytes(frame, e, 1))}}),
          e.sizes.kv_heads / e.sizes.heads};
}
TableCell weights(const Frame&, const SweepTable&, const SweepEntry& e) {
  return {ui::number(weight_count(e.sizes), As::count), "", weight_count(e.sizes) / weight_count(unshared(e))};
}
TableCell step(const Frame& frame, const SweepTable&, const SweepEntry& e) {
  return {brief_number(step_products(frame, e.sizes)), "",
          step_products(frame, e.sizes) / step_products(frame, unshared(e))};
}

std::vector<std::string> cache_arithmetic(const Frame& frame, const SweepEntry& e) {
  return {spelled(frame, wording("tradeoff:sharing.cache.numbers",
                                 {{"sets", e.kv_heads},
                                  {"d_k", e.d_k},
                                  {"numbers", ui::number(kv_cache_bytes(e.sizes, 1, 1, 1), As::count)}})),
          spelled(frame, wording("tradeoff:sharing.cache.bytes",
                                 {{"tokens", ui::number(frame.view.tradeoff.context_length, As::count)},
                                  {"bytes", ui::number(frame.view.tradeoff.bytes_per_number, As::axis)}}))};
}
std::vector<std::string> weights_arithmetic(const Frame& frame, const SweepEntry& e) {
  const std::string d_model = ui::number(e.sizes.d_model, As::axis);
  return {
      spelled(frame, wording("tradeoff:sharing.weights.heads",
                             {{"d_model", d_model}, {"columns", ui::number(e.sizes.heads * e.sizes.d_k, As::axis)}})),
      spelled(frame,
              wording("tradeoff:sharing.weights.sets", {{"d_model", d_model}, {"columns", e.kv_heads * e.d_k}}))};
}
std::vector<std::string> step_arithmetic(const Frame& frame, const SweepEntry& e) {
  const MultiplyAdds parts = decoding_step(e.sizes, frame.view.tradeoff.context_length);
  const auto count = [](double value) { return ui::number(value, As::count); };
  std::vector<std::string> lines{
      wording("tradeoff:sharing.step.projections", {{"products", count(parts.projections)}}),
      wording("tradeoff:sharing.step.scores", {{"products", count(parts.scores)}}),
      wording("tradeoff:sharing.step.weighted_sum", {{"products", count(parts.weighted_sum)}}),
      wording("tradeoff:sharing.step.output", {{"products", count(parts.output)}})};
  if (parts.feed_forward > 0)
    lines.push_back(wording("tradeoff:sharing.step.feed_forward", {{"products", count(parts.feed_forward)}}));
  return lines;
}

std::string context(const Frame& frame) {
  const double bytes = frame.view.tradeoff.bytes_per_number;
  return wording("tradeoff:sharing.context", {{"tokens", ui::number(frame.view.tradeoff.context_length, As::count)},
                                              {"precision", bytes == 4   ? "fp32"
                                                            : bytes == 2 ? "fp16"
                                                                         : "int8"}});
}

std::vector<Row> rows(const Frame& frame, bool low) {
  std::vector<Row> all = {{"cache", wording("tradeoff:sharing.cache"), context(frame),
                           wording("tradeoff:sharing.cache.tip"), cache, cache_arithmetic},
                          {"weights", wording("tradeoff:sharing.weights"), wording("tradeoff:sharing.weights.below"),
                           wording("tradeoff:sharing.weights.tip"), weights, weights_arithmetic},
                          {"step", wording("tradeoff:sharing.step"), wording("tradeoff:sharing.step.below"),
                           wording("tradeoff:sharing.step.tip"), step, step_arithmetic},
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
      : ColumnPage(frame, table, rows(frame, low),
                   {wording("tradeoff:sharing.sets"), wording("tradeoff:sharing.sets.below")},
                   kDiagram * frame.fonts.text->FontSize),
        own_(table.own_kv_heads) {}

 private:
  void header(std::size_t k, ImVec2 a, ImVec2 b) override {
    const SweepEntry& e = entry(k);
    const auto [under, pressed] = press(k, a, b, sharing_name(e.heads, e.kv_heads));
    const bool own = present(k);
    const Use use = use_in(b.x - a.x);
    words(k, a, b, std::to_string(e.kv_heads), use.rest,
          fitting(fonts_.small, b.x - a.x,
                  {e.rescaled ? wording("tradeoff:sharing.norm") : sharing_name(e.heads, e.kv_heads),
                   wording(e.rescaled              ? "tradeoff:sharing.norm.brief"
                           : e.kv_heads == e.heads ? "tradeoff:sharing.multi_head.brief"
                           : e.kv_heads == 1       ? "tradeoff:sharing.multi_query.brief"
                                                   : "tradeoff:sharing.grouped_query.brief")}),
          theme_.ink);
    const float top = a.y + 0.5f * u_, large = fonts_.large->FontSize;
    if (!own && !use.label.empty())
      button(e, use.label, under, {b.x - button_width(use.label), top}, {b.x, top + large});
    else if (!own && under)  // over the words
      button(e, wording("tradeoff:sharing.use"), under, {a.x, top + large}, {b.x, top + large + small_ + u_});
    if (under) ui::tooltip(frame_, said_of(e, own));
    if (pressed) apply_kv_heads(frame_, table_, e);
  }

  // The header is pressed as a whole, and looks like it: beside its words, which leave room for that; where columns are
  // too narrow even for that, while it is pointed at.
  struct Use {
    std::string label;  // empty: it has no room
    std::string rest;   // of the words
  };
  // The same in all columns.
  Use use_in(float room) const {
    float count = 0;
    for (std::size_t k = 0; k < table_.entries.size(); ++k)
      if (!present(k)) count = std::max(count, text_width(fonts_.large, std::to_string(entry(k).kv_heads)));
    count += 1.25f * u_;
    const std::string all = of(table_.entries.front().heads);
    const std::string& brief = wording("tradeoff:sharing.use");
    for (const Use& use : {Use{wording("tradeoff:sharing.use_it"), all}, Use{brief, all}, Use{brief, ""}})
      if (count + text_width(fonts_.small, use.rest) + (use.rest.empty() ? 0 : 2 * u_) + button_width(use.label) <=
          room)
        return use;
    return {"", all};
  }
  float button_width(const std::string& label) const { return text_width(fonts_.small, label) + 2.5f * u_; }

  void button(const SweepEntry& e, const std::string& label, bool under, ImVec2 a, ImVec2 b) {
    a = {std::round(a.x), a.y}, b = {b.x, std::round(b.y)};
    const Canvas::Part part(canvas_, kWindowAlone);
    canvas_.fill(a, b, under ? theme_.accent_soft : theme_.raised, u_);
    canvas_.frame(a, b, under ? theme_.accent : theme_.line, 1, u_);
    canvas_.text_centered(fonts_.small, {0.5f * (a.x + b.x), 0.5f * (a.y + b.y)}, theme_.ink, label);
    ui::probe(name_in(table_, "use", e), a, b);
  }

  std::vector<std::string> said_of(const SweepEntry& e, bool own) const {
    const std::string& name = sharing_name(e.heads, e.kv_heads);
    std::vector<std::string> lines{own ? wording("tradeoff:sharing.as_it_is", {{"name", name}})
                                       : wording("tradeoff:sharing.click", {{"name", name}})};
    if (e.rescaled) lines.push_back(wording("tradeoff:sharing.rescaled"));
    if (!own && !document_layer(frame_).source.designs.empty()) lines.push_back(wording("tradeoff:sharing.designed"));
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
    if (canvas_.over({pos.x, top}, end))
      ui::tooltip(
          frame_,
          said_of_head(e, std::min(heads - 1, static_cast<int>((ImGui::GetIO().MousePos.x - pos.x) / step)), group));
  }

  std::vector<std::string> said_of_head(const SweepEntry& e, int head, int group) const {
    const int first = head / group * group;
    const Index set = head / group + 1;
    return {wording("tradeoff:sharing.own_queries", {{"head", head_name(head)}}),
            group > 1 ? wording("tradeoff:sharing.set.of_several",
                                {{"set", set}, {"sets", e.kv_heads}, {"first", first + 1}, {"last", first + group}})
                      : wording("tradeoff:sharing.set", {{"set", set}, {"sets", e.kv_heads}}),
            wording(e.kv_heads == own_       ? "tradeoff:sharing.from.own"
                    : e.kv_heads % own_ == 0 ? "tradeoff:sharing.from.repeated"
                                             : "tradeoff:sharing.from.mean")};
  }

  void diagram_labels(ImVec2 pos) override {
    const float inset = 0.5f * (0.9f * em_ - small_);
    canvas_.text_at(fonts_.small, {pos.x, pos.y + queries_y() + inset}, theme_.ink_soft,
                    wording("tradeoff:sharing.queries"));
    canvas_.text_at(fonts_.small, {pos.x, pos.y + sets_y() + inset}, theme_.ink_soft, wording("tradeoff:sharing.keys"));
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
  if (document_layer(frame).split != Split::slice) {  // groups are given
    if (ui::button(frame, "tradeoff/kv/own", wording("tradeoff:sharing.each_own"),
                   wording("tradeoff:sharing.each_own.tip")))
      frame.out.apply(SetKvHeads{document_layer(frame).heads});
    return;
  }
  if (ui::button(frame, "tradeoff/kv/whole", wording("tradeoff:sharing.whole"), wording("tradeoff:sharing.whole.tip")))
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
