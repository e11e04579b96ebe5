#include "app/views/heads/heads_rollout.h"

#include <numeric>

#include "app/views/pictured.h"
#include "app/views/ui.h"

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

ValueScale rollout_scale(const Frame& frame) {
  const float largest = frame.derived.max_abs(measured_rollout(frame).value->reached);
  return {sequential(frame), 0, largest > 0 ? std::min(1.0f, real(ui::close_ceiling(largest))) : 1};
}

void rollout_note(const Frame& frame) {
  const int layers = frame.view.layer + 1, carry = layers_with_residual(frame.trace, layers);
  const bool raw = frame.view.heads.rollout == RolloutKind::attention;
  std::string text = "Not what is used: rollout supposes that ";
  if (carry == layers)
    text += "each layer's stream is half what its heads bring and half what stood there";
  else if (carry == 0)
    text += layers == 1 ? "what the heads bring is all there is (no residual sum)"
                        : "what each layer's heads bring is all there is (no residual sums)";
  else
    text += "a stream is half what the heads bring and half what stood there, in layers with a residual sum";
  text += raw ? "; it takes every head's weights alike, whatever values, W_O and gates make of them"
              : "; it counts how long a vector each weight carries, not where to";
  text += ". Norms, feed-forward parts and contributions that cancel do not count (Abnar and Zuidema 2020).";
  ui::soft_text(frame, spelled(frame, text));
  ui::probe("heads/rollout/note");
}

void rollout_title(const Frame& frame, const HeadsLayout& at) {
  const Measured<RolloutMeasure>& shown = measured_rollout(frame);
  const float room = at.title_right - at.title.x;
  const std::string through = shown.wanted.layers == 1 ? "layer 1" : ui::words("layers 1 to ", shown.wanted.layers);
  frame.canvas.text_at(frame.fonts.strong, at.title, frame.theme.ink,
                       fitting(frame.fonts.strong, room,
                               {"Rollout: how the words reach each token through " + through,
                                "Rollout through " + through, "Rollout, " + through, "Rollout"}),
                       room);
  const std::string formula = spelled(frame, rollout_formula(shown)),
                    at_layer = spelled(frame, subscript(shown.wanted.layers));
  const std::string of = shown.wanted.kind == RolloutKind::attention
                             ? spelled(frame, "Ā") + at_layer + " the mean of the heads' patterns"
                             : "N" + at_layer + spelled(frame, " the sum of the heads' a ‖v W_O‖, by rows of sum 1");
  ImFont* font = frame.fonts.small;
  frame.canvas.text_at(font, at.role, frame.theme.ink_soft, fitting(font, room, {formula + ",  " + of, formula}), room);
}

std::vector<std::string> rollout_lines(const Measured<RolloutMeasure>& shown, Index token, Index word) {
  const Rollout& steps = shown.value->steps;
  const std::vector<std::string>& tokens = shown.of->tokens;
  const auto name = [&](Index t) { return "“" + nth(tokens, t) + "”"; };
  const double value = steps.reached(token, word);
  std::vector<std::string> lines{nth(tokens, token) + " → " + nth(tokens, word) + ": " + ui::number(value),
                                 ui::number(100 * value, As::tenths) + " % of what stands at " + name(token) +
                                     ui::words(" after layer ", shown.wanted.layers) + " is traced back to the word " +
                                     name(word) + "."};
  if (shown.wanted.layers == 1) return lines;
  std::vector<Index> by_size(tokens.size());
  std::iota(by_size.begin(), by_size.end(), Index{0});
  const auto term = [&](Index k) { return steps.step(token, k) * steps.before(k, word); };
  std::ranges::stable_sort(by_size, [&](Index a, Index b) { return term(a) > term(b); });
  std::size_t told = 0;
  double rest = value;
  for (; told < std::min(kMostTerms, by_size.size()) && term(nth(by_size, told)) > 0; ++told) {
    const Index k = nth(by_size, told);
    rest -= term(k);
    lines.push_back(ui::words(told == 0 ? "= " : "+ ") + ui::number(steps.step(token, k)) + " × " +
                    ui::number(steps.before(k, word)) + ui::words("  by ", name(k), " of layer ") +
                    std::to_string(shown.wanted.layers - 1));
  }
  if (rest > 1e-6 && told < tokens.size()) lines.push_back("+ " + ui::number(rest) + "  by the others");
  return lines;
}

PictureResult draw_rollout(Frame& frame, const HeadsLayout& at, ImFont* numbers) {
  const Measured<RolloutMeasure>& shown = measured_rollout(frame);
  const std::vector<std::string>& tokens = shown.of->tokens;
  const Pictured rollout{"rollout",
                         "Rollout",
                         whole(shown.value->reached),
                         rollout_scale(frame),
                         [&](const Source& source) {
                           const auto known = source.known<RolloutMeasure>(shown.wanted);
                           return known ? whole(known->reached) : Backing{};
                         },
                         [&](Index row, Index col) { return nth(tokens, row) + " → " + nth(tokens, col); }};
  const PictureResult result = picture(frame, "heads/large", rollout, at.large, {at.side, at.side},
                                       {.square_cells = false, .values = numbers != nullptr, .value_font = numbers});
  if (!result.hit.hovered) return result;
  std::vector<std::string> lines = rollout_lines(shown, result.hit.row, result.hit.col);
  for (std::string& line : lines) line = spelled(frame, line);
  ui::tooltip(frame, lines);
  return result;
}

}  // namespace hydra
