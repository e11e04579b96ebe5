// Trade-off: what head counts side by side do not have in common, and what sharing wins and loses, in sentences.
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/ui.h"
#include "core/attention/config.h"

namespace hydra::tradeoff {

namespace {

// "1", "1 and 2", "1, 2 and 4": the head counts of the entries that hold.
template <class Holds>
std::string counts_where(const SweepTable& table, const Holds& holds) {
  std::vector<std::string> counts;
  for (const SweepEntry& entry : table.entries)
    if (holds(entry)) counts.push_back(std::to_string(entry.heads));
  std::string text;
  for (std::size_t k = 0; k < counts.size(); ++k)
    text += (k == 0 ? "" : k + 1 == counts.size() ? " and " : ", ") + counts[k];
  return text;
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
    add(ui::words(
        trained ? "Trained" : "Designed", " as ", ui::counted(heads, "head"),
        trained ? "; every other column is a cut that nobody trained." : "; every other column is only a cut."));
  // What only the column of the document has: heads that are cut anew lose it.
  const bool gates = !layer.gates.empty(), painted = !layer.painted.empty();
  const std::string what = gates && painted ? "gates and rows set by hand" : gates ? "gates" : "rows set by hand";
  if ((gates || painted) && table.entries.size() > 1)
    add("Other numbers of heads stand without this document's " + what + ".");
  if (are_slices(table))
    add("Each head reads only its slice of X: the more heads, the fewer weights count (3 d_model d_k + d_model²), and "
        "the layer is another function.");
  if (layer.group_size == 1) return text;
  const std::string apart = counts_where(table, [](const SweepEntry& entry) { return entry.kv_heads == entry.heads; });
  if (!apart.empty())
    add("This document's heads share keys and values; cut into " + apart +
        ", heads do not, and W_K and W_V repeat the shared columns: their rank is no higher.");
  return text;
}

namespace {

std::string sets_text(Index count) {
  static constexpr const char* words[] = {"No",    "One",   "Two",  "Three", "Four",   "Five",  "Six",
                                          "Seven", "Eight", "Nine", "Ten",   "Eleven", "Twelve"};
  const std::string number = count < static_cast<Index>(std::size(words)) ? words[count] : std::to_string(count);
  return number + (count == 1 ? " set of keys and values" : " sets of keys and values");
}

}  // namespace

std::string trade_sentence(const SweepEntry& e, Index own) {
  if (e.kv_heads == own)
    return sets_text(own) + " for " + ui::counted(e.heads, "head") + ": the document as it is" +
           (own < e.heads ? ui::words(", its cache ", e.heads / own, " times smaller than unshared") : "");
  const bool fewer = e.kv_heads < own;
  const double ratio = static_cast<double>(std::max(own, e.kv_heads)) / static_cast<double>(std::min(own, e.kv_heads));
  std::string text =
      ui::words(sets_text(e.kv_heads), " instead of ", own, ": cache ",
                ui::number(std::round(100 * ratio) / 100, As::axis), fewer ? " times smaller" : " times larger");
  if (e.rescaled) text += ", W_K at its norm";
  if (e.output_change == 0) return text + ", output the same";
  return std::isfinite(e.output_change) ? text + ", output moved by " + ui::number(e.output_change, As::percent) : text;
}

std::string sharing_note(const SweepTable& table) {
  const Index own = table.own_kv_heads, heads = table.entries.front().heads;
  if (heads == 1) return "One head has nothing to share: cut the document into more of them.";
  std::string text = own == heads
                         ? "Heads of a group read the mean of their keys and values; their queries and W_O stay."
                     : own == 1 ? "The document shares already: more sets only repeat its one, and nothing changes."
                                : ui::words("The document shares already: a multiple of its ", own,
                                            " sets only repeats them, and nothing changes; other sets are means.");
  text +=
      " Multi-query: Shazeer 2019. Grouped-query, by means: Ainslie et al. 2023, who then train on for 5 % of the "
      "original steps; here nothing is trained.";
  const std::vector<Index> possible = head_counts(heads);
  const auto compared =
      std::count_if(table.entries.begin(), table.entries.end(), [](const SweepEntry& e) { return !e.rescaled; });
  if (compared < static_cast<std::ptrdiff_t>(possible.size()))
    text += " Not every number of sets: the patterns would be too many to keep.";
  return text;
}

}  // namespace hydra::tradeoff
