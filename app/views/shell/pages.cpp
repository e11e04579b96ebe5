#include "app/views/shell/pages.h"

#include <algorithm>
#include <vector>

#include "app/views/heads/head_picture.h"
#include "app/views/shell/views.h"
#include "core/text/wording.h"

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
constexpr auto kLikeness = [](auto& v) -> auto& { return v.likeness.page; };
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

template <const HeadPicture& picture>
constexpr PageEntry of_picture(const char* key) {
  return {ViewId::heads,
          key,
          nullptr,
          nullptr,
          nullptr,
          [](const ViewState& v) { return shown_head_picture(v) == &picture; },
          [](const ViewState& v, Outbox& out) { choose_head_picture(v, out, &picture); }};
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
  return wording("panels:page.circuit.none");
}
std::string why_not_shared(const Source& source, const ViewState& view) {
  const auto layer = static_cast<std::size_t>(view.layer);
  if (layer >= source.document.layers.size()) return "";
  if (!source.document.layers[layer].kv_of.empty()) return wording("panels:page.sharing.given");
  return source.document.layers[layer].split == Split::slice ? wording("panels:page.sharing.none") : "";
}

constexpr PageEntry kPages[] = {
    page<ViewId::flow, kFlow, false>("heads", "flow/page/heads", "panels:page.flow.heads",
                                     "panels:page.flow.heads.tip"),
    page<ViewId::flow, kFlow, true>("around", "flow/page/around", "panels:page.flow.around",
                                    "panels:page.flow.around.tip"),
    {ViewId::heads, "patterns", nullptr, nullptr, nullptr,
     [](const ViewState& v) { return !v.heads.rollout && !shown_head_picture(v) && !v.beside.in_heads; },
     [](const ViewState& v, Outbox& out) {
       out.act(chosen(v, v.heads.rollout, {}));
       out.act(chosen(v, v.beside.in_heads, false));
       out.act(chosen(v, v.heads.picture, {}));
     }},
    {ViewId::heads, "beside", nullptr, nullptr, nullptr,
     [](const ViewState& v) { return v.beside.in_heads && !v.heads.rollout && !shown_head_picture(v); },
     [](const ViewState& v, Outbox& out) {
       out.act(chosen(v, v.heads.rollout, {}));
       out.act(chosen(v, v.heads.picture, {}));
       out.act(chosen(v, v.beside.in_heads, true));
     }},
    rolled<RolloutKind::attention>("rollout"),
    rolled<RolloutKind::value_weighted>("rollout_by_value"),
#define HYDRA_HEAD_PICTURE(key) of_picture<head_picture::key>(#key),
#include "embedded/head_pictures.inc"
#undef HYDRA_HEAD_PICTURE
    page<ViewId::mixing, kMixing, MixingPage::output>("output", "mixing/page/output", "panels:page.mixing.output",
                                                      "panels:page.mixing.output.tip"),
    page<ViewId::mixing, kMixing, MixingPage::shares>("shares", "mixing/page/shares", "panels:page.mixing.shares",
                                                      "panels:page.mixing.shares.tip"),
    page<ViewId::mixing, kMixing, MixingPage::silencing>(
        "silencing", "mixing/page/silencing", "panels:page.mixing.silencing", "panels:page.mixing.silencing.tip"),
    page<ViewId::stream, kStream, StreamPage::words>("words", "stream/page/words", "panels:page.stream.words",
                                                     "panels:page.stream.words.tip"),
    unless(why_no_circuit,
           page<ViewId::stream, kStream, StreamPage::circuit>(
               "circuit", "stream/page/circuit", "panels:page.stream.circuit", "panels:page.stream.circuit.tip")),
    page<ViewId::stream, kStream, StreamPage::routing>("routing", "stream/page/routing", "panels:page.stream.routing",
                                                       "panels:page.stream.routing.tip"),
    page<ViewId::stream, kStream, StreamPage::answer>("answer", "stream/page/answer", "panels:page.stream.answer",
                                                      "panels:page.stream.answer.tip"),
    page<ViewId::roles, kRolesPage, 0>("leading", "roles/page/leading", "panels:page.roles.leading",
                                       "panels:page.roles.leading.tip"),
    page<ViewId::roles, kRolesPage, 1>("more", "roles/page/more", "panels:page.roles.more",
                                       "panels:page.roles.more.tip"),
    page<ViewId::roles, kRolesPage, 2>("rest", "roles/page/rest", "panels:page.roles.rest",
                                       "panels:page.roles.rest.tip"),
    of_layers<ViewId::roles, kAllRoles, false>(),
    of_layers<ViewId::roles, kAllRoles, true>(),
    of_layers<ViewId::likeness, kAllLikeness, false>(),
    of_layers<ViewId::likeness, kAllLikeness, true>(),
    page<ViewId::likeness, kLikeness, LikenessPage::pairs>(
        "pairs", "likeness/page/likeness", "panels:page.likeness.pairs", "panels:page.likeness.pairs.tip"),
    page<ViewId::likeness, kLikeness, LikenessPage::between>(
        "between", "likeness/page/between", "panels:page.likeness.between", "panels:page.likeness.between.tip"),
    page<ViewId::likeness, kLikeness, LikenessPage::ranks>("rank", "likeness/page/rank", "panels:page.likeness.rank",
                                                           "panels:page.likeness.rank.tip"),
    page<ViewId::tradeoff, kTradeoff, TradeoffPage::needed>(
        "needed", "tradeoff/page/needed", "panels:page.tradeoff.needed", "panels:page.tradeoff.needed.tip"),
    page<ViewId::tradeoff, kTradeoff, TradeoffPage::trained>(
        "trained", "tradeoff/page/trained", "panels:page.tradeoff.trained", "panels:page.tradeoff.trained.tip"),
    page<ViewId::tradeoff, kTradeoff, TradeoffPage::quality>(
        "quality", "tradeoff/page/quality", "panels:page.tradeoff.quality", "panels:page.tradeoff.quality.tip"),
    page<ViewId::tradeoff, kTradeoff, TradeoffPage::cost>("cost", "tradeoff/page/cost", "panels:page.tradeoff.cost",
                                                          "panels:page.tradeoff.cost.tip"),
    unless(why_not_shared,
           page<ViewId::tradeoff, kTradeoff, TradeoffPage::sharing>(
               "sharing", "tradeoff/page/sharing", "panels:page.tradeoff.sharing", "panels:page.tradeoff.sharing.tip")),
    page<ViewId::tradeoff, kTradeoff, TradeoffPage::published>(
        "published", "tradeoff/page/published", "panels:page.tradeoff.published", "panels:page.tradeoff.published.tip"),
    page<ViewId::tradeoff, kTradeoff, TradeoffPage::columns>(
        "columns", "tradeoff/page/columns", "panels:page.tradeoff.columns", "panels:page.tradeoff.columns.tip"),
    page<ViewId::tradeoff, kTradeoff, TradeoffPage::width>("width", "tradeoff/page/width", "panels:page.tradeoff.width",
                                                           "panels:page.tradeoff.width.tip"),
    page<ViewId::tradeoff, kTradeoff, TradeoffPage::computed>(
        "computed", "tradeoff/page/computed", "panels:page.tradeoff.computed", "panels:page.tradeoff.computed.tip"),
    page<ViewId::learn, kLearn, LearnPage::run>("run", "learn/page/run", "panels:page.learn.run",
                                                "panels:page.learn.run.tip"),
    page<ViewId::learn, kLearn, LearnPage::gradients>("gradients", "learn/page/gradients",
                                                      "panels:page.learn.gradients", "panels:page.learn.gradients.tip"),
    page<ViewId::learn, kLearn, LearnPage::counts>("counts", "learn/page/counts", "panels:page.learn.counts",
                                                   "panels:page.learn.counts.tip"),
    page<ViewId::learn, kLearn, LearnPage::collapse>("collapse", "learn/page/collapse", "panels:page.learn.collapse",
                                                     "panels:page.learn.collapse.tip"),
    page<ViewId::learn, kLearn, LearnPage::pruning>("pruning", "learn/page/pruning", "panels:page.learn.pruning",
                                                    "panels:page.learn.pruning.tip"),
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
  if (std::string_view(page.key) == "answer") return static_cast<bool>(frame.trace.model.logits);
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
  if (open == pages.end()) return frame.notice.say(wording("panels:page.only"));
  const auto count = std::ssize(pages);
  pages[static_cast<std::size_t>((open - pages.begin() + by + count) % count)]->open(frame.view, frame.out);
}

void page_chips(ui::Chips& chips, Frame& frame, bool low) {
  frame.hands.of<PagesDrawn>().low = low;
  for (const PageEntry& page : kPages) {
    if (!is_offered(frame, page)) continue;
    if (chips.chip(page.name, wording(page.label), page.is_open(frame.view), wording(page.tip)))
      page.open(frame.view, frame.out);
  }
}

}  // namespace hydra
