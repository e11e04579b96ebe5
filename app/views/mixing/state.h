// What is chosen and held in the Mixing view.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "core/linalg/array.h"

namespace hydra {

struct MixingNumbers;

enum class MixingPage { output, shares, silencing };  // silencing: with shares where there is room for both

struct OutputSolving {  // a W_O from a target
  bool open = false;
  enum class Target { reproduce, attended_feature } target = Target::reproduce;
  int feature = -1;            // of the lexicon; -1: the one offered first
  bool all_sentences = false;  // the marked ones, not only this one
  bool under_way = false;      // beside the frame (app/tools/solve_tool.h)
  bool present = false;        // W_O is the one found; of that one:
  std::string result, remark;
  struct Found;  // mixing_solve.h
};

struct MixingState {
  MixingPage page = MixingPage::output;
  bool by_size = false;           // shares as squared lengths, not along Y
  bool varying = false;           // without what is the same for every token
  bool token_directions = false;  // where heads write: for that token, not for all
  std::optional<int> held_gate;   // the head whose gate the pointer holds
  OutputSolving solving;
  std::shared_ptr<MixingNumbers> numbers;  // what the view has worked out of the measures it last met
};

}  // namespace hydra
