#include "app/cli/analyze_command.h"

#include <cstdio>
#include <thread>

#include "core/document/evaluate.h"
#include "core/document/file.h"
#include "core/document/role_table.h"
#include "core/error.h"

namespace hydra {

namespace {

MarkedSentences all_named() {
  std::vector<std::string> faults;
  MarkedSentences all = all_marked_sentences(&faults);
  for (const std::string& fault : faults) std::fprintf(stderr, "skipped: %s\n", fault.c_str());
  return all;
}

MarkedSentences chosen(const std::vector<std::string>& names) {
  auto set = std::make_shared<std::vector<AnnotatedSentence>>();
  for (const std::string& name : names) {
    if (name == "all") {
      const MarkedSentences all = all_named();
      set->insert(set->end(), all->begin(), all->end());
    } else {
      set->push_back(parse_annotated(read_whole(name), name));
    }
  }
  return set;
}

}  // namespace

int run_analyze(const AnalyzeOptions& options) {
  if (!(options.threshold >= 0 && options.threshold <= 1)) throw InputError("--threshold: give a number from 0 to 1");
  const Document document = read_document(options.file, options.sets);
  ThreadPool pool(static_cast<int>(std::thread::hardware_concurrency()));
  RoleTables tables(&pool);
  const RoleTable table = options.sentences.empty()
                              ? tables.of_sentence(*evaluate(document, nullptr, &pool), all_named())
                              : tables.pooled(document, chosen(options.sentences));
  write_whole(options.out, [&](const Sink& sink) { write_roles(table, tokens_of(document), options.threshold, sink); });
  return 0;
}

}  // namespace hydra
