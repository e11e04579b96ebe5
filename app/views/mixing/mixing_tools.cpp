// The tools of the Mixing view: W_O by recipe and from a target; all gates at once.
#include <exception>

#include "app/views/frame/ui.h"
#include "app/views/mixing/mixing_parts.h"
#include "app/views/mixing/mixing_solve.h"
#include "app/views/shell/commands.h"
#include "core/failure.h"
#include "core/measures/pooled.h"

namespace hydra::mixing {

namespace {

int focused(const Frame& frame) {
  return std::min(frame.view.focused_head, static_cast<int>(document_layer(frame).heads) - 1);
}

void set_output_weights(Frame& frame, Array<float> W_O, const char* tool, std::string detail) {
  AttentionWeights<float> weights = document_layer(frame).weights;
  weights.W_O = std::move(W_O);
  frame.out.apply(SetWeights{std::move(weights), tool, std::move(detail)});
}

// A group of chips of that width, apart from what is before it, or on a new line.
void group_gap(float width) { ui::apart(1.2f * ImGui::GetFontSize(), width); }

void caption(const Frame& frame, const std::string& text) {
  ui::text(frame, text, {.ink = frame.theme.ink_soft, .aligned = true});
}

// One sentence has fewer tokens than columns, so that every target is met and nothing is learned: all marked ones are
// offered first, where they can be pooled.
void open_solving(Frame& frame) {
  const OutputSolving& solving = frame.view.mixing.solving;
  const bool open = !solving.open;
  frame.choose(solving.open, open);
  const bool pooled = frame.sentences.marked && !frame.sentences.marked->empty() &&
                      frame.document.embedding.kind != Embedding::Kind::explicit_values;
  if (open && frame.tools.solving.result.empty()) frame.choose(solving.all_sentences, pooled);
}

void preset_chips(Frame& frame) {
  const Layer& layer = document_layer(frame);
  group_gap(ImGui::CalcTextSize("W_O:").x + 6 * ImGui::GetFontSize());
  caption(frame, "W_O:");
  ui::Chips chips(frame, true);
  for (const OutputPresetEntry& entry : output_presets()) {
    const std::string label = entry.preset == OutputPreset::keep_one
                                  ? wording("mixing:keep_head", {{"head", focused(frame) + 1}})
                                  : wording(entry.title);
    if (!chips.chip(std::string("mixing/preset/") + entry.key, label, false, wording(entry.tip))) continue;
    Mat<float> W_O = output_preset(entry.preset, *layer.weights.W_O, layer.heads, focused(frame), layer.source.seed);
    set_output_weights(frame, share_rows(std::move(W_O)), "W_O", lower_case(label));
  }
  if (chips.chip("mixing/solve", wording("mixing:solve") + (frame.fonts.unicode ? " …" : " ..."),
                 frame.view.mixing.solving.open, wording("mixing:solve.tip")))
    open_solving(frame);
}

void feature_choice(Frame& frame, const OutputSolving& solving) {
  const std::vector<Feature>& features = Lexicon::standard().features();
  const auto chosen = static_cast<std::size_t>(solving_feature(solving));
  ImGui::SetNextItemWidth(7 * ImGui::GetFontSize());
  const bool open = ImGui::BeginCombo("##feature", features[chosen].name.c_str());
  ui::probe("mixing/solve/feature");
  ui::tip(frame, features[chosen].gloss);
  if (!open) return;
  ui::close_on_escape();
  for (std::size_t k = 1; k < features.size(); ++k) {  // the first is the constant one
    if (ImGui::Selectable(features[k].name.c_str(), k == chosen)) frame.choose(solving.feature, static_cast<int>(k));
    ui::probe({"mixing/solve/feature/", features[k].name});
    ui::tip(frame, features[k].gloss);
  }
  ImGui::EndCombo();
}

void solving_tools(Frame& frame) {
  const OutputSolving& solving = frame.view.mixing.solving;
  if (!solving.open) return;
  caption(frame, wording("mixing:solve.caption"));
  ui::Chips targets(frame, true);
  targets.choice("mixing/solve/reproduce", "X", solving.target, SolveTarget::reproduce,
                 wording("mixing:solve.reproduce.tip"));
  targets.choice("mixing/solve/attended", wording("mixing:solve.feature", {{"head", focused(frame) + 1}}),
                 solving.target, SolveTarget::attended_feature, wording("mixing:solve.feature.tip"));
  if (solving.target == SolveTarget::attended_feature) {
    ui::flow_line(7 * ImGui::GetFontSize());
    feature_choice(frame, solving);
  }
  const bool sentences = frame.sentences.marked && !frame.sentences.marked->empty();
  group_gap(ui::chip_width(wording("mixing:solve.this_sentence")));
  ui::Chips chips(frame);
  if (chips.chip("mixing/solve/this", wording("mixing:solve.this_sentence"), !solving.all_sentences || !sentences,
                 wording("mixing:solve.this_sentence.tip")))
    frame.choose(solving.all_sentences, false);
  if (sentences)
    chips.choice("mixing/solve/all", wording("mixing:solve.sentences", {{"n", frame.sentences.marked->size()}}),
                 solving.all_sentences, true, wording("mixing:solve.sentences.tip"));
  ui::flow_line(ui::chip_width(wording("mixing:solve")));
  if (ui::button(frame, "mixing/solve/run",
                 wording(frame.tools.solving.under_way ? "mixing:solve.under_way" : "mixing:solve"),
                 wording("mixing:solve.run.tip"), !frame.tools.solving.under_way))
    frame.out.act(
        act::Solve{solving.target, solving_feature(solving), focused(frame), solving.all_sentences && sentences});
  const Solving& told = frame.tools.solving;
  if (!told.present) return;
  ui::soft_text(frame, spelled(frame, told.result + " " + told.remark));
  ui::probe("mixing/solve/result");
}

}  // namespace

void draw_output_tools(Frame& frame) {
  preset_chips(frame);
  solving_tools(frame);
}

void draw_gate_tools(Frame& frame) {
  const int head = focused(frame);
  const bool silent = gate_of(frame, head) == 0;
  const std::string silence = wording(silent ? "mixing:open_head" : "mixing:silence_head", {{"head", head + 1}});
  const std::string only = wording("mixing:only_head", {{"head", head + 1}});
  group_gap(ui::chip_width(silence));
  ui::Chips chips(frame);
  const ImU32 color = head_color(head, frame.theme.dark);
  const auto chip = [&](const char* name, const std::string& label, bool on) {
    const Command& its = command(name);
    if (chips.chip(its.name, label, on, tip_of(its), color)) perform(frame, its);
  };
  chip("mixing/silence", silence, silent);
  std::vector<float> alone(static_cast<std::size_t>(document_layer(frame).heads), 0);
  nth(alone, head) = 1;
  chip("mixing/only", only, document_layer(frame).gates == alone);
  if (chips.chip("mixing/open_all", wording("mixing:open_all"), !any_gate(frame), wording("mixing:open_all.tip")) &&
      any_gate(frame))
    frame.out.apply(SetGates{});
  const bool& varying = frame.view.mixing.varying;
  group_gap(ui::chip_width(wording("mixing:written.all")));
  ui::Chips written(frame);
  written.choice("mixing/written/all", wording("mixing:written.all"), varying, false,
                 wording("mixing:written.all.tip"));
  written.choice("mixing/written/varying", wording("mixing:written.varying"), varying, true,
                 wording("mixing:written.varying.tip"));
}

}  // namespace hydra::mixing
