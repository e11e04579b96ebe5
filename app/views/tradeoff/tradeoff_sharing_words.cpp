#include "app/views/tradeoff/tradeoff_sharing_words.h"

#include <algorithm>
#include <cmath>

#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/widgets/format.h"
#include "core/attention/config.h"

namespace hydra::tradeoff {

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
           (own < e.heads ? ", its cache " + std::to_string(e.heads / own) + " times smaller than unshared" : "");
  const bool fewer = e.kv_heads < own;
  const double ratio = static_cast<double>(std::max(own, e.kv_heads)) / static_cast<double>(std::min(own, e.kv_heads));
  std::string text = sets_text(e.kv_heads) + " instead of " + std::to_string(own) + ": cache " +
                     ui::short_number(std::round(100 * ratio) / 100) + (fewer ? " times smaller" : " times larger");
  if (e.rescaled) text += ", W_K at its norm";
  if (e.output_change == 0) return text + ", output the same";
  return std::isfinite(e.output_change) ? text + ", output moved by " + percent_text(e.output_change) : text;
}

std::string sharing_note(const SweepTable& table) {
  const Index own = table.own_kv_heads, heads = table.entries.front().heads;
  if (heads == 1) return "One head has nothing to share: cut the document into more of them.";
  std::string text = own == heads
                         ? "Heads of a group read the mean of their keys and values; their queries and W_O stay."
                     : own == 1 ? "The document shares already: more sets only repeat its one, and nothing changes."
                                : "The document shares already: a multiple of its " + std::to_string(own) +
                                      " sets only repeats them, and nothing changes; other sets are means.";
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
