// Likeness: how alike the heads are, how many there are in effect, and what can be done about it.
#include "app/views/likeness/likeness_view.h"

#include "app/views/change/changes.h"
#include "app/views/frame/ui.h"
#include "app/views/likeness/likeness_parts.h"
#include "app/views/shared/head_marks.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"

namespace hydra {

namespace {}  // namespace

void measure_chips(Frame& frame, ui::Chips& chips, std::span<const Likeness> measures) {
  chips.apart(0.8f * ImGui::GetFontSize(), ui::chip_width(wording(entry_of(measures.front()).brief)));
  for (const Likeness measure : measures) {
    const LikenessEntry& entry = entry_of(measure);
    chips.choice(std::string("likeness/measure/") + entry.key, wording(entry.brief), frame.view.likeness.measure,
                 entry.measure,
                 spelled(frame, wording("likeness:measure.tip", {{"title", wording(entry.title)},
                                                                 {"tip", wording(entry.tip)},
                                                                 {"formula", wording(entry.formula)},
                                                                 {"range", wording(entry.range)},
                                                                 {"source", wording(entry.source)}})));
  }
}

namespace {

std::vector<Likeness> all_measures() {
  std::vector<Likeness> all;
  for (const LikenessEntry& entry : likenesses()) all.push_back(entry.measure);
  return all;
}

void layer_chips(Frame& frame, ui::Chips& chips) {
  if (frame.trace.layers.size() < 2) return;
  chips.apart(0.8f * ImGui::GetFontSize(), ui::chip_width(wording("likeness:this_layer")));
  const LikenessState& likeness = frame.view.likeness;
  const bool before = likeness.all_layers;
  bool all = before;
  chips.choice("likeness/layer/focus", wording("likeness:this_layer"), all, false, wording("likeness:this_layer.tip"));
  chips.choice("likeness/layer/all", wording("likeness:all_layers"), all, true, wording("likeness:all_layers.tip"));
  if (all != before) frame.choose(likeness.all_layers, all), frame.choose(likeness.compared, std::nullopt);
  if (!likeness.all_layers) return;
  chips.apart(0.8f * ImGui::GetFontSize(), ui::chip_width(wording("likeness:by_layer")));
  chips.choice("likeness/order/layer", wording("likeness:by_layer"), likeness.by_tree, false,
               wording("likeness:by_layer.tip"));
  chips.choice("likeness/order/tree", wording("likeness:by_tree"), likeness.by_tree, true,
               wording("likeness:by_tree.tip"));
}

void pooled_chips(Frame& frame, ui::Chips& chips) {
  chips.apart(0.8f * ImGui::GetFontSize(), ui::chip_width(wording("likeness:this_sentence")));
  const bool& pooled = frame.view.likeness.pooled;
  chips.choice("likeness/this", wording("likeness:this_sentence"), pooled, false,
               wording("likeness:this_sentence.tip"));
  std::string all = wording("likeness:all_sentences.tip");
  if (frame.document.embedding.kind == Embedding::Kind::learned) all += " " + wording("likeness:all_sentences.letters");
  chips.choice("likeness/all", wording("likeness:all_sentences", {{"n", frame.sentences.marked->size()}}), pooled, true,
               all);
}

// "0.43, independent 0.30": against what heads of the same entropies have that share nothing.
std::string beside(const std::string& number, const Spread& independent, As style) {
  if (independent.count == 0) return number;
  return wording("likeness:beside_independent",
                 {{"number", number}, {"independent", ui::number(independent.mean, style)}});
}

// "8 heads: effective rank 2.3", and the numbers behind it.
void sentence(Frame& frame, const LikenessTable& table) {
  const auto heads = std::ssize(table.clustering.leaves);
  ui::text(frame, effective_sentence(heads, table.effective_heads), {.font = frame.fonts.large});
  ui::probe("likeness/sentence");
  ui::tip(frame, wording("likeness:effective.tip"));
  const IndependentHeads& others = table.independent;
  std::string mean;
  if (!std::isnan(table.mean_cosine))
    mean = wording("likeness:independent",
                   {{"rank", ui::number(others.effective_heads.mean, As::tenths)},
                    {"cosine", beside(ui::number(table.mean_cosine, As::brief), others.mean_cosine, As::brief)}});
  const float down = 0.75f * (frame.fonts.large->FontSize - frame.fonts.text->FontSize);
  ui::flow_line(text_width(frame.fonts.text, mean) + 3 * frame.unit);
  if (mean.empty()) return ImGui::NewLine();  // one head, which shares with none
  ImGui::SetCursorPos({ImGui::GetCursorPosX() + 2 * frame.unit, ImGui::GetCursorPosY() + down});
  ui::text(frame, mean, {.ink = frame.theme.ink_soft});
  ui::probe("likeness/mean_cosine");
  ui::tip(frame,
          wording("likeness:independent.tip", {{"draws", others.draws},
                                               {"least_rank", ui::number(others.effective_heads.least, As::brief)},
                                               {"most_rank", ui::number(others.effective_heads.most, As::brief)},
                                               {"least_cosine", ui::number(others.mean_cosine.least, As::share)},
                                               {"most_cosine", ui::number(others.mean_cosine.most, As::share)}}));
  if (table.places.empty()) sharing_caption(frame, "likeness/sharing", frame.view.layer, false);
}

// Where weights of different layers have nothing to be compared by.
void axes_sentence(Frame& frame, const LikenessTable& table) {
  if (table.places.empty() || !entry_of(table.ordered_by).of_weights) return;
  const std::optional<int> layer = axes_change(frame.trace.layers);
  if (!layer) return;
  ui::soft_text(frame, wording("likeness:axes", {{"layer", *layer + 1}}));
  ui::probe("likeness/axes");
}

// What CKA is read against.
void unrelated_sentence(Frame& frame, const LikenessTable& table) {
  if (table.ordered_by != Likeness::cka || !std::isfinite(table.unrelated.high)) return;
  ui::soft_text(frame, wording("likeness:unrelated", {{"median", ui::number(table.unrelated.median, As::brief)},
                                                      {"high", ui::number(table.unrelated.high, As::brief)}}));
  ui::probe("likeness/unrelated");
  ui::tip(frame, wording("likeness:unrelated.tip", {{"draws", table.unrelated.draws}}));
}

void pooling(Frame& frame, const Measured<LikenessMeasure>& shown) {
  if (shown.value && !shown.value->fault.empty()) {
    ui::soft_text(frame, wording("likeness:fault", {{"why", shown.value->fault}}));
    ui::probe("likeness/fault");
  }
  const ImVec2 pos = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, high = std::max(2.0f, 0.75f * frame.unit);
  const bool may_take_long = frame.view.likeness.pooled || frame.view.likeness.all_layers;
  if (may_take_long) ImGui::Dummy({width, high});  // its place is kept, so that nothing jumps
  if (shown.progress >= 1 || frame.view.still) return;
  ui::progress_bar(frame, "likeness/progress", pos, {width, high}, shown.progress);
}

bool of_ranks(const ViewState& view) { return view.likeness.page == LikenessPage::ranks; }

constexpr int kFewHeads = 16;

LikenessInput likeness_input(const LikenessParts& parts, ImVec2 pos, ImVec2 size) {
  const Frame& frame = parts.frame;
  const int heads = parts.heads();
  auto in = room_for<LikenessInput>(frame, pos, size);
  in.heads = heads;
  in.tokens = int_size(frame.trace.tokens);
  in.compared = parts.compared.has_value();
  if (in.compared) in.longest = widest(frame.fonts.small, frame.trace.tokens);
  const bool all = !parts.table.places.empty();
  in.number = text_width(frame.fonts.small, all ? "00.00" : heads > 9 ? "00" : "0");
  if (!all && heads <= kFewHeads)
    for (int h = 0; h < heads; ++h) in.named = std::max(in.named, text_width(frame.fonts.small, parts.label(h)));
  in.tools = likeness_tools_height(frame);
  return in;
}

void likeness_page(Frame& frame, const Measured<LikenessMeasure>& shown, ImVec2 pos, ImVec2 size) {
  constexpr int kMostMoving = 64;  // heads that are seen to change places
  const ViewState& view = frame.view;
  const LikenessTable& table = *shown.value->table;
  LikenessMotion& motion = frame.made.of<LikenessPictures>().motion;
  motion.show(shown.value->table, frame.tools.collapse.has_value(), table.places.empty() || view.likeness.by_tree);
  motion.advance(ImGui::GetIO().DeltaTime, view.still || view.calm || motion.heads() > kMostMoving);
  frame.next.moving |= motion.moving();
  LikenessLayout at;
  LikenessParts parts{frame, table, at, frame.was.heads, {}};
  // Places in another table are other heads.
  const bool same = std::exchange(frame.hands.of<LikenessHands>().places, table.places) == table.places;
  if (const auto& pair = view.likeness.compared;
      same && pair && parts.is_present(pair->first) && parts.is_present(pair->second))
    parts.compared = pair;
  parts.compare(parts.compared);
  at = likeness_layout(likeness_input(parts, pos, size));
  if (!at.alone) draw_likeness_matrix(parts);
  draw_likeness_map(parts);
  if (at.tools_shown) draw_likeness_tools(parts);
  if (parts.compared && at.comparison.side > 0) draw_head_comparison(parts);
  frame.next.heads = parts.next;
}

}  // namespace

LikenessMeasure::Wanted wanted_likeness(const ViewState& view, const Trace& trace) {
  const bool all = is_of_all_layers(view.likeness.all_layers && !of_ranks(view), trace);
  LikenessMeasure::Wanted wanted{all ? LikenessMeasure::kAllLayers : view.layer, view.likeness.pooled};
  wanted.measures.ordered_by = of_ranks(view) ? Likeness::cosine : view.likeness.measure;
  // Two heads that are compared are told by all measures; of all layers' heads these would take too long.
  wanted.measures.measures.fill(!of_ranks(view) && !all && view.likeness.compared.has_value());
  wanted.measures.ranks = of_ranks(view);
  return wanted;
}

const Measured<LikenessMeasure>& likeness_of(const Frame& frame) {
  return frame.now.measured<LikenessMeasure>(wanted_likeness(frame.view, frame.trace));
}

std::string why_no_likeness(const Source& source, const ViewState& view) {
  const LikenessMeasure::Wanted wanted = wanted_likeness(view, source.trace);
  const Measured<LikenessMeasure>& shown = source.measured<LikenessMeasure>(wanted);
  return LikenessMeasure::why_not(source.trace, wanted, shown.value ? shown.value->fault : "");
}

std::shared_ptr<const LikenessTable> likeness_of(const Frame& frame, const Source& source) {
  if (source.stamp() == frame.now.stamp()) {
    const Measured<LikenessMeasure>& shown = likeness_of(frame);
    return shown.value ? shown.value->table : nullptr;
  }
  LikenessMeasure::Wanted wanted = wanted_likeness(frame.view, source.trace);
  auto known = source.known<LikenessMeasure>(wanted);
  if (!known) {  // with the measures of two heads, or without
    for (bool& more : wanted.measures.measures) more = !more;
    known = source.known<LikenessMeasure>(wanted);
  }
  return known ? known->table : nullptr;
}

std::shared_ptr<const LikenessTable> likeness_before(const Frame& frame) {
  const std::optional<Source> before = frame.changes.before_source();
  return before ? likeness_of(frame, *before) : nullptr;
}

void draw_likeness_view(Frame& frame) {
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float em = ImGui::GetFontSize();
  if (room.x < 16 * em || room.y < 12 * em) return;  // folded to nothing
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {2 * frame.unit, 1.5f * frame.unit});
  ui::Chips chips(frame);
  page_chips(chips, frame);
  const bool ranks = of_ranks(frame.view);
  if (frame.view.likeness.page == LikenessPage::between) {
    between_chips(frame, chips);
    ImGui::PopStyleVar();
    return draw_between_page(frame);
  }
  if (!ranks) {
    layer_chips(frame, chips);
    measure_chips(frame, chips, all_measures());
    pooled_chips(frame, chips);
  }
  if (ranks) sharing_caption(frame, "likeness/sharing", frame.view.layer);
  const Measured<LikenessMeasure>& shown = likeness_of(frame);
  pooling(frame, shown);
  ImGui::PopStyleVar();
  ui::failure_text(frame, shown.failure);
  if (const std::string why = why_not_shown(frame); !why.empty()) {
    ui::soft_text(frame, why);
    return ui::probe("likeness/limit");
  }
  if (!shown.value || !shown.value->table) return ui::waiting_text(frame, shown.failure);
  const LikenessTable& table = *shown.value->table;
  if (!ranks) {
    sentence(frame, table);
    axes_sentence(frame, table);
    unrelated_sentence(frame, table);
  }
  const float top = ImGui::GetCursorScreenPos().y + frame.unit;
  const ImVec2 pos{origin.x, top}, size{room.x, origin.y + room.y - top};
  if (ranks && table.ranks.empty())
    ui::soft_text(frame, wording("likeness:being_computed"));
  else if (ranks)
    draw_rank_page(frame, table, shown.of->layer(shown.wanted.layer), pos, size);
  else
    likeness_page(frame, shown, pos, size);
}

}  // namespace hydra
