// Trade-off: the same weights cut into few or many heads, and attention in published models.
#include "app/views/tradeoff/tradeoff_view.h"

#include <algorithm>
#include <cmath>

#include "app/views/controls.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/views.h"
#include "app/widgets/format.h"
#include "app/widgets/probe.h"
#include "app/widgets/token_axis.h"
#include "core/attention/config.h"

namespace hydra {

namespace {

void add_sorted(std::vector<Index>& counts, Index heads) {
  const auto place = std::lower_bound(counts.begin(), counts.end(), heads);
  if (place == counts.end() || *place != heads) counts.insert(place, heads);
}

struct Page {
  TradeoffPage page;
  const char* name;
  const char* label;
  const char* tip;
};
constexpr Page kPages[] = {
    {TradeoffPage::columns, "tradeoff/page/columns", "Side by side",
     "The same sentence and the same weights cut into several numbers of heads, a column each."},
    {TradeoffPage::cost, "tradeoff/page/cost", "Cost and rank",
     "What more heads cost, what they do not cost, and what rank their scores can have."},
    {TradeoffPage::sharing, "tradeoff/page/sharing", "Shared keys",
     "The same heads with fewer keys and values, which groups of them share: what the cache saves, and what the output "
     "loses."},
    {TradeoffPage::published, "tradeoff/page/published", "Published models",
     "Heads, widths and costs of attention in models of which they are published."},
};

void page_chips(Frame& frame) {
  for (const Page& page : kPages) {
    if (&page != kPages) ui::flow_line(ui::chip_width(page.label));
    if (ui::chip(frame, page.name, page.label, frame.view.tradeoff_page == page.page, page.tip))
      frame.view.tradeoff_page = page.page;
  }
}

// Starts a group of chips behind those before, a little apart, where so much of it fits.
void apart(Frame& frame, const char* caption, float group) {
  const float gap = 4 * frame.unit, words = *caption ? text_width(frame.fonts.small, caption) + 2 * frame.unit : 0;
  ui::flow_line(gap + words + group);
  const float start = ImGui::GetWindowContentRegionMin().x;
  if (ImGui::GetCursorPosX() > start + gap) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gap);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  text_at(ImGui::GetWindowDrawList(), frame.fonts.small,
          {at.x, at.y + 0.5f * (ImGui::GetFrameHeight() - frame.fonts.small->FontSize)}, frame.theme.ink_soft, caption);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + words);
}

void toggle(ViewState& view, std::vector<Index> shown, Index d_model, Index heads) {
  const auto found = std::find(shown.begin(), shown.end(), heads);
  if (found == shown.end())
    add_sorted(shown, heads);
  else if (shown.size() > 1)
    shown.erase(found);
  view.compared_counts = ViewState::HeadCounts{d_model, std::move(shown)};
}

void count_chips(Frame& frame) {
  const Index d_model = frame.document.d_model, own = frame.document.layers.front().heads;
  const std::vector<Index> shown =
      wanted_head_counts(frame.view, frame.document, static_cast<Index>(frame.trace.tokens.size()));
  const std::vector<Index> possible = head_counts(d_model);
  for (const Index heads : possible) {
    const std::string label = std::to_string(heads);
    if (heads == possible.front())
      apart(frame, "heads", ui::chip_width(label.c_str()));
    else
      ui::flow_line(ui::chip_width(label.c_str()));
    const bool on = std::binary_search(shown.begin(), shown.end(), heads);
    const std::string tip = label + (heads == 1 ? " head" : " heads") + " of " + std::to_string(d_model / heads) +
                            (heads == own ? ", as the document has: " : ": ") + (on ? "shown." : "not shown.");
    if (ui::chip(frame, ("tradeoff/count/" + label).c_str(), label.c_str(), on, tip.c_str()))
      toggle(frame.view, shown, d_model, heads);
  }
}

template <class Value, std::size_t N>
void choice_chips(Frame& frame, const char* caption, const std::string& prefix,
                  const std::pair<Value, const char*> (&choices)[N], Value& chosen, const char* tip) {
  float group = 0;
  for (const auto& choice : choices) group += ui::chip_width(choice.second) + 2 * frame.unit;
  for (const auto& [value, label] : choices) {
    if (label == choices[0].second)
      apart(frame, caption, group);
    else
      ui::flow_line(ui::chip_width(label));
    if (ui::chip(frame, (prefix + label).c_str(), label, chosen == value, tip)) chosen = value;
  }
}

void axis_chip(Frame& frame) {
  apart(frame, "", ui::chip_width("log axis"));
  if (ui::chip(
          frame, "tradeoff/axis", "log axis", frame.view.spectra_log,
          "Singular values on a logarithmic axis: every line is ten times the one below, so that small ones can be "
          "told from none."))
    frame.view.spectra_log = !frame.view.spectra_log;
}

void context_chips(Frame& frame) {
  constexpr std::pair<double, const char*> kLengths[] = {
      {512, "512"}, {4096, "4096"}, {32768, "32 768"}, {131072, "131 072"}};
  constexpr std::pair<double, const char*> kPrecisions[] = {{4, "fp32"}, {2, "fp16 or bf16"}, {1, "int8"}};
  choice_chips(frame, "tokens", "tradeoff/length/", kLengths, frame.view.context_length,
               "How many tokens there are: those before the next one are attended to, and their keys and values kept.");
  choice_chips(frame, "numbers", "tradeoff/precision/", kPrecisions, frame.view.bytes_per_number,
               "How many bytes a kept number takes: 4 in fp32, 2 in fp16 and bf16, 1 in int8.");
}

// How far the sweep under way is; always the same height, so that nothing moves.
void progress(Frame& frame, ImVec2 pos, float width) {
  if (frame.sweep.progress >= 1 || frame.view.still) return;
  const bool sharing = frame.view.tradeoff_page == TradeoffPage::sharing;
  if (sharing && frame.document.layers.front().split == Split::slice) return;  // nothing is being measured
  const float high = std::max(2.0f, 0.5f * frame.unit);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(pos, {pos.x + width, pos.y + high}, frame.theme.line);
  list->AddRectFilled(pos, {pos.x + width * frame.sweep.progress, pos.y + high}, frame.theme.accent);
  ui::probe("tradeoff/progress", pos, {pos.x + width, pos.y + high});
}

// What all columns have in common. Where heads share keys and values, the numbers of weights differ: those are repeated
// where groups come apart.
std::string claim(const SweepTable& table, bool cost) {
  const Index first = table.entries.front().heads, last = table.entries.back().heads;
  const std::string counts = first == last
                                 ? tradeoff::heads_text(table.entries.front())
                                 : std::to_string(first) + " to " + tradeoff::heads_text(table.entries.back());
  const bool shared = tradeoff::shares_keys(table);
  const std::string number = tradeoff::whole_number(weight_count(table.entries.front().sizes));
  if (cost && first != last)
    return counts + (shared ? ": the patterns multiply" : ": the weights stay " + number + ", the patterns multiply");
  return "The same " + (shared ? "" : number + " ") + "weights, cut into " + counts;
}

void sentence(Frame& frame, const SweepTable& table) {
  const std::string text = claim(table, frame.view.tradeoff_page == TradeoffPage::cost);
  ImGui::PushFont(frame.fonts.large);
  ImGui::TextUnformatted(clipped(frame.fonts.large, text, ImGui::GetContentRegionAvail().x).c_str());
  ImGui::PopFont();
  ui::probe("tradeoff/sentence");
  ui::tip(tradeoff::spelled(frame,
                            "Head i reads the columns i d_k to (i + 1) d_k of W_Q, W_K and W_V and the same rows of "
                            "W_O, with d_k = d_model / h: another h only moves the cuts. Weights: 4 d_model², biases "
                            "not counted; fewer where heads share keys and values.")
              .c_str());
}

}  // namespace

std::vector<Index> wanted_head_counts(const ViewState& view, const Document& document, Index tokens) {
  const std::optional<ViewState::HeadCounts>& chosen = view.compared_counts;
  if (chosen && chosen->d_model == document.d_model) return chosen->counts;
  std::vector<Index> counts = usual_head_counts(document.d_model);
  Index cells = document.layers.front().heads * tokens * tokens;
  std::erase_if(counts, [&](Index heads) {
    cells += heads * tokens * tokens;
    return heads > 1 && cells > kMostSweptCells;
  });
  add_sorted(counts, document.layers.front().heads);
  return counts;
}

void draw_tradeoff_view(Frame& frame) {
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float em = ImGui::GetFontSize();
  if (room.x < 16 * em || room.y < 12 * em) return;  // folded to nothing
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {2 * frame.unit, 1.5f * frame.unit});
  page_chips(frame);
  const bool published = frame.view.tradeoff_page == TradeoffPage::published;
  const bool sharing = frame.view.tradeoff_page == TradeoffPage::sharing;
  const bool slices = frame.document.layers.front().split == Split::slice;
  if (published || (sharing && !slices))
    context_chips(frame);
  else if (!sharing)
    count_chips(frame);
  if (frame.view.tradeoff_page == TradeoffPage::cost) axis_chip(frame);
  progress(frame, ImGui::GetCursorScreenPos(), room.x);
  ImGui::Dummy({1, 0.5f * frame.unit});
  ImGui::PopStyleVar();
  const auto rest = [&] {
    const float top = ImGui::GetCursorScreenPos().y + frame.unit;
    return std::pair(ImVec2{origin.x, top}, ImVec2{room.x, origin.y + room.y - top});
  };
  if (published) {
    const auto [pos, size] = rest();
    return tradeoff::draw_published(frame, pos, size);
  }
  if (sharing) {
    const auto [pos, size] = rest();
    return tradeoff::draw_sharing(frame, pos, size);
  }
  if (!frame.sweep.table) return ui::soft_text(frame, "Being measured.");
  const SweepTable& table = *frame.sweep.table;
  sentence(frame, table);
  const auto [pos, size] = rest();
  if (frame.view.tradeoff_page == TradeoffPage::cost)
    tradeoff::draw_cost(frame, table, pos, size);
  else
    tradeoff::draw_columns(frame, table, pos, size);
}

}  // namespace hydra
