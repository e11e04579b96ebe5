// The folder for what is neither a document nor a setting: recovery files, copies kept while a file is written over.
#pragma once
#include <string>

namespace hydra {

// Where the platform keeps what a program must remember ($XDG_STATE_HOME, ~/.local/state; on macOS ~/Library/
// Application Support); empty where there is no such place.
std::string state_folder();

}  // namespace hydra
