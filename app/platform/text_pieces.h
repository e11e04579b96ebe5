// A text cut into what is drawn one by one, in the order of the screen: characters that stand for themselves, and words
// of scripts that must be shaped whole.
#pragma once
#include <functional>
#include <string_view>
#include <vector>

namespace hydra {

struct TextPiece {
  std::string_view text;
  // One code point below U+10000 whose glyph does not depend on its neighbours, so that ImGui can draw it itself.
  // Otherwise a word to be shaped, one emoji, or a code point that no font has.
  bool stands_alone = false;
};

// Letters of alphabets without joining, ideographs, syllables, punctuation, symbols.
bool stands_alone(char32_t code);
bool is_right_to_left(char32_t code);  // letters and marks, not digits

// How large the em of a word that begins with the character is, in heights of its line.
float em_share(char32_t code);

// Pieces from left to right. The words of a text keep their order (tokens have positions, and position 0 is at the
// left); a word from right to left has its own order within. has: whether a font has the cluster. Long words are cut
// after some clusters or bytes, so that every piece fits into a picture.
std::vector<TextPiece> pieces_of(std::string_view text, const std::function<bool(std::string_view)>& has);

}  // namespace hydra
