#include "app/cli/commands/sweep.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <thread>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/document_options.h"
#include "app/cli/input_note.h"
#include "app/cli/overflow_note.h"
#include "app/cli/place_options.h"
#include "app/platform/process.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/learn/tasks/known_text.h"
#include "core/measures/sweep_seeds.h"
#include "core/weights/config.h"

namespace hydra {

namespace {

std::vector<Index> head_counts_of(const SweepOptions& options, const Layer& layer, Index d_model) {
  if (!options.heads) return usual_head_counts(layer.concat_width(d_model));
  const std::vector<Index> counts = numbers_of("--heads", *options.heads, "head counts such as 1,2,4,8");
  try {
    return checked_head_counts(counts, layer.concat_width(d_model), d_model);
  } catch (const InputError& fault) {
    throw InputError(std::string("--heads: ") + fault.what());
  }
}

// [####....] 3 of 7
void show_progress(int done, std::size_t all) {
  std::string bar;
  for (std::size_t k = 0; k < all; ++k) bar += static_cast<int>(k) < done ? '#' : '.';
  std::fprintf(stderr, "\r[%s] %d of %zu%s", bar.c_str(), done, all, static_cast<std::size_t>(done) == all ? "\n" : "");
  std::fflush(stderr);
}

}  // namespace

int run_sweep(const SweepOptions& options) {
  if (options.seeds && (*options.seeds < 1 || *options.seeds > kMostSweptSeeds))
    throw InputError("--seeds: from 1, the document's own, to " + std::to_string(kMostSweptSeeds));
  if (options.head < 1) throw InputError("--head: heads are counted from 1");
  const Document document = asked_document(options);
  note_input(document);
  const int layer = layer_index(options.layer, document);
  const std::vector<Index> counts = head_counts_of(options, document.layer(layer), document.d_model);
  if (options.head > counts.back())
    throw InputError("--head: there is no head " + std::to_string(options.head) + "; the most heads swept are " +
                     std::to_string(counts.back()));
  ThreadPool pool(threads_of_the_machine());
  const std::vector<Index> kv_counts =
      usual_kv_head_counts(document.layer(layer), static_cast<Index>(tokens_of(document).size()));
  const auto tokens = static_cast<Index>(tokens_of(document).size());
  const auto seeds_of = [&](const std::vector<Index>& swept_counts, Swept swept) {
    return has_other_seeds(document.layer(layer))
               ? options.seeds.value_or(usual_seed_count(document, layer, swept_counts, tokens, swept))
               : 1;
  };
  const int seeds = seeds_of(counts, Swept::heads),
            kv_seeds = kv_counts.empty() ? 1 : seeds_of(kv_counts, Swept::kv_heads);
  // All sweeps are one bar.
  const std::size_t all = counts.size() + kv_counts.size() + static_cast<std::size_t>(seeds + kv_seeds - 2);
  const auto progress = [&](std::size_t before) -> std::function<void(int)> {
    if (!is_watched()) return {};
    return [=](int done) { show_progress(static_cast<int>(before) + done, all); };
  };
  SweepForFile heads, sharing;
  OverflowNote note;
  const auto named = [](Index count) { return std::to_string(count) + (count == 1 ? " head" : " heads"); };
  Sweeps over_heads(&pool), over_kv_heads(&pool, Swept::kv_heads);
  over_heads.let_traces_go([&](const SweepEntry& entry) { note.look_at(*entry.trace, "with " + named(entry.heads)); });
  over_kv_heads.let_traces_go([&](const SweepEntry& entry) {
    note.look_at(*entry.trace, "with keys and values shared by " + named(entry.heads / entry.kv_heads));
  });
  heads.entries = over_heads.of(document, layer, counts, options.head - 1, progress(0));
  learn::KnownTexts texts;
  learn::add_accuracy(document, layer, texts, heads.entries, &pool);
  heads.over_seeds = sweep_over_seeds(document, layer, heads.entries, counts, options.head - 1, Swept::heads, seeds,
                                      &pool, progress(counts.size()));
  const std::size_t before = counts.size() + static_cast<std::size_t>(seeds - 1);
  if (!kv_counts.empty()) {
    sharing.entries = over_kv_heads.of(document, layer, kv_counts, -1, progress(before));
    sharing.over_seeds = sweep_over_seeds(document, layer, sharing.entries, kv_counts, -1, Swept::kv_heads, kv_seeds,
                                          &pool, progress(before + kv_counts.size()));
  }
  write_whole(options.out, [&](const Sink& sink) { write_sweep(heads, sharing, sink); });
  return 0;
}

CliCommand add_sweep(CLI::App& app) {
  const auto kept = std::make_shared<SweepOptions>();
  SweepOptions& options = *kept;
  CLI::App& command =
      *app.add_subcommand("sweep", "Writes the same weights cut into several head counts, measured, as JSON");
  add_document(command, options);
  add_layer(command, options.layer);
  command
      .add_option("--heads", options.heads,
                  "The head counts, divisors of d_model (of h d_k where that is another): 1,2,4,8")
      ->type_name("LIST");
  command.add_option("--head", options.head, "The head whose singular values are written, counted from 1")
      ->type_name("NUMBER");
  command
      .add_option(
          "--seeds", options.seeds,
          "Over how many seeds of the weights every number is spread, the document's own among them; 8, or fewer "
          "where that takes minutes")
      ->type_name("NUMBER");
  add_out(command, options.out);
  return {&command, [kept] { return run_sweep(*kept); }};
}

}  // namespace hydra
