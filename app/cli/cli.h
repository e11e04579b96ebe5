// The command line: hydrascope [FILE], hydrascope trace, hydrascope analyze, hydrascope render.
#pragma once

#include "app/cli/about.h"

namespace hydra {

// Exit codes: 0 done, 2 the user's input was wrong (one sentence on standard error), 1 a fault of ours.
int run_cli(int argc, char** argv, const About& about);

}  // namespace hydra
