// What a command says, once, when numbers went beyond what floats hold.
#pragma once
#include <string>

#include "core/attention/trace.h"

namespace hydra {

class OverflowNote {
 public:
  // One sentence on standard error for the first trace that has such numbers. where: "with 4 heads"; may be empty.
  void look_at(const Trace& trace, const std::string& where = "");

 private:
  bool said_ = false;
};

}  // namespace hydra
