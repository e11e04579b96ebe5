// A file without a name, in memory alone (anonymous/: CMake chooses): what is mapped of it can be shared by copies.
#pragma once

namespace hydra {

// Its descriptor, to be written and closed by who asks; -1 where there is none to be had, or the system has no such
// files.
int anonymous_file();

}  // namespace hydra
