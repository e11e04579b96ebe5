// Keys of texts that were drawn or written in the place of the text.
#pragma once
#include <regex>
#include <string>

#include "core/text/wording.h"

namespace hydra::test {

// The first in those words; empty: there is none.
inline std::string unspoken_key(const std::string& words) {
  static const std::regex key("[a-z]+:[a-z0-9_.]+");
  for (std::sregex_iterator at(words.begin(), words.end(), key), end; at != end; ++at)
    if (shipped_wording().texts.contains(at->str())) return at->str();
  return {};
}

}  // namespace hydra::test
