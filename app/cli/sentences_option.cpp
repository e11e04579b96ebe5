#include "app/cli/sentences_option.h"

#include <cstdio>

#include "core/document/limits.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/json/json.h"
#include "core/measures/own_relations.h"
#include "core/measures/sentence_folder.h"

namespace hydra {

namespace {

MarkedSentences of_folder() {
  const SentenceFolder folder;
  for (const std::string& fault : folder.skipped()) std::fprintf(stderr, "skipped: %s\n", fault.c_str());
  return folder.sentences();
}

// What a document marks, or one marked sentence.
MarkedSentences of_file(const std::string& name) {
  const std::string text = read_whole(name);
  const JsonTree tree = parse_json(text, name, kLargestDocument.values);
  if (tree.root().find("hydrascope") == nullptr)
    return std::make_shared<std::vector<AnnotatedSentence>>(1, parse_annotated(text, name));
  const MarkedSentences marks = sentences_of(parse_document(text, name).marks);
  if (marks->empty())
    throw InputError(name +
                     ": the document marks no sentence; mark pairs of words in its Heads view, or name a file of "
                     "a marked sentence");
  return marks;
}

}  // namespace

MarkedSentences sentences_of(const std::vector<std::string>& names) {
  auto set = std::make_shared<std::vector<AnnotatedSentence>>();
  const auto add = [&](const MarkedSentences& some) { set->insert(set->end(), some->begin(), some->end()); };
  for (const std::string& name : names) {
    const bool all = name == "all";
    if (all || name == "shipped") add(shipped_sentences());
    if (all || name == "folder") add(of_folder());
    if (!all && name != "shipped" && name != "folder") add(of_file(name));
  }
  return set;
}

}  // namespace hydra
