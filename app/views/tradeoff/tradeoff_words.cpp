// Trade-off: what head counts side by side do not have in common, and what sharing wins and loses, in sentences.
#include "app/views/frame/ui.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/tradeoff/trained/trained_words.h"
#include "core/weights/config.h"

namespace hydra::tradeoff {

namespace {

// "1", "1 and 2", "1, 2 and 4": the head counts of the entries that hold.
template <class Holds>
std::string counts_where(const SweepTable& table, const Holds& holds) {
  std::vector<Index> counts;
  for (const SweepEntry& entry : table.entries)
    if (holds(entry)) counts.push_back(entry.heads);
  return listed(counts);
}

}  // namespace

std::string caveats(const Layer& layer, const SweepTable& table) {
  std::string text;
  const auto add = [&](const std::string& sentence) { text += (text.empty() ? "" : " ") + sentence; };
  // Weights that somebody made for so many heads.
  const WeightSource& source = layer.source;
  const bool trained = source.kind == WeightSource::Kind::trained, designed = !source.designs.empty();
  const auto made = trained ? std::ssize(source.fingerprints) : std::ssize(source.designs);
  const Index heads = made > 0 ? made : layer.heads;
  if ((trained || designed) && std::ranges::any_of(table.entries, [&](const auto& e) { return e.heads != heads; }))
    add(trained ? wording("tradeoff:caveat.trained", {{"n", heads}})
                : wording("tradeoff:caveat.designed", {{"n", heads}}));
  // What only the column of the document has: heads that are cut anew lose it.
  const bool gates = !layer.gates.empty(), painted = !layer.painted.empty();
  if ((gates || painted) && table.entries.size() > 1)
    add(wording(gates && painted ? "tradeoff:caveat.gates_and_rows"
                : gates          ? "tradeoff:caveat.gates"
                                 : "tradeoff:caveat.rows"));
  if (are_slices(table)) add(wording("tradeoff:caveat.slices"));
  if (!layer.key_groups().shares()) return text;
  const std::string apart = counts_where(table, [](const SweepEntry& entry) { return entry.kv_heads == entry.heads; });
  if (!apart.empty()) add(wording("tradeoff:caveat.shared", {{"counts", apart}}));
  return text;
}

namespace {

std::string sets_text(Index count) {
  static constexpr const char* kNumbers[] = {
      "tradeoff:sets.0",  "tradeoff:sets.1",  "tradeoff:sets.2", "tradeoff:sets.3", "tradeoff:sets.4",
      "tradeoff:sets.5",  "tradeoff:sets.6",  "tradeoff:sets.7", "tradeoff:sets.8", "tradeoff:sets.9",
      "tradeoff:sets.10", "tradeoff:sets.11", "tradeoff:sets.12"};
  const std::string number = count < std::ssize(kNumbers) ? wording(kNumbers[count]) : std::to_string(count);
  return wording("tradeoff:sets", {{"number", number}, {"n", count}});
}

}  // namespace

std::string trade_sentence(const SweepEntry& e, Index own) {
  if (e.kv_heads == own)
    return own < e.heads ? wording("tradeoff:trade.own.shared",
                                   {{"sets", sets_text(own)}, {"n", e.heads}, {"times", e.heads / own}})
                         : wording("tradeoff:trade.own", {{"sets", sets_text(own)}, {"n", e.heads}});
  const double ratio = static_cast<double>(std::max(own, e.kv_heads)) / static_cast<double>(std::min(own, e.kv_heads));
  const std::string sets = sets_text(e.kv_heads), times = ui::number(std::round(100 * ratio) / 100, As::axis);
  std::string text = e.kv_heads < own
                         ? wording("tradeoff:trade.smaller", {{"sets", sets}, {"own", own}, {"times", times}})
                         : wording("tradeoff:trade.larger", {{"sets", sets}, {"own", own}, {"times", times}});
  if (e.rescaled) text = wording("tradeoff:trade.norm", {{"trade", text}});
  if (e.output_change == 0) return wording("tradeoff:trade.same", {{"trade", text}});
  if (!std::isfinite(e.output_change)) return text;
  return wording("tradeoff:trade.moved", {{"trade", text}, {"change", ui::number(e.output_change, As::percent)}});
}

std::string sharing_note(const SweepTable& table) {
  const Index own = table.own_kv_heads, heads = table.entries.front().heads;
  if (heads == 1) return wording("tradeoff:sharing.note.one");
  std::string text = own == heads ? wording("tradeoff:sharing.note.means")
                     : own == 1   ? wording("tradeoff:sharing.note.one_set")
                                  : wording("tradeoff:sharing.note.sets", {{"own", own}});
  text += " " + wording("tradeoff:sharing.note.papers");
  const std::vector<Index> possible = head_counts(heads);
  const auto compared =
      std::count_if(table.entries.begin(), table.entries.end(), [](const SweepEntry& e) { return !e.rescaled; });
  if (compared < static_cast<std::ptrdiff_t>(possible.size())) text += " " + wording("tradeoff:sharing.note.not_every");
  return text;
}

}  // namespace hydra::tradeoff
