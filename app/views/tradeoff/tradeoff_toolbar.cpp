// The chips over the pages of the Trade-off view: which page, and what it is about.
#include "app/views/pages.h"
#include "app/views/tradeoff/tradeoff_parts.h"
#include "app/views/tradeoff/tradeoff_view.h"
#include "app/views/ui.h"
#include "core/attention/config.h"

namespace hydra::tradeoff {

namespace {

// Starts a group of chips behind those before, a little apart, where so much of it fits.
ui::Chips apart(Frame& frame, const char* caption, float group) {
  const float words = *caption ? text_width(frame.fonts.small, caption) + 2 * frame.unit : 0;
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

void count_chips(Frame& frame) {
  const Index width = document_layer(frame).concat_width(frame.document.d_model), own = document_layer(frame).heads;
  const std::vector<Index> shown = wanted_head_counts(frame.view, frame.document, std::ssize(frame.trace.tokens));
  const std::vector<Index> possible = head_counts(width);
  float group = 0;
  for (const Index heads : possible) group += ui::chip_width(std::to_string(heads)) + 2 * frame.unit;
  ui::Chips chips = apart(frame, "heads", group);
  for (const Index heads : possible) {
    const std::string label = std::to_string(heads);
    const bool on = std::binary_search(shown.begin(), shown.end(), heads);
    if (chips.chip("tradeoff/count/" + label, label, on,
                   ui::words(ui::counted(heads, "head"), " of ", width / heads,
                             heads == own ? ", as the document has: " : ": ", on ? "shown." : "not shown.")))
      toggle(frame, shown, width, heads);
  }
}

template <class Value, std::size_t N>
void choice_chips(Frame& frame, const char* caption, const std::string& prefix,
                  const std::pair<Value, const char*> (&choices)[N], const Value& chosen, const char* tip) {
  float group = 0;
  for (const auto& choice : choices) group += ui::chip_width(choice.second) + 2 * frame.unit;
  ui::Chips chips = apart(frame, caption, group);
  for (const auto& [value, label] : choices) chips.choice(prefix + label, label, chosen, value, tip);
}

void axis_chip(Frame& frame) {
  apart(frame, "", ui::chip_width("log axis"))
      .toggle("tradeoff/axis", "log axis", frame.view.spectra_log,
              "Singular values on a logarithmic axis: every line is ten times the one below, so that small ones can be "
              "told from none.");
}

// Long sentences leave little for each token.
void fit_chip(Frame& frame) {
  apart(frame, "", ui::chip_width("Fit colours"))
      .toggle("tradeoff/fit", "Fit colours", frame.view.tradeoff.patterns_fitted,
              "The darkest colour is the largest weight in any of the patterns, not 1: all columns keep one scale.");
}

void context_chips(Frame& frame) {
  constexpr std::pair<double, const char*> kLengths[] = {
      {512, "512"}, {4096, "4096"}, {32768, "32 768"}, {131072, "131 072"}};
  constexpr std::pair<double, const char*> kPrecisions[] = {{4, "fp32"}, {2, "fp16 or bf16"}, {1, "int8"}};
  choice_chips(frame, "tokens", "tradeoff/length/", kLengths, frame.view.tradeoff.context_length,
               "How many tokens there are: those before the next one are attended to, and their keys and values kept.");
  choice_chips(frame, "numbers", "tradeoff/precision/", kPrecisions, frame.view.tradeoff.bytes_per_number,
               "How many bytes a kept number takes: 4 in fp32, 2 in fp16 and bf16, 1 in int8.");
}

void part_chips(Frame& frame) {
  constexpr std::pair<ComputedPart, const char*> kParts[] = {{ComputedPart::product, "One product"},
                                                             {ComputedPart::timing, "Time and memory"},
                                                             {ComputedPart::tiles, "Tile by tile"}};
  choice_chips(
      frame, "", "tradeoff/part/", kParts, frame.view.tradeoff.part,
      "One product for all heads, cut into them; what three ways take, measured on this machine; the tiles with "
      "their running softmax, on this sentence.");
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
      if (document_layer(frame).split == Split::slice) return;
      context_chips(frame);
      return fit_chip(frame);
    case TradeoffPage::published:
      return context_chips(frame);
    case TradeoffPage::trained:
      return;
    case TradeoffPage::computed:
      return part_chips(frame);
    case TradeoffPage::width:
    case TradeoffPage::needed:
      return fit_chips(frame);
  }
}

}  // namespace hydra::tradeoff
