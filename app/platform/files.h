// Files that the program uses without being asked to: where the machine has them.
#pragma once
#include <initializer_list>
#include <string>

namespace hydra {

// Where unsaved work is kept; empty: there is no such place.
std::string unsaved_work_folder();

// The path of the first of these font files, named without their folder, that there is; empty when there is none.
std::string font_file(std::initializer_list<const char*> names);

// Has the system ask which file to open, a text or a document, and hand it over as one that is dropped on the window.
// False: it does not, and we ask.
bool system_picks_file(bool text);
extern const bool kSystemPicksFiles;

// Fetches an example that ships beside the program, and not in it, and opens it, or the link that changes it, as what
// is dropped on the window. False: all ship in it.
bool open_shipped(const char* name, const std::string& link = "");
std::string fetched_example(const std::string& name);  // its text; empty: it was not fetched

// A file that was read is not needed any more: a page takes it out of its memory.
void let_go(const std::string& path);

}  // namespace hydra
