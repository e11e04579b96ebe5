// Likeness: how alike the heads are, how many there are in effect, and what can be done about it.
#include "app/views/likeness/likeness_view.h"

#include "app/views/change/changes.h"
#include "app/views/head_marks.h"
#include "app/views/likeness/likeness_parts.h"
#include "app/views/pages.h"
#include "app/views/ui.h"
#include "app/views/views.h"

namespace hydra {

namespace {

void measure_chips(Frame& frame, ui::Chips& chips) {
  const auto& measures = likenesses();
  chips.apart(0.8f * ImGui::GetFontSize(), ui::chip_width(measures.front().brief));
  for (const LikenessEntry& entry : measures)
    chips.choice(std::string("likeness/measure/") + entry.key, entry.brief, frame.view.likeness.measure, entry.measure,
                 spelled(frame, std::string(entry.title) + ": " + entry.tip + "\n" + entry.formula +
                                    "\nRange: " + entry.range + "\nSource: " + entry.source));
}

void layer_chips(Frame& frame, ui::Chips& chips) {
  if (frame.trace.layers.size() < 2) return;
  chips.apart(0.8f * ImGui::GetFontSize(), ui::chip_width("This layer"));
  const LikenessState& likeness = frame.view.likeness;
  const bool before = likeness.all_layers;
  bool all = before;
  chips.choice("likeness/layer/focus", "This layer", all, false, "The heads of the layer in focus.");
  chips.choice("likeness/layer/all", "All layers", all, true,
               "All heads of all layers beside each other: which layers do again what another does?");
  if (all != before) frame.choose(likeness.all_layers, all), frame.choose(likeness.compared, std::nullopt);
  if (!likeness.all_layers) return;
  chips.apart(0.8f * ImGui::GetFontSize(), ui::chip_width("By layer"));
  chips.choice("likeness/order/layer", "By layer", likeness.by_tree, false, "Layer after layer.");
  chips.choice("likeness/order/tree", "By tree", likeness.by_tree, true,
               "Heads that are alike stand together, whatever their layer, with the tree that joins them.");
}

void pooled_chips(Frame& frame, ui::Chips& chips) {
  chips.apart(0.8f * ImGui::GetFontSize(), ui::chip_width("This sentence"));
  const bool& pooled = frame.view.likeness.pooled;
  chips.choice("likeness/this", "This sentence", pooled, false, "Measured on the sentence that is shown.");
  std::string all = "Measured with the same weights on every marked sentence, over all their rows.";
  if (frame.document.embedding.kind == Embedding::Kind::learned)
    all += " Words that the table lacks have the vectors of their letters there.";
  chips.choice("likeness/all", ui::words("All ", frame.sentences.marked->size(), " marked sentences"), pooled, true,
               all);
}

// "0.43, independent 0.30": beside what heads of the same entropies have that share nothing.
std::string beside(const std::string& number, const Spread& independent, As style) {
  return independent.count == 0 ? number : number + ", independent " + ui::number(independent.mean, style);
}

// "8 heads: effective rank 2.3", and the numbers behind it.
void sentence(Frame& frame, const LikenessTable& table) {
  const auto heads = std::ssize(table.clustering.leaves);
  ui::text(frame, effective_sentence(heads, table.effective_heads), {.font = frame.fonts.large});
  ui::probe("likeness/sentence");
  ui::tip(
      frame,
      "The effective rank of the matrix of cosines between the heads' patterns: the exponential of the entropy of its "
      "eigenvalues, divided by their sum; 1 when all patterns are the same, as many as heads when no two share a key "
      "(Roy "
      "and Vetterli 2007).");
  const IndependentHeads& others = table.independent;
  const std::string mean = std::isnan(table.mean_cosine)
                               ? ""
                               : "as many independent heads: " + ui::number(others.effective_heads.mean, As::tenths) +
                                     ";  mean cosine " +
                                     beside(ui::number(table.mean_cosine, As::brief), others.mean_cosine, As::brief);
  const float down = 0.75f * (frame.fonts.large->FontSize - frame.fonts.text->FontSize);
  ui::flow_line(text_width(frame.fonts.text, mean) + 3 * frame.unit);
  if (mean.empty()) return ImGui::NewLine();  // one head, which shares with none
  ImGui::SetCursorPos({ImGui::GetCursorPosX() + 2 * frame.unit, ImGui::GetCursorPosY() + down});
  ui::text(frame, mean, {.ink = frame.theme.ink_soft});
  ui::probe("likeness/mean_cosine");
  const std::string tip = ui::words(
      "Independent heads: every row keeps its weights, and so its entropy, and has them shuffled among the keys that "
      "the "
      "mask lets it see, drawn ",
      others.draws, " times: effective rank ", ui::number(others.effective_heads.least, As::brief), " to ",
      ui::number(others.effective_heads.most, As::brief), ", mean cosine ",
      ui::number(others.mean_cosine.least, As::share), " to ", ui::number(others.mean_cosine.most, As::share),
      ". Flat patterns are alike whoever makes them; what heads have in common beyond that shows as a lower rank and a "
      "higher cosine. The cosine is over all pairs: 1 when all patterns are the same, 0 when no two heads share a "
      "key.");
  ui::tip(frame, tip);
  if (table.places.empty()) sharing_caption(frame, "likeness/sharing", frame.view.layer, false);
}

// Where weights of different layers have nothing to be compared by.
void axes_sentence(Frame& frame, const LikenessTable& table) {
  if (table.places.empty() || !entry_of(table.ordered_by).of_weights) return;
  const std::optional<int> layer = axes_change(frame.trace.layers);
  if (!layer) return;
  ui::soft_text(frame,
                ui::words("Layer ", *layer + 1,
                          " has no residual sum: what leaves it has axes of its own, so between heads before and "
                          "after it the cosine of weights says nothing."));
  ui::probe("likeness/axes");
}

// What CKA is read beside.
void unrelated_sentence(Frame& frame, const LikenessTable& table) {
  if (table.ordered_by != Likeness::cka || !std::isfinite(table.unrelated.high)) return;
  ui::soft_text(frame,
                ui::words("Outputs that are unrelated come to ", ui::number(table.unrelated.median, As::brief),
                          " in the median; 1 in 20 is above ", ui::number(table.unrelated.high, As::brief), "."));
  ui::probe("likeness/unrelated");
  ui::tip(frame, ui::words("CKA of pairs of these heads with the tokens of one of them in another order, ",
                           table.unrelated.draws, " times. The fewer tokens there are, the further it goes."));
}

void pooling(Frame& frame, const Measured<LikenessMeasure>& shown) {
  if (shown.value && !shown.value->fault.empty()) {
    ui::soft_text(frame, "Measured on this sentence: " + shown.value->fault + ".");
    ui::probe("likeness/fault");
  }
  const ImVec2 pos = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, high = std::max(2.0f, 0.75f * frame.unit);
  const bool may_take_long = frame.view.likeness.pooled || frame.view.likeness.all_layers;
  if (may_take_long) ImGui::Dummy({width, high});  // its place is kept, so that nothing jumps
  if (shown.progress >= 1 || frame.view.still) return;
  ui::progress_bar(frame, "likeness/progress", pos, {width, high}, shown.progress);
}

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

// The view begins with the most alike heads side by side, where that leaves the matrix and the map their place and
// costs little.
void offer_pair(LikenessParts& parts, ImVec2 pos, ImVec2 size) {
  const ViewState& view = parts.frame.view;
  const LikenessMotion& motion = parts.motion();
  bool& offered = parts.frame.hands.of<LikenessHands>().pair_offered;
  if (offered || motion.heads() == 0) return;
  offered = true;
  if (view.presentation || motion.heads() > kFewHeads || parts.compared || view.likeness.all_layers) return;
  parts.compared = motion.most_alike();
  if (likeness_layout(likeness_input(parts, pos, size)).alone) parts.compared.reset();
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
  offer_pair(parts, pos, size);
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
  const bool all = is_of_all_layers(view.likeness.all_layers && !view.likeness.ranks, trace);
  LikenessMeasure::Wanted wanted{all ? LikenessMeasure::kAllLayers : view.layer, view.likeness.pooled};
  wanted.measures.ordered_by = view.likeness.ranks ? Likeness::cosine : view.likeness.measure;
  // Two heads that are compared are told by all measures; of all layers' heads these would take too long.
  wanted.measures.measures.fill(!view.likeness.ranks && !all && view.likeness.compared.has_value());
  wanted.measures.ranks = view.likeness.ranks;
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

std::shared_ptr<const LikenessTable> likeness_before(const Frame& frame) {
  const std::optional<Source> before = frame.changes.before_source();
  if (!before) return nullptr;
  LikenessMeasure::Wanted wanted = wanted_likeness(frame.view, before->trace);
  auto known = before->known<LikenessMeasure>(wanted);
  if (!known) {  // with the measures of two heads, or without
    for (bool& more : wanted.measures.measures) more = !more;
    known = before->known<LikenessMeasure>(wanted);
  }
  return known ? known->table : nullptr;
}

void draw_likeness_view(Frame& frame) {
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float em = ImGui::GetFontSize();
  if (room.x < 16 * em || room.y < 12 * em) return;  // folded to nothing
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {2 * frame.unit, 1.5f * frame.unit});
  ui::Chips chips(frame);
  page_chips(chips, frame);
  if (!frame.view.likeness.ranks) {
    layer_chips(frame, chips);
    measure_chips(frame, chips);
    pooled_chips(frame, chips);
  }
  if (frame.view.likeness.ranks) sharing_caption(frame, "likeness/sharing", frame.view.layer);
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
  if (!frame.view.likeness.ranks) {
    sentence(frame, table);
    axes_sentence(frame, table);
    unrelated_sentence(frame, table);
  }
  const float top = ImGui::GetCursorScreenPos().y + frame.unit;
  const ImVec2 pos{origin.x, top}, size{room.x, origin.y + room.y - top};
  if (frame.view.likeness.ranks && table.ranks.empty())
    ui::soft_text(frame, "Being computed.");
  else if (frame.view.likeness.ranks)
    draw_rank_page(frame, table, shown.of->layer(shown.wanted.layer), pos, size);
  else
    likeness_page(frame, shown, pos, size);
}

}  // namespace hydra
