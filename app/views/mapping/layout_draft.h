// A layout that is being made: a model's arrays, what stands for what so far, and what is wrong with it.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/checkpoints/layouts/suggested_layout.h"

namespace hydra {

struct LayoutDraft {
  std::string path, file;                   // of the model; of its layout, once it is saved
  std::string name;                         // of the model
  std::shared_ptr<const TensorFile> model;  // its arrays
  std::vector<ArrayGroup> groups;
  ModelLayout suggested, layout;
  // Of the layout, by settle():
  LayoutCheck check;
  std::map<std::string, std::vector<std::string>> parts;  // that may stand for a place, by its key

  void settle();
};

// Begins with the layout that lies beside the model, where that can be read, else with what is suggested. Throws
// InputError.
LayoutDraft begun_draft(const std::string& path);

// "38 of 38 arrays are placed; the model has 4 layers ...", or the first thing that is wrong.
std::string sentence_of(const LayoutDraft& draft);
// "W_Q", "W_Q of layer 3": a place by its key in the file, as the window's pages call it.
std::string place_called(const std::string& key);
// Of a place, in the same way; empty: nothing is wrong.
std::string fault_at(const LayoutDraft& draft, const LayoutPlace& place);

}  // namespace hydra
