#include "app/cli/sentences_option.h"

#include <cstdio>

#include "core/io/file.h"

namespace hydra {

MarkedSentences all_sentences_noted() {
  std::vector<std::string> faults;
  MarkedSentences all = all_marked_sentences(&faults);
  for (const std::string& fault : faults) std::fprintf(stderr, "skipped: %s\n", fault.c_str());
  return all;
}

MarkedSentences sentences_of(const std::vector<std::string>& names) {
  auto set = std::make_shared<std::vector<AnnotatedSentence>>();
  for (const std::string& name : names) {
    if (name == "all") {
      const MarkedSentences all = all_sentences_noted();
      set->insert(set->end(), all->begin(), all->end());
    } else {
      set->push_back(parse_annotated(read_whole(name), name));
    }
  }
  return set;
}

}  // namespace hydra
