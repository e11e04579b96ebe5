// Trade-off: what head counts side by side do not have in common, in sentences.
#include "app/views/tradeoff/tradeoff_parts.h"

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
  // What only the column of the document has: heads that are cut anew lose it.
  const bool gates = !layer.gates.empty(), painted = !layer.painted.empty();
  const std::string what = gates && painted ? "gates and rows set by hand" : gates ? "gates" : "rows set by hand";
  if ((gates || painted) && table.entries.size() > 1)
    add("Other numbers of heads stand without this document's " + what + ".");
  if (are_slices(table))
    add("Each head reads only its slice of X: the more heads, the fewer weights count (3 d_model d_k + d_model²), and "
        "the layer is another function.");
  if (layer.own_kv_heads() == layer.heads) return text;
  const std::string apart = counts_where(table, [](const SweepEntry& entry) { return entry.kv_heads == entry.heads; });
  if (!apart.empty())
    add("This document's heads share keys and values; cut into " + apart +
        ", heads do not, and W_K and W_V repeat the shared columns: their rank is no higher.");
  return text;
}

}  // namespace hydra::tradeoff
