#include "app/views/pages.h"

#include <algorithm>
#include <vector>

#include "app/views/views.h"

namespace hydra {
namespace {

// field: where the state of the view keeps its page.
template <ViewId view, auto field, auto value>
constexpr PageEntry page(const char* key, const char* name, const char* label, const char* tip) {
  return {view,
          key,
          name,
          label,
          tip,
          [](const ViewState& v) { return field(v) == value; },
          [](const ViewState& v, Outbox& out) { out.act(chosen(v, field(v), value)); }};
}
constexpr auto kFlow = [](auto& v) -> auto& { return v.flow.around; };
constexpr auto kMixing = [](auto& v) -> auto& { return v.mixing.page; };
constexpr auto kStream = [](auto& v) -> auto& { return v.stream.page; };
constexpr auto kRanks = [](auto& v) -> auto& { return v.likeness.ranks; };
constexpr auto kLearn = [](auto& v) -> auto& { return v.learn.page; };
constexpr auto kTradeoff = [](auto& v) -> auto& { return v.tradeoff.page; };

// Of the Heads view, without chips of their own: what it shows large.
template <RolloutKind kind>
constexpr PageEntry rolled(const char* key) {
  return {ViewId::heads,
          key,
          nullptr,
          nullptr,
          nullptr,
          [](const ViewState& v) { return v.heads.rollout == kind; },
          [](const ViewState& v, Outbox& out) { out.act(chosen(v, v.heads.rollout, std::optional(kind))); }};
}

// Of a view whose chips for it stand elsewhere: of the layer in focus, or of all layers.
template <ViewId view, auto field, bool all>
constexpr PageEntry of_layers() {
  return {view,
          all ? "all" : "layer",
          nullptr,
          nullptr,
          nullptr,
          [](const ViewState& v) { return field(v) == all; },
          [](const ViewState& v, Outbox& out) { out.act(chosen(v, field(v), all)); }};
}
constexpr auto kRolesPage = [](auto& v) -> auto& { return v.roles.page; };
constexpr auto kAllRoles = [](auto& v) -> auto& { return v.roles.all_layers; };
constexpr auto kAllLikeness = [](auto& v) -> auto& { return v.likeness.all_layers; };

// Of the page "How it is computed": its parts, whose chips stand behind those of the pages.
template <ComputedPart part>
constexpr PageEntry computed_part(const char* key) {
  return {ViewId::tradeoff,
          key,
          nullptr,
          nullptr,
          nullptr,
          [](const ViewState& v) { return v.tradeoff.page == TradeoffPage::computed && v.tradeoff.part == part; },
          [](const ViewState& v, Outbox& out) {
            out.act(chosen(v, v.tradeoff.page, TradeoffPage::computed));
            out.act(chosen(v, v.tradeoff.part, part));
          }};
}

constexpr PageEntry unless(std::string (*why_not)(const Source&, const ViewState&), PageEntry page) {
  page.why_not = why_not;
  return page;
}
std::string why_no_circuit(const Source& source, const ViewState&) {
  if (source.trace.layers.size() > 1) return "";
  return "A circuit needs two layers: a head can read only what a head of an earlier layer has written. The model "
         "panel "
         "adds a layer.";
}
std::string why_not_shared(const Source& source, const ViewState& view) {
  const auto layer = static_cast<std::size_t>(view.layer);
  if (layer >= source.document.layers.size() || source.document.layers[layer].split != Split::slice) return "";
  return "Heads that read only their slice of the embedding have keys and values of their own: what they read differs, "
         "so there is nothing to share.";
}

constexpr PageEntry kPages[] = {
    page<ViewId::flow, kFlow, false>("heads", "flow/page/heads", "Heads",
                                     "One head from X to its output, all heads, and how they become Y."),
    page<ViewId::flow, kFlow, true>("around", "flow/page/around", "Around them",
                                    "What stands around the heads, and what is read out of the last layer."),
    {ViewId::heads, "patterns", nullptr, nullptr, nullptr, [](const ViewState& v) { return !v.heads.rollout; },
     [](const ViewState& v, Outbox& out) { out.act(chosen(v, v.heads.rollout, {})); }},
    rolled<RolloutKind::attention>("rollout"),
    rolled<RolloutKind::value_weighted>("rollout_by_value"),
    page<ViewId::mixing, kMixing, MixingPage::output>(
        "output", "mixing/page/output", "One output",
        "The concatenation times W_O, and the same output as the sum of what each head adds."),
    page<ViewId::mixing, kMixing, MixingPage::shares>(
        "shares", "mixing/page/shares", "Who writes it",
        "How much of the output comes from each head, and what is lost when heads are silenced."),
    page<ViewId::mixing, kMixing, MixingPage::silencing>(
        "silencing", "mixing/page/silencing", "Silencing",
        "What is lost when heads are silenced one after the other, and which of them write the same direction."),
    page<ViewId::stream, kStream, StreamPage::words>(
        "words", "stream/page/words", "Words", "What each layer adds to the words' vectors, and what is left of them."),
    unless(why_no_circuit,
           page<ViewId::stream, kStream, StreamPage::circuit>(
               "circuit", "stream/page/circuit", "Circuit",
               "Which heads could read what heads of earlier layers write, into query, key and value: of "
               "the weights alone.")),
    page<ViewId::stream, kStream, StreamPage::routing>(
        "routing", "stream/page/routing", "Routing",
        "Which tokens the heads and the feed-forward part of the layer in focus can move numbers between."),
    page<ViewId::roles, kRolesPage, 0>("leading", "roles/page/leading", "Roles",
                                       "What jobs the heads do, and as many other measures as there is room for."),
    page<ViewId::roles, kRolesPage, 1>("more", "roles/page/more", "More",
                                       "Measures that the first page has no room for."),
    page<ViewId::roles, kRolesPage, 2>("rest", "roles/page/rest", "The rest", "Measures that stand on no other page."),
    of_layers<ViewId::roles, kAllRoles, false>(),
    of_layers<ViewId::roles, kAllRoles, true>(),
    of_layers<ViewId::likeness, kAllLikeness, false>(),
    of_layers<ViewId::likeness, kAllLikeness, true>(),
    page<ViewId::likeness, kRanks, false>("pairs", "likeness/page/likeness", "Likeness", "How alike the heads are."),
    page<ViewId::likeness, kRanks, true>(
        "rank", "likeness/page/rank", "Rank",
        "The singular values of each head's scores and of the form behind them: how low their rank is."),
    page<ViewId::tradeoff, kTradeoff, TradeoffPage::needed>(
        "needed", "tradeoff/page/needed", "Heads needed",
        "How many heads several relations at once take: too few fail, and so do too narrow ones."),
    page<ViewId::tradeoff, kTradeoff, TradeoffPage::trained>(
        "trained", "tradeoff/page/trained", "Trained",
        "Students and fruit learned with 1 to 32 heads here, side by side, at several learning rates."),
    page<ViewId::tradeoff, kTradeoff, TradeoffPage::cost>(
        "cost", "tradeoff/page/cost", "Cost and rank",
        "What more heads cost, what they do not cost, and what rank their scores can have."),
    unless(why_not_shared, page<ViewId::tradeoff, kTradeoff, TradeoffPage::sharing>(
                               "sharing", "tradeoff/page/sharing", "Shared keys",
                               "The same heads with fewer keys and values, which groups of them share: what the cache "
                               "saves, and what the output loses.")),
    page<ViewId::tradeoff, kTradeoff, TradeoffPage::published>(
        "published", "tradeoff/page/published", "Published models",
        "Heads, widths and costs of attention in models of which they are published."),
    page<ViewId::tradeoff, kTradeoff, TradeoffPage::columns>(
        "columns", "tradeoff/page/columns", "Side by side",
        "The same sentence and the same weights cut into several numbers of heads, a column each."),
    page<ViewId::tradeoff, kTradeoff, TradeoffPage::width>(
        "width", "tradeoff/page/width", "Width",
        "What a head of each width can be brought to do: fitted to a pattern by gradient descent, here and now."),
    page<ViewId::tradeoff, kTradeoff, TradeoffPage::computed>(
        "computed", "tradeoff/page/computed", "How it is computed",
        "One product for all heads, cut into them; three ways to the same output, timed on this machine; the tiles of "
        "the third."),
    page<ViewId::learn, kLearn, LearnPage::run>("run", "learn/page/run", "Training",
                                                "A model is trained, step by step, back and forth."),
    page<ViewId::learn, kLearn, LearnPage::gradients>(
        "gradients", "learn/page/gradients", "Gradients",
        "A step, opened: what pulls at each head, and any number's update as its sum."),
    page<ViewId::learn, kLearn, LearnPage::counts>(
        "counts", "learn/page/counts", "Head counts",
        "Students and fruit learned with 1 to 32 heads here, side by side, at several learning rates."),
    page<ViewId::learn, kLearn, LearnPage::collapse>(
        "collapse", "learn/page/collapse", "Collapse",
        "Eight heads that begin alike, or are driven apart: what will happen?"),
    page<ViewId::learn, kLearn, LearnPage::pruning>(
        "pruning", "learn/page/pruning", "Which heads are needed",
        "What each head is worth by three measures, and what is left when heads are cut away."),
    computed_part<ComputedPart::product>("product"),
    computed_part<ComputedPart::timing>("timing"),
    computed_part<ComputedPart::tiles>("tiles"),
};

}  // namespace

std::span<const PageEntry> all_pages() { return kPages; }

bool is_offered(const Frame& frame, const PageEntry& page) {
  const ViewState& view = frame.view;
  const auto& drawn = frame.hands.of<PagesDrawn>();
  if (page.view != view.view || !page.label) return false;
  if (std::string_view(page.key) == "silencing") return drawn.low;
  if (page.view == ViewId::roles && drawn.of_roles < 3 && std::string_view(page.key) == "rest") return false;
  if (page.view == ViewId::roles) return drawn.of_roles > 1;
  return page.view != ViewId::flow || drawn.around_flow;
}

std::string why_not_shown(const Frame& frame) {
  const ViewEntry& view = entry_of(frame.view.view);
  if (view.why_not)
    if (std::string why = view.why_not(frame.now, frame.view); !why.empty()) return why;
  for (const PageEntry& page : kPages)
    if (page.view == view.id && page.why_not && page.is_open(frame.view))
      if (std::string why = page.why_not(frame.now, frame.view); !why.empty()) return why;
  return "";
}

void turn_page(Frame& frame, int by) {
  std::vector<const PageEntry*> pages;
  for (const PageEntry& page : kPages)
    if (is_offered(frame, page)) pages.push_back(&page);
  const auto open = std::ranges::find_if(pages, [&](const PageEntry* page) { return page->is_open(frame.view); });
  if (open == pages.end()) return frame.notice.say("All that there is of this view is on the screen.");
  const auto count = std::ssize(pages);
  pages[static_cast<std::size_t>((open - pages.begin() + by + count) % count)]->open(frame.view, frame.out);
}

void page_chips(ui::Chips& chips, Frame& frame, bool low) {
  frame.hands.of<PagesDrawn>().low = low;
  for (const PageEntry& page : kPages) {
    if (!is_offered(frame, page)) continue;
    if (chips.chip(page.name, page.label, page.is_open(frame.view), page.tip)) page.open(frame.view, frame.out);
  }
}

}  // namespace hydra
