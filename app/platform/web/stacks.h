// Stacks for work that takes turns, by WebAssembly's promise integration.
#pragma once

namespace hydra {

// Has work in the background use them, in a browser that has it.
void use_page_stacks();

}  // namespace hydra
