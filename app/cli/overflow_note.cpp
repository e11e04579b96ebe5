#include "app/cli/overflow_note.h"

#include <cstdio>

#include "core/explain/overflow.h"

namespace hydra {

void OverflowNote::look_at(const Trace& trace, const std::string& where) {
  if (said_) return;
  const std::shared_ptr<const Overflow>& overflow = trace.overflow;
  if (!overflow) return;
  said_ = true;
  std::fprintf(stderr, "not finite: %s%s%s\n", where.c_str(), where.empty() ? "" : ", ", overflow->sentence.c_str());
}

}  // namespace hydra
