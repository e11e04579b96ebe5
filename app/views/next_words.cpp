#include "app/views/next_words.h"

#include "app/views/ui.h"

namespace hydra {

std::vector<std::string> next_words_told(const Frame& frame, Index token) {
  constexpr Index kMost = 8;
  const ModelTrace<float>& model = frame.trace.model;
  const MatView<float> p = *model.probabilities;
  std::vector<std::string> lines{"after “" + nth(frame.trace.tokens, token) + "”"};
  for (const Index word : likeliest(p, token, kMost))
    lines.push_back(ui::number(static_cast<double>(p(token, word)), 3) + "   " + model.next_words.word(word));
  for (std::string& text : lines) text = spelled(frame, text);
  return lines;
}

}  // namespace hydra
