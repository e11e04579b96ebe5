#include "app/views/shell/spoken.h"
#include "app/views/mapping/layout_draft.h"

#include "app/views/frame/ui.h"
#include "app/views/shared/pictured.h"
#include "app/views/shell/pages.h"
#include "app/views/shell/parts.h"
#include "app/views/shell/views.h"
#include "app/widgets/mouse_area.h"

namespace hydra {

namespace {

constexpr std::size_t kFew = 8;  // terms that are said of a sum

// What is said between the parts of a term.
const std::string& between(Combine combine) {
  return wording(combine == Combine::product    ? "panels:said.times"
                 : combine == Combine::quotient ? "panels:said.over"
                                                : "panels:said.minus");
}
// And of all of them.
std::string said(Combine combine, const std::string& x) {
  switch (combine) {
    case Combine::product:
    case Combine::quotient:
      break;
    case Combine::exponential:
    case Combine::exp_difference:
      return wording("panels:said.exp", {{"x", x}});
    case Combine::sine:
      return wording("panels:said.sine", {{"x", x}});
    case Combine::cosine:
      return wording("panels:said.cosine", {{"x", x}});
    case Combine::square_root:
      return wording("panels:said.root", {{"x", x}});
    case Combine::hyperbolic_tangent:
      return wording("panels:said.tanh", {{"x", x}});
    case Combine::squared_difference:
      return wording("panels:said.squared", {{"x", x}});
    case Combine::sigmoid:
      return wording("panels:said.sigmoid", {{"x", x}});
    case Combine::relu:
      return wording("panels:said.relu", {{"x", x}});
    case Combine::gelu:
      return wording("panels:said.gelu", {{"x", x}});
    case Combine::gelu_tanh:
      return wording("panels:said.gelu_tanh", {{"x", x}});
    case Combine::silu:
      return wording("panels:said.silu", {{"x", x}});
    case Combine::relu_squared:
      return wording("panels:said.relu_squared", {{"x", x}});
  }
  return x;
}

std::string number(double value) { return ui::number(value, As::reading); }

std::string said(const Step& step, const Term& term) {
  std::string text = term.label.empty() ? "" : term.label + ": ";
  if (term.factors.size() == 1 && step.combine == Combine::product) return text + number(term.value);
  std::string parts;
  for (std::size_t k = 0; k < term.factors.size(); ++k)
    parts += (k > 0 ? " " + between(step.combine) + " " : "") + number(term.factors[k].value);
  return text + said(step.combine, parts) + " = " + number(term.value);
}

std::string said(const Step& step, const StepLayout& layout) {
  std::string text = step.text;
  const std::size_t count = step.terms.size();
  for (std::size_t k = 0; k < std::min(count, kFew); ++k) {
    const std::size_t term = count > kFew ? static_cast<std::size_t>(layout.strongest[k]) : k;
    text += (k == 0 ? ": " : "; ") + said(step, step.terms[term]);
  }
  if (count > kFew) text += "; " + wording("panels:said.rest", {{"n", count - kFew}});
  if (count > 1) text += "; " + wording("panels:said.sum", {{"sum", number(step.result)}});
  return text;
}

}  // namespace

std::string spoken_number(const Frame& frame) {
  if (const ToldMade* told = frame.status.ready ? selected_made(frame) : nullptr)
    return place_of(*told) + number(told->value()) + ", " + wording("panels:no_arithmetic");
  if (!frame.status.ready || !frame.view.selection) return {};
  const Explained& explained = frame.derived.explained(*frame.view.selection, frame.view.selected_heads);
  const Explanation& e = explained.explanation;
  std::string text =
      e.masked ? wording("panels:spoken.masked", {{"number", e.title}}) : e.title + " = " + number(e.value);
  for (std::size_t k = 0; k < e.steps.size(); ++k) text += "\n" + said(e.steps[k], explained.steps[k]);
  return text;
}

std::string spoken_place(const Frame& frame) {
  const ViewState& view = frame.view;
  std::string text = wording(entry_of(view.view).label);
  for (const PageEntry& page : all_pages())
    if (is_offered(frame, page) && page.is_open(view)) text += ", " + wording(page.label);
  text += ". ";
  if (!frame.status.ready) return text;
  const auto layers = std::ssize(frame.trace.layers), heads = std::ssize(layer_of(frame).heads);
  const int head = view.focused_head + 1;
  text += layers > 1 ? wording("panels:spoken.layer_head",
                               {{"layer", view.layer + 1}, {"layers", layers}, {"head", head}, {"heads", heads}})
                     : wording("panels:spoken.head", {{"head", head}, {"heads", heads}});
  const std::string why = why_not_shown(frame);
  return why.empty() ? text : text + " " + why;
}

namespace {

std::string spoken_question(const Question& question) {
  std::string text = question.title;
  for (const std::string& line : question.lines) text += " " + line;
  std::string answers;
  for (const std::string& answer : question.answers) answers += (answers.empty() ? "" : "; ") + answer;
  return wording("panels:spoken.question",
                 {{"question", text}, {"answers", answers}, {"chosen", nth(question.answers, question.chosen)}});
}

}  // namespace

std::string spoken_keyboard(const Frame& frame) {
  const ViewState& view = frame.view;
  const Front& front = frame.front;
  if (front.question) return spoken_question(*front.question);
  if (front.layout) return sentence_of(*front.layout);
  if (front.file_dialog == FileDialog::save_done) return wording("panels:spoken.save_done");
  if (front.file_dialog == FileDialog::open) return wording("panels:spoken.open");
  if (front.file_dialog == FileDialog::save) return wording("panels:spoken.save");
  if (front.help) return wording("panels:spoken.help");
  if (frame.hands.of<Parts>().menu || !frame.hands.of<Parts>().at) return ui::framed_words();  // of the menu
  const std::string& part = name_of(view, *frame.hands.of<Parts>().at);
  if (*frame.hands.of<Parts>().at == WindowPart::numbers)
    return wording("panels:spoken.part.numbers", {{"part", part}});
  return ui::framed_words().empty() ? wording("panels:spoken.part", {{"part", part}})
                                    : part + ": " + ui::framed_words();
}

}  // namespace hydra
