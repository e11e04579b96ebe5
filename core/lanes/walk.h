// A plan, from its first step to its last and back. For the files that define Scalar and kLanes alone.
#pragma once
#include "core/lanes/control.h"
#include "core/lanes/readout.h"

namespace {

inline void forward(const At& at) {
  using hydra::lanes::Op;
  switch (at.step.op) {
    case Op::embed:
      return forward_embed(at);
    case Op::linear:
      return forward_linear(at);
    case Op::add:
      return of_patterns(at.step) ? forward_add_patterns(at) : forward_add(at);
    case Op::norm:
      return forward_norm(at);
    case Op::rotate:
      return forward_rotate(at);
    case Op::scores:
      return forward_scores(at);
    case Op::softmax:
      return forward_softmax(at);
    case Op::talk:
      return forward_talk(at);
    case Op::drop:
      return forward_drop(at);
    case Op::lambda:
      return forward_lambda(at);
    case Op::subtract:
      return forward_subtract(at);
    case Op::mix:
      return forward_mix(at);
    case Op::sigmoid:
      return forward_sigmoid(at);
    case Op::multiply:
      return of_patterns(at.step) ? forward_multiply_patterns(at) : forward_multiply(at);
    case Op::activate:
      return forward_activate(at);
    case Op::control:
      return forward_control(at);
    case Op::repel:
      return forward_repel(at);
    case Op::read_out:
      return forward_read_out(at);
    case Op::cross:
      return forward_cross(at);
    case Op::square:
      return forward_square(at);
  }
}

inline void back(const At& at) {
  using hydra::lanes::Op;
  switch (at.step.op) {
    case Op::embed:
      return back_embed(at);
    case Op::linear:
      return back_linear(at);
    case Op::add:
      return of_patterns(at.step) ? back_add_patterns(at) : back_add(at);
    case Op::norm:
      return back_norm(at);
    case Op::rotate:
      return back_rotate(at);
    case Op::scores:
      return back_scores(at);
    case Op::softmax:
      return back_softmax(at);
    case Op::talk:
      return back_talk(at);
    case Op::drop:
      return back_drop(at);
    case Op::lambda:
      return back_lambda(at);
    case Op::subtract:
      return back_subtract(at);
    case Op::mix:
      return back_mix(at);
    case Op::sigmoid:
      return back_sigmoid(at);
    case Op::multiply:
      return of_patterns(at.step) ? back_multiply_patterns(at) : back_multiply(at);
    case Op::activate:
      return back_activate(at);
    case Op::control:
      return back_control(at);
    case Op::repel:
      return back_repel(at);
    case Op::read_out:
    case Op::cross:
    case Op::square:
      return;  // made with the loss
  }
}

// Numbers too small to be normal count as zeros for as long: some processors take a hundred times as long for them.
class FlushToZero {
 public:
#if defined(__SSE2__)
  FlushToZero() : before_(__builtin_ia32_stmxcsr()) { __builtin_ia32_ldmxcsr(before_ | 0x8040u); }
  ~FlushToZero() { __builtin_ia32_ldmxcsr(before_); }
  FlushToZero(const FlushToZero&) = delete;
  FlushToZero& operator=(const FlushToZero&) = delete;

 private:
  unsigned before_;
#endif
};

void run(const hydra::lanes::Plan& plan, const Group& group) {
  [[maybe_unused]] const FlushToZero flush;
  for (Size k = 0; k < plan.count; ++k) forward({plan, plan.steps[k], group});
  if (!group.gradients) return;
  for (Size k = plan.count; k-- > 0;) back({plan, plan.steps[k], group});
}

}  // namespace
