// One line: what is under the pointer with its value, notices, and the time of the last recompute.
#include "app/scene/sides.h"
#include "app/views/change/change_marks.h"
#include "app/views/flow/flow_block.h"
#include "app/views/frame/ui.h"
#include "app/views/marks/mark_pairs.h"
#include "app/views/model_panel/known_note.h"
#include "app/views/shared/outline_key.h"
#include "app/views/shared/pictured.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/parts.h"
#include "app/views/shell/spoken.h"
#include "app/views/shell/views.h"
#include "core/design/asked.h"
#include "core/document/models.h"
#include "core/text/clusters.h"
#include "core/text/usual_token.h"

namespace hydra {

namespace {

std::string value_text(const Frame& frame, const Cell& cell) {
  const Backing backing = picture_of(frame, cell.site);
  const float value = (*backing.matrix)(backing.row0 + cell.row, backing.col0 + cell.col);
  const bool masked = is_score(cell.site.quantity) && value == -std::numeric_limits<float>::infinity();
  return masked ? wording("panels:status.masked") : ui::number(value, As::reading);
}

// "hatched: beyond ±100   ": why its cell is hatched.
std::string beyond_note(const Frame& frame, const Cell& cell) {
  const ValueScale scale = scale_for(frame, cell.site);
  const Backing backing = picture_of(frame, cell.site);
  const float value = (*backing.matrix)(backing.row0 + cell.row, backing.col0 + cell.col);
  if (!std::isfinite(value) || !scale.is_beyond(value)) return "";
  return wording("panels:status.beyond", {{"range", range_text({scale.map, scale.low, scale.high})}}) + "   ";
}

// What the words of the number's row and column are made of, where that cannot be read off a keyboard.
std::string unusual_words(const Frame& frame, const Cell& cell) {
  const Shape shape = shape_of(frame.trace, cell.site);
  std::string words;
  const auto spell = [&](Axis axis, Index token) {
    if (axis != Axis::token) return;
    const std::string& word = nth(frame.trace.tokens, token);
    if (is_beyond_latin(word)) words += spelled_out(word) + "   ";
  };
  spell(shape.row_axis, cell.row);
  if (shape.row_axis != Axis::token || cell.row != cell.col) spell(shape.col_axis, cell.col);
  return words;
}

// "row sum 1.00   " for attention: the mask and what is painted leave it so, or 0 where nothing is seen.
std::string row_sum(const Frame& frame, const Cell& cell) {
  if (cell.site.quantity != Quantity::attention) return "";
  const double sum = values_of(frame.trace, cell.site).row(cell.row).cast<double>().sum();
  return wording("panels:status.row_sum", {{"sum", ui::number(sum, As::brief)}}) + "   ";
}

std::string sizes(const Frame& frame) {
  const LayerInput<float>& input = layer_of(frame).input;
  const auto layers = std::ssize(frame.trace.layers);
  const std::string sizes =
      wording("panels:status.sizes", {{"tokens", input.n()}, {"heads", input.heads}, {"d_k", input.d_k()}});
  if (layers <= 1) return sizes;
  return wording("panels:layer_of", {{"layer", frame.view.layer + 1}, {"layers", layers}}) + "   " + sizes;
}

// "layers 4 to 12 are a moment older"
std::string older_layers(const Frame& frame) {
  if (!frame.trace.older_from) return "";
  const int from = *frame.trace.older_from + 1;
  const auto layers = std::ssize(frame.trace.layers);
  if (from == layers) return wording("panels:status.older_layer", {{"layer", layers}});
  return wording("panels:status.older_layers", {{"first", from}, {"last", layers}});
}

// The file, and where the room is not wanted for the number, sizes and time; always what is not yet or not computed,
// which alone is brief.
std::string facts(const Frame& frame, bool brief = false) {
  const FrameStatus& status = frame.status;
  if (!status.ready) return wording(status.failure.empty() ? "panels:status.computing" : "panels:status.failed");
  std::vector<std::string> parts;
  if (!brief && (!status.file_name.empty() || status.modified)) {
    const std::string& file = status.file_name.empty() ? wording("panels:status.untitled") : status.file_name;
    parts.push_back(status.modified ? wording("panels:status.edited", {{"file", file}}) : file);
  }
  const bool terse = brief || are_called(frame.view);
  if (!terse) parts.push_back(sizes(frame));
  if (!terse && !frame.view.still)
    parts.push_back(wording("panels:status.recompute", {{"time", ui::number(status.evaluate_ms, As::rough)}}));
  if (const std::string older = older_layers(frame); !older.empty()) parts.push_back(older);
  if (status.computing && !frame.trace.older_from) parts.push_back(wording("panels:status.computing"));
  if (!status.computing && !status.failure.empty()) parts.push_back(wording("panels:status.change_failed"));
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "   ") + part;
  return text;
}

// "nothing was asked in this row, and yet the head attends boldly": of a cell of the scores or the attention of a
// designed head, and in fewer words. Empty where there is nothing to say.
std::vector<std::string> unasked_note(const Frame& frame, const Cell& cell) {
  const Quantity quantity = cell.site.quantity;
  if (quantity != Quantity::scores && quantity != Quantity::attention) return {};
  const auto& designs = document_layer(frame).source.designs;
  const LayerTrace<float>& layer = layer_of(frame);
  const auto head = static_cast<std::size_t>(cell.site.head);
  if (designs.size() != layer.heads.size() || cell.site.head == kNoHead || !designs[head]) return {};
  const MatView<float> attention = *layer.heads[head].attention;
  if (cell.row >= attention.rows() || !(attention.row(cell.row).cwiseAbs().maxCoeff() > kBoldWeight)) return {};
  if (asks_in_row(*designs[head], frame.trace.tokens, frame.trace.words, layer.input.mask_of(cell.site.head), cell.row))
    return {};
  return {wording("panels:status.unasked.full"), wording("panels:status.unasked.row"),
          wording("panels:status.unasked")};
}

// What is pointed at goes before a notice that can wait.
bool shows_notice(const Frame& frame) {
  const Notice& notice = frame.notice;
  return !notice.sentence.empty() && (notice.is_error || notice.insists || !frame.was.cell);
}

// What of the text is marked, or can hardly be meant.
std::string remark(const Frame& frame) {
  std::string text = frame.derived.mask(frame.view.layer).remark;
  if (!text.empty()) return wording("panels:status.remark", {{"layer", frame.view.layer + 1}, {"remark", text}});
  const LabelMarks& marks = frame.derived.known().marks;
  const KnownWords& known = frame.derived.known().words;
  if (known.known() < known.tokens()) text = wording("panels:status.dotted", {{"meaning", marks.below}}) + " ";
  if (known.placed() < known.tokens()) text += wording("panels:status.dotted_above", {{"meaning", marks.above}});
  return text;
}

// Where a pattern is large and nothing is selected: what a class can find out with one click, in a sentence with a
// pronoun. Before that what a trained model has seen.
std::string first_question(const Frame& frame) {
  if (frame.view.view != ViewId::heads || frame.view.selection || mark_tool_shown(frame.view)) return {};
  const std::optional<Index> pronoun = pronoun_in(frame.trace.tokens, frame.trace.words);
  if (!pronoun) return {};
  const bool learned =
      frame.document.embedding.kind == Embedding::Kind::learned && kind_of(frame.document) == ModelKind::trained;
  const std::string question = wording("panels:status.pronoun", {{"token", nth(frame.trace.tokens, *pronoun)}});
  return learned ? wording("panels:status.learned", {{"n", frame.trace.model.words.size()}}) + " " + question
                 : question;
}

bool is_around(const Frame& frame) {
  const ViewState& view = frame.view;
  return view.view == ViewId::flow && frame.hands.of<PagesDrawn>().around_flow && view.flow.around;
}

// Where nothing is pointed at, and in fewer words. On a wall Flow has its formula there, in one line.
std::vector<std::string> hints(const Frame& frame) {
  if (const std::string of_text = remark(frame); !of_text.empty() && !frame.changes.drawn())
    return {spelled(frame, of_text)};
  if (frame.view.presentation && is_around(frame)) return {spelled(frame, formula_around(frame))};
  if (frame.view.presentation && frame.view.view == ViewId::flow)
    return {spelled(frame, formula_of_head(frame.trace, frame.view.layer, frame.view.focused_head))};
  if (frame.changes.drawn())
    return {wording("panels:hint.changed"), wording("panels:hint.changed.brief"),
            wording("panels:hint.changed.briefer"), wording("panels:hint.changed.keys")};
  if (frame.view.guessing)
    return {wording("panels:hint.guess"), wording("panels:hint.guess.brief"), wording("panels:hint.guess.key")};
  const std::string question = first_question(frame);
  if (!question.empty()) return {spelled(frame, question)};
  return {wording("panels:hint.point"), wording("panels:hint.point.brief"), wording("panels:hint.point.key")};
}

// "A₂[it → animal] = "
std::string place_of(const Frame& frame, const Cell& cell) {
  const std::string label = cell_label(frame.trace, cell);
  return symbol(cell.site, !frame.fonts.unicode) + (label.front() == '[' ? label : "[" + label + "]") + " = ";
}

// A sentence that needs more than a line: in two small ones, where they have room.
bool draw_in_two_lines(const Frame& frame, ImVec2 pos, ImVec2 size, ImU32 color, const std::string& text) {
  ImFont* font = frame.fonts.small;
  const float high = ui::paragraph_height(frame, font, size.x, text);
  if (high > std::min(size.y, 2.5f * font->FontSize)) return false;
  ui::paragraph(frame, font, {pos.x, pos.y + 0.5f * (size.y - high)}, size.x, color, text);
  return true;
}

// Smaller where it would be cut, and alone on the line where it needs that. False: it has room beside the facts.
bool draw_long_notice(const Frame& frame, float left, float right, float middle, float beside) {
  const ViewState& view = frame.view;
  ImFont* font = view.presentation ? frame.fonts.large : frame.fonts.text;
  if (text_width(font, frame.notice.sentence) <= beside) return false;
  for (ImFont* smaller : {frame.fonts.text, frame.fonts.small})
    if (text_width(font, frame.notice.sentence) > right - left) font = smaller;
  const float high = ImGui::GetWindowSize().y;
  if (text_width(font, frame.notice.sentence) > right - left &&
      draw_in_two_lines(frame, {left, middle - 0.5f * high}, {right - left, high},
                        frame.notice.is_error ? frame.theme.error : frame.theme.ink, frame.notice.sentence))
    return true;
  frame.canvas.text_at(font, {left, middle - 0.5f * font->FontSize},
                       frame.notice.is_error ? frame.theme.error : frame.theme.ink, frame.notice.sentence,
                       right - left);
  return true;
}

}  // namespace

bool status_adds_to_number(const Frame& frame) {
  const std::optional<Cell>& cell = pointed_at(frame);
  if (shows_notice(frame) || frame.changes.peeking() || told_made(frame) || cell != frame.view.selection) return true;
  return cell && (value_before(frame, *cell) || !unasked_note(frame, *cell).empty());
}

std::string spoken_status(const Frame& frame) {
  const auto& cell = pointed_at(frame);
  if (shows_notice(frame)) return frame.notice.sentence;
  if (frame.changes.peeking()) return wording("panels:status.peeking");
  if (!frame.status.ready) return facts(frame);
  if (const ToldMade* made = cell ? nullptr : told_made(frame))
    return place_of(*made) + ui::number(made->value(), As::reading);
  if (!cell) return hints(frame).front();
  return place_of(frame, *cell) + value_text(frame, *cell) + ". " + row_sum(frame, *cell) + description(cell->site) +
         ". " + (known_note(frame).empty() ? "" : known_note(frame) + ". ") + facts(frame);
}

void draw_status_bar(Frame& frame) {
  const ViewState& view = frame.view;
  const ImVec2 pos = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const bool large = view.presentation && size.y >= 1.2f * frame.fonts.large->FontSize;  // not over a number's line
  ImFont* font = large ? frame.fonts.large : frame.fonts.text;
  const float y = pos.y + 0.5f * (size.y - font->FontSize), left = pos.x + 3 * frame.unit,
              right = pos.x + size.x - 3 * frame.unit;
  const bool notice = shows_notice(frame);
  const auto& cell = pointed_at(frame);
  const ToldMade* const made = told_made(frame);
  const std::string place = cell ? place_of(frame, *cell) : made ? place_of(*made) : "";
  const std::string value = cell ? value_text(frame, *cell) : made ? ui::number(made->value(), As::reading) : "";
  // The number that is pointed at goes before all that stands at the right.
  const float told =
      notice || (!cell && !made) || frame.changes.peeking() ? 0 : text_width(font, place + value) + 10 * frame.unit;
  const auto fits = [&](float width) { return told + width <= right - left; };
  std::string right_text = facts(frame);
  if (!fits(text_width(frame.fonts.small, right_text))) right_text = facts(frame, true);
  float right_width = text_width(frame.fonts.small, right_text);
  if (notice &&
      draw_long_notice(frame, left, right, pos.y + 0.5f * size.y, right - right_width - left - 6 * frame.unit)) {
    ImGui::Dummy({1, 1});
    return ui::probe("status", pos, {pos.x + size.x, pos.y + size.y});
  }
  frame.canvas.text_at(frame.fonts.small, {right - right_width, pos.y + 0.5f * (size.y - frame.fonts.small->FontSize)},
                       frame.theme.ink_soft, right_text);

  const float middle = pos.y + 0.5f * size.y;
  const auto free = [&] { return right - left - told - right_width - 3 * frame.unit; };
  if (const float known = draw_known_note(frame, right - right_width - 3 * frame.unit, middle, free()); known > 0)
    right_width += known + 3 * frame.unit;
  const float key = notice ? 0
                           : draw_outline_key(frame, right - right_width - 3 * frame.unit, middle,
                                              std::min(0.5f * (right - left), free()));
  const float room = right - right_width - key - left - 6 * frame.unit;
  if (notice) {
    frame.canvas.text_at(font, {left, y}, frame.notice.is_error ? frame.theme.error : frame.theme.ink,
                         frame.notice.sentence);
  } else if (frame.changes.peeking()) {
    const std::vector<std::string> texts{wording("panels:status.peeking"), wording("panels:status.peeking.brief")};
    if (text_width(font, texts.back()) > room) font = frame.fonts.text;
    frame.canvas.text_at(font, {left, y}, frame.theme.change, fitting(font, room, texts), room);
  } else if (cell) {
    TextLine line{frame.canvas, {left, y}, left + room};
    line.put(font, frame.theme.ink, place);
    line.put(font, frame.theme.accent, value, 4 * frame.unit);
    ui::probe("status/value", {left, y}, {line.pos.x, y + font->FontSize});
    if (const std::optional<float> before = value_before(frame, *cell))
      line.put(font, frame.theme.change, wording("panels:status.was", {{"value", ui::number(*before, As::reading)}}),
               4 * frame.unit);
    const std::vector<std::string> note = unasked_note(frame, *cell);
    if (!note.empty()) ui::probe("status/unasked", line.pos, {line.end, y + font->FontSize});
    const std::string words = unusual_words(frame, *cell), first = beyond_note(frame, *cell) + row_sum(frame, *cell);
    // What it is, in a smaller face or in fewer words before any is cut.
    std::vector<std::string> rests = note.empty() ? std::vector{first + description(cell->site), first} : note;
    for (std::string& rest : rests) rest = words + rest;
    const float space = line.end - line.pos.x;
    ImFont* face = text_width(font, rests.front()) <= space ? font : frame.fonts.text;
    line.pos.y += 0.7f * (font->FontSize - face->FontSize);
    line.put(face, frame.theme.ink_soft, fitting(face, space, rests));
  } else if (made) {
    TextLine line{frame.canvas, {left, y}, left + room};
    line.put(font, frame.theme.ink, place);
    line.put(font, frame.theme.accent, value, 4 * frame.unit);
    ui::probe("status/value", {left, y}, {line.pos.x, y + font->FontSize});
    line.put(
        font, frame.theme.ink_soft,
        fitting(font, line.end - line.pos.x, {wording("panels:no_arithmetic"), wording("panels:no_arithmetic.brief")}));
  } else {
    const std::vector<std::string> texts = hints(frame);
    if (text_width(font, texts.front()) > room) font = frame.fonts.text;
    const std::string text = fitting(font, room, texts);
    const ImVec2 at{left, pos.y + 0.5f * (size.y - font->FontSize)};
    ui::probe("status/hint", at,
              {left + text_width(font, text.ends_with("…") ? texts.back() : text), at.y + font->FontSize});
    const bool cut = text_width(font, texts.back()) > room;
    if (cut && draw_in_two_lines(frame, {left, pos.y}, {room, size.y}, frame.theme.ink_soft, texts.back())) {
      // told
    } else if (text_width(font, text) <= room) {
      frame.canvas.math_at(font, font == frame.fonts.large ? frame.fonts.text : frame.fonts.small, at,
                           frame.theme.ink_soft, text);
    } else {
      frame.canvas.text_at(font, at, frame.theme.ink_soft, text, room);
    }
  }
  ImGui::Dummy({1, 1});
  ui::probe("status", pos, {pos.x + size.x, pos.y + size.y});
}

}  // namespace hydra
