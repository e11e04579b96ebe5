#include "app/views/pages.h"

namespace hydra {
namespace {

template <MixingPage page>
constexpr PageEntry mixing(const char* key, const char* name, const char* label, const char* tip) {
  return {ViewId::mixing,
          key,
          name,
          label,
          tip,
          [](const ViewState& v) { return v.mixing.page == page; },
          [](ViewState& v) { v.mixing.page = page; }};
}
template <bool ranks>
constexpr PageEntry likeness(const char* key, const char* name, const char* label, const char* tip) {
  return {ViewId::likeness,
          key,
          name,
          label,
          tip,
          [](const ViewState& v) { return v.likeness.ranks == ranks; },
          [](ViewState& v) { v.likeness.ranks = ranks; }};
}
template <TradeoffPage page>
constexpr PageEntry tradeoff(const char* key, const char* name, const char* label, const char* tip) {
  return {ViewId::tradeoff,
          key,
          name,
          label,
          tip,
          [](const ViewState& v) { return v.tradeoff.page == page; },
          [](ViewState& v) { v.tradeoff.page = page; }};
}

constexpr PageEntry kPages[] = {
    mixing<MixingPage::output>("output", "mixing/page/output", "One output",
                               "The concatenation times W_O, and the same output as the sum of what each head adds."),
    mixing<MixingPage::shares>(
        "shares", "mixing/page/shares", "Who writes it",
        "How much of the output comes from each head, and what is lost when heads are silenced."),
    mixing<MixingPage::silencing>(
        "silencing", "mixing/page/silencing", "Silencing",
        "What is lost when heads are silenced one after the other, and which of them write the same direction."),
    likeness<false>("pairs", "likeness/page/likeness", "Likeness", "How alike the heads are."),
    likeness<true>("rank", "likeness/page/rank", "Rank",
                   "The singular values of each head's scores and of the form behind them: how low their rank is."),
    tradeoff<TradeoffPage::columns>(
        "columns", "tradeoff/page/columns", "Side by side",
        "The same sentence and the same weights cut into several numbers of heads, a column each."),
    tradeoff<TradeoffPage::cost>("cost", "tradeoff/page/cost", "Cost and rank",
                                 "What more heads cost, what they do not cost, and what rank their scores can have."),
    tradeoff<TradeoffPage::sharing>(
        "sharing", "tradeoff/page/sharing", "Shared keys",
        "The same heads with fewer keys and values, which groups of them share: what the cache saves, and what the "
        "output loses."),
    tradeoff<TradeoffPage::published>("published", "tradeoff/page/published", "Published models",
                                      "Heads, widths and costs of attention in models of which they are published."),
    tradeoff<TradeoffPage::computed>(
        "computed", "tradeoff/page/computed", "How it is computed",
        "Three ways to the same output, timed on this machine; the tiles of the third; one token more with kept keys "
        "and values."),
    {ViewId::tradeoff, "tiles", nullptr, nullptr, nullptr,
     [](const ViewState& v) {
       return v.tradeoff.page == TradeoffPage::computed && v.tradeoff.part == ComputedPart::tiles;
     },
     [](ViewState& v) {
       v.tradeoff.page = TradeoffPage::computed;
       v.tradeoff.part = ComputedPart::tiles;
     }},
};

bool needs_low_room(const PageEntry& page) { return std::string_view(page.key) == "silencing"; }

}  // namespace

std::span<const PageEntry> all_pages() { return kPages; }

void page_chips(ui::Chips& chips, ViewState& view, bool low) {
  for (const PageEntry& page : kPages) {
    if (page.view != view.view || !page.label || (!low && needs_low_room(page))) continue;
    if (chips.chip(page.name, page.label, page.is_open(view), page.tip)) page.open(view);
  }
}

}  // namespace hydra
