// The dialog that opens and saves by name: what is typed and chosen in it.
#pragma once
#include <string>
#include <vector>

namespace hydra {

enum class FileDialog { none, open, save, open_text, save_run, save_done, open_beside, find_model };

bool is_text_file(const std::string& path);  // named like one: .txt, .md

struct FilePicking {
  std::string draft;                 // the path being typed
  std::string to_replace;            // another file stands there: agreeing once more replaces it
  std::string folder;                // of the draft, whose entries these are
  std::vector<std::string> entries;  // folders, ending in a slash, then files
  const char* extension = nullptr;   // of those files; null: texts
  bool models = false;               // and files that models are in
  int chosen = -1;                   // by the arrow keys or a click: what Enter takes; none: the draft
  bool reveal = false;               // scroll to the chosen one
  bool focus = false;                // the path takes the keyboard, its caret at the end
  std::string lacking;               // find_model: the document that the model is of
};

}  // namespace hydra
