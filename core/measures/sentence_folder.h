// The marked sentences in the user's folder, read again when a file there changes.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "core/measures/pooled.h"

namespace hydra {

class SentenceFolder {
 public:
  explicit SentenceFolder(std::string path = own_sentences_folder());
  // Looks at the files, and reads them where one is another, new or gone: true then.
  bool update();
  // Never null; another one after each update that read.
  const MarkedSentences& sentences() const { return sentences_; }
  const std::vector<std::string>& skipped() const { return skipped_; }  // a sentence for each that could not be read

 private:
  using File = std::tuple<std::string, std::filesystem::file_time_type, std::uintmax_t>;
  std::string path_;
  std::vector<File> files_;
  MarkedSentences sentences_ = std::make_shared<std::vector<AnnotatedSentence>>();
  std::vector<std::string> skipped_;
};

}  // namespace hydra
