// The running program as its system sees it: for the commands.
#pragma once

namespace hydra {

double seconds_since_start();  // of the process, before main too
double resident_megabytes();
double anonymous_megabytes();  // of them those that are no file's; 0 where the system does not tell
bool is_watched();             // standard error is a terminal, so that progress may be shown there

}  // namespace hydra
