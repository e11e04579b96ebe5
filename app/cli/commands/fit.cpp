// `hydrascope fit`: what a head of each width, or so many heads, can be brought to do, as JSON.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/document_options.h"
#include "app/cli/input_note.h"
#include "app/cli/place_options.h"
#include "app/platform/process.h"
#include "core/document/evaluate.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/learn/fit/fit_json.h"
#include "core/learn/fit/fit_target.h"
#include "core/linalg/types.h"

namespace hydra {

namespace {

struct FitOptions : DocumentOptions {
  int layer = 1;
  std::optional<std::string> pattern, widths;  // a list: 1,2,4
  bool without_mask = false;                   // else that of the layer
  std::optional<std::string> heads;            // a list; then it is the question how many heads
  std::optional<Index> relations, tokens, d_model;
  std::uint64_t seed = 0;
  int seeds = 5;
  std::string out = "-";
};

// Ascending, each once.
std::vector<Index> numbers_to(Index most, const std::string& option, const std::string& list, const char* example) {
  std::vector<Index> numbers = numbers_of(option, list, example);
  for (const Index number : numbers)
    if (number < 1 || number > most)
      throw InputError(option + ": " + std::to_string(number) + " is not from 1 to " + std::to_string(most));
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

// Counts on a thread of its own how far the fits are, while a terminal looks on.
class ShownProgress {
 public:
  explicit ShownProgress(std::size_t all) {
    if (!is_watched()) return;
    thread_ = std::jthread([this, all](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        std::fprintf(stderr, "\r%d of %zu fits ", done_.load(), all);
        std::fflush(stderr);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
      std::fprintf(stderr, "\r%d of %zu fits\n", done_.load(), all);
    });
  }
  Progress progress() { return {{}, &done_}; }

 private:
  std::atomic<int> done_ = 0;
  std::jthread thread_;
};

// What goes wrong with an option's value is said with the option's name before it.
template <class Make>
auto named(const char* option, const Make& make) {
  try {
    return make();
  } catch (const InputError& fault) {
    throw InputError(std::string(option) + ": " + fault.what());
  }
}

std::string widths_text(const FitOptions& options, ThreadPool& pool) {
  const Document document = asked_document(options);
  const int layer = layer_index(options.layer, document);
  const std::string pattern = options.pattern.value_or("previous");
  const learn::FitTarget target = named("--pattern", [&] { return learn::fit_target_of(pattern); });
  const std::shared_ptr<const Trace> trace = evaluate(document);
  const LayerInput<float>& input = trace->layer(layer).input;
  const Mask mask = options.without_mask ? Mask{} : input.mask;
  const Mat<float>& X = *input.X;
  const std::vector<Index> widths =
      options.widths ? numbers_to(learn::kMostFitWidth, "--d-k", *options.widths, "a list such as 1,2,4,8,16")
                     : learn::usual_fit_widths(X.rows());
  ShownProgress shown(widths.size() * static_cast<std::size_t>(options.seeds));
  const Mat<float> P = learn::make_fit_target(target, X.rows(), mask, options.seed);
  const std::string text = learn::fit_text(
      learn::fit_widths(X, mask, P, widths, options.seed, options.seeds, &pool, shown.progress()), pattern);
  note_input(document);
  return text;
}

std::string heads_text(const FitOptions& options, ThreadPool& pool) {
  if (options.pattern || options.widths || options.without_mask || !options.file.empty() || !options.sets.empty())
    throw InputError(
        "--heads asks how many heads a problem of its own takes: leave out the document, --set, --pattern, --d-k "
        "and --no-mask");
  learn::HeadsProblem problem;
  problem.relations = options.relations.value_or(problem.relations);
  problem.tokens = options.tokens.value_or(problem.tokens);
  problem.d_model = options.d_model.value_or(problem.d_model);
  learn::check_problem(problem);
  const std::vector<Index> heads = numbers_to(problem.d_model, "--heads", *options.heads, "a list such as 1,2,4,8");
  ShownProgress shown(heads.size() * static_cast<std::size_t>(options.seeds) + 1);
  return named("--heads", [&] {
    return learn::fit_text(
        learn::fit_heads_curve(problem, heads, options.seed, options.seeds, &pool, shown.progress()));
  });
}

// Exit code 0. Throws InputError. Shows its progress on standard error when that is a terminal.
int run_fit(const FitOptions& options) {
  if (options.seeds < 1 || options.seeds > learn::kMostFitSeeds)
    throw InputError("--seeds: from 1 to " + std::to_string(learn::kMostFitSeeds));
  if (!options.heads && (options.relations || options.tokens || options.d_model))
    throw InputError("--relations, --tokens and --d-model go with --heads");
  ThreadPool pool(threads_of_the_machine());
  const std::string text = options.heads ? heads_text(options, pool) : widths_text(options, pool);
  write_whole(options.out, [&](const Sink& sink) { sink(text + "\n"); });
  return 0;
}

}  // namespace

CliCommand add_fit(CLI::App& app) {
  const auto kept = std::make_shared<FitOptions>();
  FitOptions& options = *kept;
  CLI::App& command =
      *app.add_subcommand("fit", "Fits heads of several widths to a pattern, or several heads to relations, as JSON");
  add_document(command, options);
  add_layer(command, options.layer);
  std::string keys;
  for (const learn::FitTargetEntry& entry : learn::fit_targets())
    keys += (keys.empty() ? "" : ", ") + std::string(entry.key);
  command.add_option("--pattern", options.pattern, "What a head is to make, by default previous: " + keys)
      ->type_name("PATTERN");
  command.add_option("--d-k", options.widths, "The widths of the head, by default up to what suffices: 1,2,4,8,16")
      ->type_name("LIST");
  command.add_flag("--no-mask", options.without_mask, "Without the layer's mask");
  command
      .add_option("--heads", options.heads,
                  "How many heads several relations at once take, in a problem of its own: 1,2,4,8,16,32")
      ->type_name("LIST");
  command.add_option("--relations", options.relations, "With --heads: the relations, by default 4")
      ->type_name("NUMBER");
  command.add_option("--tokens", options.tokens, "With --heads: the tokens, by default 16")->type_name("NUMBER");
  command.add_option("--d-model", options.d_model, "With --heads: the width of all heads, by default 32")
      ->type_name("NUMBER");
  command.add_option("--seed", options.seed, "The first seed, by default 0")->type_name("NUMBER");
  command.add_option("--seeds", options.seeds, "So many seeds from that on, by default 5")->type_name("NUMBER");
  add_out(command, options.out);
  return {&command, [kept] { return run_fit(*kept); }};
}

}  // namespace hydra
