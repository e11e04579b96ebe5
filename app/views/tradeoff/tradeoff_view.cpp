// Trade-off: the same weights cut into few or many heads, and attention in published models.
#include "app/views/tradeoff/tradeoff_view.h"
#include "app/measures/ways.h"

#include "app/views/frame/ui.h"
#include "app/views/shell/views.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

bool is_fit(TradeoffPage page) { return page == TradeoffPage::width || page == TradeoffPage::needed; }

// How far the sweep under way is; always the same height, so that nothing moves.
void progress(Frame& frame, ImVec2 pos, float width) {
  const TradeoffPage page = frame.view.tradeoff.page;
  const Layer& layer = document_layer(frame);
  const bool cannot = layer.split == Split::slice || !layer.kv_of.empty();
  if ((!sweeps(page) && !is_fit(page)) || (page == TradeoffPage::sharing && cannot)) return;  // nothing is swept
  const float share = is_fit(page) ? tradeoff::fit_of(frame).progress : tradeoff::sweep_of(frame).progress;
  if (share >= 1 || frame.view.still) return;
  ui::progress_bar(frame, "tradeoff/progress", pos, {width, std::max(2.0f, 0.5f * frame.unit)}, share);
}

// What all columns have in common. Where heads share keys and values, or see slices, the numbers of weights differ.
std::string claim(const SweepTable& table, const WeightSource& source, bool cost) {
  const SweepEntry &one = table.entries.front(), &last = table.entries.back();
  const std::string counts = one.heads == last.heads
                                 ? tradeoff::heads_text(one)
                                 : wording("tradeoff:claim.counts", {{"first", one.heads}, {"n", last.heads}});
  const bool same = !tradeoff::shares_keys(table) && !tradeoff::are_slices(table);
  const std::string number = ui::number(weight_count(one.sizes), As::count);
  if (cost && one.heads != last.heads)
    return same ? wording("tradeoff:claim.cost", {{"heads", counts}, {"number", number}})
                : wording("tradeoff:claim.patterns", {{"heads", counts}});
  const std::string& weights =
      wording(source.kind == WeightSource::Kind::trained           ? "tradeoff:claim.trained"
              : !source.designs.empty()                            ? "tradeoff:claim.designed"
              : source.kind == WeightSource::Kind::explicit_values ? "tradeoff:claim.weights"
                                                                   : "tradeoff:claim.untrained");
  return same ? wording("tradeoff:claim", {{"number", number}, {"weights", weights}, {"heads", counts}})
              : wording("tradeoff:claim.some", {{"weights", weights}, {"heads", counts}});
}

void sentence(Frame& frame, const SweepTable& table) {
  const std::string text = claim(table, document_layer(frame).source, frame.view.tradeoff.page == TradeoffPage::cost);
  ui::text(frame, clipped(frame.fonts.large, text, ImGui::GetContentRegionAvail().x), {.font = frame.fonts.large});
  ui::probe("tradeoff/sentence");
  ui::tip(frame, spelled(frame, wording("tradeoff:claim.tip", {{"cut", tradeoff::cut_text(table)},
                                                               {"formula", tradeoff::weights_formula(table)}})));
}

void notes(Frame& frame, const SweepTable& table) {
  const std::string text = tradeoff::caveats(document_layer(frame), table);
  if (!text.empty()) {
    ui::soft_text(frame, text);
    ui::probe("tradeoff/caveats");
  }
  ui::soft_text(frame, tradeoff::seeds_note(table));
  ui::probe("tradeoff/seeds");
}

}  // namespace

std::vector<Index> wanted_head_counts(const ViewState& view, const Document& document, Index tokens) {
  const std::optional<HeadCounts>& chosen = view.tradeoff.counts;
  const Index width = document.layer(view.layer).concat_width(document.d_model);
  if (chosen && chosen->width == width) return chosen->counts;
  std::vector<Index> counts = usual_head_counts(width);
  const Index own = document.layer(view.layer).heads;
  Index cells = own * tokens * tokens;
  std::erase_if(counts, [&](Index heads) {
    cells += heads * tokens * tokens;
    return heads > 1 && cells > kMostSweptCells;
  });
  const auto place = std::lower_bound(counts.begin(), counts.end(), own);
  if (place == counts.end() || *place != own) counts.insert(place, own);
  return counts;
}

namespace {

template <Swept SWEPT>
tradeoff::SweepShown swept(const Frame& frame, const SweepWanted& wanted) {
  const auto& table = frame.now.measured<SweepMeasure<SWEPT>>(wanted);
  const auto& seeds = frame.now.measured<SweepSeedsMeasure<SWEPT>>({table.value});
  const bool over_seeds = seeds.value && seeds.wanted.base == table.value;
  return {over_seeds ? seeds.value : table.value, table.failure.empty() ? seeds.failure : table.failure,
          std::min(table.progress, seeds.progress)};
}

}  // namespace

tradeoff::SweepShown tradeoff::sweep_of(const Frame& frame) {
  const int layer = frame.view.layer;
  const Index tokens = std::ssize(frame.trace.tokens);
  if (frame.view.tradeoff.page == TradeoffPage::sharing)
    return swept<Swept::kv_heads>(frame, {layer, usual_kv_head_counts(document_layer(frame), tokens), -1});
  return swept<Swept::heads>(frame,
                             {layer, wanted_head_counts(frame.view, frame.document, tokens), frame.view.focused_head});
}

void draw_tradeoff_view(Frame& frame) {
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float em = ImGui::GetFontSize();
  if (room.x < 16 * em || room.y < 12 * em) {  // folded to nothing, or nearly
    if (room.x >= 4 * em) ui::soft_text(frame, wording("tradeoff:room"));
    return;
  }
  const TradeoffPage page = frame.view.tradeoff.page;
  frame.now.hold<SweepMeasure<Swept::heads>>(), frame.now.hold<SweepSeedsMeasure<Swept::heads>>();
  frame.now.hold<SweepMeasure<Swept::kv_heads>>(), frame.now.hold<SweepSeedsMeasure<Swept::kv_heads>>();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {2 * frame.unit, 1.5f * frame.unit});
  tradeoff::draw_toolbar(frame);
  progress(frame, ImGui::GetCursorScreenPos(), room.x);
  ImGui::Dummy({1, 0.5f * frame.unit});
  ImGui::PopStyleVar();
  const bool cut = page == TradeoffPage::columns || page == TradeoffPage::cost;
  const std::shared_ptr<const SweepTable> table = cut ? tradeoff::sweep_of(frame).table : nullptr;
  ui::failure_text(frame, sweeps(page)                     ? tradeoff::sweep_of(frame).failure
                          : is_fit(page)                   ? tradeoff::fit_of(frame).failure
                          : page == TradeoffPage::computed ? frame.now.started<WaysMeasure>().failure
                                                           : std::string());
  if (cut && !table) return ui::waiting_text(frame, tradeoff::sweep_of(frame).failure);
  if (table) sentence(frame, *table);
  if (table) notes(frame, *table);
  const float top = ImGui::GetCursorScreenPos().y + frame.unit;
  const ImVec2 pos{origin.x, top}, size{room.x, origin.y + room.y - top};
  switch (page) {
    case TradeoffPage::columns:
      return tradeoff::draw_columns(frame, *table, pos, size);
    case TradeoffPage::cost:
      return tradeoff::draw_cost(frame, *table, pos, size);
    case TradeoffPage::sharing:
      return tradeoff::draw_sharing(frame, pos, size);
    case TradeoffPage::published:
      return tradeoff::draw_published(frame, pos, size);
    case TradeoffPage::quality:
      return tradeoff::draw_quality(frame, pos, size);
    case TradeoffPage::trained:
      return tradeoff::draw_trained(frame, pos, size);
    case TradeoffPage::computed:
      return tradeoff::draw_computed(frame, pos, size);
    case TradeoffPage::width:
      return tradeoff::draw_fit_width(frame, pos, size);
    case TradeoffPage::needed:
      return tradeoff::draw_fit_needed(frame, pos, size);
  }
}

}  // namespace hydra
