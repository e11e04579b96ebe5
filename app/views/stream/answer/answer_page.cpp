#include "app/views/stream/answer/answer_page.h"

#include <map>

#include "app/views/frame/ui.h"
#include "app/views/shared/compared.h"
#include "app/views/shared/head_marks.h"
#include "app/views/shared/head_roles.h"
#include "app/views/shared/questions.h"
#include "app/views/shared/token_in_view.h"
#include "app/views/stream/answer/answer_controls.h"
#include "app/views/stream/answer/answer_pictures.h"
#include "app/views/stream/answer/answer_words.h"
#include "app/widgets/table.h"

namespace hydra {

namespace {

using Result = AnswerMeasure::Result;

// That which was chosen; of a model that says what comes next at first the last one, after which nothing stands.
Index asked_token(const Frame& frame) {
  const bool says_next = frame.trace.model.next_words.questions.size() == 0;
  return frame.view.token || !says_next ? token_in_view(frame.view, frame.now) : frame.trace.X.rows() - 1;
}

AnswerMeasure::Wanted wanted_by(const Frame& frame) {
  const AnswerChoice& chosen = frame.view.stream.answer;
  return {asked_token(frame), question_in_view(frame.view, frame.now), chosen.word, chosen.rival, chosen.counterfactual,
          chosen.part};
}

// What it says, kept from frame to frame.
struct AnswerSaid {
  std::shared_ptr<const Result> of;
  AnswerBy by = AnswerBy::difference;
  std::string title, sentence, sum;
};

class AnswerPage : Drawing {
 public:
  AnswerPage(Frame& frame, ImVec2 origin, ImVec2 room)
      : Drawing(frame),
        origin_(origin),
        room_(room),
        choice_(frame.view.stream.answer),
        shown_(frame.now.measured<AnswerMeasure>(wanted_by(frame))) {}

  void draw() {
    ui::failure_text(frame_, shown_.failure);
    if (!is_there()) return ui::waiting_text(frame_, shown_.failure);
    name_heads();
    draw_answer_controls(frame_, result(), trace(), names_, room_.x);
    if (shown_.progress < 1 && !view_.still)  // in the gap before the title, so that nothing jumps
      ui::progress_bar(frame_, "stream/answer/progress", ImGui::GetCursorScreenPos(),
                       {room_.x, std::max(2.0f, 0.75f * u_)}, shown_.progress);
    const Canvas::Part part(canvas_, "stream.answer");
    float top = ImGui::GetCursorScreenPos().y + u_;
    canvas_.text_at(fonts_.strong, {origin_.x, top}, theme_.ink, say(said().title), room_.x);
    ui::probe("stream/answer/title", {origin_.x, top}, {origin_.x + room_.x, top + em_});
    top += em_ + 2 * u_;
    const std::string sentence = say(said().sentence), told = say(told_below());
    // In a low room more heads are seen where the notes stand in the sentence's tip.
    const float wide = std::min(room_.x, 60 * em_), high = ui::paragraph_height(frame_, fonts_.text, wide, sentence);
    const float with_notes = high + 2 * u_ + ui::paragraph_height(frame_, fonts_.small, wide, told);
    const float fits = top + header_height() + real(names_.size()) * row_height() + with_notes + 4 * u_;
    const bool low = room_.y < 40 * em_ && fits > origin_.y + room_.y && !canvas_.shows_all();
    const std::string notes = low ? std::string() : told;
    const float words = low ? high : with_notes;
    // The pictures of both sentences have what room there is, and in a high one some of the table's.
    const float high_room = room_.y > 44 * em_ ? 17 * em_ : 0;
    const float bottom = origin_.y + room_.y - words - 2 * u_ - (shows_pictures() ? high_room : 0);
    const float end = table({{origin_.x, top}, {room_.x, std::max(6 * em_, bottom - top)}});
    float y = std::min(end, bottom) + 2 * u_;
    const ImVec2 from{origin_.x, y}, to{origin_.x + wide, y + high};
    ui::paragraph(frame_, fonts_.text, from, wide, theme_.ink, sentence);
    ui::probe("stream/answer/sentence", from, to);
    if (!low)
      ui::paragraph(frame_, fonts_.small, {origin_.x, to.y + 2 * u_}, wide, theme_.ink_soft, notes);
    else if (canvas_.over(from, to))
      ui::tooltip(frame_, {told});
    if (!shows_pictures()) return;
    y += words + 2 * u_;
    draw_answer_pictures(frame_, trace(), *result().counterfactual, result().part,
                         {{origin_.x, y}, {room_.x, std::min(origin_.y + room_.y - y, 26 * em_)}});
  }

 private:
  bool shows_pictures() const {
    return result().counterfactual && has_answer_pictures(frame_, trace(), *result().counterfactual, result().part);
  }

  const Result& result() const { return *shown_.value; }
  const AnswerSaid& said() const {
    AnswerSaid& kept = frame_.made.of<AnswerSaid>();
    if (kept.of != shown_.value || kept.by != by())
      kept = {shown_.value, by(), answer_title(result(), trace()), answer_sentence(result(), trace(), by()),
              answer_sum(result(), by())};
    return kept;
  }
  const Trace& trace() const { return *shown_.of; }

  // Of a stack of the same shape on as many tokens; it may be a moment older.
  bool is_there() const {
    if (!shown_.value || shown_.of->layers.size() != frame_.trace.layers.size() ||
        shown_.of->tokens != frame_.trace.tokens)
      return false;
    for (int k = 0; k < int_size(frame_.trace.layers); ++k)
      if (shown_.of->layer(k).input.heads != frame_.trace.layer(k).input.heads) return false;
    return true;
  }

  std::string name_in_stack(const HeadAnswer& head) const {
    std::string name = wording("stream:answer.head", {{"layer", head.layer + 1}, {"head", head.head + 1}});
    const std::vector<StackRoles::OfLayer>& layers = stack_roles_of(frame_).layers;
    if (head.layer < int_size(layers) && head.head < std::ssize(nth(layers, head.layer).labels))
      name += ", " + nth(nth(layers, head.layer).labels, head.head).name;
    return name;
  }

  // "Head 1, antecedent"; of several layers "head 2.1", with what it does where that is known.
  void name_heads() {
    const bool only = frame_.trace.layers.size() == 1;
    for (const HeadAnswer& head : result().answer.heads) {
      std::string name = only ? head_called(frame_, head.head) : name_in_stack(head);
      const bool silent = is_silent(frame_, head.layer, static_cast<int>(head.head));
      names_.push_back(silent ? wording("heads:silent", {{"head", name}}) : std::move(name));
    }
  }

  // --- the heads

  AnswerBy by() const { return told_by(result(), choice_.by); }

  float header_height() const { return std::round(3.4f * small_ + 2 * u_); }
  float row_height() const { return std::round(1.9f * em_); }

  float table(const Box& box) {
    const std::vector<AnswerColumnEntry> columns = answer_columns(result());
    const std::vector<Index> rows = answer_rows(result(), choice_.sorted - 1, by());
    auto table = styled<Table>(frame_);
    table.name = "stream/answer";
    table.words = fonts_.text, table.strong = fonts_.strong, table.numbers = fonts_.mono;
    const float most = 0.4f * box.size.x, name = std::min(most, widest(fonts_.text, names_) + 1.4f * em_ + 3 * u_);
    const float scroll = ImGui::GetStyle().ScrollbarSize;
    const float each = std::min(11 * em_, (box.size.x - name - scroll) / real(columns.size()));
    table.columns.push_back({"head", {wording("stream:answer.column.head")}, 0, name, TableColumn::Kind::drawn});
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const float left = name + real(c) * each;
      table.columns.push_back({columns[c].key, title_lines(columns[c]), left, left + each});
      table.columns.back().sorts = true;
      if (choice_.sorted == static_cast<int>(c) + 1) table.sorted = choice_.sorted;
    }
    const std::vector<double> reach = reaches(columns);
    table.rows = std::ssize(rows);
    table.header = header_height(), table.row = row_height(), table.bar = std::round(0.3f * em_);
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (is_focused(rows[k])) table.marked = static_cast<Index>(k);
    table.cell = [&](Index row, int c) {
      const AnswerColumnEntry& entry = nth(columns, c - 1);
      const auto k = static_cast<std::size_t>(nth(rows, row));
      const double change = change_of(result(), k, entry.column, by()), scale = nth(reach, c - 1);
      if (std::isnan(change)) return TableCell{"–", theme_.ink_faint};
      const HeadAnswer& head = nth(result().answer.heads, k);
      TableBar bar{.part = change / scale, .both = true, .color = head_color(frame_, head.head)};
      if (const double chance = chance_of(result(), k, entry.column, by()); !std::isnan(chance))
        bar.chance = chance / scale;
      if (const MeanInterval over = mean_change(result(), k, entry.column, by()); !std::isnan(over.mean))
        bar.range = {over.low / scale, over.mean / scale, over.high / scale};
      return TableCell{text_of(change), 0, bar};
    };
    table.drawn = [&](Index row, int, ImVec2 low, ImVec2 high) {
      const Index k = nth(rows, row);
      const float side = 0.8f * em_, y = 0.5f * (low.y + high.y);
      canvas_.fill({low.x + u_, y - 0.5f * side}, {low.x + u_ + side, y + 0.5f * side},
                   head_color(frame_, nth(result().answer.heads, k).head), 0.5f * u_);
      canvas_.text_at(fonts_.text, {low.x + 3 * u_ + side, y - 0.5f * em_}, theme_.ink, say(nth(names_, k)),
                      high.x - low.x - side - 3 * u_);
    };
    table.placed = [&](Index row, ImVec2 low, ImVec2 high) {
      const HeadAnswer& head = nth(result().answer.heads, nth(rows, row));
      ui::probe(ui::words("stream/answer/row/", head.layer + 1, "/", head.head + 1), low, high);
    };
    const float high = std::min(box.size.y, table.header + real(table.rows) * table.row);
    const TableResult at = draw_table(canvas_, table, {box.pos, {box.size.x, high}});
    if (at.in_header && at.column > 0) {
      ui::tooltip(frame_, {wording(nth(columns, at.column - 1).tip), wording("stream:answer.sorts")});
      if (at.clicked) frame_.choose(choice_.sorted, choice_.sorted == at.column ? 0 : at.column);
    } else if (at.row >= 0) {
      const HeadAnswer& head = nth(result().answer.heads, nth(rows, at.row));
      if (at.column > 0) ui::tooltip(frame_, told(nth(rows, at.row), nth(columns, at.column - 1)));
      if (at.clicked) frame_.out.act(act::GoTo{head.layer, static_cast<int>(head.head)});
    }
    return box.pos.y + high;
  }

  enum class Unit { answers, probability, logit };
  Unit unit_of(AnswerColumn column) const {
    if (column == AnswerColumn::lost) return Unit::answers;
    return by() == AnswerBy::probability && column != AnswerColumn::direct ? Unit::probability : Unit::logit;
  }

  // What the bars of each column are long at: columns of one unit are held against each other.
  std::vector<double> reaches(const std::vector<AnswerColumnEntry>& columns) const {
    std::map<Unit, double> largest;
    for (const AnswerColumnEntry& entry : columns) {
      double& most = largest.try_emplace(unit_of(entry.column), 1e-12).first->second;
      for (std::size_t k = 0; k < names_.size(); ++k)
        for (const double change :
             {change_of(result(), k, entry.column, by()), mean_change(result(), k, entry.column, by()).mean})
          if (!std::isnan(change)) most = std::max(most, std::abs(change));
    }
    std::vector<double> reach;
    for (const AnswerColumnEntry& entry : columns) reach.push_back(largest.at(unit_of(entry.column)));
    return reach;
  }

  bool is_focused(Index k) const {
    const HeadAnswer& head = nth(result().answer.heads, k);
    return head.layer == marked_layer(frame_) && head.head == marked_head(frame_);
  }

  std::vector<std::string> title_lines(const AnswerColumnEntry& entry) const {
    const std::string title = wording(entry.title), first = title.substr(0, title.find('\n'));
    const Unit unit = unit_of(entry.column);
    const char* of = unit == Unit::answers                  ? "stream:answer.of.answers"
                     : entry.column != AnswerColumn::direct ? "stream:answer.of.change"
                     : by() == AnswerBy::difference         ? "stream:answer.of.difference"
                                                            : "stream:answer.of.logit";
    return {first, title.size() > first.size() ? title.substr(first.size() + 1) : std::string(), wording(of)};
  }

  static std::string text_of(double change) {
    const std::string text = ui::number(change, As::share);
    return (change > 0 && text != ui::number(0, As::share) ? "+" : "") + text;
  }

  std::vector<std::string> told(Index row, const AnswerColumnEntry& entry) const {
    const HeadAnswer& head = nth(result().answer.heads, row);
    std::vector<std::string> lines{say(nth(names_, row)), wording(entry.tip)};
    if (const AnswerRead* after = read_after(head, entry.column)) {
      const AnswerRead& before = result().answer.read;
      const auto line = [&](const char* text, double was, double is) {
        lines.push_back(say(wording(text, {{"was", ui::number(was)}, {"is", ui::number(is)}})));
      };
      line("stream:answer.told.logit", before.logit, after->logit);
      if (result().asked.rival) line("stream:answer.told.rival", before.rival_logit, after->rival_logit);
      line("stream:answer.told.probability", before.probability, after->probability);
    }
    const auto k = static_cast<std::size_t>(row);
    if (const std::string over = said_over_text(result(), k, entry.column, by()); !over.empty()) lines.push_back(over);
    if (const std::string chance = said_of_chance(result(), k, entry.column, by()); !chance.empty())
      lines.push_back(chance);
    return lines;
  }

  // What stands under the sentence: how direct effects add up, what heads were changed to.
  std::string told_below() const {
    std::string text = said().sum;
    if (!result().text.empty())
      text += " " + wording("stream:answer.text", {{"text", result().text}, {"n", result().resampled}});
    else if (!result().text_fault.empty())
      text += " " + wording("stream:answer.no_text", {{"fault", result().text_fault}});
    if (result().rival_there) text += " " + wording("stream:answer.rival_there");
    if (!result().random.empty()) text += " " + wording("stream:answer.band", {{"n", result().random.front().drawn}});
    if (result().over) text += " " + wording("stream:answer.range", {{"n", result().over->answers}});
    return text;
  }

  ImVec2 origin_, room_;
  const AnswerChoice& choice_;
  const Measured<AnswerMeasure>& shown_;
  HeadNames names_;
};

}  // namespace

void draw_answer_page(Frame& frame, ImVec2 origin, ImVec2 room) {
  if (!frame.trace.model.logits) {
    ui::soft_text(frame, wording("stream:answer.no_readout"));
    return ui::probe("stream/answer/no_readout");
  }
  AnswerPage(frame, origin, room).draw();
}

}  // namespace hydra
