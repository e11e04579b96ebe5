#include "app/views/stream/stream_readout.h"
#include "app/views/shared/pictured.h"

#include "app/views/frame/ui.h"
#include "app/views/shared/next_words.h"

namespace hydra {

namespace {

using Part = DirectPaths::Part;

// Of the token whose stream is told, and of the question, its place in the vocabulary.
std::optional<Index> chosen_word(const Frame& frame, Index token) {
  const std::optional<Cell>& cell = frame.view.selection;
  if (!cell || cell->row != token) return std::nullopt;
  const Quantity quantity = cell->site.quantity;
  if (quantity != Quantity::logits && quantity != Quantity::probabilities) return std::nullopt;
  const Measured<StreamMeasure>& shown = measured_stream(frame);
  const NextWords& next = shown.of->model.next_words;
  if (next.question_of(cell->col) != shown.wanted.question) return std::nullopt;
  return cell->col - next.first_of(shown.wanted.question);
}

}  // namespace

const DirectEffects* told_effects(const Frame& frame) {
  const bool features = frame.view.stream.reads == StreamReads::features && frame.trace.layout;
  const auto& stream = measured_stream(frame).value;
  return features || !stream ? nullptr : stream->effects.get();
}

std::vector<StreamPlace> adding_up(const Stream& stream, const DirectEffects& effects,
                                   const std::vector<StreamPlace>& shown) {
  const auto part = [&](const StreamPlace& place) {
    if (place.layer == StreamPlace::kReadOut) return place.line == StreamPlace::kShifts ? Part::counts : Part::none;
    return nth(nth(effects.paths.parts, place.layer), place.line);
  };
  const auto line = [&](const StreamPlace& place) { return nth(stream.layer(place.layer).lines, place.line); };
  std::vector<bool> by_head(stream.layers.size(), false);
  for (const StreamPlace& place : shown)
    if (place.layer != StreamPlace::kReadOut && line(place).kind == StreamLine::Kind::head)
      by_head[static_cast<std::size_t>(place.layer)] = true;
  std::vector<StreamPlace> adding;
  std::ranges::copy_if(shown, std::back_inserter(adding), [&](const StreamPlace& place) {
    if (part(place) != Part::sum) return part(place) == Part::counts;
    return line(place).site.quantity == Quantity::Y && !by_head[static_cast<std::size_t>(place.layer)];
  });
  return adding;
}

std::vector<std::string> effect_notes(const DirectEffects& effects) {
  const std::string how = effects.off < 1e-12
                              ? wording("stream:effects.exactly")
                              : wording("stream:effects.within", {{"off", ui::number(effects.off, As::order)}});
  return {wording("stream:effects", {{"how", how}}), wording("stream:effects.brief", {{"how", how}}),
          wording("stream:effects.briefer", {{"how", how}}), wording("stream:effects.least", {{"how", how}})};
}

StreamReadout::StreamReadout(Frame& frame, const StreamLayout& at, const std::vector<StreamPlace>& places)
    : Drawing(frame),
      at_(at),
      shown_(measured_stream(frame)),
      effects_(told_effects(frame)),
      token_(shown_.value->stream.token) {
  if (!effects_) return;
  first_ = shown_.of->model.next_words.first_of(shown_.wanted.question);
  adding_up_ = adding_up(shown_.value->stream, *effects_, places);
  chosen_ = chosen_word(frame, token_);
  if (!chosen_) return;
  reader_ = effects_->paths.reader(*chosen_);
  for (const StreamPlace& place : places)
    if (const double effect = std::abs(on_chosen(place)); std::isfinite(effect)) largest_ = std::max(largest_, effect);
}

std::vector<std::string> StreamReadout::column_titles() const {
  const NextWords& next = shown_.of->model.next_words;
  if (asks_next_word(next))
    return {wording("stream:readout.title"), wording("stream:readout.title.brief"), wording("stream:logits")};
  const std::string question = say(next.questions.word(shown_.wanted.question));
  return {wording("stream:readout.title.question", {{"question", question}}),
          wording("stream:readout.title.question.brief", {{"question", question}}),
          wording("stream:readout.title.brief"), wording("stream:logits")};
}

const DirectEffect& StreamReadout::effect_of(const StreamPlace& place) const {
  if (place.layer == StreamPlace::kReadOut)
    return place.line == StreamPlace::kLogits ? effects_->logits : effects_->constants;
  return nth(nth(effects_->lines, place.layer), place.line);
}

Part StreamReadout::part_of(const StreamPlace& place) const {
  if (place.layer == StreamPlace::kReadOut) return place.line == StreamPlace::kLogits ? Part::sum : Part::counts;
  return nth(nth(effects_->paths.parts, place.layer), place.line);
}

double StreamReadout::on_chosen(const StreamPlace& place) const {
  if (place.layer != StreamPlace::kReadOut) return effects_->paths.effect(place.layer, place.line, reader_);
  return place.line == StreamPlace::kLogits ? static_cast<double>(shown_.of->model.logits(token_, first_ + *chosen_))
                                            : effects_->paths.constant(*chosen_);
}

// "too 0.52 (animal 0.61, cross 0.48, The −0.40)": the chosen word, then those that are moved the most.
std::string StreamReadout::words_of(const StreamPlace& place, int most) const {
  const Vocabulary& vocabulary = shown_.of->model.next_words.words;
  const auto on = [&](Index word, double effect) {
    return vocabulary.word(word) + " " + ui::number(effect, As::rough);
  };
  const DirectEffect& told = effect_of(place);
  std::string others;
  const auto add = [&](const std::vector<DirectEffect::OnWord>& words, int count) {
    for (int k = 0; k < std::min(count, int_size(words)); ++k)
      if (nth(words, k).word != chosen_)
        others += (others.empty() ? "" : ", ") + on(nth(words, k).word, static_cast<double>(nth(words, k).effect));
  };
  add(told.raised, (most + 1) / 2);
  add(told.lowered, most / 2);
  if (!chosen_) return others.empty() ? wording("stream:readout.none") : others;
  return on(*chosen_, on_chosen(place)) + (others.empty() ? "" : "  (" + others + ")");
}

void StreamReadout::draw_words(const StreamPlace& place, const Box& box) const {
  const float y = box.pos.y + 0.5f * (box.size.y - small_);
  const bool adds_up = std::ranges::find(adding_up_, place) != adding_up_.end();
  if (part_of(place) == Part::none) {
    const std::string text =
        fitting(fonts_.small, box.size.x, {wording("stream:readout.heads_alone"), wording("stream:readout.none")});
    return canvas_.text_at(fonts_.small, {box.pos.x, y}, theme_.ink_soft, text, box.size.x);
  }
  if (chosen_ && largest_ > 0 && adds_up) {
    const double effect = on_chosen(place);
    const float wide = std::isfinite(effect) ? real(std::abs(effect) / largest_) * box.size.x : 0;
    const float high = std::min(box.size.y, 1.3f * small_), top = box.pos.y + 0.5f * (box.size.y - high);
    const ValueScale ends{diverging(frame_), -1, 1};
    canvas_.fill({box.pos.x, top}, {box.pos.x + wide, top + high},
                 with_alpha(to_u32(ends.color(effect < 0 ? -1.0f : 1.0f)), 70));
  }
  std::vector<std::string> texts;
  for (const int most : {8, 7, 6, 5, 4, 3, 2, 1}) texts.push_back(say(words_of(place, most)));
  if (chosen_) texts.push_back(say(words_of(place, 0)));
  canvas_.text_at(fonts_.small, {box.pos.x, y}, adds_up ? theme_.ink : theme_.ink_soft,
                  fitting(fonts_.small, box.size.x, texts), box.size.x);
}

std::string StreamReadout::sentence(const StreamPlace& place) const {
  const Part part = part_of(place);
  if (part == Part::none) return wording("stream:readout.heads_alone.tip");
  return wording(part == Part::counts ? "stream:readout.effect" : "stream:readout.effect_of_all",
                 {{"words", words_of(place, 6)}});
}

void StreamReadout::picture(const Box& box) const {
  const Array<float>& logits = shown_.of->model.logits;
  const ImVec2 low{std::round(box.pos.x), std::round(box.pos.y + 1)},
      high{std::floor(box.right()), std::round(box.bottom() - 1)};
  float largest = 0;
  for (const auto* words : {&effects_->logits.raised, &effects_->logits.lowered})
    if (!words->empty()) largest = std::max(largest, std::abs(words->front().effect));
  const float range = largest > 0 ? real(ui::close_ceiling(largest)) : 1;
  const Pictured row{.name = "stream.logits",
                     .title = wording("stream:readout.row"),
                     .shown = {logits.row_block(token_, 1), 0, first_, 1, shown_.of->model.next_words.words.size()},
                     .scale = {diverging(frame_), -range, range},
                     .first = Cell{{Quantity::logits}, token_, first_}};
  const Heatmap heatmap = hydra::picture(frame_, "stream/row/logits", row, low, {high.x - low.x, high.y - low.y},
                                         {.square_cells = false, .values = false})
                              .heatmap;
  if (chosen_) draw_cell_outline(canvas_, heatmap, 0, 1, *chosen_, *chosen_ + 1, theme_.accent, 0.5f * u_);
}

void StreamReadout::draw_line(const StreamPlace& place, ImVec2 pos) const {
  const auto shifted = [&](const Box& column) {
    return Box{{pos.x + column.pos.x, pos.y + column.pos.y}, column.size};
  };
  const bool logits = place.line == StreamPlace::kLogits;
  const Box name = shifted(at_.name);
  const bool norms = !effects_->paths.shifts.isZero(0);
  const std::string text = logits   ? wording("stream:logits")
                           : !norms ? "b_U"
                                    : wording(effects_->paths.bias ? "stream:readout.shifts" : "stream:readout.norms");
  canvas_.text_at(fonts_.small, {name.pos.x + (logits ? 0 : 2 * u_), name.pos.y + 0.5f * (name.size.y - small_)},
                  logits ? theme_.ink : theme_.ink_soft, text, name.size.x);
  ui::probe(logits ? "stream/line/logits" : "stream/line/shifts", name.pos, name.end());
  if (canvas_.over(name.pos, name.end()))
    ui::tooltip(frame_, {wording(logits ? "stream:logits.tip" : "stream:readout.shifts.tip"), say(sentence(place))});
  if (logits) picture(shifted(at_.picture));
  if (at_.features.size.x > 0) draw_words(place, shifted(at_.features));
}

}  // namespace hydra
