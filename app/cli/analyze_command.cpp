#include "app/cli/analyze_command.h"

#include <cstdio>
#include <thread>

#include "app/cli/layer_option.h"
#include "app/cli/overflow_note.h"
#include "core/document/evaluate.h"
#include "core/document/file.h"
#include "core/document/likeness_table.h"
#include "core/document/mixing_json.h"
#include "core/document/role_table.h"
#include "core/document/slices.h"
#include "core/document/stack_json.h"
#include "core/document/stream_json.h"
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

LikenessWanted everything() {
  LikenessWanted wanted;
  wanted.measures.fill(true);
  wanted.ranks = true;
  return wanted;
}

Mixing mixing_on(const Document& document, int layer, const MarkedSentences& marked, ThreadPool* pool) {
  std::vector<LayerTrace<float>> layers;
  PooledTraces traces;
  OverflowNote note;
  for (const std::shared_ptr<const Trace>& trace : traces.evaluate(document, marked, pool)) {
    note.look_at(*trace, "in \"" + (*marked)[layers.size()].title + "\"");
    layers.push_back(trace->layer(layer));
  }
  return pooled_mixing(layers, pool);
}

// Of a table of the document's own sentence: the one that names its heads, over all marked sentences where the document
// can run them.
std::optional<RoleTable> naming_table(const Document& document, int layer, const MarkedSentences& marked,
                                      RoleTables& tables, ThreadPool* pool) {
  try {
    RoleTable table = tables.pooled(document, layer, marked);
    table.bounds = bounds_of(table.random, pool);
    return table;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

int run_analyze(const AnalyzeOptions& options) {
  if (!(options.threshold >= 0 && options.threshold <= 1)) throw InputError("--threshold: give a number from 0 to 1");
  const Document document = read_document(options.file, options.sets);
  const int at = layer_index(options.layer, document);
  ThreadPool pool(static_cast<int>(std::thread::hardware_concurrency()));
  const std::shared_ptr<const Trace> trace = evaluate(document, nullptr, &pool);
  const bool own = options.sentences.empty();
  if (own) OverflowNote().look_at(*trace);
  const MarkedSentences marked = own ? all_named() : chosen(options.sentences);
  RoleTables role_tables(&pool);
  RoleTable roles = own ? role_tables.of_sentence(*trace, at, marked, document.layer(at).source)
                        : role_tables.pooled(document, at, marked);
  roles.bounds = bounds_of(roles.random, &pool);
  const std::optional<RoleTable> named = own ? naming_table(document, at, marked, role_tables, &pool) : std::nullopt;
  LikenessTables likeness_tables(&pool);
  const LikenessWanted wanted = everything();
  const LikenessTable likeness = own ? likeness_tables.of_sentence(trace->layer(at), wanted)
                                     : likeness_tables.pooled(document, *trace, at, marked, wanted);
  const LayerInput<float>& layer = trace->layer(at).input;
  const Mixing mixing = own ? MixingMeasures(&pool).of(trace->layer(at)) : mixing_on(document, at, marked, &pool);
  const std::optional<Stream> stream = own ? std::optional(StreamMeasures(&pool).of(*trace, 0)) : std::nullopt;
  write_whole(options.out, [&](const Sink& sink) {
    write_roles(roles, named ? &*named : nullptr, trace->tokens, options.threshold, sink, [&](JsonWriter& out) {
      write_likeness(likeness, layer.d_k(), layer.n(), out);
      out.line();
      write_mixing(mixing, own, out);
      out.line();
      write_composition(*trace, at, &pool, out);
      if (!stream) return;
      out.line();
      write_stream(stream->layer(at), out);
      out.line();
      write_rollout(*trace, at, &pool, out);
    });
  });
  return 0;
}

}  // namespace hydra
