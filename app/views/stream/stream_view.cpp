// Stream: what the layers add to the words, and what is left of them.
#include "app/views/frame/ui.h"
#include "app/views/shared/compared.h"
#include "app/views/shared/next_words.h"
#include "app/views/shared/questions.h"
#include "app/views/shared/token_in_view.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/views.h"
#include "app/views/stream/answer/answer_page.h"
#include "app/views/stream/routing_page.h"
#include "app/views/stream/stream_readout.h"

namespace hydra {

const Measured<StreamMeasure>& measured_stream(const Frame& frame) {
  const Source source = frame.now;
  return frame.now.measured<StreamMeasure>({token_in_view(frame.view, source), question_in_view(frame.view, source)});
}

StreamResult stream_of(const Frame& frame, const Source& source) {
  const Measured<StreamMeasure>& now = measured_stream(frame);
  return source.stamp() == frame.now.stamp() ? now.value : source.known<StreamMeasure>(now.wanted);
}

StreamResult other_stream(Frame& frame) {
  const std::optional<Source> source = other_state(frame);
  const StreamResult now = measured_stream(frame).value, other = source ? stream_of(frame, *source) : nullptr;
  if (!now || !other || now->stream.layers.size() != other->stream.layers.size()) return nullptr;
  for (int k = 0; k < int_size(now->stream.layers); ++k) {
    const Mat<double>&a = now->stream.layer(k).size, &b = other->stream.layer(k).size;
    if (a.rows() != b.rows() || a.cols() != b.cols()) return nullptr;
  }
  return other;
}

const Measured<CircuitMeasure>& measured_circuit(const Frame& frame) { return frame.now.measured<CircuitMeasure>({}); }

namespace {

// What is measured may be a moment older; of a stack of another shape its lines would speak of what is not there.
bool goes_with(const Measured<StreamMeasure>& shown, const Trace& trace) {
  if (!shown.value || shown.of->X.rows() != trace.X.rows() || shown.of->X.cols() != trace.X.cols() ||
      shown.of->layers.size() != trace.layers.size() || shown.of->model.logits.cols() != trace.model.logits.cols() ||
      shown.of->model.next_words.parts() != trace.model.next_words.parts())
    return false;
  for (int k = 0; k < int_size(trace.layers); ++k) {
    const LayerInput<float>&then = shown.of->layer(k).input, &now = trace.layer(k).input;
    if (then.heads != now.heads || then.settings != now.settings ||
        (then.weights.b_O == nullptr) != (now.weights.b_O == nullptr))
      return false;
  }
  return true;
}

StreamInput input_of(const Frame& frame, ImVec2 pos, ImVec2 size) {
  auto in = room_for<StreamInput>(frame, pos, size);
  const Stream& stream = measured_stream(frame).value->stream;
  in.tokens = static_cast<int>(frame.trace.tokens.size());
  in.layers = int_size(stream.layers);
  in.lines = int_size(ladder_lines(stream, told_effects(frame), frame.view.layer, frame.view.stream.all_heads));
  in.word = widest(frame.fonts.small, frame.trace.tokens);
  for (const char* name : {"stream:line.feed_forward", "stream:line.before_norm", "stream:line.after_heads"})
    in.name = std::max(in.name, text_width(frame.fonts.small, wording(name)) + 2 * frame.unit);
  // Of a head's name, where the lines keep their room.
  const float most = (frame.view.presentation ? 6.4f : 9) * frame.fonts.small->FontSize;
  for (int h = 0; h < int_size(layer_of(frame).heads); ++h) {
    const float width = text_width(frame.fonts.small, wording("stream:head", {{"head", called(frame, h)}}));
    in.name = std::max(in.name, std::min(most, width + frame.fonts.small->FontSize + 3 * frame.unit));
  }
  in.number = text_width(frame.fonts.mono_small, "-0.000");
  for (const std::optional<Index>& word : measured_stream(frame).value->next)
    if (word)
      in.next_word = std::max(
          in.next_word, text_width(frame.fonts.small, measured_stream(frame).of->model.next_words.words.word(*word)));
  in.features = frame.trace.layout || told_effects(frame);
  return in;
}

bool has_feed_forward(const Trace& trace) {
  return std::ranges::any_of(trace.layers, [](const auto& layer) { return layer.input.settings.feed_forward; });
}

void draw_tools(Frame& frame) {
  const StreamState& state = frame.view.stream;
  const bool feeds = has_feed_forward(frame.trace);
  frame.choose(state.strips, told_by_strips(frame));
  ui::Chips chips(frame);
  page_chips(chips, frame);
  if (state.page == StreamPage::answer && frame.trace.model.logits) question_chips(frame, chips, "stream/");
  if (state.page != StreamPage::words) return;
  chips.apart(4 * frame.unit, ui::chip_width(wording("stream:by.size")));
  chips.choice("stream/by/size", wording("stream:by.size"), state.strips, StreamStrips::size,
               wording("stream:by.size.tip"));
  chips.choice("stream/by/cosine", wording("stream:by.cosine"), state.strips, StreamStrips::cosine,
               wording("stream:by.cosine.tip"));
  chips.choice("stream/by/heads", wording("stream:by.heads"), state.strips, StreamStrips::heads,
               wording("stream:by.heads.tip"));
  if (feeds)
    chips.choice("stream/by/feed_forward", wording("stream:by.feed_forward"), state.strips, StreamStrips::feed_forward,
                 wording("stream:by.feed_forward.tip"));
  question_chips(frame, chips, "stream/");
  if (const auto& stream = measured_stream(frame).value; stream && stream->effects && frame.trace.layout) {
    const std::string& words =
        wording(asks_next_word(frame.trace.model.next_words) ? "stream:reads.next_words" : "stream:reads.answers");
    chips.apart(4 * frame.unit, ui::chip_width(words));
    chips.choice("stream/reads/next_words", words, state.reads, StreamReads::next_words,
                 wording("stream:reads.next_words.tip"));
    chips.choice("stream/reads/features", wording("stream:reads.features"), state.reads, StreamReads::features,
                 wording("stream:reads.features.tip"));
  }
  if (frame.trace.layers.size() == 1) return;
  chips.apart(4 * frame.unit, ui::chip_width(wording("stream:every_head")));
  chips.toggle("stream/all_heads", wording("stream:every_head"), state.all_heads, wording("stream:every_head.tip"));
}

// A line, as long a text as there is room for.
void draw_note(const Frame& frame, const char* name, float width, const std::vector<std::string>& notes) {
  if (notes.empty()) return;
  const ImVec2 pos = ImGui::GetCursorScreenPos();
  ImFont* font = frame.fonts.small;
  const std::string text = fitting(font, width, notes);
  frame.canvas.text_at(font, pos, frame.theme.ink_soft, text, width);
  ui::probe(name, pos, {pos.x + std::min(width, text_width(font, text)), pos.y + font->FontSize});
  ImGui::SetCursorScreenPos({pos.x, pos.y + font->FontSize + frame.unit});
}

}  // namespace

void draw_stream_view(Frame& frame) {
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float em = ImGui::GetFontSize();
  if (room.x < 16 * em || room.y < 10 * em) return;  // folded to nothing
  draw_tools(frame);
  if (frame.view.stream.page == StreamPage::circuit) return draw_circuit_page(frame, origin, room);
  if (frame.view.stream.page == StreamPage::answer) return draw_answer_page(frame, origin, room);
  if (frame.view.stream.page == StreamPage::routing) return draw_routing_page(frame, origin, room);
  draw_note(frame, "stream/note", room.x, residual_notes(frame.trace));
  ui::failure_text(frame, measured_stream(frame).failure);
  if (!goes_with(measured_stream(frame), frame.trace)) return ui::waiting_text(frame, measured_stream(frame).failure);
  if (const DirectEffects* effects = told_effects(frame))
    draw_note(frame, "stream/effects", room.x, effect_notes(*effects));
  const float top = ImGui::GetCursorScreenPos().y + frame.unit, height = origin.y + room.y - top;
  if (height < 8 * em) return;
  const StreamLayout at = stream_layout(input_of(frame, {origin.x, top}, {room.x, height}));
  draw_stream_grid(frame, at);
  draw_stream_ladder(frame, at);
}

StreamStrips told_by_strips(const Frame& frame) {
  const StreamStrips chosen = frame.view.stream.strips;
  return chosen == StreamStrips::feed_forward && !has_feed_forward(frame.trace) ? StreamStrips::size : chosen;
}

}  // namespace hydra
