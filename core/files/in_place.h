// Files that cannot be replaced are written where they are. For .cpp files of this folder only.
#pragma once
#include <functional>
#include <string>

#include "core/files/whole_file.h"

namespace hydra {

// What is no regular file: a pipe, a device; "-" is standard output.
void write_through(const std::string& path, const std::function<void(const Sink&)>& write);
// A regular file in a folder that lets no file be made. A copy of the old content is kept in the state folder
// meanwhile, and put back when something fails; if even that fails, or the process ends, the copy stays, and the
// sentence names it. Throws InputError, also when no copy can be made: then the file is not touched.
void write_over(const std::string& path, const std::function<void(const Sink&)>& write);

}  // namespace hydra
