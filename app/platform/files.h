// Files that the program uses without being asked to: where the machine has them.
#pragma once
#include <initializer_list>
#include <string>

namespace hydra {

// Where unsaved work is kept; empty: there is no such place.
std::string unsaved_work_folder();

// The path of the first of these font files, named without their folder, that there is; empty when there is none.
std::string font_file(std::initializer_list<const char*> names);

}  // namespace hydra
