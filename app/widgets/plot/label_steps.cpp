#include "app/widgets/plot/label_steps.h"

#include <algorithm>

namespace hydra {

namespace {

constexpr float kTallStep = 1.3f;

// By the first bytes of a code point's UTF-8.
bool is_tall(const std::string& word) {
  for (std::size_t k = 0; k < word.size(); ++k) {
    const auto c = static_cast<unsigned char>(word[k]);
    const unsigned char next = k + 1 < word.size() ? static_cast<unsigned char>(word[k + 1]) : 0;
    if (c >= 0xd8 && c <= 0xdd) return true;  // U+0600 to U+077F: Arabic, Syriac
    if (c == 0xe0) return true;               // U+0800 to U+0FFF: India, Thai, Lao, Tibetan
    if (c == 0xe1 && ((next >= 0x80 && next <= 0x82) || next == 0x9e || next == 0x9f)) return true;  // Burmese, Khmer
  }
  return false;
}

}  // namespace

float tall_step(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), is_tall) ? kTallStep : 1;
}

}  // namespace hydra
