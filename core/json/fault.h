// What is wrong with a text that is no JSON, in plain words.
#pragma once
#include <string>
#include <string_view>

namespace hydra {

// "line 3, column 14: ..." for the first place at which the text cannot go on as JSON: what stands there, what is
// needed. The text is UTF-8 and no JSON.
std::string json_fault(std::string_view text);

// "line 3, column 14": of a byte of the text; columns are characters.
std::string line_and_column(std::string_view text, std::size_t at);

}  // namespace hydra
