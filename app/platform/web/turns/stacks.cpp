// WebAssembly's own stack of calls is put aside by the browser, when a function that was begun as a promise calls one
// that waits for a promise (JSPI). The stack in memory, where variables are whose address is taken, is changed here.
#include "app/platform/web/stacks.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "core/work/turns/stacks.h"

extern "C" {

// Of Emscripten's runtime.
void* stackSave();
void stackRestore(void* pointer);

// bridge.js. hydra_wait returns after hydra_go_on of the same stack.
int hydra_has_promises();
void hydra_begin(void (*run)(void* stack), void* stack);
void hydra_wait(void* stack);
void hydra_go_on(void* stack);

}  // extern "C"

namespace {

constexpr std::size_t kBytes = 512u << 10;

struct PageStack {
  void (*run)(void*) = nullptr;
  void* work = nullptr;
  std::unique_ptr<std::byte[]> bytes{new std::byte[kBytes]};
  void* callers = nullptr;  // where the stack stood of whoever let it run, to be found as it was

  void* top() const {
    const auto end = reinterpret_cast<std::uintptr_t>(bytes.get()) + kBytes;
    return reinterpret_cast<void*>(end & ~std::uintptr_t{15});
  }
};

std::map<void*, PageStack>& stacks() {
  static std::map<void*, PageStack> all;
  return all;
}

// Called by the page, as a promise. It must have no variables on the stack itself.
__attribute__((noinline)) void run_on_stack(void* pointer) {
  auto* const stack = static_cast<PageStack*>(pointer);
  stack->callers = stackSave();
  stackRestore(stack->top());
  stack->run(stack->work);
  stackRestore(stack->callers);
  stacks().erase(stack->work);
}

class PageStacks final : public hydra::Stacks {
 public:
  void begin(void* work, void (*run)(void*)) override {
    PageStack& stack = stacks()[work];
    stack.run = run;
    stack.work = work;
    hydra_begin(run_on_stack, &stack);
  }
  void rest(void* work) override {
    PageStack& stack = stacks()[work];
    void* const own = stackSave();
    stackRestore(stack.callers);
    hydra_wait(&stack);
    stack.callers = stackSave();
    stackRestore(own);
  }
  void resume(void* work) override { hydra_go_on(&stacks()[work]); }
};

}  // namespace

void hydra::use_page_stacks() {
  static PageStacks stacks;
  if (hydra_has_promises()) use_stacks(&stacks);
}
