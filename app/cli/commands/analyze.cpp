#include "app/cli/commands/analyze.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <memory>
#include <numeric>
#include <thread>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/document_options.h"
#include "app/cli/input_note.h"
#include "app/cli/overflow_note.h"
#include "app/cli/place_options.h"
#include "app/cli/sentences_option.h"
#include "core/analysis/score_spread.h"
#include "core/document/evaluate.h"
#include "core/document/slices.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/learn/opened/named_roles.h"
#include "core/measures/cut_sentences.h"
#include "core/measures/likeness_table.h"
#include "core/report/mixing_json.h"
#include "core/report/stack_json.h"
#include "core/report/stream_json.h"

namespace hydra {

namespace {

LikenessWanted everything() {
  LikenessWanted wanted;
  wanted.measures.fill(true);
  wanted.ranks = true;
  return wanted;
}

// The layers that are asked for, from 0.
std::vector<int> layers_of(const std::string& option, const Document& document) {
  std::vector<int> layers(document.layers.size());
  std::iota(layers.begin(), layers.end(), 0);
  if (option == "all") return layers;
  int number = 0;
  const auto [end, error] = std::from_chars(option.data(), option.data() + option.size(), number);
  if (error != std::errc() || end != option.data() + option.size())
    throw InputError("--layer: \"" + option + "\" is no layer: give a number, or all");
  return {layer_index(number, document)};
}

// Everything that is written. Of a document's own sentence, or of marked ones: then what is of a sentence stays empty.
class Analysis {
 public:
  explicit Analysis(const AnalyzeOptions& options)
      : document_(asked_document(options)),
        layers_(layers_of(options.layer, document_)),
        own_(options.sentences.empty()),
        threshold_(options.threshold),
        pool_(threads_of_the_machine()),
        trace_(evaluate(document_, nullptr, &pool_)),
        token_(token_index(options.token, static_cast<int>(trace_->tokens.size()))),
        marked_(as_cut_by(document_, own_ ? shipped_sentences() : sentences_of(options.sentences))) {
    if (own_)
      note_input(document_);
    else
      note_sentences(document_, *marked_);
    measure_roles();
    if (own_)
      measure_stream();
    else
      evaluate_marked();
  }

  void write(const Sink& sink) {
    std::vector<WrittenRoles> written;
    for (std::size_t k = 0; k < layers_.size(); ++k) {
      const int at = layers_[k];
      written.push_back({at, *roles_[k], [this, at](JsonWriter& out) { write_layer(at, out); }});
    }
    std::function<void(JsonWriter&)> rest;
    if (has_effects() || !is_of_one()) rest = [this](JsonWriter& out) { write_rest(out); };
    write_roles(written, trace_->tokens, threshold_, sink, rest);
  }

 private:
  bool is_of_one() const { return layers_.size() == 1; }
  bool has_effects() const { return stream_ && trace_->model.logits; }  // a word is read out

  // Of one layer or of all.
  StackRoleTables asked_for(StackRoleTables tables) const {
    StackRoleTables asked;
    for (const int layer : layers_) asked.push_back(tables[static_cast<std::size_t>(layer)]);
    return asked;
  }
  // With what random layers reach, unless silencing tells which names are right.
  std::shared_ptr<const RoleTable> with_bounds(const std::shared_ptr<const RoleTable>& table) {
    auto bounded = std::make_shared<RoleTable>(*table);
    bounded->bounds = bounds_of(table->random, &pool_);
    if (table->named && !table->named->answers) bounded->named = with_bounds(table->named);
    return bounded;
  }

  // Tables of the document's own sentence have the names that its heads have over text that the model knows, where
  // there is such text.
  void measure_roles() {
    learn::NamedRoles tables(&pool_);
    if (!own_) {
      roles_ = asked_for(tables.over(document_, marked_, marked_));
    } else {
      roles_ = asked_for(tables.of_sentence(*trace_, document_, marked_));
      if (!roles_.front()->named) try {
          const StackRoleTables named = asked_for(tables.pooled(document_, marked_));
          for (std::size_t k = 0; k < roles_.size(); ++k) {
            auto table = std::make_shared<RoleTable>(*roles_[k]);
            table->named = named[k];
            roles_[k] = std::move(table);
          }
        } catch (const InputError&) {  // they are of this sentence alone
        }
    }
    for (std::shared_ptr<const RoleTable>& table : roles_) table = with_bounds(table);
  }

  void evaluate_marked() {
    OverflowNote note;
    for (const std::shared_ptr<const Trace>& trace : pooled_.evaluate(document_, marked_, &pool_)) {
      note.look_at(*trace, "in \"" + (*marked_)[traces_.size()].title + "\"");
      traces_.push_back(trace);
    }
  }

  void measure_stream() {
    OverflowNote().look_at(*trace_);
    stream_ = StreamMeasures(&pool_).of(*trace_, token_);
  }

  void write_layer(int at, JsonWriter& out) {
    const LayerTrace<float>& layer = trace_->layer(at);
    const LikenessWanted wanted = everything();
    write_likeness(
        own_ ? likeness_.of_sentence(layer, wanted) : likeness_.pooled(document_, *trace_, at, marked_, wanted),
        layer.input.d_k(), layer.input.n(), out);
    out.line();
    write_mixing(mixing(at, Written::all), mixing(at, Written::varying), own_, out);
    out.line();
    out.key("score_spread").text += '{';
    out.number("layer", score_spread(layer));
    out.numbers("heads", score_spreads(layer));
    out.text += '}';
    out.line();
    write_composition(*trace_, at, &pool_, out);
    if (!stream_) return;
    out.line();
    write_stream(stream_->layer(at), out);
    out.line();
    write_rollout(*trace_, at, &pool_, out);
  }

  // Of the document's own sentence, or pooled.
  Mixing mixing(int at, Written written) {
    if (own_) return MixingMeasures(&pool_).of(trace_->layer(at), written);
    LayerOnSentences layers;
    for (const std::shared_ptr<const Trace>& trace : traces_) layers.push_back(trace->layer(at));
    return pooled_mixing(layers, &pool_, written);
  }

  // What is of no single layer.
  void write_rest(JsonWriter& out) {
    if (has_effects()) write_direct_effects(*trace_, *stream_, &pool_, out);
    if (is_of_one()) return;
    if (has_effects()) out.line();
    out.key("all_layers").text += '{';
    Index heads = 0;
    for (const LayerTrace<float>& layer : trace_->layers) heads += layer.input.heads;
    LikenessWanted wanted = everything();
    wanted.ranks = false;
    if (const std::string why = why_not_compared(heads, own_ ? trace_->X->rows() : 0); !why.empty())
      out.string("not_compared", why);
    else
      write_stack_likeness(own_ ? likeness_.of_sentence(*trace_, wanted) : likeness_.pooled(document_, marked_, wanted),
                           out);
    out.text += '}';
  }

  Document document_;
  std::vector<int> layers_;
  bool own_;
  double threshold_;
  ThreadPool pool_;
  std::shared_ptr<const Trace> trace_;
  Index token_;
  MarkedSentences marked_;
  StackRoleTables roles_;  // of those layers
  LikenessTables likeness_{&pool_};
  std::optional<Stream> stream_;
  PooledTraces pooled_;
  std::vector<std::shared_ptr<const Trace>> traces_;  // of the marked sentences
};

}  // namespace

int run_analyze(const AnalyzeOptions& options) {
  if (!(options.threshold >= 0 && options.threshold <= 1)) throw InputError("--threshold: give a number from 0 to 1");
  Analysis analysis(options);
  write_whole(options.out, [&](const Sink& sink) { analysis.write(sink); });
  return 0;
}

CliCommand add_analyze(CLI::App& app) {
  const auto kept = std::make_shared<AnalyzeOptions>();
  AnalyzeOptions& options = *kept;
  CLI::App& command = *app.add_subcommand("analyze", "Writes what each head does, measured and named, as JSON");
  add_document(command, options);
  command
      .add_option("--sentences", options.sentences,
                  "Measures over marked sentences instead of the document's own: shipped, folder, all, or files")
      ->type_name("shipped|folder|all|FILE...");
  command
      .add_option("--layer", options.layer,
                  "The layer it is about, counted from 1, by default the first; all: every layer, and all their heads "
                  "beside each other")
      ->type_name("NUMBER|all");
  command
      .add_option("--token", options.token,
                  "Where words are read out: the token whose stream's direct effects are written, counted from 1, by "
                  "default the last")
      ->type_name("NUMBER");
  command.add_option("--threshold", options.threshold, "The least score of a role, from 0 to 1, by default 0.5")
      ->type_name("SCORE");
  add_out(command, options.out);
  return {&command, [kept] { return run_analyze(*kept); }};
}

}  // namespace hydra
