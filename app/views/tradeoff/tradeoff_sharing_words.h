// What the page of shared keys says in words.
#pragma once
#include <string>

#include "app/views/sweep_shown.h"

namespace hydra::tradeoff {

// What is won and what is lost against the document as it is, which has `own` sets of keys and values: "Two sets of
// keys and values instead of 8: cache 4 times smaller, output moved by 61 %".
std::string trade_sentence(const SweepEntry& entry, Index own);
// How the others are made from the document's keys and values, and who came up with it.
std::string sharing_note(const SweepTable& table);

}  // namespace hydra::tradeoff
