// The chips over the pages of the Trade-off view: which page, and what it is about.
#include "app/views/frame/ui.h"
#include "app/views/shell/pages.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/tradeoff/tradeoff_view.h"
#include "core/weights/config.h"

namespace hydra::tradeoff {

namespace {

// Starts a group of chips behind those before, a little apart, where so much of it fits.
ui::Chips apart(Frame& frame, const std::string& caption, float group) {
  const float words = caption.empty() ? 0 : text_width(frame.fonts.small, caption) + 2 * frame.unit;
  ui::apart(4 * frame.unit, words + group);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  frame.canvas.text_at(frame.fonts.small, {at.x, at.y + 0.5f * (ImGui::GetFrameHeight() - frame.fonts.small->FontSize)},
                       frame.theme.ink_soft, caption);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + words);
  return ui::Chips(frame);
}

void toggle(Frame& frame, std::vector<Index> shown, Index width, Index heads) {
  const auto found = std::find(shown.begin(), shown.end(), heads);
  if (found == shown.end())
    shown.insert(std::lower_bound(shown.begin(), shown.end(), heads), heads);
  else if (shown.size() > 1)
    shown.erase(found);
  frame.choose(frame.view.tradeoff.counts, HeadCounts{width, std::move(shown)});
}

std::string count_tip(Index heads, Index width, bool own, bool on) {
  if (own)
    return on ? wording("tradeoff:bar.heads.own", {{"n", heads}, {"width", width}})
              : wording("tradeoff:bar.heads.own_off", {{"n", heads}, {"width", width}});
  return on ? wording("tradeoff:bar.heads.on", {{"n", heads}, {"width", width}})
            : wording("tradeoff:bar.heads.off", {{"n", heads}, {"width", width}});
}

void count_chips(Frame& frame) {
  const Index width = document_layer(frame).concat_width(frame.document.d_model), own = document_layer(frame).heads;
  const std::vector<Index> shown = wanted_head_counts(frame.view, frame.document, std::ssize(frame.trace.tokens));
  const std::vector<Index> possible = head_counts(width);
  float group = 0;
  for (const Index heads : possible) group += ui::chip_width(std::to_string(heads)) + 2 * frame.unit;
  ui::Chips chips = apart(frame, wording("tradeoff:bar.heads"), group);
  for (const Index heads : possible) {
    const std::string label = std::to_string(heads);
    const bool on = std::binary_search(shown.begin(), shown.end(), heads);
    if (chips.chip("tradeoff/count/" + label, label, on, count_tip(heads, width / heads, heads == own, on)))
      toggle(frame, shown, width, heads);
  }
}

template <class Value>
struct Choice {
  Value value;
  const char* name;  // of the item
  std::string label = name;
};

template <class Value>
void choice_chips(Frame& frame, const std::string& caption, const std::string& prefix,
                  const std::vector<Choice<Value>>& choices, const Value& chosen, const std::string& tip) {
  float group = 0;
  for (const Choice<Value>& choice : choices) group += ui::chip_width(choice.label) + 2 * frame.unit;
  ui::Chips chips = apart(frame, caption, group);
  for (const auto& [value, name, label] : choices) chips.choice(prefix + name, label, chosen, value, tip);
}

void axis_chip(Frame& frame) {
  const std::string& label = wording("tradeoff:bar.axis");
  apart(frame, "", ui::chip_width(label))
      .toggle("tradeoff/axis", label, frame.view.spectra_log, wording("tradeoff:bar.axis.tip"));
}

// Long sentences leave little for each token.
void fit_chip(Frame& frame) {
  const std::string& label = wording("tradeoff:bar.fit");
  apart(frame, "", ui::chip_width(label))
      .toggle("tradeoff/fit", label, frame.view.tradeoff.patterns_fitted, wording("tradeoff:bar.fit.tip"));
}

void context_chips(Frame& frame) {
  const std::vector<Choice<double>> lengths{{512, "512"}, {4096, "4096"}, {32768, "32 768"}, {131072, "131 072"}};
  const std::vector<Choice<double>> precisions{
      {4, "fp32"}, {2, "fp16 or bf16", wording("tradeoff:bar.half")}, {1, "int8"}};
  choice_chips(frame, wording("tradeoff:bar.tokens"), "tradeoff/length/", lengths, frame.view.tradeoff.context_length,
               wording("tradeoff:bar.tokens.tip"));
  choice_chips(frame, wording("tradeoff:bar.numbers"), "tradeoff/precision/", precisions,
               frame.view.tradeoff.bytes_per_number, wording("tradeoff:bar.numbers.tip"));
}

void part_chips(Frame& frame) {
  const std::vector<Choice<ComputedPart>> parts{
      {ComputedPart::product, "One product", wording("tradeoff:bar.product")},
      {ComputedPart::timing, "Time and memory", wording("tradeoff:bar.timing")},
      {ComputedPart::tiles, "Tile by tile", wording("tradeoff:bar.tiles")}};
  choice_chips(frame, "", "tradeoff/part/", parts, frame.view.tradeoff.part, wording("tradeoff:bar.parts.tip"));
}

}  // namespace

void draw_toolbar(Frame& frame) {
  ui::Chips pages(frame);
  page_chips(pages, frame);
  switch (frame.view.tradeoff.page) {
    case TradeoffPage::columns:
      count_chips(frame);
      return fit_chip(frame);
    case TradeoffPage::cost:
      count_chips(frame);
      return axis_chip(frame);
    case TradeoffPage::sharing:
      if (document_layer(frame).split == Split::slice || !document_layer(frame).kv_of.empty()) return;
      context_chips(frame);
      return fit_chip(frame);
    case TradeoffPage::published:
      return context_chips(frame);
    case TradeoffPage::trained:
    case TradeoffPage::quality:
      return;
    case TradeoffPage::computed:
      return part_chips(frame);
    case TradeoffPage::width:
    case TradeoffPage::needed:
      return fit_chips(frame);
  }
}

}  // namespace hydra::tradeoff
