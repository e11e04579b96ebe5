// The documents that ship with the program, as items of a menu.
#pragma once
#include <string>

#include "app/views/frame/context.h"
#include "core/io/examples.h"

namespace hydra {

bool begin_example_group(const std::string& name);
// In their groups, of which the first is chosen while none is open; names begin with that. chosen: what is done with
// one.
void example_items(Frame& frame, const std::string& names, Action (*chosen)(const Example&));

}  // namespace hydra
