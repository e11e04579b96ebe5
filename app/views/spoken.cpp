#include "app/views/spoken.h"

#include "app/views/pages.h"
#include "app/views/parts.h"
#include "app/views/pictured.h"
#include "app/views/ui.h"
#include "app/views/views.h"
#include "app/widgets/mouse_area.h"

namespace hydra {

namespace {

constexpr std::size_t kFew = 8;  // terms that are said of a sum

struct Said {
  const char *before, *between, *after;
};

constexpr Said kSaid[] = {  // by Combine
    {"", " times ", ""},
    {"", " over ", ""},
    {"e to the power of ", "", ""},
    {"e to the power of ", " minus ", ""},
    {"sine of ", "", ""},
    {"cosine of ", "", ""},
    {"square root of ", "", ""},
    {"hyperbolic tangent of ", "", ""},
    {"", " minus ", ", squared"},
    {"sigmoid of ", "", ""},
    {"the larger of 0 and ", "", ""},
    {"gelu of ", "", ""},
    {"gelu by tanh of ", "", ""},
    {"silu of ", "", ""}};
static_assert(std::size(kSaid) == kCombines);

std::string number(double value) { return ui::number(value, As::reading); }

std::string said(const Step& step, const Term& term) {
  const Said& words = nth(kSaid, step.combine);
  std::string text = term.label.empty() ? "" : term.label + ": ";
  if (term.factors.size() == 1 && step.combine == Combine::product) return text + number(term.value);
  text += words.before;
  for (std::size_t k = 0; k < term.factors.size(); ++k)
    text += (k > 0 ? words.between : "") + number(term.factors[k].value);
  return text + words.after + " = " + number(term.value);
}

std::string said(const Step& step, const StepLayout& layout) {
  std::string text = step.text;
  const std::size_t count = step.terms.size();
  for (std::size_t k = 0; k < std::min(count, kFew); ++k) {
    const std::size_t term = count > kFew ? static_cast<std::size_t>(layout.strongest[k]) : k;
    text += (k == 0 ? ": " : "; ") + said(step, step.terms[term]);
  }
  if (count > kFew) text += "; and " + std::to_string(count - kFew) + " smaller terms";
  if (count > 1) text += "; the sum is " + number(step.result);
  return text;
}

}  // namespace

std::string spoken_number(const Frame& frame) {
  if (const ToldMade* told = frame.status.ready ? selected_made(frame) : nullptr)
    return place_of(*told) + number(told->value()) + ", " + kNoArithmetic;
  if (!frame.status.ready || !frame.view.selection) return {};
  const Explained& explained = frame.derived.explained(*frame.view.selection, frame.view.selected_heads);
  const Explanation& e = explained.explanation;
  std::string text = e.title + (e.masked ? " is masked" : " = " + number(e.value));
  for (std::size_t k = 0; k < e.steps.size(); ++k) text += "\n" + said(e.steps[k], explained.steps[k]);
  return text;
}

std::string spoken_place(const Frame& frame) {
  const ViewState& view = frame.view;
  std::string text = entry_of(view.view).label;
  for (const PageEntry& page : all_pages())
    if (is_offered(frame, page) && page.is_open(view)) text += ui::words(", ", page.label);
  text += ". ";
  if (!frame.status.ready) return text;
  const auto layers = std::ssize(frame.trace.layers);
  if (layers > 1) text += ui::words("Layer ", view.layer + 1, " of ", layers, ", head ");
  if (layers == 1) text += "Head ";
  text += ui::words(view.focused_head + 1, " of ", std::ssize(layer_of(frame).heads), ".");
  const std::string why = why_not_shown(frame);
  return why.empty() ? text : text + " " + why;
}

namespace {

std::string spoken_question(const Question& question) {
  std::string text = question.title;
  for (const std::string& line : question.lines) text += " " + line;
  text += " Arrows and Enter choose an answer:";
  for (const std::string& answer : question.answers) text += " " + answer + ";";
  return text + " now " + nth(question.answers, question.chosen) + ".";
}

}  // namespace

std::string spoken_keyboard(const Frame& frame) {
  const ViewState& view = frame.view;
  const Front& front = frame.front;
  if (front.question) return spoken_question(*front.question);
  if (front.file_dialog == FileDialog::save_done) return "Save what was done as a list. Escape closes this.";
  if (front.file_dialog == FileDialog::open) return "Open a document. Escape closes this.";
  if (front.file_dialog == FileDialog::save) return "Save the document under a name. Escape closes this.";
  if (front.help) return "All keys are shown. Escape closes them.";
  if (frame.hands.of<Parts>().menu || !frame.hands.of<Parts>().at) return ui::framed_words();  // of the menu
  const std::string part = name_of(view, *frame.hands.of<Parts>().at);
  if (*frame.hands.of<Parts>().at == WindowPart::numbers) return part + ". Arrows select one.";
  return part + (ui::framed_words().empty() ? ". Arrows and Enter choose." : ": " + ui::framed_words());
}

}  // namespace hydra
