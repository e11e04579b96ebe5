#include "app/views/flow/flow_out.h"

#include <algorithm>
#include <cmath>

#include "app/views/flow/flow_block.h"
#include "app/views/flow/flow_parts.h"
#include "app/views/frame/ui.h"
#include "app/views/shared/next_words.h"
#include "app/views/shared/questions.h"

namespace hydra {

using namespace flow;

std::vector<FlowStage> flow_out_stages(const Trace& trace) {
  const std::span<const ProgramNode> nodes = trace.model.program().out;
  if (nodes.empty()) return {};
  std::vector<FlowStage> stages;
  const ModelSettings& s = trace.model.settings;
  LayerSettings of_transform;  // for the name of its activation
  of_transform.activation = s.transform_activation;
  if (s.final_norm || s.transform) stages.push_back({last_stream(trace).quantity, "", {}});
  for (const ProgramNode& node : nodes) {
    std::vector<Quantity> weights;
    for (const Quantity operand : node.reads())
      if (is_parameter(operand)) weights.push_back(operand);
    stages.push_back({node.result, word_of(node, s.final_norm_kind, of_transform), std::move(weights)});
  }
  return stages;
}

FlowRow flow_out_row(const FlowInput& in, float y, float height) {
  const float left = in.pos.x + in.label_width, room = in.right() - left;
  const bool words = in.out.back().quantity == Quantity::probabilities;
  const float pictures = words ? std::floor(0.64f * room) : room;
  FlowRow row = flow_stages_row(in, in.out, {{left, y}, {pictures, height}});
  row.kind = FlowRow::Kind::out;
  const float x = left + pictures + in.small;
  row.box = {{x, y}, {words ? in.right() - x : 0, height + in.small + in.unit}};  // down to the captions' lower ends
  return row;
}

namespace {

// Each token with the likeliest word that is read out of it, in columns; pointed at it says which others may be.
class LikelyWords {
 public:
  LikelyWords(FlowParts& parts, const Box& box)
      : frame_(parts.frame),
        box_(box),
        model_(frame_.trace.model),
        question_(question_in_view(frame_.view, frame_.now)),
        P_(model_.of_question(model_.probabilities, question_)) {}

  void draw() {
    ImFont* font = frame_.fonts.small;
    const float u = frame_.unit, step = std::round(1.2f * font->FontSize);
    const Index lines = std::max<Index>(1, static_cast<Index>(box_.size.y / step));
    const Index columns = std::max<Index>(1, static_cast<Index>(box_.size.x / (8.5f * font->FontSize)));
    const std::vector<Index>& tokens = frame_.derived.asked_tokens(question_);
    const Index n = std::ssize(tokens), shown = std::min(n, lines * columns);
    if (asks_next_word(model_.next_words))
      title_over(frame_, box_.pos, box_.size.x, titles(shown, n));
    else
      question_line(frame_, {box_.pos.x, box_.pos.y - frame_.fonts.strong->FontSize - u}, box_.size.x,
                    wording("flow:answers"), "flow/out/");
    if (n == 0) frame_.canvas.text_at(font, box_.pos, frame_.theme.ink_soft, wording("flow:answers.none"), box_.size.x);
    const Index marked = marked_row(frame_, Axis::token, true);
    // All of them, or as many around the marked one, or the last.
    const auto after = std::ranges::upper_bound(tokens, marked < 0 ? P_.rows() : marked) - tokens.begin();
    const Index first = std::clamp<Index>(after - 1 - shown / 2, 0, n - shown);
    const float width = box_.size.x / real(columns);
    for (Index k = 0; k < shown; ++k)
      line(nth(tokens, first + k), {box_.pos.x + real(k / lines) * width, box_.pos.y + real(k % lines) * step},
           width - 2 * u, step, nth(tokens, first + k) == marked);
  }

 private:
  static std::vector<std::string> titles(Index shown, Index n) {
    if (shown == n) return {wording("flow:next.full"), wording("flow:next")};
    return {wording("flow:next.full.part", {{"shown", shown}, {"all", n}}),
            wording("flow:next.part", {{"shown", shown}, {"all", n}}), wording("flow:next")};
  }

  void line(Index token, ImVec2 pos, float width, float step, bool marked) {
    const Index word = likeliest(P_, token, 1).front();
    const Cell cell{{Quantity::probabilities}, token, model_.next_words.first_of(question_) + word};
    const Canvas::Item item = frame_.canvas.item({"flow/out/next/", token}, {pos, {width, step}});
    if (item.clicked) select(frame_, cell);
    ImFont* font = frame_.fonts.small;
    const std::string share = " " + ui::number(static_cast<double>(P_(token, word)), As::rough);
    const std::string arrow = frame_.fonts.unicode ? " → " : " -> ";
    const std::string &token_word = nth(frame_.trace.tokens, token), &next_word = model_.next_words.words.word(word);
    // Half of the room for each word, and what the other one leaves of its half.
    const float room = width - text_width(font, arrow) - text_width(font, share);
    const auto beside = [&](const std::string& other) { return std::max(0.5f * room, room - text_width(font, other)); };
    const std::string from = clipped(font, token_word, beside(next_word)),
                      to = clipped(font, next_word, beside(token_word));
    const bool strong = marked || item.over;
    frame_.canvas.text_at(font, pos, strong ? frame_.theme.ink : frame_.theme.ink_soft, from + arrow);
    const float at = pos.x + text_width(font, from + arrow);
    frame_.canvas.text_at(font, {at, pos.y}, strong ? frame_.theme.accent : frame_.theme.ink, to);
    frame_.canvas.text_at(font, {at + text_width(font, to), pos.y}, frame_.theme.ink_soft, share);
    if (!item.over) return;
    frame_.next.cell = cell;
    ui::tooltip(frame_, next_words_told(frame_, token, question_));
  }

  Frame& frame_;
  Box box_;
  const ModelTrace<float>& model_;
  Index question_;
  Array<float> P_;
};

}  // namespace

void draw_flow_out(FlowParts& p, FlowRow& row, const std::vector<FlowStage>& stages) {
  draw_flow_stages(p, row, stages, "flow/out/");
  if (p.frame.trace.model.probabilities && row.box.size.x > 0) LikelyWords(p, row.box).draw();
}

}  // namespace hydra
