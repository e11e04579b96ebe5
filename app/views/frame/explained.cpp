#include "app/views/frame/explained.h"
#include "app/views/frame/ui.h"

#include <numeric>

namespace hydra {

namespace {

// Four significant digits of the largest, and never so many that small columns grow wide.
int digits_for(double largest) {
  if (!(largest > 0)) return 2;
  const int magnitude = static_cast<int>(std::floor(std::log10(largest)));
  if (magnitude < -3 || magnitude > 6) return ui::kScientific;
  return std::clamp(3 - magnitude, 0, 6);
}

// Code points; every glyph of a number is one column wide.
int length(const std::string& text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

struct Column {
  int digits = 2, chars = 0;
  explicit Column(const std::vector<double>& values) {
    double largest = 0;
    for (const double v : values)
      if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
    digits = digits_for(largest);
    const bool whole = std::all_of(values.begin(), values.end(), [](double v) { return v == std::floor(v); });
    if (whole && digits != ui::kScientific) digits = 0;
    for (const double v : values) chars = std::max(chars, length(ui::in_column(v, digits)));
  }
};

// A quotient alone in its step is what its parts as shown give: 244.54 / 8 = 30.57, not 244.5 / 8.
void refine_quotient(const Step& step, StepLayout& layout) {
  if (step.combine != Combine::quotient || step.terms.size() != 1) return;
  const std::vector<Operand>& parts = step.terms.front().factors;
  const auto shown = [&](std::size_t f) {
    const double unit = std::pow(10, layout.factor_digits[f]);
    return std::round(parts[f].value * unit) / unit;
  };
  constexpr int kFinest = 6;
  for (std::size_t f = 0; f < 2; ++f)
    if (layout.factor_digits[f] == ui::kScientific || !std::isfinite(parts[f].value)) return;
  const std::string value = ui::in_column(step.result, layout.value_digits);
  for (int more = 0; more < kFinest && ui::in_column(shown(0) / shown(1), layout.value_digits) != value; ++more)
    for (std::size_t f = 0; f < 2; ++f)
      if (shown(f) != parts[f].value) layout.factor_digits[f] = std::min(layout.factor_digits[f] + 1, kFinest);
  for (std::size_t f = 0; f < 2; ++f)
    layout.factor_chars[f] = length(ui::in_column(parts[f].value, layout.factor_digits[f]));
}

StepLayout lay_out_step(const Step& step) {
  StepLayout layout;
  layout.strongest.resize(step.terms.size());
  std::iota(layout.strongest.begin(), layout.strongest.end(), 0);
  const auto size = [&](int t) { return std::abs(nth(step.terms, t).value); };
  std::stable_sort(layout.strongest.begin(), layout.strongest.end(), [&](int a, int b) {
    const double x = size(a), y = size(b);
    return std::isnan(x) < std::isnan(y) || (std::isnan(x) == std::isnan(y) && x > y);
  });
  std::vector<double> values{step.result};
  for (const Term& term : step.terms) {
    values.push_back(term.value);
    if (!std::isfinite(term.value)) continue;
    layout.least = std::min(layout.least, term.value);
    layout.most = std::max(layout.most, term.value);
  }
  const Column column(values);
  layout.value_digits = column.digits;
  layout.value_chars = column.chars;
  std::size_t factors = 0;
  for (const Term& term : step.terms) factors = std::max(factors, term.factors.size());
  for (std::size_t f = 0; f < factors; ++f) {
    values.clear();
    for (const Term& term : step.terms)
      if (f < term.factors.size()) values.push_back(term.factors[f].value);
    const Column factor(values);
    layout.factor_digits.push_back(factor.digits);
    layout.factor_chars.push_back(factor.chars);
  }
  refine_quotient(step, layout);
  return layout;
}

}  // namespace

Explained lay_out(Explanation explanation) {
  Explained out{std::move(explanation), {}};
  for (const Step& step : out.explanation.steps) out.steps.push_back(lay_out_step(step));
  return out;
}

}  // namespace hydra
