#include "app/views/heads/heads_rollout.h"

#include <numeric>

#include "app/views/frame/ui.h"
#include "app/views/shared/pictured.h"

namespace hydra {

namespace {

constexpr std::size_t kMostTerms = 4;

int layers_with_residual(const Trace& trace, int layers) {
  int count = 0;
  for (int k = 0; k < layers; ++k) count += trace.layer(k).input.settings.residual ? 1 : 0;
  return count;
}

// How the last layer's step is made: "R₂ = (Ā₂ + I)/2 · R₁".
std::string rollout_formula(const Measured<RolloutMeasure>& shown) {
  const bool residual = shown.of->layer(shown.wanted.layers - 1).input.settings.residual,
             first = shown.wanted.layers == 1;
  const std::string at = subscript(shown.wanted.layers);
  const std::string pattern = (shown.wanted.kind == RolloutKind::attention ? "Ā" : "N") + at;
  return "R" + at + " = " + (residual ? "(" + pattern + " + I)/2" : pattern) +
         (first ? "" : " R" + subscript(shown.wanted.layers - 1));
}

}  // namespace

bool shows_rollout(const ViewState& view) { return view.heads.rollout && !view.average; }

const Measured<RolloutMeasure>& measured_rollout(const Frame& frame) {
  return frame.now.measured<RolloutMeasure>(
      {frame.view.layer + 1, frame.view.heads.rollout.value_or(RolloutKind::attention)});
}

bool rollout_is_there(const Frame& frame) {
  const Measured<RolloutMeasure>& shown = measured_rollout(frame);
  return shown.value && shown.value->reached.rows() == frame.trace.X.rows() &&
         shown.wanted.layers <= int_size(frame.trace.layers);
}

// As patterns, beside which it stands.
ValueScale rollout_scale(const Frame& frame) { return {sequential(frame), 0, 1}; }

void rollout_note(const Frame& frame) {
  const int layers = frame.view.layer + 1, carry = layers_with_residual(frame.trace, layers);
  const bool raw = frame.view.heads.rollout == RolloutKind::attention;
  const char* supposes = carry == layers ? "heads:rollout.supposes.half"
                         : carry > 0     ? "heads:rollout.supposes.half_in_some"
                         : layers == 1   ? "heads:rollout.supposes.all"
                                         : "heads:rollout.supposes.all_in_each";
  const std::string text = wording(
      "heads:rollout.note", {{"supposes", wording(supposes)},
                             {"counts", wording(raw ? "heads:rollout.counts.raw" : "heads:rollout.counts.by_value")}});
  ui::soft_text(frame, spelled(frame, text));
  ui::probe("heads/rollout/note");
}

void rollout_title(const Frame& frame, const HeadsLayout& at) {
  const Measured<RolloutMeasure>& shown = measured_rollout(frame);
  const float room = at.title_right - at.title.x;
  const int layers = shown.wanted.layers;
  const std::string through =
      layers == 1 ? wording("heads:rollout.one_layer") : wording("heads:rollout.layers", {{"last", layers}});
  frame.canvas.text_at(frame.fonts.strong, at.title, frame.theme.ink,
                       fitting(frame.fonts.strong, room,
                               {wording("heads:rollout.title.full", {{"layers", through}}),
                                wording("heads:rollout.title", {{"layers", through}}),
                                wording("heads:rollout.title.brief", {{"layers", through}}), wording("heads:rollout")}),
                       room);
  const std::string formula = rollout_formula(shown), at_layer = subscript(layers);
  const std::string means =
      shown.wanted.kind == RolloutKind::attention
          ? wording("heads:rollout.formula.mean", {{"formula", formula}, {"symbol", "Ā" + at_layer}})
          : wording("heads:rollout.formula.sum", {{"formula", formula}, {"symbol", "N" + at_layer}});
  const std::string brief =
      shown.wanted.kind == RolloutKind::attention
          ? formula
          : wording("heads:rollout.formula.sum.brief", {{"formula", formula}, {"symbol", "N" + at_layer}});
  ImFont* font = frame.fonts.small;
  frame.canvas.text_at(font, at.role, frame.theme.ink_soft,
                       fitting(font, room, {spelled(frame, means), spelled(frame, brief), spelled(frame, formula)}),
                       room);
}

std::vector<std::string> rollout_lines(const Measured<RolloutMeasure>& shown, Index token, Index word) {
  const Rollout& steps = shown.value->steps;
  const std::vector<std::string>& tokens = shown.of->tokens;
  const double value = steps.reached(token, word);
  std::vector<std::string> lines{nth(tokens, token) + " → " + nth(tokens, word) + ": " + ui::number(value),
                                 wording("heads:rollout.traced", {{"percent", ui::number(100 * value, As::tenths)},
                                                                  {"token", nth(tokens, token)},
                                                                  {"layer", shown.wanted.layers},
                                                                  {"word", nth(tokens, word)}})};
  if (shown.wanted.layers == 1) {
    const bool residual = shown.of->layer(0).input.settings.residual;
    const double own = residual && token == word ? 1 : 0, of_heads = (residual ? 2 : 1) * value - own;
    lines.push_back(
        wording(!residual  ? "heads:rollout.once.all"
                : own != 0 ? "heads:rollout.once.itself"
                           : "heads:rollout.once",
                {{"number", ui::number(of_heads)},
                 {"what", wording(shown.wanted.kind == RolloutKind::attention ? "heads:rollout.once.mean"
                                                                              : "heads:rollout.once.by_value")}}));
    return lines;
  }
  std::vector<Index> by_size(tokens.size());
  std::iota(by_size.begin(), by_size.end(), Index{0});
  const auto term = [&](Index k) { return steps.step(token, k) * steps.before(k, word); };
  std::ranges::stable_sort(by_size, [&](Index a, Index b) { return term(a) > term(b); });
  std::size_t told = 0;
  double rest = value;
  for (; told < std::min(kMostTerms, by_size.size()) && term(nth(by_size, told)) > 0; ++told) {
    const Index k = nth(by_size, told);
    rest -= term(k);
    lines.push_back(wording("heads:rollout.term", {{"sign", told == 0 ? "=" : "+"},
                                                   {"step", ui::number(steps.step(token, k))},
                                                   {"before", ui::number(steps.before(k, word))},
                                                   {"token", nth(tokens, k)},
                                                   {"layer", shown.wanted.layers - 1}}));
  }
  if (rest > 1e-6 && told < tokens.size()) lines.push_back(wording("heads:rollout.rest", {{"rest", ui::number(rest)}}));
  return lines;
}

PictureResult draw_rollout(Frame& frame, const HeadsLayout& at, ImFont* numbers) {
  const Measured<RolloutMeasure>& shown = measured_rollout(frame);
  const std::vector<std::string>& tokens = shown.of->tokens;
  const Pictured rollout{"rollout",
                         wording("heads:rollout"),
                         whole(shown.value->reached),
                         rollout_scale(frame),
                         [&](const Source& source) {
                           const auto known = source.known<RolloutMeasure>(shown.wanted);
                           return known ? whole(known->reached) : Backing{};
                         },
                         [&](Index row, Index col) { return nth(tokens, row) + " → " + nth(tokens, col); },
                         {},
                         shown.value->hidden};
  const PictureResult result = picture(frame, "heads/large", rollout, at.large, {at.side, at.side},
                                       {.square_cells = false, .values = numbers != nullptr, .value_font = numbers});
  if (!result.hit.hovered) return result;
  std::vector<std::string> lines = rollout_lines(shown, result.hit.row, result.hit.col);
  for (std::string& line : lines) line = spelled(frame, line);
  ui::tooltip(frame, lines);
  return result;
}

}  // namespace hydra
