// The new content of a file, which takes the place of the old one at once or never. For .cpp files of this folder only.
#pragma once
#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "core/files/descriptor.h"
#include "core/files/temporary_name.h"

namespace hydra {

// Written into a file without a name where the file system has such (O_TMPFILE), which goes with the process however it
// ends; elsewhere into a temporary beside the target, which a signal or the destructor removes.
class Replacement {
 public:
  explicit Replacement(const std::string& target);
  // Whether the folder lets a file be made; errno when not. What follows throws InputError.
  bool begun() const { return file_ && file_->open(); }
  void write(std::string_view bytes);
  void finish(mode_t mode);

 private:
  bool take_the_place();

  std::string target_;
  std::optional<Descriptor> file_;
  std::optional<TemporaryName> name_;  // none: the file has no name yet
};

// For tests: as on a file system where every file has a name.
void name_every_temporary(bool on);

}  // namespace hydra
