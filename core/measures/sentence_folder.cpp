#include "core/measures/sentence_folder.h"

#include <algorithm>

namespace hydra {

SentenceFolder::SentenceFolder(std::string path) : path_(std::move(path)) { update(); }

bool SentenceFolder::update() {
  namespace fs = std::filesystem;
  std::vector<File> files;
  std::error_code fault, ignored;
  for (fs::directory_iterator it(path_, fault), end; !fault && it != end; it.increment(fault))
    if (it->path().extension() == ".json")
      files.emplace_back(it->path().string(), it->last_write_time(ignored), it->file_size(ignored));
  std::ranges::sort(files);
  if (files == files_) return false;
  files_ = std::move(files);
  AnnotatedSet read = read_annotated_folder(path_);
  sentences_ = std::make_shared<std::vector<AnnotatedSentence>>(std::move(read.sentences));
  skipped_ = std::move(read.faults);
  return true;
}

}  // namespace hydra
