#include "app/views/spoken.h"

#include "app/views/ui.h"

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

std::string number(double value) { return ui::number(value, 4); }

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
  if (!frame.status.ready || !frame.view.selection) return {};
  const Explained& explained = frame.derived.explained(*frame.view.selection, frame.view.selected_heads);
  const Explanation& e = explained.explanation;
  std::string text = e.title + (e.masked ? " is masked" : " = " + number(e.value));
  for (std::size_t k = 0; k < e.steps.size(); ++k) text += "\n" + said(e.steps[k], explained.steps[k]);
  return text;
}

}  // namespace hydra
